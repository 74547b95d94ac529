//! Layers on their way from memory to the places of a GPU's scratch.
//!
//! The lowest ones are called for in groups, as the search for the top of the boundary layer rises, and the next group
//! is on its way while one is searched; those above one by one, as the sweep upward gives places back. On a CPU, which
//! prefetches, layers are read when they are needed.

use isobar_core::{Near, Real};

use crate::batch::YsuArgs;
use crate::layer::Stored;
use crate::lines::{Lines, fetch_lane};
use crate::near::{self, IN_TURN};
use crate::tile::{Tile, at_a_time};

/// The layers of a group, which a search looks at together: layer 0 comes with the first group, of layers 1 to
/// [`group`].
#[inline(always)]
pub(crate) const fn group<R, const W: usize>() -> usize {
    let half = at_a_time::<R, W>() / 2;
    if half == 0 { 1 } else { half }
}

/// Where a layer has its place, if that is known: a place of its own, one that several layers share in turn, or either.
pub(crate) const EITHER: u8 = 0;
/// One of the lowest layers.
pub(crate) const OWN: u8 = 1;
/// One above them.
pub(crate) const SHARED: u8 = 2;

/// The groups that have places.
const fn groups<R>() -> u32 {
    (near::places::<R>() - 1).div_ceil(group::<R, 1>()) as u32
}

/// Once the `lowest` layers, whose places are their own, were taken: were all groups called for, and has the first
/// layer come that shares a place?
const fn all_called<R>(lowest: usize) -> bool {
    let group = group::<R, 1>();
    groups::<R>() as usize <= (lowest - 2) / group + 2 && !(lowest - 1).is_multiple_of(group)
}
const _: () = assert!(all_called::<f32>(near::layers::<f32, 1>()) && all_called::<f64>(near::layers::<f64, 1>()));

/// What came, and what is on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coming<R> {
    lines: Lines<R>,
    /// The groups that were called for.
    called: u32,
    /// The layers that have come.
    come: u32,
    /// The place of the next layer above the lowest ones.
    turn: u32,
}

impl<R: Real> Coming<R> {
    /// Calls for the lowest layer and the first group.
    #[inline(always)]
    pub(crate) fn start<const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Self {
        let lowest = near::layers::<R, 1>() as u32;
        let mut coming = Self { lines: Lines::new(batch, tile), called: 0, come: 0, turn: lowest };
        if W == 1 {
            coming.call(batch, tile, 0, 0);
            coming.call_group(batch, tile);
        }
        coming
    }

    /// Calls for a layer, if there is one.
    #[inline(always)]
    fn call<const W: usize>(&self, batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: u32, place: u32) {
        if layer < batch.layers() as u32 {
            if self.lines.whole {
                self.lines.fetch(batch, layer, near::place(tile, place));
            } else {
                fetch_lane(batch, tile, layer, near::place(tile, place));
            }
        }
    }

    /// Calls for the next group. Where rows are not whole lines, in a loop: the code is long, and seldom needed.
    #[inline(always)]
    fn call_group<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) {
        let first = self.called * group::<R, 1>() as u32 + 1;
        let end = (near::places::<R>() as u32).min(batch.layers() as u32);
        if self.lines.whole {
            for i in 0..group::<R, 1>() as u32 {
                if first + i < end {
                    self.lines.fetch(batch, first + i, near::place(tile, first + i));
                }
            }
        } else {
            let mut layer = first;
            while layer < end.min(first + group::<R, 1>() as u32) {
                fetch_lane(batch, tile, layer, near::place(tile, layer));
                layer += 1;
            }
        }
        Near::<R>::group();
        self.called += 1;
    }

    /// Waits for a group, and calls for the next one.
    #[inline(always)]
    pub(crate) fn await_group<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>, number: u32) {
        if self.called < number + 2 && self.called < groups::<R>() {
            self.call_group(batch, tile);
        }
        if self.called > number + 1 {
            Near::<R>::wait::<1>();
        } else {
            Near::<R>::wait::<0>();
        }
        tile.wait();
        let come = (number + 1) * group::<R, 1>() as u32 + 1;
        self.come = if come > self.come { come } else { self.come };
    }

    /// The lowest layer, which comes first.
    #[inline(always)]
    pub(crate) fn lowest<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Stored<[R; W]> {
        if W == 1 {
            self.await_group(batch, tile, 0);
        }
        self.lowest_again(batch, tile)
    }

    /// The lowest layer after [`Coming::lowest`].
    #[inline(always)]
    pub(crate) fn lowest_again<const W: usize>(&self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Stored<[R; W]> {
        if W > 1 {
            return Stored::read(batch, tile, 0);
        }
        // SAFETY: it came with the first group.
        unsafe { near::stored(near::place(tile, 0)) }
    }

    /// Has this layer come to its place?
    #[inline(always)]
    pub(crate) fn has(&self, layer: u32) -> bool {
        layer < self.come && layer < near::places::<R>() as u32
    }

    /// A layer for the sweep upward, which takes one after the other from layer 1 on.
    #[inline(always)]
    pub(crate) fn take<const W: usize, const PLACE: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W>,
        layer: usize,
    ) -> Stored<[R; W]> {
        if W > 1 {
            return Stored::read(batch, tile, layer);
        }
        let (layer, lowest) = (layer as u32, near::layers::<R, 1>() as u32);
        let group = group::<R, 1>() as u32;
        if PLACE == OWN || (PLACE == EITHER && layer < lowest) {
            if (layer - 1).is_multiple_of(group) {
                self.await_group(batch, tile, (layer - 1) / group);
            }
            // SAFETY: the layer's group has come.
            return unsafe { near::stored(near::place(tile, layer)) };
        }
        // The first ones come with groups, after the last of which one call may be on its way.
        if layer < lowest + IN_TURN as u32 {
            Near::<R>::wait::<1>();
        } else {
            Near::<R>::wait::<{ IN_TURN - 1 }>();
        }
        tile.wait();
        // SAFETY: the layer has come.
        let stored = unsafe { near::stored(near::place(tile, self.turn)) };
        // All lanes have read it.
        tile.wait();
        self.call(batch, tile, layer + IN_TURN as u32, self.turn);
        Near::<R>::group();
        self.turn = if self.turn + 1 == near::places::<R>() as u32 { lowest } else { self.turn + 1 };
        stored
    }
}
