//! The layers as a tree: for few profiles of many layers. A kernel a height of the tree, up, over the surface, and down
//! again.
//!
//! Counted from the top, node `i` at height `h` has the layers from `i 2^h` to `(i + 1) 2^h - 1`, as far as there are;
//! leaves are layers. It is the star product of nodes `2 i` and `2 i + 1` at height `h - 1`, or the first alone where
//! there is no second. That is the one order, on every device.
//!
//! 1. [`StarPairs`] for `h = 1, 2, ...` up to the root.
//! 2. [`CloseTree`] lays the root upon the surface: radiances at top and surface.
//! 3. If all levels are wanted, [`OpenTree`] for the heights from the root down to 1. What is below a node and what
//!    light comes down upon it are known; both are found for the level between its two children: below it is the lower
//!    child upon what is below the node, and down to it comes what passes through the upper child.

use isobar_core::{Column, FieldMut, Lanes, Real, Status};

use crate::physics::scattering::star::star;
use crate::physics::scattering::surface::Surface;
use crate::schedule::scattering::add::{Levels, cosmic, finish};
use crate::schedule::scattering::slab::{Pairs, Slab, Slabs, SlabsMut};
use crate::schedule::scattering::streams::Streams;

/// The height of the root over `layers` layers.
#[must_use]
pub fn height(layers: usize) -> u32 {
    layers.next_power_of_two().trailing_zeros()
}

/// The nodes at a height.
#[must_use]
pub fn nodes(layers: usize, height: u32) -> usize {
    layers.div_ceil(1 << height)
}

/// Nodes from pairs of children, for a few nodes and profiles an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct StarPairs<'a, R, const N: usize> {
    /// The streams of a hemisphere, at most `N`.
    pub order: u32,
    /// The nodes of the height below, or the layers.
    pub children: Slabs<'a, R>,
    /// The nodes.
    pub parents: SlabsMut<'a, R>,
}

/// The whole atmosphere over the surface, for a few profiles an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloseTree<'a, R, const N: usize> {
    /// The streams of a hemisphere, at most `N`.
    pub order: u32,
    /// The root.
    pub root: Slabs<'a, R>,
    /// The surface.
    pub surface: Surface<'a, R>,
    /// Radiance that enters each profile from above.
    pub cosmic: Column<'a, R>,
    /// Radiance upward at the top, of `(stream, profile)`.
    pub top: FieldMut<'a, R>,
    /// Takes [`Status::NOT_FINITE`] of profiles whose radiance at the top is not.
    pub status: FieldMut<'a, u32>,
    /// The first and the last level, or [`Levels::none`].
    pub levels: Levels<'a, R>,
}

/// The level in the middle of every node of one height, for a few nodes and profiles an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct OpenTree<'a, R, const N: usize> {
    /// The streams of a hemisphere, at most `N`.
    pub order: u32,
    /// The nodes of the height below, or the layers.
    pub children: Slabs<'a, R>,
    /// The height, from 1 up.
    pub height: u32,
    /// All levels; those where higher nodes meet are known.
    pub levels: Levels<'a, R>,
}

impl<R: Real, const N: usize> CloseTree<'_, R, N> {
    /// The atmospheres of warp number `index`.
    #[inline(always)]
    pub(crate) fn run<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let streams = Streams::<N, W>::new(lanes, self.order as usize);
        let pairs = Pairs::new(streams, index, 1, self.cosmic.len());
        let surface = self.surface.below(&pairs);
        let root = Slab { slabs: &self.root, pairs, missing: [false; W] };
        let entering = cosmic(&self.cosmic, &pairs);
        let (below, between) = surface.under(&root);
        let top = below.upward(streams, entering);
        if !self.levels.up.is_empty() {
            let leaving = between.passage(&root).downward(streams, entering);
            let last = pairs.at(|_| self.levels.source.levels() - 1);
            self.levels.keep(&pairs, &below);
            self.levels.keep(&last, &surface);
            self.levels.radiances(&pairs, top, entering);
            self.levels.radiances(&last, surface.upward(streams, leaving), leaving);
        }
        finish((&self.top, &self.status), &pairs, top)
    }
}

impl<R: Real, const N: usize> StarPairs<'_, R, N> {
    /// The nodes of warp number `index`.
    #[inline(always)]
    pub(crate) fn run<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let streams = Streams::<N, W>::new(lanes, self.order as usize);
        let children = self.children.source_up.levels();
        let pairs = Pairs::new(streams, index, self.parents.source_up.levels(), self.profiles());
        let slabs = &self.children;
        let upper = Slab { slabs, pairs: pairs.at(|node| 2 * node), missing: [false; W] };
        let missing = pairs.row.map(|node| 2 * node + 1 >= children);
        let lower = Slab { slabs, pairs: pairs.at(|node| (2 * node + 1).min(children - 1)), missing };
        self.parents.put(&pairs, &star(&upper, &lower));
        Status::OK
    }

    #[inline(always)]
    pub(crate) fn profiles(&self) -> usize {
        self.parents.source_up.items() / (self.order as usize).max(1)
    }
}

impl<R: Real, const N: usize> OpenTree<'_, R, N> {
    /// The middle levels of the nodes of warp number `index`.
    #[inline(always)]
    pub(crate) fn run<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let streams = Streams::<N, W>::new(lanes, self.order as usize);
        let profiles = self.profiles();
        let pairs = Pairs::new(streams, index, self.nodes(), profiles);
        let (size, last) = (1 << self.height, self.levels.source.levels() - 1);
        let slabs = &self.children;
        let upper = Slab { slabs, pairs: pairs.at(|node| 2 * node), missing: [false; W] };
        let lower = Slab { slabs, pairs: pairs.at(|node| 2 * node + 1), missing: [false; W] };
        let bottom = pairs.at(|node| ((node + 1) * size).min(last));
        let middle = pairs.at(|node| node * size + size / 2);
        let top = pairs.at(|node| node * size);

        let below = self.levels.kept(&bottom).under(&lower).0;
        let entering = core::array::from_fn(|lane| {
            let value = self.levels.down.at(top.row[lane] * top.order() + top.stream(lane), top.profile[lane]);
            if streams.has_column(lane) { value } else { R::ZERO }
        });
        self.levels.keep(&middle, &below);
        let down = below.downward(&upper, entering);
        self.levels.radiances(&middle, below.upward(streams, down), down);
        Status::OK
    }

    #[inline(always)]
    pub(crate) fn profiles(&self) -> usize {
        self.levels.source.items() / (self.order as usize).max(1)
    }

    /// The nodes that have two children.
    #[inline(always)]
    pub(crate) fn nodes(&self) -> usize {
        let (layers, size) = (self.levels.source.levels() - 1, 1 << self.height);
        (layers + size / 2 - 1) / size
    }
}
