//! A block an atmosphere and angle: 256 threads take 2048 layers at once. For deep atmospheres and few profiles.
//!
//! A lane has a group, a warp a segment of it. The groups follow one another through the lanes.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real, Status};

use crate::physics::clear_sky::element::Element;
use crate::physics::clear_sky::slant::Slant;
use crate::schedule::clear_sky::batch::{Batch, LEVELS};
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::{GROUP, GROUP_LAYERS_U32, SEGMENT_U32, ascend, compose, descend};
use crate::schedule::clear_sky::shared_slots::SharedSlots;
use crate::schedule::clear_sky::tile::Tile;

/// The layers that a block takes at once.
const ROUND: u32 = WARP as u32 * GROUP_LAYERS_U32;

/// Radiances of one profile at one angle: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Deep<'a, R, const OUTPUT: usize>(
    /// The batch.
    pub Batch<'a, R>,
);

impl<R: Real, const OUTPUT: usize> Deep<'_, R, OUTPUT> {
    #[inline(always)]
    pub(crate) fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        let (profile, angle) = (index as u32 / batch.angles(), index as u32 % batch.angles());
        let tile = batch.tile(lanes, profile, 1, GROUP_LAYERS_U32).at_angle(angle);
        let slant = batch.slant(angle);
        let entering = batch.above(&tile);
        let rounds = batch.layers().div_ceil(ROUND);

        let (mut above, mut total) = (entering, Elements::IDENTITY);
        for round in 0..rounds {
            let tile = tile.at_layer(round * ROUND);
            let slots = self.fill::<SOURCE, W>(&tile, &slant, lanes);
            let node: Elements<R, W> = compose!(segment => slots.get(segment));
            let mut own = above;
            for group in 0..WARP {
                let next = from_lane(&node, group, lanes);
                own = pick(lanes, group, above, own);
                above = next.downward(above);
                total = total.over(&next);
            }
            if OUTPUT == LEVELS {
                for segment in lanes.shares(GROUP) {
                    let mut at_segment = own;
                    descend!(own, (number, entering) => {
                        at_segment = if number == segment { entering } else { at_segment };
                        slots.get(number)
                    });
                    let tile = tile.at_layer(tile.layer + segment as u32 * SEGMENT_U32);
                    let layers = batch.segment::<SOURCE, W>(&tile);
                    batch.write_down(&tile, &batch.along::<SOURCE, W>(&layers, &tile, &slant), at_segment);
                }
            }
            lanes.barrier();
        }
        let mut status = Status::OK;
        for _ in lanes.shares(1) {
            status = batch.finish::<OUTPUT, W>(&tile, &total, entering);
        }
        if OUTPUT != LEVELS {
            return status;
        }

        let mut below = batch.surface_up(&tile, &total, entering);
        for round in (0..rounds).rev() {
            let tile = tile.at_layer(round * ROUND);
            let slots = self.fill::<SOURCE, W>(&tile, &slant, lanes);
            let node: Elements<R, W> = compose!(segment => slots.get(segment));
            let mut own = below;
            for group in (0..WARP).rev() {
                let next = from_lane(&node, group, lanes);
                own = pick(lanes, group, below, own);
                below = next.upward(below);
            }
            for segment in lanes.shares(GROUP) {
                let mut at_segment = own;
                ascend!(own, (number, entering) => {
                    at_segment = if number == segment { entering } else { at_segment };
                    slots.get(number)
                });
                let tile = tile.at_layer(tile.layer + segment as u32 * SEGMENT_U32);
                let layers = batch.segment::<SOURCE, W>(&tile);
                batch.write_up(&tile, &batch.along::<SOURCE, W>(&layers, &tile, &slant), at_segment);
            }
            lanes.barrier();
        }
        status
    }

    /// Puts the segments of a round into shared memory, and waits until all are there.
    #[inline(always)]
    fn fill<const SOURCE: usize, const W: usize>(
        &self,
        tile: &Tile,
        slant: &Slant<R>,
        lanes: Lanes<W>,
    ) -> SharedSlots<R> {
        let slots = SharedSlots::new(lanes);
        for segment in lanes.shares(GROUP) {
            let tile = tile.at_layer(tile.layer + segment as u32 * SEGMENT_U32);
            let layers = self.0.segment::<SOURCE, W>(&tile);
            slots.put(segment, &self.0.along::<SOURCE, W>(&layers, &tile, slant).element::<true>());
        }
        lanes.barrier();
        slots
    }
}

/// The element of lane `group`, in every lane.
#[inline(always)]
fn from_lane<R: Real, const W: usize>(node: &Elements<R, W>, group: usize, lanes: Lanes<W>) -> Elements<R, W> {
    Elements(Element {
        transmittance: lanes.gather(node.0.transmittance, |_| group),
        up: lanes.gather(node.0.up, |_| group),
        down: lanes.gather(node.0.down, |_| group),
    })
}

/// In lane `group` the value, elsewhere what was there.
#[inline(always)]
fn pick<R: Real, const W: usize>(lanes: Lanes<W>, group: usize, value: [R; W], others: [R; W]) -> [R; W] {
    core::array::from_fn(|lane| if lanes.first() + lane == group { value[lane] } else { others[lane] })
}
