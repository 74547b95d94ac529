//! The fused multiply-add: `a b + c`, rounded once, as IEEE 754 defines it on every processor.
//!
//! Cores fuse where they say so by calling it, and nowhere else. A processor without the instruction computes it in
//! software, slowly and with the same bits.

macro_rules! fused {
    ($name:ident, $float:ident, $libm:ident) => {
        /// See [`crate::Real::mul_add`]. Correctly rounded.
        #[inline(always)]
        #[must_use]
        #[allow(clippy::disallowed_methods, reason = "IEEE 754 defines it: std's has the same bits everywhere")]
        pub fn $name(a: $float, b: $float, c: $float) -> $float {
            #[cfg(target_arch = "nvptx64")]
            {
                core::$float::math::mul_add(a, b, c)
            }
            #[cfg(all(not(target_arch = "nvptx64"), feature = "std"))]
            {
                a.mul_add(b, c)
            }
            #[cfg(all(not(target_arch = "nvptx64"), not(feature = "std")))]
            {
                libm::$libm(a, b, c)
            }
        }
    };
}

fused!(double, f64, fma);
fused!(single, f32, fmaf);
