//! Structs of quantities: numbers, vectors of them, or where they lie in memory.

/// A struct of quantities: `Name<[R; W]>` has a tile's, `Name<R>` those of one lane, `Name<&Field<R>>` the fields with
/// them ([`isobar_core::by_name!`]). `struct Part from Whole` has some of another.
///
/// Loops over lanes take `tile.lane(i)`, compute with plain values, and `tile.set(i, ...)`: they vectorise on a CPU,
/// and on a GPU (`W = 1`) nothing is left of them.
macro_rules! per_lane {
    ($(#[$doc:meta])* struct $name:ident from $whole:ident { $($field:ident),* $(,)? }) => {
        $crate::physics::per_lane::per_lane! { $(#[$doc])* struct $name { $($field),* } }

        impl<T> From<$whole<T>> for $name<T> {
            #[inline(always)]
            fn from(whole: $whole<T>) -> Self {
                Self { $($field: whole.$field),* }
            }
        }
    };
    ($(#[$doc:meta])* struct $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? }) => {
        isobar_core::by_name! {
            $(#[$doc])*
            pub(crate) struct $name { $($(#[$field_doc])* $field),* }
        }

        #[allow(dead_code, reason = "not every struct needs it")]
        impl<R: isobar_core::Real> $name<R> {
            pub(crate) const ZERO: Self = Self { $($field: R::ZERO),* };
        }

        #[allow(dead_code, reason = "not every struct needs all")]
        impl<R: isobar_core::Real, const W: usize> $name<[R; W]> {
            pub(crate) const ZEROS: Self = Self { $($field: [R::ZERO; W]),* };

            #[inline(always)]
            pub(crate) fn lane(&self, lane: usize) -> $name<R> {
                $name { $($field: self.$field[lane]),* }
            }

            #[inline(always)]
            pub(crate) fn set(&mut self, lane: usize, values: $name<R>) {
                $(self.$field[lane] = values.$field;)*
            }
        }
    };
}
pub(crate) use per_lane;
