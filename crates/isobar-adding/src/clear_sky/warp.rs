//! Eight lanes a profile and angle, a segment each: they compose by exchanging values. For batches that leave a machine
//! half empty.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::batch::{ClearSky, LEVELS, by_source};
use super::climb::Climb;
use super::element::Element;
use super::order::{GROUP, GROUP_LAYERS_U32, SEGMENT_U32};

/// The profiles of a warp: neighbours, so that lanes next to each other read next to each other.
const PROFILES: usize = WARP / GROUP;

/// Radiances of four neighbouring profiles at one angle: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Warp<'a, R, const OUTPUT: usize>(
    /// The batch.
    pub ClearSky<'a, R>,
);

// SAFETY: an item writes the radiances of its own profiles and angle and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Warp<'_, R, OUTPUT> {
    const NAME: &'static str = if OUTPUT == LEVELS { "warp_levels" } else { "warp_reflection" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.0.planck.items().div_ceil(PROFILES) * self.0.slant.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

impl<R: Real, const OUTPUT: usize> Warp<'_, R, OUTPUT> {
    #[inline(always)]
    fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        let (tile, angle) = (index as u32 / batch.angles(), index as u32 % batch.angles());
        let place = batch.place(lanes, tile * PROFILES as u32, PROFILES as u32, SEGMENT_U32).at_angle(angle);
        let slant = batch.slant(angle);
        let entering = batch.above(&place);

        let (mut above, mut total) = (entering, Element::IDENTITY);
        for group in 0..batch.groups() {
            let place = place.at_layer(group * GROUP_LAYERS_U32);
            let layers = batch.segment::<SOURCE, W>(&place);
            let passage = batch.along::<SOURCE, W>(&layers, &place, &slant);
            let climb = Climb::new(passage.element::<true>(), PROFILES, lanes);
            if OUTPUT == LEVELS {
                batch.write_down(&place, &passage, climb.downward(above));
            }
            above = climb.group.downward(above);
            total = total.over(&climb.group);
        }
        let status = batch.finish::<OUTPUT, W>(&place, &total, entering);
        if OUTPUT != LEVELS {
            return status;
        }

        let mut below = batch.surface_up(&place, &total, entering);
        for group in (0..batch.groups()).rev() {
            let place = place.at_layer(group * GROUP_LAYERS_U32);
            let layers = batch.segment::<SOURCE, W>(&place);
            let passage = batch.along::<SOURCE, W>(&layers, &place, &slant);
            let climb = Climb::new(passage.element::<true>(), PROFILES, lanes);
            batch.write_up(&place, &passage, climb.upward(below));
            below = climb.group.upward(below);
        }
        status
    }
}
