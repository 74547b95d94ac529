//! A block an atmosphere and angle: 256 threads take 2048 layers at once. For deep atmospheres and few profiles.
//!
//! A lane has a group, a warp a segment of it. The groups follow one another through the lanes.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::batch::{ClearSky, LEVELS, by_source};
use super::element::Element;
use super::order::{GROUP, GROUP_LAYERS_U32, SEGMENT_U32, ascend, compose, descend};
use super::place::Place;
use super::shelf::Shelf;
use super::slant::Slant;

/// The layers that a block takes at once.
const ROUND: u32 = WARP as u32 * GROUP_LAYERS_U32;

/// Radiances of one profile at one angle: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Deep<'a, R, const OUTPUT: usize>(
    /// The batch.
    pub ClearSky<'a, R>,
);

// SAFETY: an item writes the radiances of its own profile and angle and reads none.
unsafe impl<R: Real, const OUTPUT: usize> Kernel for Deep<'_, R, OUTPUT> {
    const NAME: &'static str = if OUTPUT == LEVELS { "deep_levels" } else { "deep_reflection" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: GROUP, scratch_bytes: Shelf::<R>::bytes(GROUP + 1) };
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.0.planck.items() * self.0.slant.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        by_source!(self, self.0, index, lanes)
    }
}

impl<R: Real, const OUTPUT: usize> Deep<'_, R, OUTPUT> {
    #[inline(always)]
    fn run<const SOURCE: usize, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        let (profile, angle) = (index as u32 / batch.angles(), index as u32 % batch.angles());
        let place = batch.place(lanes, profile, 1, GROUP_LAYERS_U32).at_angle(angle);
        let slant = batch.slant(angle);
        let entering = batch.above(&place);
        let rounds = batch.layers().div_ceil(ROUND);

        let (mut above, mut total) = (entering, Element::IDENTITY);
        for round in 0..rounds {
            let place = place.at_layer(round * ROUND);
            let shelf = self.fill::<SOURCE, W>(&place, &slant, lanes);
            let node: Element<R, W> = compose!(segment => shelf.get(segment));
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
                        shelf.get(number)
                    });
                    let place = place.at_layer(place.layer + segment as u32 * SEGMENT_U32);
                    let layers = batch.segment::<SOURCE, W>(&place);
                    batch.write_down(&place, &batch.along::<SOURCE, W>(&layers, &place, &slant), at_segment);
                }
            }
            lanes.barrier();
        }
        let mut status = Status::OK;
        for _ in lanes.shares(1) {
            status = batch.finish::<OUTPUT, W>(&place, &total, entering);
        }
        if OUTPUT != LEVELS {
            return status;
        }

        let mut below = batch.surface_up(&place, &total, entering);
        for round in (0..rounds).rev() {
            let place = place.at_layer(round * ROUND);
            let shelf = self.fill::<SOURCE, W>(&place, &slant, lanes);
            let node: Element<R, W> = compose!(segment => shelf.get(segment));
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
                    shelf.get(number)
                });
                let place = place.at_layer(place.layer + segment as u32 * SEGMENT_U32);
                let layers = batch.segment::<SOURCE, W>(&place);
                batch.write_up(&place, &batch.along::<SOURCE, W>(&layers, &place, &slant), at_segment);
            }
            lanes.barrier();
        }
        status
    }

    /// Puts the segments of a round on the shelf, and waits until all are there.
    #[inline(always)]
    fn fill<const SOURCE: usize, const W: usize>(&self, place: &Place, slant: &Slant<R>, lanes: Lanes<W>) -> Shelf<R> {
        let shelf = Shelf::new(lanes);
        for segment in lanes.shares(GROUP) {
            let place = place.at_layer(place.layer + segment as u32 * SEGMENT_U32);
            let layers = self.0.segment::<SOURCE, W>(&place);
            shelf.put(segment, &self.0.along::<SOURCE, W>(&layers, &place, slant).element::<true>());
        }
        lanes.barrier();
        shelf
    }
}

/// The element of lane `group`, in every lane.
#[inline(always)]
fn from_lane<R: Real, const W: usize>(node: &Element<R, W>, group: usize, lanes: Lanes<W>) -> Element<R, W> {
    Element {
        transmittance: lanes.gather(node.transmittance, |_| group),
        up: lanes.gather(node.up, |_| group),
        down: lanes.gather(node.down, |_| group),
    }
}

/// In lane `group` the value, elsewhere what was there.
#[inline(always)]
fn pick<R: Real, const W: usize>(lanes: Lanes<W>, group: usize, value: [R; W], others: [R; W]) -> [R; W] {
    core::array::from_fn(|lane| if lanes.first() + lane == group { value[lane] } else { others[lane] })
}
