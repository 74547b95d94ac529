//! Structs whose fields all have one type: by name what would be an array by number.

/// Declares a struct of one type of field: numbers, views of memory, or numbers of rows of the same quantities.
///
/// What is done to each field is written once, by `map` and `zip`; a list that lacks a field does not compile.
///
/// ```
/// isobar_core::by_name! {
///     /// A layer of air.
///     struct Air { pressure, temperature }
/// }
///
/// let air = Air { pressure: [1e5, 9e4], temperature: [300.0, 290.0] };
/// let first = air.map(|levels| levels[0]);
/// assert_eq!((first.pressure, first.temperature), (1e5, 300.0));
/// let heights = first.zip(Air { pressure: 1e-5, temperature: 0.1 }).map(|(value, factor)| value * factor);
/// assert_eq!(heights.into_array(), [1.0, 30.0]);
/// assert_eq!((Air::COUNT, Air::NUMBERS.temperature, air.find("pressure")), (2, 1, Some(&[1e5, 9e4])));
/// ```
#[macro_export]
macro_rules! by_name {
    ($(#[$attribute:meta])* $vis:vis struct $name:ident {
        $($(#[$field_attribute:meta])* $field:ident),* $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default)]
        $vis struct $name<T> {
            $($(#[$field_attribute])* $vis $field: T),*
        }

        #[allow(dead_code, reason = "not every struct needs all")]
        impl<T> $name<T> {
            /// What becomes of each field.
            #[inline(always)]
            $vis fn map<U>(self, mut of: impl FnMut(T) -> U) -> $name<U> {
                $name { $($field: of(self.$field)),* }
            }

            /// The fields by reference.
            #[inline(always)]
            $vis fn each(&self) -> $name<&T> {
                $name { $($field: &self.$field),* }
            }

            /// The fields by reference, to change them.
            #[inline(always)]
            $vis fn each_mut(&mut self) -> $name<&mut T> {
                $name { $($field: &mut self.$field),* }
            }

            /// Each field beside another struct's.
            #[inline(always)]
            $vis fn zip<U>(self, other: $name<U>) -> $name<(T, U)> {
                $name { $($field: (self.$field, other.$field)),* }
            }

            /// The fields in their order.
            #[inline(always)]
            $vis fn into_array(self) -> [T; $name::<usize>::COUNT] {
                [$(self.$field),*]
            }

            /// What the field of this name has.
            $vis fn find(&self, name: &str) -> Option<&T> {
                match name {
                    $(stringify!($field) => Some(&self.$field),)*
                    _ => None,
                }
            }
        }

        #[allow(dead_code, reason = "not every struct needs it")]
        impl $name<usize> {
            /// The number of fields.
            $vis const COUNT: usize = [$(stringify!($field)),*].len();

            /// The fields numbered in their order.
            #[allow(unused_assignments, reason = "the last field has no next")]
            $vis const NUMBERS: Self = {
                let mut next = 0;
                $(
                    let $field = next;
                    next += 1;
                )*
                Self { $($field),* }
            };
        }
    };
}
