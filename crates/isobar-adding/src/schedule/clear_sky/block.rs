//! A block for 32 profiles, a warp for each segment: layers are read once for all angles. For radiances at top and
//! surface.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real, Status};

use crate::schedule::clear_sky::batch::{Batch, EMISSION};
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::{GROUP, GROUP_LAYERS_U32, SEGMENT_U32, compose};
use crate::schedule::clear_sky::shared_slots::SharedSlots;

/// Radiances of 32 neighbouring profiles at some angles: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Block<'a, R, const OUTPUT: usize> {
    pub(crate) batch: Batch<'a, R>,
    /// The angles of an item.
    angles: u32,
    /// The items that share the angles of a profile.
    pub(crate) parts: u32,
}

/// The most angles that an item has: their elements fill the scratch.
pub const MOST_ANGLES: usize = 6;

/// Blocks that fill a large GPU.
const BUSY: u32 = 132 * 4;

impl<'a, R: Real, const OUTPUT: usize> Block<'a, R, OUTPUT> {
    /// The radiances of a batch: items with equal shares of the angles, as many as keep a GPU busy.
    #[must_use]
    pub fn new(batch: Batch<'a, R>) -> Self {
        let (tiles, angles) = (batch.profiles().div_ceil(WARP as u32), batch.angles());
        let parts = angles.div_ceil(MOST_ANGLES as u32).max((BUSY / tiles).clamp(1, angles));
        Self::with_angles(batch, angles.div_ceil(parts))
    }

    /// The kernel with `angles` angles an item, if the scratch holds them.
    #[must_use]
    pub fn with_angles(batch: Batch<'a, R>, angles: u32) -> Self {
        let angles = angles.clamp(1, MOST_ANGLES as u32);
        Self { batch, angles, parts: batch.angles().div_ceil(angles) }
    }
}

/// The slots that an angle has: its segments, and all groups above.
pub(crate) const SLOTS: usize = GROUP + 1;

impl<R: Real, const OUTPUT: usize> Block<'_, R, OUTPUT> {
    #[inline(always)]
    pub(crate) fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.batch;
        let (number, part) = (index as u32 / self.parts, index as u32 % self.parts);
        let first_angle = part * self.angles;
        let angles = self.angles.min(batch.angles() - first_angle) as usize;
        let tile = batch.tile(lanes, number * WARP as u32, WARP as u32, 0);
        let slots = SharedSlots::new(lanes);
        let slot = |angle: usize, segment: usize| angle * SLOTS + segment;
        let total = |angle: usize, group: u32| -> Elements<R, W> {
            if group == 0 { Elements::IDENTITY } else { slots.get(slot(angle, GROUP)) }
        };

        for group in 0..batch.groups() {
            for segment in lanes.shares(GROUP) {
                let tile = tile.at_layer(group * GROUP_LAYERS_U32 + segment as u32 * SEGMENT_U32);
                let layers = batch.segment::<SOURCE, W>(&tile);
                for angle in 0..angles {
                    let tile = tile.at_angle(first_angle + angle as u32);
                    let passage = batch.along::<SOURCE, W>(&layers, &tile, &batch.slant(tile.angle));
                    if OUTPUT == EMISSION {
                        slots.put_upward(slot(angle, segment), &passage.element::<false>());
                    } else {
                        slots.put(slot(angle, segment), &passage.element::<true>());
                    }
                }
            }
            lanes.barrier();
            for angle in lanes.shares(angles) {
                let node: Elements<R, W> = compose!(segment => {
                    let slot = slot(angle, segment);
                    if OUTPUT == EMISSION { slots.get_upward(slot) } else { slots.get(slot) }
                });
                slots.put(slot(angle, GROUP), &total(angle, group).over(&node));
            }
            if group + 1 < batch.groups() {
                lanes.barrier();
            }
        }
        let mut status = Status::OK;
        for angle in lanes.shares(angles) {
            let tile = tile.at_angle(first_angle + angle as u32);
            let total = total(angle, batch.groups());
            status = status.or(batch.finish::<OUTPUT, W>(&tile, &total, batch.above(&tile)));
        }
        status
    }
}
