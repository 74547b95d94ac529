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

#[cfg(any(test, target_arch = "nvptx64"))]
use super::mul_add::{double as fused_double, single as fused_single};

/// From an approximation `r` of `1/y`, the quotient rounded as everywhere. That holds where `r` has become the
/// reciprocal rounded to nearest (Markstein), which one of `y` just below a power of two is not: it lies between two
/// numbers, and a Newton step ends at the even one, by which 1/y would be wrong. The odd one is the right one.
macro_rules! quotient_from {
    ($name:ident, $float:ident, $bits:ident, $mantissa:literal, $fused:ident, |$r:ident, $y:ident| $first:expr) => {
        #[cfg(any(test, target_arch = "nvptx64"))]
        #[inline(always)]
        fn $name(x: $float, $y: $float, $r: $float) -> $float {
            let r: $float = $first;
            let tie = $y.to_bits() & $mantissa == $mantissa;
            let r = $float::from_bits(r.to_bits() | $bits::from(tie));
            let q = x * r;
            $fused(r, $fused(-$y, q, x), q)
        }
    };
}

quotient_from!(quotient_single_from, f32, u32, 0x007f_ffff, fused_single, |r, y| fused_single(
    r,
    fused_single(-y, r, 1.0),
    r
));
quotient_from!(quotient_double_from, f64, u64, 0x000f_ffff_ffff_ffff, fused_double, |r, y| {
    let e = fused_double(-y, r, 1.0);
    let r = fused_double(r, fused_double(e, e, e), r);
    fused_double(r, fused_double(-y, r, 1.0), r)
});

/// See [`crate::FastMath::plain_quotient`].
#[inline(always)]
#[must_use]
pub fn quotient_single(x: f32, y: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    {
        quotient_single_from(x, y, approximate::reciprocal_single(y))
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
        quotient_double_from(x, y, approximate::reciprocal_double(y))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Mantissas of divisors: the first and the last ones, and some between.
    fn mantissas(all: u64) -> impl Iterator<Item = u64> {
        let between = (0..20_000).map(move |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & all);
        (0..2000).chain(all - 2000..=all).chain(between)
    }

    /// What a GPU does to its approximation, from every number within its stated error, against the quotient itself.
    #[test]
    fn quotients_of_a_gpu_are_rounded_as_everywhere() {
        for mantissa in mantissas(0x007f_ffff) {
            let y = f32::from_bits(0x3f80_0000 | mantissa as u32);
            for x in [1.0, 2.0, 1.5, 3.0, 1.0 + f32::EPSILON, 2.0 - f32::EPSILON, 0.1, 7e-5, y * 0.7] {
                for ulps in -1..=1 {
                    let r = f32::from_bits((1.0 / y).to_bits().wrapping_add_signed(ulps));
                    let found = quotient_single_from(x, y, r);
                    assert!(found.to_bits() == (x / y).to_bits(), "{x:e} / {y:e} from {r:e}: {found:e}");
                }
            }
        }
        for mantissa in mantissas(0x000f_ffff_ffff_ffff) {
            let y = f64::from_bits(0x3ff0_0000_0000_0000 | mantissa);
            for x in [1.0, 2.0, 1.5, 3.0, 1.0 + f64::EPSILON, 2.0 - f64::EPSILON, 0.1, 7e-5, y * 0.7] {
                for part in [-1.0, -0.3, 0.0, 0.4, 1.0] {
                    // 20 bits.
                    let r = (1.0 + part * 1e-6) / y;
                    let found = quotient_double_from(x, y, r);
                    assert!(found.to_bits() == (x / y).to_bits(), "{x:e} / {y:e} from {r:e}: {found:e}");
                }
            }
        }
    }
}
