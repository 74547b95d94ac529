//! All levels by one lane a profile and angle: down through all layers, and up again.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::batch::{ClearSky, LEVELS, by_source};
use super::element::Element;
use super::order::{GROUP_LAYERS_U32, SEGMENT_U32, ascend, descend};

/// Radiances of 32 neighbouring profiles at one angle at all levels: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SequentialLevels<'a, R>(
    /// The batch.
    pub ClearSky<'a, R>,
);

// SAFETY: an item writes the radiances of its own profiles and angle and reads none.
unsafe impl<R: Real> Kernel for SequentialLevels<'_, R> {
    const NAME: &'static str = "sequential_levels";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.0.planck.items().div_ceil(WARP) * self.0.slant.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

impl<R: Real> SequentialLevels<'_, R> {
    #[inline(always)]
    fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        // Neighbouring warps have the same profiles, and read them once.
        let (tile, angle) = (index as u32 / batch.angles(), index as u32 % batch.angles());
        let place = batch.place(lanes, tile * WARP as u32, WARP as u32, 0).at_angle(angle);
        let slant = batch.slant(angle);
        let entering = batch.above(&place);

        let (mut above, mut total) = (entering, Element::IDENTITY);
        for group in 0..batch.groups() {
            let node = descend!(above, (segment, entering) => {
                let place = place.at_layer(group * GROUP_LAYERS_U32 + segment as u32 * SEGMENT_U32);
                let mut element = Element::IDENTITY;
                if place.layer < batch.layers() {
                    let layers = batch.segment::<SOURCE, W>(&place);
                    let passage = batch.along::<SOURCE, W>(&layers, &place, &slant);
                    batch.write_down(&place, &passage, entering);
                    element = passage.element::<true>();
                }
                element
            });
            above = node.downward(above);
            total = total.over(&node);
        }
        let status = batch.finish::<LEVELS, W>(&place, &total, entering);

        let mut below = batch.surface_up(&place, &total, entering);
        for group in (0..batch.groups()).rev() {
            let node = ascend!(below, (segment, entering) => {
                let place = place.at_layer(group * GROUP_LAYERS_U32 + segment as u32 * SEGMENT_U32);
                let mut element = Element::IDENTITY;
                if place.layer < batch.layers() {
                    let layers = batch.segment::<SOURCE, W>(&place);
                    let passage = batch.along::<SOURCE, W>(&layers, &place, &slant);
                    batch.write_up(&place, &passage, entering);
                    element = passage.element::<false>();
                }
                element
            });
            below = node.upward(below);
        }
        status
    }
}
