//! The Faddeeva function `w(z) = exp(-z^2) erfc(-i z)`, `z = x + i y` with `y >= 0` (NIST's Digital Library of
//! Mathematical Functions, DLMF, Eq. 7.2.3): its real part is the Voigt function `K(x, y)` (DLMF, section 7.19), its
//! imaginary part `L(x, y)` belongs to line mixing.
//!
//! Two forms, and which one serves is a question of `|z|` alone:
//!
//! - [`near`]: the trapezoidal rule of the integral `w = (i/pi) int exp(-t^2) / (z - t) dt` (Eq. 7.7.2) with the
//!   residue of the pole (Chiarella and Reichel, 1968; Matta and Reichel, 1971; nodes as Al Azah and Chandler-Wilde,
//!   2021, arXiv:2010.05659, choose them):
//!   `w = (i h/pi) sum exp(-t_k^2)/(z - t_k) + 2 exp(-z^2) / (1 -+ exp(-2 pi i z/h))`, nodes at `k h` (minus) or
//!   `(k + 1/2) h` (plus), whichever are farther from `x`; the residue counts where `y < pi/h`. Nodes `+t` and `-t`
//!   share a division.
//! - [`far`]: `M` terms beyond Lorentz's of `w = i/(sqrt(pi) z) (1 + 1/(2 z^2) + 3/(4 z^4) + 15/(8 z^6) + ...)` with
//!   one division in all (Eq. 7.12.1). The real part is a sum of terms of one sign times `y`: nothing cancels, however
//!   small `y` is.
//!
//! # Accuracy
//! Relative, of the real part, for any `y` from `1e-12` (and `y = 0` where `x` is below [`FAR`]'s first limit): 5e-6 in
//! f32, 1e-10 in f64. The limits of [`FAR`] follow from the first term that is left out, `(2M + 3)(2M + 1)!!/2^(M+1)
//! |z|^-(2M+2)`, which is below 1e-6 in f32 and 5e-11 in f64. The rule's step and its number of nodes leave out
//! `exp(-pi^2/h^2)` and `exp(-t^2)` of the first node beyond: 2e-8 and 5e-8 in f32, 1e-17 and 2e-16 in f64.
//! `tests/voigt.rs` checks all of it against values of 60-digit arithmetic.

use isobar_core::Real;

use crate::constants::FRAC_1_SQRT_PI;

/// The forms of [`w_by_form`], numbered from the nearest: 0 is [`near`], the others [`far`] with the terms of [`FAR`].
pub type Form = u32;

/// From which `|z|^2` on which number of terms serves: f32, f64. From the nearest to the farthest.
pub const FAR: [[(f64, u32); 4]; 2] = [
    [(7.3 * 7.3, 4), (15.5 * 15.5, 2), (45.0 * 45.0, 1), (1250.0 * 1250.0, 0)],
    [(13.8 * 13.8, 5), (32.5 * 32.5, 3), (81.0 * 81.0, 2), (530.0 * 530.0, 1)],
];

/// Coefficients `(2m - 1)!!/2^m` of the asymptotic series, DLMF's `(1/2)_m` of Eq. 7.12.1.
const SERIES: [f64; 6] = [1.0, 0.5, 0.75, 1.875, 6.5625, 29.531_25];

/// Half of `exp(-t^2)` for `t = 0`, then `exp(-t^2)` at `k h`.
const WHOLE: [[f64; 12]; 2] = [
    [
        0.5,
        0.569_782_824_730_923,
        0.105_399_224_561_864_33,
        0.006_329_715_427_485_747,
        0.000_123_409_804_086_679_56,
        7.811_489_408_304_491e-7,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
    [
        0.5,
        0.778_800_783_071_404_9,
        0.367_879_441_171_442_33,
        0.105_399_224_561_864_33,
        0.018_315_638_888_734_18,
        0.001_930_454_136_227_709_3,
        0.000_123_409_804_086_679_56,
        4.785_117_392_129_009e-6,
        1.125_351_747_192_591_2e-7,
        1.605_228_055_185_611_6e-9,
        1.388_794_386_496_402_1e-11,
        7.287_724_095_819_692e-14,
    ],
];

/// `exp(-t^2)` at `(k + 1/2) h`.
const HALF: [[f64; 12]; 2] = [
    [
        0.868_815_056_262_843_2,
        0.282_062_951_693_815_46,
        0.029_729_216_386_158_75,
        0.001_017_277_843_614_700_7,
        1.130_093_604_314_630_7e-5,
        4.075_753_933_568_295e-8,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    ],
    [
        0.939_413_062_813_475_8,
        0.569_782_824_730_923,
        0.209_611_387_151_097_8,
        0.046_770_622_383_958_98,
        0.006_329_715_427_485_747,
        0.000_519_574_682_154_838_4,
        2.586_810_022_265_412e-5,
        7.811_489_408_304_491e-7,
        1.430_724_191_856_768_8e-8,
        1.589_391_009_451_636_8e-10,
        1.070_923_238_250_807_7e-12,
        4.376_618_502_870_85e-15,
    ],
];

/// The rules' steps, exact numbers, so that `x` less a node has one rounding.
const STEP: [f64; 2] = [0.75, 0.5];
/// The rules' nodes on one side.
const NODES: [usize; 2] = [6, 12];

/// Which of the two sets of constants serves a number: those of f32 serve it alone.
const fn precision<R: Real>() -> usize {
    let name = R::NAME.as_bytes();
    if name.len() == 3 && name[0] == b'f' && name[1] == b'3' { 0 } else { 1 }
}

/// The form for the square of `|z|`.
#[inline(always)]
#[must_use]
pub fn form<R: Real>(z_squared: R) -> Form {
    let limits = const { FAR[precision::<R>()] };
    let mut form = 0;
    for (limit, _) in limits {
        form += u32::from(z_squared >= R::from_f64(limit));
    }
    form
}

/// Real and imaginary part of `w(x + i y)` by a form that [`form`] gave for this `|z|`, or for a smaller one.
#[inline(always)]
#[must_use]
pub fn w_by_form<R: Real>(form: Form, x: R, y: R) -> (R, R) {
    if const { precision::<R>() == 0 } {
        match form {
            0 => near(x, y),
            1 => far::<R, 4>(x, y),
            2 => far::<R, 2>(x, y),
            3 => far::<R, 1>(x, y),
            _ => far::<R, 0>(x, y),
        }
    } else {
        match form {
            0 => near(x, y),
            1 => far::<R, 5>(x, y),
            2 => far::<R, 3>(x, y),
            3 => far::<R, 2>(x, y),
            _ => far::<R, 1>(x, y),
        }
    }
}

/// Real and imaginary part of `w(x + i y)`; `y` is not negative.
#[inline(always)]
#[must_use]
pub fn w<R: Real>(x: R, y: R) -> (R, R) {
    w_by_form(form(x * x + y * y), x, y)
}

/// By the asymptotic series with `M` terms beyond the first, at most 5.
#[inline(always)]
#[must_use]
pub fn far<R: Real, const M: usize>(x: R, y: R) -> (R, R) {
    let (x2, y2) = (x * x, y * y);
    let r = R::ONE.plain_quotient(x2 + y2);
    let inverse = R::from_f64(FRAC_1_SQRT_PI) * r;
    // Shares of x^2 and y^2 in |z|^2, and s = 1/z^2 = p - 2 i x y r^2.
    let (x_share, y_share) = (x2 * r, y2 * r);
    // The series is (re + i v Im s): its real part, and its imaginary part over that of s.
    let (mut re, mut v) = (R::from_f64(SERIES[M]), R::ZERO);
    if M > 0 {
        let p = (x_share - y_share) * r;
        let t = R::from_f64(4.0) * x_share * y_share * r * r;
        let mut m = M;
        while m > 0 {
            m -= 1;
            (re, v) = (p * re - t * v + R::from_f64(SERIES[m]), p * v + re);
        }
    }
    let twice = (R::ONE + R::ONE) * r * v;
    (inverse * y * (re + twice * x_share), inverse * x * (re - twice * y_share))
}

/// Adds `strength K(x, y) sqrt(pi)/y` to a sum, far from the centre: `FORM` 0 from the last limit but one of [`FAR`]
/// on, 1 from the last one. The series of [`far`] with `x^2 = |z|^2 - y^2`, `r = 1/|z|^2` and `Y = y^2 r`:
///
/// ```text
/// K sqrt(pi)/y = r (1 + r (3/2 - 2 Y + r (15/4 - 15 Y + 12 Y^2)))
/// ```
///
/// with no more terms than the limit needs.
#[inline(always)]
#[must_use]
pub fn add_wing<R: Real, const FORM: usize>(x: R, y2: R, strength: R, sum: R) -> R {
    let r = reciprocal(x.mul_add(x, y2));
    let terms = const { FAR[precision::<R>()][2 + FORM].1 };
    if terms == 0 {
        return strength.mul_add(r, sum);
    }
    let share = y2 * r;
    let mut second = share.mul_add(R::from_f64(-2.0), R::from_f64(1.5));
    if terms == 2 {
        let third = share.mul_add(share.mul_add(R::from_f64(12.0), R::from_f64(-15.0)), R::from_f64(3.75));
        second = r.mul_add(third, second);
    }
    (strength * r).mul_add(r.mul_add(second, R::ONE), sum)
}

/// `1/x` of a number between 2^-100 and 2^100, in f32 within 1.5 units in the last place: of the exponent and a line
/// for the mantissa, which is off by 5 %, and steps of third and second order. A division is as long as the rest of a
/// wing.
#[inline(always)]
fn reciprocal<R: Real>(x: R) -> R {
    if const { precision::<R>() == 1 } {
        return R::ONE.plain_quotient(x);
    }
    let y = x.to_f32();
    let r = f32::from_bits(0x7ef3_1000_u32.wrapping_sub(y.to_bits()));
    let e = Real::mul_add(-y, r, 1.0);
    let r = Real::mul_add(r, Real::mul_add(e, e, e), r);
    R::from_f32(Real::mul_add(r, Real::mul_add(-y, r, 1.0), r))
}

/// By the trapezoidal rule and its residue.
#[inline(always)]
#[must_use]
pub fn near<R: Real>(x: R, y: R) -> (R, R) {
    let set = const { precision::<R>() };
    let step = STEP[set];
    let (h, per_h) = (R::from_f64(step), R::from_f64(1.0 / step));
    let (right, y2) = (x.abs(), y * y);
    let z2 = right * right + y2;
    // The node nearest to x of those at whole multiples of the step, and how far x is beyond it, in steps.
    let nearest = R::from_f64(f64::from((right * per_h + R::from_f64(0.5)).to_i32()));
    let beyond = (right - nearest * h) * per_h;
    let halves = beyond.abs() < R::from_f64(0.25);
    let mut re = R::ZERO;
    let mut im = R::ZERO;
    let mut k = 0;
    while k < const { NODES[precision::<R>()] } {
        let whole = (R::from_f64(WHOLE[set][k]), R::from_f64(step * k as f64));
        let half = (R::from_f64(HALF[set][k]), R::from_f64(step * (k as f64 + 0.5)));
        let weight = if halves { half.0 } else { whole.0 };
        let t = if halves { half.1 } else { whole.1 };
        let (less, more) = (right - t, right + t);
        let share = weight / ((less * less + y2) * (more * more + y2));
        re += share * (z2 + t * t);
        im += share * (z2 - t * t);
        k += 1;
    }
    let factor = R::from_f64(2.0 * step / core::f64::consts::PI);
    re = re * factor * y;
    im = im * factor * right;
    if y < R::from_f64(core::f64::consts::PI / step) {
        // exp(-z^2) q / (q -+ 1), q = exp(2 pi i z/h): small where 1/q would overflow.
        let damped = (-R::from_f64(core::f64::consts::TAU / step) * y).exp();
        let angle = R::from_f64(core::f64::consts::TAU) * beyond;
        let (q_re, q_im) = (damped * angle.cos(), damped * angle.sin());
        let sign = if halves { R::ONE } else { -R::ONE };
        let below = (q_re + sign) * (q_re + sign) + q_im * q_im;
        let ratio = (damped * damped + sign * q_re, sign * q_im);
        let phase = (R::ONE + R::ONE) * right * y;
        let size = (R::ONE + R::ONE) * (y2 - right * right).exp() / below;
        let (cos, sin) = (phase.cos(), phase.sin());
        re += size * (cos * ratio.0 + sin * ratio.1);
        im += size * (cos * ratio.1 - sin * ratio.0);
    }
    (re, if x < R::ZERO { -im } else { im })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mantissas over a whole binade and exponents over the range that is stated.
    #[test]
    fn reciprocals_of_single_precision() {
        let mut worst = 0.0_f64;
        for exponent in [-99, -31, -1, 0, 1, 11, 40, 98] {
            for mantissa in (0..0x0080_0000_u32).step_by(37).chain(0x007f_ff00..0x0080_0000) {
                let x = f32::from_bits(mantissa | ((127 + exponent) as u32) << 23);
                worst = worst.max((f64::from(reciprocal(x)) * f64::from(x) - 1.0).abs());
            }
        }
        // Half a unit each of the step and of its product, and 2e-8 of the steps.
        assert!(worst < 1.5 * f64::from(f32::EPSILON), "{worst:e}");
    }

    /// The short forms against the long ones, from their limits on: the terms that they leave out, and f32's rounding.
    #[test]
    fn wings_are_those_of_the_long_forms() {
        fn worst<R: Real, const FORM: usize>() -> f64 {
            let limit = FAR[precision::<R>()][2 + FORM].0;
            let mut worst = 0.0_f64;
            for size in 0..200 {
                let z2 = limit * Real::powf(1.07, f64::from(size));
                for part in 1..=50 {
                    let y = Real::sqrt(z2) * f64::from(part) / 50.0;
                    let x = Real::sqrt((z2 - y * y).max(0.0));
                    let (x, y) = (R::from_f64(x), R::from_f64(y));
                    let exact = far::<f64, 5>(x.value(), y.value()).0;
                    let strength = y * R::from_f64(FRAC_1_SQRT_PI);
                    worst = worst.max((add_wing::<R, FORM>(x, y * y, strength, R::ZERO).value() / exact - 1.0).abs());
                }
            }
            worst
        }
        // The first missing terms, 1e-6 and 5e-11; six roundings.
        let (single, double) = ([worst::<f32, 0>(), worst::<f32, 1>()], [worst::<f64, 0>(), worst::<f64, 1>()]);
        assert!(single.iter().all(|error| *error < 1e-6 + 6.0 * f64::from(f32::EPSILON)), "{single:?}");
        assert!(double.iter().all(|error| *error < 5e-11 + 6.0 * f64::EPSILON), "{double:?}");
    }
}
