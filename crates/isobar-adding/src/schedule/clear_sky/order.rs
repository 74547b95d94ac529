//! The one order in which layers are composed, whoever does it.
//!
//! Counted from the top, 8 layers are a segment and 8 segments a group. Within a segment layers follow one another. The
//! segments of a group are paired, the pairs are paired, and these again: `((s0 s1)(s2 s3))((s4 s5)(s6 s7))`. Groups
//! follow one another from the top. Layers that are missing at the end are identities, which change no bit.
//!
//! The radiance at a boundary inside a group is that of a boundary already known, taken through the largest node of
//! that tree that lies between: downward boundary 1 from 0 through `s0`, 2 from 0 through `(s0 s1)`, 3 from 2 through
//! `s2`, 4 from 0 through `((s0 s1)(s2 s3))`, and so on; upward the mirror image.
//!
//! A single lane can walk through this tree with three nodes in hand; eight lanes scan it with three exchanges; and a
//! block does it in its scratch. So every schedule gives the same bits, and the choice among them is one of speed only.

use isobar_core::Real;

use crate::schedule::clear_sky::elements::Elements;

/// [`SEGMENT`], [`GROUP`] and [`GROUP_LAYERS`] for addresses.
pub(crate) const SEGMENT_U32: u32 = SEGMENT as u32;
/// As [`SEGMENT_U32`].
pub(crate) const GROUP_LAYERS_U32: u32 = GROUP_LAYERS as u32;

/// The layers of a segment.
pub const SEGMENT: usize = 8;
/// The segments of a group.
pub const GROUP: usize = 8;
/// The layers of a group.
pub const GROUP_LAYERS: usize = GROUP * SEGMENT;

/// What can be composed: an element, or one for each of several angles.
pub(crate) trait Compose {
    /// What changes nothing.
    fn identity() -> Self;
    /// This above the other.
    #[must_use]
    fn above(&self, below: &Self) -> Self;
}

impl<R: Real, const W: usize> Compose for Elements<R, W> {
    #[inline(always)]
    fn identity() -> Self {
        Self::IDENTITY
    }

    #[inline(always)]
    fn above(&self, below: &Self) -> Self {
        self.over(below)
    }
}

impl<T: Compose + Copy, const N: usize> Compose for [T; N] {
    #[inline(always)]
    fn identity() -> Self {
        [T::identity(); N]
    }

    #[inline(always)]
    fn above(&self, below: &Self) -> Self {
        let mut both = *self;
        for i in 0..N {
            both[i] = self[i].above(&below[i]);
        }
        both
    }
}

// Macros, not functions of closures: a closure would be compiled for the plainest processor, whoever calls it.

/// A group from its segments: `compose!(segment => element of segment number `segment`)`, from the top down.
macro_rules! compose {
    ($segment:ident => $element:expr) => {{
        let mut eight = $crate::schedule::clear_sky::order::Compose::identity();
        for four in 0..2 {
            let mut node = $crate::schedule::clear_sky::order::Compose::identity();
            for two in 0..2 {
                let mut pair = $crate::schedule::clear_sky::order::Compose::identity();
                for one in 0..2 {
                    let $segment: usize = 4 * four + 2 * two + one;
                    let element = $element;
                    pair = $crate::schedule::clear_sky::order::Compose::above(&pair, &element);
                }
                node = $crate::schedule::clear_sky::order::Compose::above(&node, &pair);
            }
            eight = $crate::schedule::clear_sky::order::Compose::above(&eight, &node);
        }
        eight
    }};
}
pub(crate) use compose;

/// Downward composition where radiances are wanted on the way: `descend!(above, (segment, entering) => element)` with
/// the radiance `above` that enters the group from above, and `entering` that enters each segment from above.
macro_rules! descend {
    ($above:expr, ($segment:ident, $entering:ident) => $element:expr) => {{
        let above = $above;
        let (mut eight, mut at_four) = ($crate::schedule::clear_sky::elements::Elements::IDENTITY, above);
        for four in 0..2 {
            let (start, mut node, mut at_two) =
                (at_four, $crate::schedule::clear_sky::elements::Elements::IDENTITY, at_four);
            for two in 0..2 {
                let (start_of_two, mut pair, mut at_one) =
                    (at_two, $crate::schedule::clear_sky::elements::Elements::IDENTITY, at_two);
                for one in 0..2 {
                    let ($segment, $entering): (usize, _) = (4 * four + 2 * two + one, at_one);
                    let element = $element;
                    pair = pair.over(&element);
                    at_one = pair.downward(start_of_two);
                }
                node = node.over(&pair);
                at_two = node.downward(start);
            }
            eight = eight.over(&node);
            at_four = eight.downward(above);
        }
        eight
    }};
}
pub(crate) use descend;

/// As `descend!`, from the bottom up: `below` enters the group from below, `entering` each segment.
macro_rules! ascend {
    ($below:expr, ($segment:ident, $entering:ident) => $element:expr) => {{
        let below = $below;
        let (mut eight, mut at_four) = ($crate::schedule::clear_sky::elements::Elements::IDENTITY, below);
        for four in (0..2).rev() {
            let (start, mut node, mut at_two) =
                (at_four, $crate::schedule::clear_sky::elements::Elements::IDENTITY, at_four);
            for two in (0..2).rev() {
                let (start_of_two, mut pair, mut at_one) =
                    (at_two, $crate::schedule::clear_sky::elements::Elements::IDENTITY, at_two);
                for one in (0..2).rev() {
                    let ($segment, $entering): (usize, _) = (4 * four + 2 * two + one, at_one);
                    let element = $element;
                    pair = element.over(&pair);
                    at_one = pair.upward(start_of_two);
                }
                node = pair.over(&node);
                at_two = node.upward(start);
            }
            eight = node.over(&eight);
            at_four = eight.upward(below);
        }
        eight
    }};
}
pub(crate) use ascend;
