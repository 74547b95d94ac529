//! Copies of layers from memory to the slots of a GPU's shared memory, ahead of their use.
//!
//! The copies of the lowest ones start in groups, as the search for the top of the boundary layer rises, and the next
//! group is on its way while one is searched; those above one by one, as the sweep upward gives slots back.

use isobar_core::{Near, Real};

use crate::arguments::YsuArgs;
use crate::physics::layer::Stored;
use crate::schedule::copies::{Copies, copy_lane};
use crate::schedule::shared::{self, IN_TURN, Slot};
use crate::schedule::tile::{Tile, group};

/// Which slot a layer has, if that is known: one of its own, one that several layers share in turn, or either.
pub(crate) const EITHER: u8 = 0;
/// One of the lowest layers.
pub(crate) const OWN: u8 = 1;
/// One above them.
pub(crate) const IN_TURNS: u8 = 2;

/// The groups that have slots.
const fn groups<R, const F: u8>() -> u32 {
    (shared::slots::<R, F>() - 1).div_ceil(group::<R, 1>()) as u32
}

/// Which copies are complete, and which are on their way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefetch<R> {
    copies: Copies<R>,
    /// The groups whose copies have started.
    started: u32,
    /// The layers whose copies are complete.
    complete: u32,
    /// The slot of the next layer above the lowest ones.
    turn: u32,
}

impl<R: Real> Prefetch<R> {
    #[inline(always)]
    pub(crate) fn new<const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) -> Self {
        let lowest = shared::kept_rows::<R, 1, F>() as u32;
        Self { copies: Copies::new(batch, tile), started: 0, complete: 0, turn: lowest }
    }

    /// Starts the copies of the lowest layer and the first group.
    #[inline(always)]
    pub(crate) fn start<const W: usize, const F: u8>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) {
        self.start_layer(batch, tile, 0, 0);
        self.start_group(batch, tile);
    }

    /// Starts the copy of a layer, if there is one.
    #[inline(always)]
    fn start_layer<const W: usize, const F: u8>(
        &self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        layer: u32,
        slot: u32,
    ) {
        if layer < batch.layers() as u32 {
            if self.copies.by_16_bytes {
                self.copies.start(batch, layer, Slot::of_layer(tile, slot));
            } else {
                copy_lane(batch, tile, layer, Slot::of_layer(tile, slot));
            }
        }
    }

    /// Starts the copies of the next group. Where they are not of 16 bytes, in a loop: the code is long, and seldom
    /// needed.
    #[inline(always)]
    fn start_group<const W: usize, const F: u8>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) {
        let first = self.started * group::<R, 1>() as u32 + 1;
        let end = (shared::slots::<R, F>() as u32).min(batch.layers() as u32);
        if self.copies.by_16_bytes {
            for i in 0..group::<R, 1>() as u32 {
                if first + i < end {
                    self.copies.start(batch, first + i, Slot::of_layer(tile, first + i));
                }
            }
        } else {
            let mut layer = first;
            while layer < end.min(first + group::<R, 1>() as u32) {
                copy_lane(batch, tile, layer, Slot::of_layer(tile, layer));
                layer += 1;
            }
        }
        Near::<R>::group();
        self.started += 1;
    }

    /// Waits for a group, and starts the copies of the next one.
    #[inline(always)]
    pub(crate) fn await_group<const W: usize, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        number: u32,
    ) {
        if self.started < number + 2 && self.started < groups::<R, F>() {
            self.start_group(batch, tile);
        }
        if self.started > number + 1 {
            Near::<R>::wait::<1>();
        } else {
            Near::<R>::wait::<0>();
        }
        tile.wait();
        let complete = (number + 1) * group::<R, 1>() as u32 + 1;
        self.complete = if complete > self.complete { complete } else { self.complete };
    }

    /// Is this layer in its own slot?
    #[inline(always)]
    pub(crate) fn has<const F: u8>(&self, layer: u32) -> bool {
        layer < self.complete && layer < shared::slots::<R, F>() as u32
    }

    /// A layer for the sweep upward, which takes one after the other from layer 1 on.
    #[inline(always)]
    pub(crate) fn take<const W: usize, const SLOT: u8, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        layer: u32,
    ) -> Stored<[R; W]> {
        let lowest = shared::kept_rows::<R, 1, F>() as u32;
        let group = group::<R, 1>() as u32;
        if SLOT == OWN || (SLOT == EITHER && layer < lowest) {
            if (layer - 1).is_multiple_of(group) {
                self.await_group(batch, tile, (layer - 1) / group);
            }
            return shared::stored(Slot::of_layer(tile, layer));
        }
        // The first ones come with groups, after the last of which one copy may be on its way.
        if layer < lowest + IN_TURN as u32 {
            Near::<R>::wait::<1>();
        } else {
            Near::<R>::wait::<{ IN_TURN - 1 }>();
        }
        tile.wait();
        let stored = shared::stored(Slot::of_layer(tile, self.turn));
        // All lanes have read it.
        tile.wait();
        self.start_layer(batch, tile, layer + IN_TURN as u32, self.turn);
        Near::<R>::group();
        self.turn = if self.turn + 1 == shared::slots::<R, F>() as u32 { lowest } else { self.turn + 1 };
        stored
    }
}
