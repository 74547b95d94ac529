//! The structs that [`fields!`](crate::fields!) writes.

/// Writes the structs of `inputs` or `outputs`, field by field: a derive takes no macro in the place of a type. First
/// come the views of a value an item and of a field, types of this crate, and what is said of vectors and of views.
#[doc(hidden)]
#[macro_export]
macro_rules! __structs {
    (
        [$column:ident $field_view:ident $of_vectors:literal $of_views:literal]
        [$($doc:tt)*] [$($attribute:tt)*] $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
    ) => {
        $crate::__if_std! {
            $($doc)*
            ///
            #[doc = concat!("Vectors, `[row * items + item]`; ", $of_vectors)]
            #[derive(Clone, Debug, Default, PartialEq)]
            $($attribute)*
            pub struct $owned<R> { $($vectors)* }
        }

        $($doc)*
        ///
        #[doc = concat!("Views in any layout, on the host or a device; ", $of_views)]
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $views<'a, R> { $($fields)* }
    };
    (
        [$column:ident $field_view:ident $($said:literal)+]
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Real [] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__structs! {
            [$column $field_view $($said)+]
            $docs $attributes $owned $views
            {
                $($vectors)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!())]
                pub $field: $crate::__std::vec::Vec<R>,
            }
            {
                $($fields)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!())]
                pub $field: $crate::$column<'a, R>,
            }
            $($rest)*
        }
    };
    (
        [$column:ident $field_view:ident $($said:literal)+]
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Real [$($dimension:ident)+] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__structs! {
            [$column $field_view $($said)+]
            $docs $attributes $owned $views
            {
                $($vectors)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!($($dimension)+))]
                pub $field: $crate::__std::vec::Vec<R>,
            }
            {
                $($fields)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!($($dimension)+))]
                pub $field: $crate::$field_view<'a, R>,
            }
            $($rest)*
        }
    };
    (
        [$column:ident $field_view:ident $($said:literal)+]
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Word [] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__structs! {
            [$column $field_view $($said)+]
            $docs $attributes $owned $views
            {
                $($vectors)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!())]
                pub $field: $crate::__std::vec::Vec<u32>,
            }
            {
                $($fields)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!())]
                pub $field: $crate::$column<'a, u32>,
            }
            $($rest)*
        }
    };
    (
        [$column:ident $field_view:ident $($said:literal)+]
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Word [$($dimension:ident)+] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__structs! {
            [$column $field_view $($said)+]
            $docs $attributes $owned $views
            {
                $($vectors)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!($($dimension)+))]
                pub $field: $crate::__std::vec::Vec<u32>,
            }
            {
                $($fields)*
                $(#[doc = $doc])*
                #[doc = concat!(" \\[", $unit, "\\]", $crate::__dimensions!($($dimension)+))]
                pub $field: $crate::$field_view<'a, u32>,
            }
            $($rest)*
        }
    };
}
