//! A tracer's row in the system of moisture: see [`crate::physics::implicit`]. None comes through the surface.

use isobar_core::{Real, Status};

use crate::physics::implicit::Coupling;

/// Eliminates the row of the layer `lower`, with what the rows below left (`carried`).
#[inline(always)]
pub(crate) fn eliminate<R: Real, const W: usize>(
    coupling: &Coupling<[R; W]>,
    lower: &[R; W],
    upper: &[R; W],
    step: R,
    carried: &mut [R; W],
) -> [R; W] {
    let mut values = [R::ZERO; W];
    for lane in 0..W {
        // Nothing is exchanged above the uppermost layer.
        let flux = coupling.exchange[lane] * (upper[lane] - lower[lane]);
        values[lane] = (carried[lane] + flux) * coupling.reciprocal[lane];
        carried[lane] = (step * coupling.exchange[lane]).mul_add(values[lane], -flux);
    }
    values
}

/// The solution of an eliminated row, from that of the row above.
#[inline(always)]
pub(crate) fn substitute<R: Real, const W: usize>(
    coupling: &Coupling<[R; W]>,
    values: &[R; W],
    step: R,
    above: &mut [R; W],
) {
    for lane in 0..W {
        above[lane] = (step * coupling.exchange[lane] * coupling.reciprocal[lane]).mul_add(above[lane], values[lane]);
    }
}

/// Is the solution of the lowest row, which depends on all others, finite?
#[inline(always)]
pub(crate) fn status<R: Real>(lowest: R) -> Status {
    if lowest.is_finite() { Status::OK } else { Status::NOT_FINITE }
}
