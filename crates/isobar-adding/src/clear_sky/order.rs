//! The one order in which layers are composed, whoever does it.
//!
//! Counted from the top, 8 layers are a segment and 8 segments a group. Within a segment layers follow one another. The segments
//! of a group are paired, the pairs are paired, and these again: `((s0 s1)(s2 s3))((s4 s5)(s6 s7))`. Groups follow one another from
//! the top. Layers that are missing at the end are identities, which change no bit.
//!
//! The radiance at a boundary inside a group is that of a boundary already known, taken through the largest node of that tree
//! that lies between: downward boundary 1 from 0 through `s0`, 2 from 0 through `(s0 s1)`, 3 from 2 through `s2`, 4 from 0 through
//! `((s0 s1)(s2 s3))`, and so on; upward the mirror image.
//!
//! A single lane can walk through this tree with three nodes in hand; eight lanes climb it with three exchanges; and a block does it in its
//! scratch. So every schedule gives the same bits, and the choice among them is one of speed only.

use isobar_core::Real;

use super::element::Element;

/// [`SEGMENT`], [`GROUP`] and [`GROUP_LAYERS`] for addresses.
pub(super) const SEGMENT_U32: u32 = SEGMENT as u32;
/// As [`SEGMENT_U32`].
pub(super) const GROUP_LAYERS_U32: u32 = GROUP_LAYERS as u32;

/// The layers of a segment.
pub const SEGMENT: usize = 8;
/// The segments of a group.
pub const GROUP: usize = 8;
/// The layers of a group.
pub const GROUP_LAYERS: usize = GROUP * SEGMENT;

/// What can be composed: an element, or one for each of several angles.
pub(super) trait Compose {
    /// What changes nothing.
    fn identity() -> Self;
    /// This above the other.
    #[must_use]
    fn above(&self, below: &Self) -> Self;
}

impl<R: Real, const W: usize> Compose for Element<R, W> {
    #[inline(always)]
    fn identity() -> Self {
        Self::IDENTITY
    }

    #[inline(always)]
    fn above(&self, below: &Self) -> Self {
        self.over(below)
    }
}

impl<T: Compose, const N: usize> Compose for [T; N] {
    #[inline(always)]
    fn identity() -> Self {
        core::array::from_fn(|_| T::identity())
    }

    #[inline(always)]
    fn above(&self, below: &Self) -> Self {
        core::array::from_fn(|i| self[i].above(&below[i]))
    }
}

/// A group from its segments, which `segment` gives from the top down.
#[inline(always)]
pub(super) fn compose<T: Compose>(mut segment: impl FnMut(usize) -> T) -> T {
    let mut eight = T::identity();
    for four in 0..2 {
        let mut node = T::identity();
        for two in 0..2 {
            let mut pair = T::identity();
            for one in 0..2 {
                pair = pair.above(&segment(4 * four + 2 * two + one));
            }
            node = node.above(&pair);
        }
        eight = eight.above(&node);
    }
    eight
}

/// The same where radiances are wanted on the way: `segment` is told what enters each from above.
///
/// `above` enters the group from above.
#[inline(always)]
pub(super) fn descend<R: Real, const W: usize>(
    above: [R; W],
    mut segment: impl FnMut(usize, [R; W]) -> Element<R, W>,
) -> Element<R, W> {
    let mut eight = Element::IDENTITY;
    let mut at_four = above;
    for four in 0..2 {
        let (start, mut node, mut at_two) = (at_four, Element::IDENTITY, at_four);
        for two in 0..2 {
            let (start_of_two, mut pair, mut at_one) = (at_two, Element::IDENTITY, at_two);
            for one in 0..2 {
                pair = pair.over(&segment(4 * four + 2 * two + one, at_one));
                at_one = pair.downward(start_of_two);
            }
            node = node.over(&pair);
            at_two = node.downward(start);
        }
        eight = eight.over(&node);
        at_four = eight.downward(above);
    }
    eight
}

/// The same from the bottom up: `below` enters the group from below, `segment` is told what enters each from below.
#[inline(always)]
pub(super) fn ascend<R: Real, const W: usize>(
    below: [R; W],
    mut segment: impl FnMut(usize, [R; W]) -> Element<R, W>,
) -> Element<R, W> {
    let mut eight = Element::IDENTITY;
    let mut at_four = below;
    for four in (0..2).rev() {
        let (start, mut node, mut at_two) = (at_four, Element::IDENTITY, at_four);
        for two in (0..2).rev() {
            let (start_of_two, mut pair, mut at_one) = (at_two, Element::IDENTITY, at_two);
            for one in (0..2).rev() {
                pair = segment(4 * four + 2 * two + one, at_one).over(&pair);
                at_one = pair.upward(start_of_two);
            }
            node = pair.over(&node);
            at_two = node.upward(start);
        }
        eight = node.over(&eight);
        at_four = eight.upward(below);
    }
    eight
}
