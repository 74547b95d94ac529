//! Eight lanes a profile and angle, a segment each: they compose by exchanging values. For batches that leave a machine
//! half empty.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real, Status};

use crate::schedule::clear_sky::batch::{Batch, LEVELS};
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::{GROUP, GROUP_LAYERS_U32, SEGMENT_U32};
use crate::schedule::clear_sky::tree_scan::TreeScan;

/// The profiles of a warp: neighbours, so that lanes next to each other read next to each other.
pub(crate) const PROFILES: usize = WARP / GROUP;

/// Radiances of four neighbouring profiles at one angle: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Warp<'a, R, const OUTPUT: usize>(
    /// The batch.
    pub Batch<'a, R>,
);

impl<R: Real, const OUTPUT: usize> Warp<'_, R, OUTPUT> {
    #[inline(always)]
    pub(crate) fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        let (number, angle) = (index as u32 / batch.angles(), index as u32 % batch.angles());
        let tile = batch.tile(lanes, number * PROFILES as u32, PROFILES as u32, SEGMENT_U32).at_angle(angle);
        let slant = batch.slant(angle);
        let entering = batch.above(&tile);

        let (mut above, mut total) = (entering, Elements::IDENTITY);
        for group in 0..batch.groups() {
            let tile = tile.at_layer(group * GROUP_LAYERS_U32);
            let layers = batch.segment::<SOURCE, W>(&tile);
            let passage = batch.along::<SOURCE, W>(&layers, &tile, &slant);
            let scan = TreeScan::new(passage.element::<true>(), PROFILES, lanes);
            if OUTPUT == LEVELS {
                batch.write_down(&tile, &passage, scan.downward(above));
            }
            above = scan.group.downward(above);
            total = total.over(&scan.group);
        }
        let status = batch.finish::<OUTPUT, W>(&tile, &total, entering);
        if OUTPUT != LEVELS {
            return status;
        }

        let mut below = batch.surface_up(&tile, &total, entering);
        for group in (0..batch.groups()).rev() {
            let tile = tile.at_layer(group * GROUP_LAYERS_U32);
            let layers = batch.segment::<SOURCE, W>(&tile);
            let passage = batch.along::<SOURCE, W>(&layers, &tile, &slant);
            let scan = TreeScan::new(passage.element::<true>(), PROFILES, lanes);
            batch.write_up(&tile, &passage, scan.upward(below));
            below = scan.group.upward(below);
        }
        status
    }
}
