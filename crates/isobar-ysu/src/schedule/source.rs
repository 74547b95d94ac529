//! The source of layers for the search and the sweep upward: a GPU's shared memory, to which they are copied ahead, or
//! a CPU's memory.

use isobar_core::Real;
use isobar_core::kernel::WARP;

use crate::arguments::YsuArgs;
use crate::physics::layer::Stored;
use crate::physics::richardson::Searched;
use crate::physics::sample::Sample;
use crate::schedule::inputs;
use crate::schedule::prefetch::Prefetch;
use crate::schedule::shared::{self, Slot};
use crate::schedule::tile::{Tile, group};

/// Where layers are read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<R> {
    prefetch: Prefetch<R>,
}

impl<R: Real> Source<R> {
    /// On a GPU the copies of the lowest layers start.
    #[inline(always)]
    pub(crate) fn start<const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) -> Self {
        let mut prefetch = Prefetch::new(batch, tile);
        if W == 1 {
            prefetch.start(batch, tile);
        }
        Self { prefetch }
    }

    /// The lowest layer, which is taken first.
    #[inline(always)]
    pub(crate) fn lowest<const W: usize, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
    ) -> Stored<[R; W]> {
        if W == 1 {
            self.prefetch.await_group(batch, tile, 0);
        }
        self.lowest_again(batch, tile)
    }

    /// The lowest layer after [`Source::lowest`].
    #[inline(always)]
    pub(crate) fn lowest_again<const W: usize, const F: u8>(
        &self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
    ) -> Stored<[R; W]> {
        if W > 1 {
            return inputs::stored(batch, tile, 0);
        }
        shared::stored(Slot::of_layer(tile, 0))
    }

    /// A layer for the sweep upward, which takes one after the other from layer 1 on. `SLOT` says which slot it has:
    /// [`crate::schedule::prefetch::EITHER`].
    #[inline(always)]
    pub(crate) fn next<const W: usize, const SLOT: u8, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        layer: usize,
    ) -> Stored<[R; W]> {
        if W > 1 {
            return inputs::stored(batch, tile, layer);
        }
        self.prefetch.take::<W, SLOT, F>(batch, tile, layer as u32)
    }

    /// Makes the group of layers from `level` on ready for a search: are they in shared memory?
    #[inline(always)]
    pub(crate) fn ready<const W: usize, const F: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        level: u32,
    ) -> bool {
        let (together, count) = (group::<R, W>() as u32, batch.layers() as u32);
        let in_shared = W == 1 && level + together <= count.min(shared::slots::<R, F>() as u32);
        if in_shared {
            self.prefetch.await_group(batch, tile, (level - 1) / together);
        }
        in_shared
    }

    /// A layer of such a group for the search, or the uppermost.
    #[inline(always)]
    pub(crate) fn searched<const W: usize, const F: u8>(
        &self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        level: u32,
        in_shared: bool,
    ) -> Searched<[R; W]> {
        if in_shared {
            let slot = Slot::of_layer(tile, level);
            Searched::from(Stored::NUMBERS).map(|number| slot.read(number * WARP))
        } else {
            inputs::searched(batch, tile, level.min(batch.layers() as u32 - 1) as usize)
        }
    }

    /// What entrainment needs of a layer, numbered from 0, another one in each lane, or the uppermost.
    #[inline(always)]
    pub(crate) fn samples<const W: usize, const F: u8>(
        &self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W, F>,
        layers: &[u32; W],
    ) -> Sample<[R; W]> {
        if W == 1 {
            let layer = layers[0].min(batch.layers() as u32 - 1);
            if !tile.any(&[u32::from(!self.prefetch.has::<F>(layer)); W]) {
                let slot = Slot::of_layer(tile, layer);
                return Sample::from(Stored::NUMBERS).map(|number| slot.read(number * WARP));
            }
        }
        inputs::samples(batch, tile, layers)
    }
}
