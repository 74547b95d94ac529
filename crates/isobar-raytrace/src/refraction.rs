//! The refractive index of air and its gradient.

use isobar_core::Real;
use nalgebra::Vector3;

use crate::air::Air;
use crate::constants::REFRACTIVITY_K_PER_HPA;
use crate::geodesy::height_km;
use crate::limits::GRADIENT_STEP_KM;

/// Refractivity `n - 1` at a pressure \[hPa\] and temperature \[K\].
#[inline(always)]
#[must_use]
pub fn refractivity<R: Real>(pressure_hpa: R, temperature_k: R) -> R {
    R::from_f64(REFRACTIVITY_K_PER_HPA) * pressure_hpa / temperature_k
}

/// The gradient of the refractive index at `x` \[1/km\], by forward differences along the axes.
/// `guess` is an interval of the profile near `x`.
#[inline(always)]
#[must_use]
pub fn gradient<R: Real>(air: &impl Air<R>, x: Vector3<R>, guess: usize) -> Vector3<R> {
    let step = R::from_f64(GRADIENT_STEP_KM);
    let here = refractivity_at(air, x, guess);
    Vector3::new(
        (refractivity_at(air, Vector3::new(x[0] + step, x[1], x[2]), guess) - here) / step,
        (refractivity_at(air, Vector3::new(x[0], x[1] + step, x[2]), guess) - here) / step,
        (refractivity_at(air, Vector3::new(x[0], x[1], x[2] + step), guess) - here) / step,
    )
}

/// Refractivity at `x`. No closure: those are not compiled with the instructions of a kernel.
#[inline(always)]
fn refractivity_at<R: Real>(air: &impl Air<R>, x: Vector3<R>, guess: usize) -> R {
    let place = air.place(x, height_km(x), guess);
    refractivity(air.pressure_there(&place), air.temperature_there(&place))
}
