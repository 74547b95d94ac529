//! Derivatives of light that is scattered once or twice, in closed form.

use core::f64::consts::FRAC_1_PI;

use isobar_core::Real;

use crate::physics::azimuth::single;

/// By the layer's depth: of [`single::upward`].
#[inline(always)]
pub fn upward_by_depth<R: Real>(phase: R, depth: R, view: R, sun: R) -> R {
    R::from_f64(0.25 * FRAC_1_PI) * phase / view * (-(depth * (R::ONE / view + R::ONE / sun))).exp()
}

/// By the layer's depth: of [`single::downward`], `I' = phase/(4 pi view) e^(-depth/sun) - I/view`.
#[inline(always)]
pub fn downward_by_depth<R: Real>(phase: R, depth: R, view: R, sun: R) -> R {
    let scattered = R::from_f64(0.25 * FRAC_1_PI) * phase * (-(depth / sun)).exp();
    (scattered - single::downward(phase, depth, view, sun)) / view
}

/// By the depth and by the Sun's cosine: of [`single::twice`], which is
/// `c = 1/(view sun) int_0^t u e^(-u/sun) e^(-(t - u)/view) du`, so that `dc/dt = t e^(-t/sun)/(view sun) - c/view`,
/// and
/// `dc/dsun` has `u^2/sun^2` in the integral.
#[inline(always)]
pub fn twice_slopes<R: Real>(t: R, view: R, sun: R) -> (R, R) {
    let value = single::twice(t, view, sun);
    let (of_sun, of_view) = ((-(t / sun)).exp(), (-(t / view)).exp());
    let by_depth = t * of_sun / (view * sun) - value / view;
    let y = t * (R::ONE / view - R::ONE / sun);
    let two = R::from_f64(2.0);
    // The integral of u^2 over t^3.
    let moment = if y.abs() < R::ONE {
        // 2 sum_k (-y)^k / (k + 3)!, from the last term on; the next is 2/(21)!, 4e-20.
        let mut sum = R::ZERO;
        for k in (0..18).rev() {
            sum = (R::ONE - y * sum) * R::from_f64(1.0 / (k + 3) as f64);
        }
        of_sun * sum
    } else {
        (of_sun * ((y - two).mul_add(y, two)) - two * of_view) / (y * y * y)
    };
    let by_sun = moment * (t / sun) * (t / sun) * (t / sun) / view - value / sun;
    (by_depth, by_sun)
}

/// By the asymmetry: of [`single::henyey_greenstein`].
#[inline(always)]
pub fn henyey_greenstein_by_asymmetry<R: Real>(asymmetry: R, cosine: R) -> R {
    let square = asymmetry * asymmetry;
    let base = R::ONE + square - (asymmetry + asymmetry) * cosine;
    let slope = R::from_f64(-3.0) * (R::ONE - square) * (asymmetry - cosine) / base - (asymmetry + asymmetry);
    slope / (base * base.sqrt())
}
