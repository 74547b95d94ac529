//! What is known of each column afterwards.

use isobar_core::{Real, Status};

use crate::physics::surface::{Ground, Lowest};

/// The wind at 10 m, adjusted to unresolved orography: a mean with that of the lowest layer.
#[inline(always)]
pub(crate) fn adjusted_wind<R: Real>(weight: R, ground: &Ground<R>, lowest: &Lowest<R>) -> [R; 2] {
    let mean = |ground: R, lowest: R| weight * ground + (R::ONE - weight) * lowest;
    [mean(ground.u_10m, lowest.u), mean(ground.v_10m, lowest.v)]
}

/// A column's status by the numbers that must be finite in it.
#[inline(always)]
pub(crate) fn status<R: Real, const COUNT: usize>(numbers: [R; COUNT]) -> Status {
    let mut sum = R::ZERO;
    for number in numbers {
        sum += number;
    }
    if sum.is_finite() { Status::OK } else { Status::NOT_FINITE }
}
