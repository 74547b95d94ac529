//! Quotients and square roots of plain numbers: correctly rounded, as everywhere, but on a GPU without the branches for
//! numbers near the ends of the range. Those cost as much as the rest, and what lies on their sides cannot be mixed.
//!
//! A GPU starts from its own approximation and takes Newton's steps with fused operations (Markstein 1990,
//! doi:10.1147/rd.341.0111), which is what its division does, too, once it has looked at the exponents.

/// Approximations of `1/x` and `1/sqrt(x)`, which no CPU has: 22 bits or more in f32, 20 in f64.
#[cfg(target_arch = "nvptx64")]
mod approximate {
    macro_rules! approximation {
        ($name:ident, $float:ident, $ptx:literal, $register:ident) => {
            #[inline(always)]
            pub(super) fn $name(x: $float) -> $float {
                let result: $float;
                // SAFETY: arithmetic on registers.
                unsafe {
                    core::arch::asm!($ptx, r = out($register) result, x = in($register) x,
                        options(pure, nomem, nostack, preserves_flags));
                }
                result
            }
        };
    }
    approximation!(reciprocal_single, f32, "rcp.approx.ftz.f32 {r}, {x};", reg32);
    approximation!(reciprocal_double, f64, "rcp.approx.ftz.f64 {r}, {x};", reg64);
    approximation!(root_single, f32, "rsqrt.approx.ftz.f32 {r}, {x};", reg32);
    approximation!(root_double, f64, "rsqrt.approx.ftz.f64 {r}, {x};", reg64);
}

#[cfg(target_arch = "nvptx64")]
use super::mul_add::{double as fused_double, single as fused_single};

/// See [`crate::FastMath::plain_quotient`].
#[inline(always)]
#[must_use]
pub fn quotient_single(x: f32, y: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let r = approximate::reciprocal_single(y);
        let r = fused_single(r, fused_single(-y, r, 1.0), r);
        let q = x * r;
        fused_single(r, fused_single(-y, q, x), q)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        x / y
    }
}

/// See [`crate::FastMath::plain_quotient`].
#[inline(always)]
#[must_use]
pub fn quotient_double(x: f64, y: f64) -> f64 {
    #[cfg(target_arch = "nvptx64")]
    {
        let r = approximate::reciprocal_double(y);
        let e = fused_double(-y, r, 1.0);
        let r = fused_double(r, fused_double(e, e, e), r);
        let r = fused_double(r, fused_double(-y, r, 1.0), r);
        let q = x * r;
        fused_double(r, fused_double(-y, q, x), q)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        x / y
    }
}

/// See [`crate::FastMath::plain_sqrt`].
#[inline(always)]
#[must_use]
pub fn sqrt_single(x: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let r = approximate::root_single(x);
        let (root, half) = (x * r, 0.5 * r);
        fused_single(fused_single(-root, root, x), half, root)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        super::sqrt::single(x)
    }
}

/// See [`crate::FastMath::plain_sqrt`].
#[inline(always)]
#[must_use]
pub fn sqrt_double(x: f64) -> f64 {
    #[cfg(target_arch = "nvptx64")]
    {
        let r = approximate::root_double(x);
        let e = fused_double(-(r * r), x, 1.0);
        let r = fused_double(fused_double(e, 0.375, 0.5), r * e, r);
        let root = x * r;
        fused_double(fused_double(-root, root, x), 0.5 * r, root)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        super::sqrt::double(x)
    }
}
