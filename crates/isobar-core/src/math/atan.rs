//! The arctangent, from one of five points whose arctangents are known, and the angle of a point in the plane.
//!
//! Method, intervals and polynomial are those of FreeBSD's `s_atan.c` and `e_atan2.c` (Sun Microsystems, 1993), with
//! selects. f32 computes in f64 and rounds once.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// What the nearest f64 lacks to pi.
const PI_LOW: f64 = 1.2246467991473532e-16;

/// The arctangent of a number that is not negative.
#[inline(always)]
fn positive(x: f64) -> f64 {
    // arctan x = arctan c + arctan((x - c) / (1 + c x)) for c = 0, 1/2, 1, 3/2 and infinity.
    let (up_to_0, up_to_half, up_to_1, up_to_3_half) = (x < 0.4375, x < 0.6875, x < 1.1875, x < 2.4375);
    let pick = |zero: f64, half: f64, one: f64, three_half: f64, infinity: f64| {
        let value = if up_to_3_half { three_half } else { infinity };
        let value = if up_to_1 { one } else { value };
        let value = if up_to_half { half } else { value };
        if up_to_0 { zero } else { value }
    };
    let numerator = pick(x, 2.0 * x - 1.0, x - 1.0, x - 1.5, -1.0);
    let denominator = pick(1.0, 2.0 + x, x + 1.0, 1.0 + 1.5 * x, x);
    let high = pick(0.0, 0.4636476090008061, FRAC_PI_4, 0.982793723247329, FRAC_PI_2);
    let low = pick(0.0, 2.2698777452961687e-17, 3.061616997868383e-17, 1.3903311031230998e-17, 6.123233995736766e-17);
    let t = numerator / denominator;
    let z = t * t;
    let w = z * z;
    let odd = z * polynomial!(w; 0.3333333333333293, 0.14285714272503466, 0.09090887133436507, 0.06661073137387531,
            0.049768779946159324, 0.016285820115365782);
    let even = w
        * polynomial!(w; -0.19999999999876483, -0.11111110405462356, -0.0769187620504483, -0.058335701337905735,
            -0.036531572744216916);
    high - ((t * (odd + even) - low) - t)
}

/// The angle of the point (`x`, `y`).
#[inline(always)]
fn angle(y: f64, x: f64) -> f64 {
    let (up, across) = (y.abs(), x.abs());
    let ratio = up / across;
    let ratio = if up == across { 1.0 } else { ratio };
    let ratio = if up == 0.0 { 0.0 } else { ratio };
    let first = positive(ratio);
    let result = if x.is_sign_negative() { PI - (first - PI_LOW) } else { first };
    let result = result.copysign(y);
    if x.is_nan() | y.is_nan() { f64::NAN } else { result }
}

/// See [`crate::Real::atan`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn double(x: f64) -> f64 {
    let result = positive(x.abs()).copysign(x);
    if x.is_nan() { f64::NAN } else { result }
}

/// See [`crate::Real::atan`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single(x: f32) -> f32 {
    double(f64::from(x)) as f32
}

/// See [`crate::Real::atan2`]. Within 2 units in the last place.
#[inline(always)]
#[must_use]
pub fn double_2(y: f64, x: f64) -> f64 {
    angle(y, x)
}

/// See [`crate::Real::atan2`]. Within 1 unit in the last place.
#[inline(always)]
#[must_use]
pub fn single_2(y: f32, x: f32) -> f32 {
    angle(f64::from(y), f64::from(x)) as f32
}
