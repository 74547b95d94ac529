//! What several schedules do lane by lane.

use isobar_core::{PerLane, Real};

use crate::physics::absorbed;
use crate::physics::adding::{Above, Rise};

/// What is absorbed of radiation on its way through these optical depths.
#[inline(always)]
pub(crate) fn absorbed<R: Real, const W: usize>(depth: &[R; W]) -> [R; W] {
    let mut absorbed = *depth;
    for lane in 0..W {
        absorbed[lane] = absorbed::absorbed(depth[lane]);
    }
    absorbed
}

/// Adds a layer to what is above it: its reflectance and transmittance, and what it sends up and down of its own.
#[inline(always)]
pub(crate) fn add<R: Real, const W: usize>(
    above: &mut Above<[R; W]>,
    [reflectance, transmittance]: [&[R; W]; 2],
    [up, down]: [&[R; W]; 2],
) -> Rise<[R; W]> {
    let mut rise = Rise::<[R; W]>::zeros();
    for lane in 0..W {
        let (grown, through) = above.lane(lane).add([reflectance[lane], transmittance[lane]], [up[lane], down[lane]]);
        above.set(lane, grown);
        rise.set(lane, through);
    }
    rise
}
