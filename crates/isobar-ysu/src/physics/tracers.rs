//! A tracer's row in the system of moisture: see [`crate::physics::implicit`]. None comes through the surface.

use isobar_core::{Real, Status};

use crate::physics::implicit::Coupling;

/// Eliminates the row of the layer `lower`, with what the rows below left (`carried`): its value, and what it leaves.
#[inline(always)]
pub(crate) fn eliminate<R: Real>(coupling: &Coupling<R>, [lower, upper]: [R; 2], step: R, carried: R) -> [R; 2] {
    // Nothing is exchanged above the uppermost layer.
    let flux = coupling.exchange * (upper - lower);
    let value = (carried + flux) * coupling.reciprocal;
    [value, (step * coupling.exchange).mul_add(value, -flux)]
}

/// The solution of an eliminated row, from that of the row above.
#[inline(always)]
pub(crate) fn substitute<R: Real>(coupling: &Coupling<R>, value: R, step: R, above: R) -> R {
    (step * coupling.exchange * coupling.reciprocal).mul_add(above, value)
}

/// Is the solution of the lowest row, which depends on all others, finite?
#[inline(always)]
pub(crate) fn status<R: Real>(lowest: R) -> Status {
    if lowest.is_finite() { Status::OK } else { Status::NOT_FINITE }
}
