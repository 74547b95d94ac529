//! A block an atmosphere and angle: 256 threads take 2048 layers at once. For deep atmospheres and few profiles.
//!
//! A lane has a group, a warp a segment of it. The groups follow one another through the lanes.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::batch::{ClearSky, LEVELS};
use super::element::Element;
use super::order::{GROUP, GROUP_LAYERS, SEGMENT, ascend, descend};
use super::place::Place;
use super::shelf::Shelf;

/// The layers that a block takes at once.
const ROUND: usize = WARP * GROUP_LAYERS;

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

    fn items(&self) -> usize {
        self.0.profiles() * self.0.angles()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        if self.0.linear != 0 { self.run::<true, W>(index, lanes) } else { self.run::<false, W>(index, lanes) }
    }
}

impl<R: Real, const OUTPUT: usize> Deep<'_, R, OUTPUT> {
    #[inline(always)]
    fn run<const LINEAR: bool, const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        let (profile, angle) = (index / batch.angles(), index % batch.angles());
        let place = batch.place(lanes.first(), profile, 1, angle, GROUP_LAYERS);
        let entering = batch.above(&place);
        let rounds = batch.layers().div_ceil(ROUND);

        let (mut above, mut total) = (entering, Element::IDENTITY);
        for round in 0..rounds {
            let place = place.at_layer(round * ROUND);
            let shelf = self.fill::<LINEAR, W>(&place, lanes);
            let node = descend([R::ZERO; W], |segment, _| shelf.get(segment));
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
                    descend(own, |number, above| {
                        at_segment = if number == segment { above } else { at_segment };
                        shelf.get(number)
                    });
                    let place = place.at_layer(place.layer + segment * SEGMENT);
                    batch.write_down(&place, &batch.passage::<LINEAR, W>(&place), at_segment);
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
            let shelf = self.fill::<LINEAR, W>(&place, lanes);
            let node = ascend([R::ZERO; W], |segment, _| shelf.get(segment));
            let mut own = below;
            for group in (0..WARP).rev() {
                let next = from_lane(&node, group, lanes);
                own = pick(lanes, group, below, own);
                below = next.upward(below);
            }
            for segment in lanes.shares(GROUP) {
                let mut at_segment = own;
                ascend(own, |number, below| {
                    at_segment = if number == segment { below } else { at_segment };
                    shelf.get(number)
                });
                let place = place.at_layer(place.layer + segment * SEGMENT);
                batch.write_up(&place, &batch.passage::<LINEAR, W>(&place), at_segment);
            }
            lanes.barrier();
        }
        status
    }

    /// Puts the segments of a round on the shelf, and waits until all are there.
    #[inline(always)]
    fn fill<const LINEAR: bool, const W: usize>(&self, place: &Place, lanes: Lanes<W>) -> Shelf<R> {
        let shelf = Shelf::new(lanes);
        for segment in lanes.shares(GROUP) {
            let place = place.at_layer(place.layer + segment * SEGMENT);
            shelf.put(segment, &self.0.passage::<LINEAR, W>(&place).element::<true>());
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
