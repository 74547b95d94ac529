//! The macro that makes everything from a list of fields.

/// Declares what a scheme reads (`inputs`) or writes (`outputs`): see [`crate::fields`](mod@crate::fields).
#[macro_export]
macro_rules! fields {
    ($(#[doc = $doc:literal])* inputs $owned:ident, $views:ident $(with $(#[$attribute:meta])+)? {
        $($(#[doc = $field_doc:literal])*
        $field:ident: $kind:ident [$($dimension:ident),*] $unit:literal
        $(.$method:ident($($argument:tt)*))*;)*
    }) => {
        $crate::__structs! {
            [Column Field "empty for a field that is left out, one value for all."
                "without items for a field that is left out."]
            [$(#[doc = $doc])*] [$($(#[$attribute])+)?] $owned $views {} {}
            $($(#[doc = $field_doc])* $field: $kind [$($dimension)*] $unit;)*
        }

        impl<R> $views<'_, R> {
            /// The declarations, in their order.
            pub const DECLARED: &'static [$crate::fields::Declared] = &[$(
                $crate::fields::Declared::new(
                    stringify!($field),
                    $crate::fields::Kind::$kind,
                    &[$($dimension),*],
                    $unit,
                    concat!($($field_doc),*),
                )$(.$method($($argument)*))*
            ),*];
        }

        impl<'a, R: $crate::Real> $crate::fields::InputSet<'a> for $views<'a, R> {
            type Real = R;
            const DECLARED: &'static [$crate::fields::Declared] = $views::<'a, R>::DECLARED;

            fn empty() -> Self {
                Self { $($field: $crate::__empty!([$($dimension)*])),* }
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn visit(
                &self,
                visit: &mut dyn FnMut(&'static $crate::fields::Declared, $crate::fields::AnyField<'a, R>),
            ) {
                let mut index = 0;
                $(
                    let view = $crate::__to_field!(self.$field, [$($dimension)*]);
                    visit(&Self::DECLARED[index], $crate::fields::AnyField::$kind(view));
                    index += 1;
                )*
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn build(
                make: &mut dyn FnMut(&'static $crate::fields::Declared) -> $crate::fields::AnyField<'a, R>,
            ) -> Self {
                let mut index = 0;
                $(
                    let view = $crate::__unwrap!($kind make(&Self::DECLARED[index]));
                    let $field = $crate::__from_field!(view, [$($dimension)*]);
                    index += 1;
                )*
                Self { $($field),* }
            }

            fn range(&self, items: &::core::ops::Range<usize>) -> Self {
                Self { $(
                    $field: $crate::__from_field!(
                        $crate::__to_field!(self.$field, [$($dimension)*]).range(items.clone()), [$($dimension)*]
                    )
                ),* }
            }
        }

        $crate::__if_std! {
        impl<R: $crate::Real> $crate::fields::OwnedInputs<R> for $owned<R> {
            type Views<'a> = $views<'a, R> where Self: 'a;
            type Rounded<T: $crate::Real> = $owned<T>;

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn views(
                &self,
                extents: &$crate::fields::Extents,
                item_name: &'static str,
            ) -> Result<$views<'_, R>, $crate::fields::Error> {
                let mut index = 0;
                $(
                    let declared = &$views::<'_, R>::DECLARED[index];
                    let view = $crate::fields::view_of(&self.$field[..], declared, extents, item_name)?;
                    let $field = $crate::__from_field!(view, [$($dimension)*]);
                    index += 1;
                )*
                Ok($views { $($field),* })
            }

            fn rounded<T: $crate::Real>(&self) -> $owned<T> {
                $owned { $($field: $crate::__round!($kind R T, self.$field)),* }
            }

            fn items(&self, items: usize, range: ::core::ops::Range<usize>) -> Self {
                Self { $($field: $crate::fields::items_of(&self.$field, items, &range)),* }
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn each_real(
                &mut self,
                visit: &mut dyn FnMut(&'static $crate::fields::Declared, &mut $crate::__std::vec::Vec<R>),
            ) {
                let mut index = 0;
                $(
                    $crate::__if_real!($kind visit(&$views::<'_, R>::DECLARED[index], &mut self.$field));
                    index += 1;
                )*
            }
        }
        }
    };

    ($(#[doc = $doc:literal])* outputs $owned:ident, $views:ident $(with $(#[$attribute:meta])+)? {
        $($(#[doc = $field_doc:literal])*
        $field:ident: $kind:ident [$($dimension:ident),*] $unit:literal
        $(.$method:ident($($argument:tt)*))*;)*
    }) => {
        $crate::__structs! {
            [FieldMut FieldMut "empty for a field that was not wanted." "without items for a field that is not wanted."]
            [$(#[doc = $doc])*] [$($(#[$attribute])+)?] $owned $views {} {}
            $($(#[doc = $field_doc])* $field: $kind [$($dimension)*] $unit;)*
        }

        impl<R> $views<'_, R> {
            /// The declarations, in their order.
            pub const DECLARED: &'static [$crate::fields::Declared] = &[$(
                $crate::fields::Declared::new(
                    stringify!($field),
                    $crate::fields::Kind::$kind,
                    &[$($dimension),*],
                    $unit,
                    concat!($($field_doc),*),
                )$(.$method($($argument)*))*
            ),*];
        }

        impl<'a, R: $crate::Real> $crate::fields::OutputSet<'a> for $views<'a, R> {
            type Real = R;
            const DECLARED: &'static [$crate::fields::Declared] = $views::<'a, R>::DECLARED;

            fn empty() -> Self {
                Self { $($field: $crate::FieldMut::empty()),* }
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn visit(
                &self,
                visit: &mut dyn FnMut(&'static $crate::fields::Declared, $crate::fields::AnyFieldMut<'a, R>),
            ) {
                let mut index = 0;
                $(
                    visit(&Self::DECLARED[index], $crate::fields::AnyFieldMut::$kind(self.$field));
                    index += 1;
                )*
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn build(
                make: &mut dyn FnMut(&'static $crate::fields::Declared) -> $crate::fields::AnyFieldMut<'a, R>,
            ) -> Self {
                let mut index = 0;
                $(
                    let $field = $crate::__unwrap!($kind make(&Self::DECLARED[index]));
                    index += 1;
                )*
                Self { $($field),* }
            }

            fn range(&self, items: &::core::ops::Range<usize>) -> Self {
                Self { $($field: self.$field.range(items.clone())),* }
            }
        }

        $crate::__if_std! {
        impl<R: $crate::Real> $crate::fields::OwnedOutputs<R> for $owned<R> {
            type Views<'a> = $views<'a, R> where Self: 'a;

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn resize(
                &mut self,
                extents: &$crate::fields::Extents,
                wanted: &dyn Fn(&'static $crate::fields::Declared) -> bool,
            ) -> Result<(), $crate::fields::Error> {
                let mut index = 0;
                $(
                    let declared = &$views::<'_, R>::DECLARED[index];
                    let rows = if wanted(declared) { extents.rows(declared.shape) } else { 0 };
                    $crate::fields::resize(&mut self.$field, rows.saturating_mul(extents.items()), stringify!($field))?;
                    index += 1;
                )*
                Ok(())
            }

            fn views(&mut self, items: usize) -> $views<'_, R> {
                $views { $($field: $crate::fields::view_mut_of(&mut self.$field, items)),* }
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn each<'a>(
                &'a self,
                visit: &mut dyn FnMut(&'static $crate::fields::Declared, $crate::fields::AnyValues<'a, R>),
            ) {
                let mut index = 0;
                $(
                    visit(&$views::<'_, R>::DECLARED[index], $crate::fields::AnyValues::$kind(&self.$field));
                    index += 1;
                )*
            }

            #[allow(unused_assignments, reason = "the last field has no next")]
            fn each_real(
                &mut self,
                visit: &mut dyn FnMut(&'static $crate::fields::Declared, &mut $crate::__std::vec::Vec<R>),
            ) {
                let mut index = 0;
                $(
                    $crate::__if_real!($kind visit(&$views::<'_, R>::DECLARED[index], &mut self.$field));
                    index += 1;
                )*
            }
        }
        }
    };
}

/// A value an item is a column, everything else a field.
#[doc(hidden)]
#[macro_export]
macro_rules! __empty {
    ([]) => {
        $crate::Column::empty()
    };
    ([$($dimension:ident)+]) => {
        $crate::Field::empty()
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __to_field {
    ($view:expr, []) => {
        $crate::fields::field_of($view)
    };
    ($view:expr, [$($dimension:ident)+]) => {
        $view
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __from_field {
    ($view:expr, []) => {
        $crate::fields::column_of($view)
    };
    ($view:expr, [$($dimension:ident)+]) => {
        $view
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __unwrap {
    (Real $any:expr) => {
        $any.real()
    };
    (Word $any:expr) => {
        $any.word()
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __round {
    (Real $from:ident $to:ident, $values:expr) => {
        $values.iter().map(|x| $to::from_f64($crate::Real::value(*x))).collect()
    };
    (Word $from:ident $to:ident, $values:expr) => {
        $values.clone()
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __if_real {
    (Real $call:expr) => {
        $call
    };
    (Word $call:expr) => {};
}

/// The dimensions in words, for the documentation.
#[doc(hidden)]
#[macro_export]
macro_rules! __dimensions {
    () => { ", one value an item." };
    ($first:ident $($more:ident)*) => { concat!(", `[", stringify!($first), $(", ", stringify!($more),)* "]`.") };
}

/// What needs vectors, where this crate has them: whatever the features of the crate that declares.
#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_std {
    ($($item:tt)*) => { $($item)* };
}

#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_std {
    ($($item:tt)*) => {};
}
