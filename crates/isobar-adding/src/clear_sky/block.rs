//! Eight warps, a segment each, and 32 profiles: layers are read once for all angles. For radiances at top and surface.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::batch::{ClearSky, EMISSION};
use super::element::Element;
use super::order::{GROUP, GROUP_LAYERS, SEGMENT, descend};
use super::place::Place;
use super::shelf::Shelf;

/// The most angles that an item has: their elements fill the scratch.
pub const ANGLES: usize = 6;

/// The angles that an item should have: equal shares, all of them in one where the profiles keep a GPU busy.
#[must_use]
pub fn angles(profiles: usize, angles: usize) -> usize {
    let blocks = profiles.div_ceil(WARP);
    let parts = angles.div_ceil(ANGLES).max((BUSY / blocks).clamp(1, angles));
    angles.div_ceil(parts)
}

/// Blocks that fill a large GPU.
const BUSY: usize = 132 * 8;

/// Radiances of 32 neighbouring profiles at up to [`ANGLES`] angles: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Block<'a, R, const OUTPUT: usize> {
    /// The batch.
    pub batch: ClearSky<'a, R>,
    /// The angles of an item, 1 to [`ANGLES`].
    pub angles: usize,
}

// SAFETY: an item writes the radiances of its own profiles and angles and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Block<'_, R, OUTPUT> {
    const NAME: &'static str = if OUTPUT == EMISSION { "block_emission" } else { "block_reflection" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: GROUP, scratch_bytes: Shelf::<R>::bytes((GROUP + 1) * ANGLES) };

    fn items(&self) -> usize {
        self.batch.profiles().div_ceil(WARP) * self.parts()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        if self.batch.linear != 0 { self.run::<true, W>(index, lanes) } else { self.run::<false, W>(index, lanes) }
    }
}

impl<R: Real, const OUTPUT: usize> Block<'_, R, OUTPUT> {
    /// The items that share the angles of a profile.
    #[inline(always)]
    fn parts(&self) -> usize {
        self.batch.angles().div_ceil(self.angles)
    }

    #[inline(always)]
    fn run<const LINEAR: bool, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.batch;
        let (tile, part) = (index / self.parts(), index % self.parts());
        let first_angle = part * self.angles;
        let angles = self.angles.min(batch.angles() - first_angle);
        let place = |angle| batch.place(lanes.first(), tile * WARP, WARP, first_angle + angle, 0);
        let shelf = Shelf::new(lanes);
        let slot = |angle: usize, segment: usize| angle * (GROUP + 1) + segment;

        for angle in lanes.shares(angles) {
            shelf.put(slot(angle, GROUP), &Element::<R, W>::IDENTITY);
        }
        for group in 0..batch.groups() {
            for segment in lanes.shares(GROUP) {
                let place = place(0).at_layer(group * GROUP_LAYERS + segment * SEGMENT);
                let layers = batch.segment::<W>(&place);
                for angle in 0..angles {
                    let place = Place { angle: first_angle + angle, ..place };
                    let passage = batch.along::<LINEAR, W>(&layers, &place);
                    let element =
                        if OUTPUT == EMISSION { passage.element::<false>() } else { passage.element::<true>() };
                    shelf.put(slot(angle, segment), &element);
                }
            }
            lanes.barrier();
            for angle in lanes.shares(angles) {
                let node = descend([R::ZERO; W], |segment, _| shelf.get(slot(angle, segment)));
                let above: Element<R, W> = shelf.get(slot(angle, GROUP));
                shelf.put(slot(angle, GROUP), &above.over(&node));
            }
            lanes.barrier();
        }
        let mut status = Status::OK;
        for angle in lanes.shares(angles) {
            let place = place(angle);
            let total = shelf.get(slot(angle, GROUP));
            status = status.or(batch.finish::<OUTPUT, W>(&place, &total, batch.above(&place)));
        }
        status
    }
}
