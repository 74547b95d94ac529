//! Sums over the g-points of each quad, of which fluxes of bands are made.

use isobar_core::{Lanes, Real};

use crate::rrtmg::schedule::lane_groups::point_groups;
use crate::rrtmg::schedule::scratch::Scratch;
use crate::rrtmg::tables::{QUAD, QUADS};

/// As [`put`], for sums that are seldom wanted: were it not a function of its own, single lanes would be taken out of
/// vectors for it.
#[inline(never)]
pub(crate) fn put_apart<R: Real, const W: usize>(
    scratch: &Scratch<R>,
    lanes: Lanes<W>,
    at: (usize, usize),
    values: &[R; W],
) {
    put(scratch, lanes, at, *values);
}

/// Sums over each quad of a warp in a slot.
#[inline(always)]
pub(crate) fn put<R: Real, const W: usize>(
    scratch: &Scratch<R>,
    lanes: Lanes<W>,
    (segment, slot): (usize, usize),
    mut values: [R; W],
) {
    let mut distance = QUAD / 2;
    while distance > 0 {
        let others = lanes.exchange(values, distance);
        for lane in 0..W {
            values[lane] += others[lane];
        }
        distance /= 2;
    }
    for group in 0..point_groups::<W>() {
        if lanes.first().is_multiple_of(QUAD) {
            let number = segment * QUADS + lanes.first() / QUAD + group;
            scratch.quad_sums[number][slot].set(values[group * QUAD]);
        }
    }
}
