//! Structs with one value a lane in each field.

/// A struct with one value a lane in each of its fields: `Name<[R; W]>` holds a tile, `Name<R>` one lane.
///
/// Loops over lanes take `tile.lane(i)`, compute with plain values, and `tile.set(i, ...)`: they vectorise on a CPU,
/// and on a GPU (`W = 1`) nothing is left of them.
macro_rules! per_lane {
    ($(#[$doc:meta])* struct $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name<T> {
            $($(#[$field_doc])* pub(crate) $field: T),*
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
