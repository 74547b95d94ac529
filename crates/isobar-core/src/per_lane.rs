//! Structs of quantities, of one lane or of a tile of neighbouring lanes.

/// What a tile has for each of its lanes: [`per_lane!`](crate::per_lane!) makes structs of such.
pub trait PerLane {
    /// What one lane has.
    type One;

    /// The same for all lanes.
    fn all(one: Self::One) -> Self;

    /// Nothing in all lanes.
    #[inline(always)]
    fn zeros() -> Self
    where
        Self: Sized,
        Self::One: Default,
    {
        Self::all(Self::One::default())
    }

    /// What a lane has.
    fn lane(&self, lane: usize) -> Self::One;

    /// Sets it.
    fn set(&mut self, lane: usize, one: Self::One);
}

impl<T: Copy, const W: usize> PerLane for [T; W] {
    type One = T;

    #[inline(always)]
    fn all(one: T) -> Self {
        [one; W]
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> T {
        self[lane]
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, one: T) {
        self[lane] = one;
    }
}

/// Declares a struct of quantities: `Name<R>` has those of one lane, for which formulas are, `Name<[R; W]>` those of a
/// tile, which schedules have; `Name<&Field<R>>` the fields with them ([`by_name!`](crate::by_name!)). `struct Part
/// from Whole` has some of another.
///
/// Loops over lanes take `tile.lane(i)`, compute with plain values, and `tile.set(i, ...)`: they vectorise on a CPU,
/// and on a GPU (`W = 1`) nothing is left of them.
///
/// With whole numbers, too, or structs in structs, the fields' types are written out: `struct Name<T, N> { ... }` is
/// `Name<R, u32>` of one lane, `Name<[R; W], [u32; W]>` of a tile.
///
/// ```
/// use isobar_core::PerLane as _;
///
/// isobar_core::per_lane! {
///     /// A wind.
///     struct Wind { u, v }
/// }
/// isobar_core::per_lane! {
///     /// A wind in a layer.
///     struct At<T, N> { wind: Wind<T>, layer: N }
/// }
///
/// fn strengthened(at: At<f64, u32>) -> At<f64, u32> {
///     At { wind: Wind { u: 2.0 * at.wind.u, ..at.wind }, layer: at.layer + 1 }
/// }
///
/// let mut tile = At { wind: Wind { u: [1.0, 2.0], v: [3.0, 4.0] }, layer: [0, 5] };
/// for lane in 0..2 {
///     tile.set(lane, strengthened(tile.lane(lane)));
/// }
/// assert_eq!((tile.wind.u, tile.wind.v, tile.layer), ([2.0, 4.0], [3.0, 4.0], [1, 6]));
/// assert_eq!(Wind::<[f64; 2]>::zeros().v, [0.0; 2]);
/// ```
#[macro_export]
macro_rules! per_lane {
    ($(#[$doc:meta])* $vis:vis struct $name:ident from $whole:ident { $($field:ident),* $(,)? }) => {
        $crate::per_lane! { $(#[$doc])* $vis struct $name { $($field),* } }

        impl<T> From<$whole<T>> for $name<T> {
            #[inline(always)]
            fn from(whole: $whole<T>) -> Self {
                Self { $($field: whole.$field),* }
            }
        }
    };
    ($(#[$doc:meta])* $vis:vis struct $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? }) => {
        $crate::by_name! {
            $(#[$doc])*
            $vis struct $name { $($(#[$field_doc])* $field),* }
        }

        impl<T: $crate::PerLane> $crate::PerLane for $name<T> {
            type One = $name<T::One>;

            $crate::per_lane!(@functions $name { $($field: T),* });
        }
    };
    ($(#[$doc:meta])* $vis:vis struct $name:ident<$($type_of:ident),+> {
        $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)?
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        $vis struct $name<$($type_of),+> {
            $($(#[$field_doc])* $vis $field: $type),*
        }

        impl<$($type_of: $crate::PerLane),+> $crate::PerLane for $name<$($type_of),+> {
            type One = $name<$($type_of::One),+>;

            $crate::per_lane!(@functions $name { $($field: $type),* });
        }
    };
    (@functions $name:ident { $($field:ident: $type:ty),* }) => {
        #[inline(always)]
        fn all(one: Self::One) -> Self {
            Self { $($field: <$type as $crate::PerLane>::all(one.$field)),* }
        }

        #[inline(always)]
        fn lane(&self, lane: usize) -> Self::One {
            $name { $($field: $crate::PerLane::lane(&self.$field, lane)),* }
        }

        #[inline(always)]
        fn set(&mut self, lane: usize, one: Self::One) {
            $($crate::PerLane::set(&mut self.$field, lane, one.$field);)*
        }
    };
}
