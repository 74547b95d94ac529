//! Polynomials by Horner's rule, written out by a macro: no array, hence no table in memory.

/// `polynomial!(x; a, b, c)` is `a + x (b + x c)`.
macro_rules! polynomial {
    ($x:expr; $last:expr $(,)?) => { $last };
    ($x:expr; $first:expr, $($rest:expr),+ $(,)?) => { $first + $x * polynomial!($x; $($rest),+) };
}
