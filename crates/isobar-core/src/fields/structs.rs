//! The structs that [`fields!`](crate::fields!) writes.

/// Writes the structs of `inputs`, field by field: a derive takes no macro in the place of a type.
#[doc(hidden)]
#[macro_export]
macro_rules! __inputs_structs {
    ([$($doc:tt)*] [$($attribute:tt)*] $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}) => {
        $crate::__if_std! {
            $($doc)*
            ///
            /// Vectors, `[row * items + item]`; empty for a field that is left out, one value for all.
            #[derive(Clone, Debug, Default, PartialEq)]
            $($attribute)*
            pub struct $owned<R> { $($vectors)* }
        }

        $($doc)*
        ///
        /// Views in any layout, on the host or a device; without items for a field that is left out.
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $views<'a, R> { $($fields)* }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Real [] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__inputs_structs! {
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
                pub $field: $crate::Column<'a, R>,
            }
            $($rest)*
        }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Real [$($dimension:ident)+] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__inputs_structs! {
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
                pub $field: $crate::Field<'a, R>,
            }
            $($rest)*
        }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Word [] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__inputs_structs! {
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
                pub $field: $crate::Column<'a, u32>,
            }
            $($rest)*
        }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Word [$($dimension:ident)+] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__inputs_structs! {
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
                pub $field: $crate::Field<'a, u32>,
            }
            $($rest)*
        }
    };
}

/// The structs of `outputs`.
#[doc(hidden)]
#[macro_export]
macro_rules! __outputs_structs {
    ([$($doc:tt)*] [$($attribute:tt)*] $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}) => {
        $crate::__if_std! {
            $($doc)*
            ///
            /// Vectors, `[row * items + item]`; empty for a field that was not wanted.
            #[derive(Clone, Debug, Default, PartialEq)]
            $($attribute)*
            pub struct $owned<R> { $($vectors)* }
        }

        $($doc)*
        ///
        /// Views in any layout, on the host or a device; without items for a field that is not wanted.
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $views<'a, R> { $($fields)* }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Real [] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__outputs_structs! {
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
                pub $field: $crate::FieldMut<'a, R>,
            }
            $($rest)*
        }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Real [$($dimension:ident)+] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__outputs_structs! {
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
                pub $field: $crate::FieldMut<'a, R>,
            }
            $($rest)*
        }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Word [] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__outputs_structs! {
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
                pub $field: $crate::FieldMut<'a, u32>,
            }
            $($rest)*
        }
    };
    (
        $docs:tt $attributes:tt $owned:ident $views:ident {$($vectors:tt)*} {$($fields:tt)*}
        $(#[doc = $doc:literal])* $field:ident: Word [$($dimension:ident)+] $unit:literal; $($rest:tt)*
    ) => {
        $crate::__outputs_structs! {
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
                pub $field: $crate::FieldMut<'a, u32>,
            }
            $($rest)*
        }
    };
}
