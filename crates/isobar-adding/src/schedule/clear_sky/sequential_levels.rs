//! All levels by one lane a profile and angle: down through all layers, and up again.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real, Status};

use crate::schedule::clear_sky::batch::{Batch, LEVELS};
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::{GROUP_LAYERS_U32, SEGMENT_U32, ascend, descend};

/// Radiances of 32 neighbouring profiles at one angle at all levels: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SequentialLevels<'a, R>(
    /// The batch.
    pub Batch<'a, R>,
);

impl<R: Real> SequentialLevels<'_, R> {
    #[inline(always)]
    pub(crate) fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        // Neighbouring warps have the same profiles, and read them once.
        let (number, angle) = (index as u32 / batch.angles(), index as u32 % batch.angles());
        let tile = batch.tile(lanes, number * WARP as u32, WARP as u32, 0).at_angle(angle);
        let slant = batch.slant(angle);
        let entering = batch.above(&tile);

        let (mut above, mut total) = (entering, Elements::IDENTITY);
        for group in 0..batch.groups() {
            let node = descend!(above, (segment, entering) => {
                let tile = tile.at_layer(group * GROUP_LAYERS_U32 + segment as u32 * SEGMENT_U32);
                let mut element = Elements::IDENTITY;
                if tile.layer < batch.layers() {
                    let layers = batch.segment::<SOURCE, W>(&tile);
                    let passage = batch.along::<SOURCE, W>(&layers, &tile, &slant);
                    batch.write_down(&tile, &passage, entering);
                    element = passage.element::<true>();
                }
                element
            });
            above = node.downward(above);
            total = total.over(&node);
        }
        let status = batch.finish::<LEVELS, W>(&tile, &total, entering);

        let mut below = batch.surface_up(&tile, &total, entering);
        for group in (0..batch.groups()).rev() {
            let node = ascend!(below, (segment, entering) => {
                let tile = tile.at_layer(group * GROUP_LAYERS_U32 + segment as u32 * SEGMENT_U32);
                let mut element = Elements::IDENTITY;
                if tile.layer < batch.layers() {
                    let layers = batch.segment::<SOURCE, W>(&tile);
                    let passage = batch.along::<SOURCE, W>(&layers, &tile, &slant);
                    batch.write_up(&tile, &passage, entering);
                    element = passage.element::<false>();
                }
                element
            });
            below = node.upward(below);
        }
        status
    }
}
