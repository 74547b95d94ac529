//! Light that is scattered once, in closed form.

use core::f64::consts::FRAC_1_PI;

use isobar_core::Real;

/// Cosine of the angle by which a sunbeam of the zenith cosine `sun` is scattered into the cosine `view`, upward or
/// downward, with the cosine of their `azimuth`.
#[inline(always)]
pub fn scattering_cosine<R: Real>(view: R, sun: R, azimuth: R, upward: bool) -> R {
    let sines = ((R::ONE - view) * (R::ONE + view) * (R::ONE - sun) * (R::ONE + sun)).at_least(R::ZERO).sqrt();
    let cosines = view * sun;
    sines.mul_add(azimuth, if upward { -cosines } else { cosines })
}

/// Henyey and Greenstein's phase function (1941, doi:10.1086/144246), of mean 1.
#[inline(always)]
pub fn henyey_greenstein<R: Real>(asymmetry: R, cosine: R) -> R {
    let square = asymmetry * asymmetry;
    let base = R::ONE + square - (asymmetry + asymmetry) * cosine;
    (R::ONE - square) / (base * base.sqrt())
}

/// The radiance upward at the top of a layer of depth `depth` that scatters the share `phase` (albedo times phase
/// function) of a beam of unit irradiance at its top, once.
#[inline(always)]
pub fn upward<R: Real>(phase: R, depth: R, view: R, sun: R) -> R {
    let paths = depth * (R::ONE / view + R::ONE / sun);
    R::from_f64(0.25 * FRAC_1_PI) * phase * sun / (view + sun) * -(-paths).exp_m1()
}

/// The radiance downward at the bottom. With `d = depth (1/sun - 1/view)` it is `exp(-depth/sun) (e^d - 1)/d`, which is
/// finite where view and Sun agree.
#[inline(always)]
pub fn downward<R: Real>(phase: R, depth: R, view: R, sun: R) -> R {
    let (of_view, of_sun) = (depth / view, depth / sun);
    let apart = (of_sun - of_view).abs();
    let share = if apart > R::ZERO { -(-apart).exp_m1() / apart } else { R::ONE };
    let least = if of_view < of_sun { of_view } else { of_sun };
    R::from_f64(0.25 * FRAC_1_PI) * phase * of_view * (-least).exp() * share
}

/// `c(t, mu, m)` of Nakajima and Tanaka's second correction (1988, doi:10.1016/0022-4073(88)90031-3, Eq. 60): light
/// scattered twice, straight on at first. With `x = 1/view - 1/sun` and `y = x t`,
/// `t^2/(view sun) e^(-t/sun) (y - 1 + e^-y)/y^2`.
#[inline(always)]
pub fn twice<R: Real>(t: R, view: R, sun: R) -> R {
    let y = t * (R::ONE / view - R::ONE / sun);
    let share = if y.abs() < R::from_f64(SERIES_BELOW) {
        // sum_k (-y)^k / (k + 2)!, from the last term on.
        let mut sum = R::ZERO;
        for k in (0..TERMS).rev() {
            sum = (R::ONE - y * sum) * R::from_f64(1.0 / (k + 2) as f64);
        }
        sum
    } else {
        // Both exponentials of the optical path: neither overflows.
        return t * t / (view * sun) * ((y - R::ONE).mul_add((-t / sun).exp(), (-t / view).exp()) / (y * y));
    };
    t * t / (view * sun) * (-t / sun).exp() * share
}

/// Below, the closed form of [`twice`] would lose 3 bits.
const SERIES_BELOW: f64 = 0.5;
/// Terms of the series: the next is `0.5^16/18!`, 2e-21.
const TERMS: usize = 16;
