//! Eight lanes with a segment each scan the tree of [`crate::schedule::clear_sky::order`] together.

use isobar_core::{Lanes, Real};

use crate::physics::clear_sky::element::Element;
use crate::schedule::clear_sky::elements::Elements;

/// A group, seen from each of its lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeScan<R, const W: usize> {
    /// The whole group, the same in all its lanes.
    pub(crate) group: Elements<R, W>,
    /// The other half of the lane's pair, of its four, and of its group.
    siblings: [Elements<R, W>; 3],
    /// Bit `k`: is the lane's own half the lower one?
    lower: [usize; W],
}

impl<R: Real, const W: usize> TreeScan<R, W> {
    /// From each lane's own segment; neighbouring segments are `distance` lanes apart.
    #[inline(always)]
    pub(crate) fn new(own: Elements<R, W>, distance: usize, lanes: Lanes<W>) -> Self {
        let lower = core::array::from_fn(|lane| (lanes.first() + lane) / distance);
        let mut scan = Self { group: own, siblings: [Elements::IDENTITY; 3], lower };
        for step in 0..3 {
            let node = scan.group;
            let sibling = Elements(Element {
                transmittance: lanes.exchange(node.0.transmittance, distance << step),
                up: lanes.exchange(node.0.up, distance << step),
                down: lanes.exchange(node.0.down, distance << step),
            });
            scan.siblings[step] = sibling;
            scan.group = select(&lower, step, &sibling.over(&node), &node.over(&sibling));
        }
        scan
    }

    /// The downward radiance that enters each lane's segment, where `above` enters the group.
    #[inline(always)]
    pub(crate) fn downward(&self, above: [R; W]) -> [R; W] {
        let mut radiance = above;
        for step in (0..3).rev() {
            let passed = self.siblings[step].downward(radiance);
            radiance =
                core::array::from_fn(|lane| if self.is_lower(lane, step) { passed[lane] } else { radiance[lane] });
        }
        radiance
    }

    /// The upward radiance that enters each lane's segment, where `below` enters the group.
    #[inline(always)]
    pub(crate) fn upward(&self, below: [R; W]) -> [R; W] {
        let mut radiance = below;
        for step in (0..3).rev() {
            let passed = self.siblings[step].upward(radiance);
            radiance =
                core::array::from_fn(|lane| if self.is_lower(lane, step) { radiance[lane] } else { passed[lane] });
        }
        radiance
    }

    #[inline(always)]
    fn is_lower(&self, lane: usize, step: usize) -> bool {
        self.lower[lane] >> step & 1 == 1
    }
}

/// The first of two in lanes whose own half is the lower one, the second in the others.
#[inline(always)]
fn select<R: Real, const W: usize>(
    lower: &[usize; W],
    step: usize,
    if_lower: &Elements<R, W>,
    otherwise: &Elements<R, W>,
) -> Elements<R, W> {
    let pick = |lane: usize, a: &[R; W], b: &[R; W]| if lower[lane] >> step & 1 == 1 { a[lane] } else { b[lane] };
    Elements(Element {
        transmittance: core::array::from_fn(|lane| pick(lane, &if_lower.0.transmittance, &otherwise.0.transmittance)),
        up: core::array::from_fn(|lane| pick(lane, &if_lower.0.up, &otherwise.0.up)),
        down: core::array::from_fn(|lane| pick(lane, &if_lower.0.down, &otherwise.0.down)),
    })
}
