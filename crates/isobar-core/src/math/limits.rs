//! The smaller and the larger of two numbers where NaN stays NaN: one instruction on every processor, three for f64 on
//! a GPU, where [`f64::max`] takes twice as many.

macro_rules! limit {
    ($method:literal, $double:ident, $single:ident, $beyond:tt, $instruction:literal) => {
        #[doc = concat!("See [`crate::Real::", $method, "`].")]
        #[inline(always)]
        #[must_use]
        pub fn $double(x: f64, limit: f64) -> f64 {
            if limit $beyond x { limit } else { x }
        }

        #[doc = concat!("See [`crate::Real::", $method, "`].")]
        #[inline(always)]
        #[must_use]
        pub fn $single(x: f32, limit: f32) -> f32 {
            #[cfg(target_arch = "nvptx64")]
            {
                let nearer: f32;
                // SAFETY: registers only.
                unsafe {
                    core::arch::asm!(
                        concat!($instruction, " {s}, {x}, {l};"), s = out(reg32) nearer, x = in(reg32) x,
                            l = in(reg32) limit,
                        options(pure, nomem, nostack, preserves_flags)
                    );
                }
                nearer
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                if limit $beyond x { limit } else { x }
            }
        }
    };
}

limit!("at_most", at_most_double, at_most_single, <, "min.NaN.f32");
limit!("at_least", at_least_double, at_least_single, >, "max.NaN.f32");
