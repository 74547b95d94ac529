//! The square root, correctly rounded by every processor's own instruction.

macro_rules! square_root {
    ($name:ident, $float:ident, $ptx:literal, $register:ident, $libm:ident) => {
        /// See [`crate::Real::sqrt`].
        #[inline(always)]
        #[must_use]
        pub fn $name(x: $float) -> $float {
            let magnitude = x.abs();
            #[cfg(target_arch = "nvptx64")]
            let root = {
                let root: $float;
                // SAFETY: one arithmetic instruction on registers.
                unsafe {
                    core::arch::asm!($ptx, r = out($register) root, x = in($register) magnitude,
                        options(pure, nomem, nostack, preserves_flags));
                }
                root
            };
            // std's square root is IEEE's, unlike its other elementary functions.
            #[cfg(all(feature = "std", not(target_arch = "nvptx64")))]
            let root = magnitude.sqrt();
            #[cfg(not(any(feature = "std", target_arch = "nvptx64")))]
            let root = libm::$libm(magnitude);
            // Of x itself, the compiler would take the select for the root, whose NaN is the processor's.
            let result = if x >= 0.0 { root } else { $float::NAN };
            if x == 0.0 { x } else { result }
        }
    };
}

square_root!(double, f64, "sqrt.rn.f64 {r}, {x};", reg64, sqrt);
square_root!(single, f32, "sqrt.rn.f32 {r}, {x};", reg32, sqrtf);
