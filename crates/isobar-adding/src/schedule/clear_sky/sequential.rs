//! One lane a profile and one or two angles: it walks through all layers. For batches that fill the machine.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real, Status};

use crate::physics::clear_sky::slant::Slant;
use crate::schedule::clear_sky::batch::{Batch, EMISSION};
use crate::schedule::clear_sky::elements::Elements;
use crate::schedule::clear_sky::order::{Compose, GROUP_LAYERS_U32, SEGMENT_U32, compose};
use crate::schedule::clear_sky::segment::Segment;
use crate::schedule::clear_sky::tile::Tile;

/// Radiances of 32 neighbouring profiles at `ANGLES` (1 or 2) angles, which share the reading of the layers: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sequential<'a, R, const OUTPUT: usize, const ANGLES: usize>(
    /// The batch.
    pub Batch<'a, R>,
);

impl<R: Real, const OUTPUT: usize, const ANGLES: usize> Sequential<'_, R, OUTPUT, ANGLES> {
    #[inline(always)]
    pub(crate) fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        // Neighbouring warps have the same profiles, and read them once.
        let parts = batch.angles().div_ceil(ANGLES as u32);
        let (number, part) = (index as u32 / parts, index as u32 % parts);
        let tile = batch.tile(lanes, number * WARP as u32, WARP as u32, 0);
        let last = batch.angles() - 1;
        let angles: [u32; ANGLES] = core::array::from_fn(|i| (part * ANGLES as u32 + i as u32).min(last));
        let slants = angles.map(|angle| batch.slant(angle));

        let mut total: [Elements<R, W>; ANGLES] = Compose::identity();
        for group in 0..batch.groups() {
            let node: [Elements<R, W>; ANGLES] = compose!(segment => {
                let tile = tile.at_layer(group * GROUP_LAYERS_U32 + segment as u32 * SEGMENT_U32);
                let mut elements = [Elements::IDENTITY; ANGLES];
                if tile.layer < batch.layers() {
                    let layers = batch.segment::<SOURCE, W>(&tile);
                    // Written out: a loop, not unrolled, would keep its elements in memory.
                    elements[0] = self.element::<SOURCE, W>(&layers, &tile.at_angle(angles[0]), &slants[0]);
                    if ANGLES > 1 {
                        elements[1 % ANGLES] =
                            self.element::<SOURCE, W>(&layers, &tile.at_angle(angles[1 % ANGLES]), &slants[1 % ANGLES]);
                    }
                }
                elements
            });
            total = total.above(&node);
        }
        let entering = batch.above(&tile);
        let mut status = Status::OK;
        for i in 0..ANGLES {
            // The last angle may be there twice.
            if i == 0 || angles[i] != angles[i - 1] {
                status = status.or(batch.finish::<OUTPUT, W>(&tile.at_angle(angles[i]), &total[i], entering));
            }
        }
        status
    }

    #[inline(always)]
    fn element<const SOURCE: usize, const W: usize>(
        &self,
        layers: &Segment<R, W>,
        tile: &Tile,
        slant: &Slant<R>,
    ) -> Elements<R, W> {
        let passage = self.0.along::<SOURCE, W>(layers, tile, slant);
        if OUTPUT == EMISSION { passage.element::<false>() } else { passage.element::<true>() }
    }
}
