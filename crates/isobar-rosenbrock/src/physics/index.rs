//! The numbers in tables: 16 bits where they are enough, for tables share the nearest cache with the cells.

mod sealed {
    pub trait Sealed {}
    impl Sealed for u16 {}
    impl Sealed for u32 {}
}

/// A place in a table: `u16` or `u32`.
pub trait Index: sealed::Sealed + Copy + Send + Sync + core::fmt::Debug + 'static {
    /// The largest place.
    const MAX: usize;
    /// The name of the kernel of these tables.
    const KERNEL: &'static str;
    /// The name of the kernel for rate constants that change.
    const KERNEL_WITH_RATES: &'static str;
    /// The name of the kernel that solves for some species alone.
    const KERNEL_REDUCED: &'static str;
    /// The place.
    fn place(self) -> usize;
    /// The index of a place, which is at most `MAX`.
    fn of(place: usize) -> Self;
}

macro_rules! index {
    ($integer:ident, $kernel:literal) => {
        impl Index for $integer {
            const MAX: usize = $integer::MAX as usize;
            const KERNEL: &'static str = $kernel;
            const KERNEL_WITH_RATES: &'static str = concat!($kernel, "_rates");
            const KERNEL_REDUCED: &'static str = concat!($kernel, "_reduced");
            #[inline(always)]
            fn place(self) -> usize {
                self as usize
            }
            #[inline(always)]
            fn of(place: usize) -> Self {
                place as $integer
            }
        }
    };
}

index!(u16, "rosenbrock");
index!(u32, "rosenbrock_wide");
