//! One lane a profile and angle: it walks through all layers. For batches that fill the machine.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::batch::{ClearSky, EMISSION, LEVELS, REFLECTION};
use super::element::Element;
use super::order::{GROUP, SEGMENT, ascend, descend};

/// Radiances of 32 neighbouring profiles at one angle: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sequential<'a, R, const OUTPUT: usize>(
    /// The batch.
    pub ClearSky<'a, R>,
);

// SAFETY: an item writes the radiances of its own profiles and angle and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Sequential<'_, R, OUTPUT> {
    const NAME: &'static str = match OUTPUT {
        EMISSION => "sequential_emission",
        REFLECTION => "sequential_reflection",
        _ => "sequential_levels",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.0.profiles().div_ceil(WARP) * self.0.angles()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        if self.0.linear != 0 { self.run::<true, W>(index, lanes) } else { self.run::<false, W>(index, lanes) }
    }
}

impl<R: Real, const OUTPUT: usize> Sequential<'_, R, OUTPUT> {
    #[inline(always)]
    fn run<const LINEAR: bool, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        // Neighbouring warps have the same profiles, and read them once.
        let (tile, angle) = (index / batch.angles(), index % batch.angles());
        let place = batch.place(lanes.first(), tile * WARP, WARP, angle, 0);
        let entering = batch.above(&place);

        let (mut above, mut total) = (entering, Element::IDENTITY);
        for group in 0..batch.groups() {
            let node = descend(above, |segment, above| {
                let place = place.at_layer((group * GROUP + segment) * SEGMENT);
                if place.layer >= batch.layers() {
                    return Element::IDENTITY;
                }
                let passage = batch.passage::<LINEAR, W>(&place);
                if OUTPUT == LEVELS {
                    batch.write_down(&place, &passage, above);
                }
                if OUTPUT == EMISSION { passage.element::<false>() } else { passage.element::<true>() }
            });
            above = node.downward(above);
            total = total.over(&node);
        }
        let status = batch.finish::<OUTPUT, W>(&place, &total, entering);
        if OUTPUT != LEVELS {
            return status;
        }

        let mut below = batch.surface_up(&place, &total, entering);
        for group in (0..batch.groups()).rev() {
            let node = ascend(below, |segment, below| {
                let place = place.at_layer((group * GROUP + segment) * SEGMENT);
                if place.layer >= batch.layers() {
                    return Element::IDENTITY;
                }
                let passage = batch.passage::<LINEAR, W>(&place);
                batch.write_up(&place, &passage, below);
                passage.element::<false>()
            });
            below = node.upward(below);
        }
        status
    }
}
