//! The smaller and the larger of two numbers where NaN stays NaN: one instruction on every processor, three for f64 on a GPU, where [`f64::max`] takes twice as many.

/// See [`crate::Real::at_most`].
#[inline(always)]
#[must_use]
pub fn double(x: f64, limit: f64) -> f64 {
    if limit < x { limit } else { x }
}

/// See [`crate::Real::at_most`].
#[inline(always)]
#[must_use]
pub fn single(x: f32, limit: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let smaller: f32;
        // SAFETY: registers only.
        unsafe {
            core::arch::asm!(
                "min.NaN.f32 {s}, {x}, {l};", s = out(reg32) smaller, x = in(reg32) x, l = in(reg32) limit,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        smaller
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        if limit < x { limit } else { x }
    }
}

/// See [`crate::Real::at_least`].
#[inline(always)]
#[must_use]
pub fn double_at_least(x: f64, limit: f64) -> f64 {
    if limit > x { limit } else { x }
}

/// See [`crate::Real::at_least`].
#[inline(always)]
#[must_use]
pub fn single_at_least(x: f32, limit: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let larger: f32;
        // SAFETY: registers only.
        unsafe {
            core::arch::asm!(
                "max.NaN.f32 {s}, {x}, {l};", s = out(reg32) larger, x = in(reg32) x, l = in(reg32) limit,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        larger
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        if limit > x { limit } else { x }
    }
}
