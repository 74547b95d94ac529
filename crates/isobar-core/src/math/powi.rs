//! The integer power by repeated squaring: at most `2 log2(n)` roundings, each doubled by the squarings after it.

macro_rules! powi {
    ($name:ident, $float:ident) => {
        /// See [`crate::Real::powi`].
        #[inline]
        #[must_use]
        pub fn $name(x: $float, n: i32) -> $float {
            let mut base = x;
            let mut power = n.unsigned_abs();
            let mut result = 1.0;
            while power > 0 {
                if power & 1 == 1 {
                    result *= base;
                }
                base *= base;
                power >>= 1;
            }
            if n < 0 { 1.0 / result } else { result }
        }
    };
}

powi!(double, f64);
powi!(single, f32);
