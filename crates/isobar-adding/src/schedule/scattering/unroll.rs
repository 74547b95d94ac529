//! Loops over the rows of matrices that are in registers, and names of kernels by their size.

/// `for i in 0..streams.order()` over rows. Where a thread is one lane it is written out for all `N` rows that there is
/// room for, so that they need no memory: what the body does to a row beyond the order must do no harm. The conditions
/// are constants, so that what does not apply is not even compiled.
macro_rules! for_each_row {
    ($i:ident in $streams:expr, $n:ident, $w:ident: $body:block) => {
        if const { $w == 1 } {
            for_each_row!(@written_out $i, $n, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
        } else {
            #[allow(clippy::needless_range_loop)]
            for $i in 0..$streams.order() $body
        }
    };
    (@written_out $i:ident, $n:ident, $body:block, $($number:literal)*) => {$(
        if const { $number < $n } {
            let $i: usize = $number;
            $body
        }
    )*};
}

/// The largest order of matrices: 16 nodes, a viewing angle and the Sun. A CPU, whose loops are no longer for it, has
/// only the kernels with room for that.
pub const LARGEST_ORDER: usize = 18;

/// `by_size!("add", N)` is `"add_8"` for `N = 8`.
macro_rules! by_size {
    ($name:literal, $n:ident) => {
        match $n {
            4 => concat!($name, "_4"),
            8 => concat!($name, "_8"),
            16 => concat!($name, "_16"),
            18 => concat!($name, "_18"),
            32 => concat!($name, "_32"),
            _ => panic!("there is room for 4, 8, 16, 18 or 32 streams a hemisphere"),
        }
    };
}
