//! Loops over streams whose arrays stay in a GPU's registers, and names of kernels by their order.

/// `for k in 0..N`, written out where a thread is one lane: arrays indexed by `k` then need no memory.
/// The conditions are constants, so that what does not apply is not even compiled.
macro_rules! for_each_stream {
    ($k:ident in $n:ident, $w:ident: $body:block) => {
        if const { $w == 1 } {
            for_each_stream!(@unrolled $k, $n, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
        } else {
            #[allow(clippy::needless_range_loop)]
            for $k in 0..$n $body
        }
    };
    (@unrolled $k:ident, $n:ident, $body:block, $($i:literal)*) => {$(
        if const { $i < $n } {
            let $k: usize = $i;
            $body
        }
    )*};
}

/// `by_order!("add", N)` is `"add_8"` for `N = 8`.
macro_rules! by_order {
    ($name:literal, $n:ident) => {
        by_order!(@names $name, $n, 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17)
    };
    (@names $name:literal, $n:ident, $($i:literal)*) => {
        match $n {
            $($i => concat!($name, "_", $i),)*
            _ => panic!("there are 1 to 17 streams a hemisphere"),
        }
    };
}
