//! What is known of each column afterwards.

use isobar_core::{Real, Status};

use crate::physics::boundary_layer::BoundaryLayer;

/// The wind at 10 m, adjusted to unresolved orography: a mean with that of the lowest layer.
#[inline(always)]
pub(crate) fn adjusted_wind<R: Real, const W: usize>(
    weight: &[R; W],
    boundary_layer: &BoundaryLayer<R, W>,
) -> ([R; W], [R; W]) {
    let (ground, lowest) = (&boundary_layer.ground, &boundary_layer.lowest);
    let (mut u, mut v) = (ground.u_10m, ground.v_10m);
    for lane in 0..W {
        u[lane] = weight[lane] * u[lane] + (R::ONE - weight[lane]) * lowest.u[lane];
        v[lane] = weight[lane] * v[lane] + (R::ONE - weight[lane]) * lowest.v[lane];
    }
    (u, v)
}

/// Each column's status by the numbers that must be finite in it.
#[inline(always)]
pub(crate) fn statuses<R: Real, const W: usize, const N: usize>(numbers: [[R; W]; N]) -> [u32; W] {
    let mut statuses = [0; W];
    for lane in 0..W {
        let mut sum = R::ZERO;
        for numbers in numbers {
            sum += numbers[lane];
        }
        statuses[lane] = if sum.is_finite() { Status::OK.0 } else { Status::NOT_FINITE.0 };
    }
    statuses
}
