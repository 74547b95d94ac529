//! Arcsine and arccosine: near zero by a rational function of `x^2`, elsewhere by that of the half angle.
//!
//! `asin x = pi/2 - 2 asin(sqrt((1 - |x|) / 2))` for `|x| >= 1/2`, the square root in two parts. Method and
//! coefficients are those of FreeBSD's `e_asin.c` and `e_acos.c` (Sun Microsystems, 1993), with selects. f32 computes
//! in f64 and rounds once.

use super::sqrt;

const HALF_PI: f64 = core::f64::consts::FRAC_PI_2;
/// What the nearest f64 lacks to pi/2.
const HALF_PI_LOW: f64 = 6.123233995736766e-17;

/// The arcsine's parts: `asin a = a + a r` for `a = |x|` below 1/2, else for `a = sqrt((1 - |x|) / 2) = high + low`.
#[inline(always)]
fn parts(x: f64) -> (bool, f64, f64, f64) {
    let magnitude = x.abs();
    let near_zero = magnitude < 0.5;
    let z = if near_zero { x * x } else { 0.5 * (1.0 - magnitude) };
    let p = z * polynomial!(z; 0.16666666666666666, -0.3255658186224009, 0.20121253213486293, -0.04005553450067941,
            0.0007915349942898145, 3.479331075960212e-05);
    let q = polynomial!(z; 1.0, -2.403394911734414, 2.0209457602335057, -0.6882839716054533, 0.07703815055590194);
    let r = p / q;
    let root = sqrt::double(z);
    let high = f64::from_bits(root.to_bits() & 0xffff_ffff_0000_0000);
    let low = (z - high * high) / (root + high);
    // 0 / 0 at |x| = 1.
    let low = if z == 0.0 { 0.0 } else { low };
    let a = if near_zero { magnitude } else { high };
    (near_zero, a, low, r * if near_zero { magnitude } else { root })
}

/// See [`crate::Real::asin`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn double_asin(x: f64) -> f64 {
    const QUARTER_PI: f64 = core::f64::consts::FRAC_PI_4;
    let (near_zero, a, low, more) = parts(x);
    let far = QUARTER_PI - ((2.0 * more - (HALF_PI_LOW - 2.0 * low)) - (QUARTER_PI - 2.0 * a));
    let result = if near_zero { a + more } else { far };
    if x.abs() <= 1.0 { result.copysign(x) } else { f64::NAN }
}

/// See [`crate::Real::acos`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn double_acos(x: f64) -> f64 {
    let (near_zero, a, low, more) = parts(x);
    let (a_signed, more_signed) = (a.copysign(x), more.copysign(x));
    let near = HALF_PI - (a_signed - (HALF_PI_LOW - more_signed));
    let above = 2.0 * (a + (more + low));
    let below = 2.0 * (HALF_PI - (a + ((more + low) - HALF_PI_LOW)));
    let far = if x < 0.0 { below } else { above };
    let result = if near_zero { near } else { far };
    if x.abs() <= 1.0 { result } else { f64::NAN }
}

/// See [`crate::Real::asin`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single_asin(x: f32) -> f32 {
    double_asin(f64::from(x)) as f32
}

/// See [`crate::Real::acos`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single_acos(x: f32) -> f32 {
    double_acos(f64::from(x)) as f32
}
