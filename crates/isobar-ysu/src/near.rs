//! What an item keeps near the arithmetic: in the scratch of a GPU's block, or in the memory of a CPU's thread, which the caches hold from item to item.
//!
//! Eliminated rows of the lowest layers wait longest for the sweep downward, and would be pushed out of a GPU's caches meanwhile; a CPU has room for all rows. And
//! layers that the sweep upward needs next are brought to a GPU's scratch before it comes to them.

use isobar_core::kernel::WARP;
use isobar_core::{Near, Real};

use crate::batch::YsuArgs;
use crate::implicit::Row;
use crate::layer::Stored;
use crate::tile::{Tile, vector};

/// The numbers of an eliminated row.
const NUMBERS: usize = 9;
/// The numbers of a stored layer.
const STORED: usize = 10;
/// Layers that are on their way at a time.
const AHEAD: usize = 3;
/// The bytes of a scratch. 8 items fit an H200's multiprocessor: with more of them the other rows fall out of the cache, with fewer nothing
/// goes on while one waits.
const BYTES: usize = 210 * WARP * 4;

/// The bytes of a scratch for one kind of number: numbers with derivatives, which no GPU has, need more.
pub(crate) const fn bytes<R>() -> usize {
    let in_doubles = size_of::<R>().div_ceil(size_of::<f64>());
    BYTES * in_doubles
}

/// The numbers a lane that a scratch has.
const fn numbers<R>() -> usize {
    bytes::<R>() / (WARP * size_of::<R>())
}

/// The layers whose rows are near: on a CPU all.
#[inline(always)]
pub(crate) const fn layers<R, const W: usize>() -> usize {
    if W > 1 { usize::MAX } else { (numbers::<R>() - AHEAD * STORED) / NUMBERS }
}

/// The bytes that the rows of so many layers take in the memory of a CPU's thread.
pub(crate) const fn memory_bytes<R>(layers: usize) -> usize {
    layers * NUMBERS * vector::<R>() * size_of::<R>()
}

/// How far the numbers of a row are from each other.
const fn apart<const W: usize>() -> usize {
    if W > 1 { W } else { WARP }
}

/// Where the numbers of a row go.
#[inline(always)]
fn row<R: Real, const W: usize>(tile: &Tile<W>, layer: usize) -> Near<R> {
    if W > 1 {
        return tile.memory().beyond(layer * NUMBERS * W);
    }
    tile.near().beyond((AHEAD * STORED + layer * NUMBERS) * WARP)
}

macro_rules! with_numbers {
    ($each:ident) => {
        $each!(0 factor_heat, 1 factor_moisture, 2 factor_momentum, 3 theta, 4 vapour, 5 cloud_water, 6 cloud_ice, 7 u, 8 v)
    };
}

/// Keeps the row of a layer.
///
/// # Safety
/// The layer is below [`layers`], and the tile has a scratch, or memory.
#[inline(always)]
pub(crate) unsafe fn keep<R: Real, const W: usize>(tile: &Tile<W>, layer: usize, values: &Row<[R; W]>) {
    let place = row::<R, W>(tile, layer);
    macro_rules! store {
        ($($number:literal $field:ident),*) => {$(
            // SAFETY: the caller's.
            unsafe { place.beyond($number * apart::<W>()).write(values.$field) };
        )*};
    }
    with_numbers!(store);
}

/// The row of a layer again.
///
/// # Safety
/// It was kept.
#[inline(always)]
pub(crate) unsafe fn take<R: Real, const W: usize>(tile: &Tile<W>, layer: usize) -> Row<[R; W]> {
    let place = row::<R, W>(tile, layer);
    macro_rules! load {
        ($($number:literal $field:ident),*) => {
            // SAFETY: the caller's.
            unsafe { Row { $($field: place.beyond($number * apart::<W>()).read()),* } }
        };
    }
    with_numbers!(load)
}

/// Layers on their way from memory: [`AHEAD`] of them, and the next ones when they are taken, in turn. On a CPU, which prefetches, they are read when
/// they are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coming<R> {
    places: Near<R>,
    /// The layer that is taken next.
    next: u32,
    /// The bytes to its place, and to that of the layer before it.
    slot: u32,
    before: u32,
}

impl<R: Real> Coming<R> {
    /// The bytes of a layer.
    const BYTES: u32 = (STORED * WARP * size_of::<R>()) as u32;

    /// From this layer on.
    #[inline(always)]
    pub(crate) fn from<const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, first: usize) -> Self {
        let next = first as u32;
        let coming = Self { places: tile.near(), next, slot: 0, before: (AHEAD as u32 - 1) * Self::BYTES };
        if W == 1 {
            coming.call(batch, tile, next, 0);
            coming.call(batch, tile, next + 1, Self::BYTES);
        }
        coming
    }

    /// Calls for a layer, if there is one.
    #[inline(always)]
    fn call<const W: usize>(&self, batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: u32, slot: u32) {
        if layer < batch.layers() as u32 {
            let air = &batch.air;
            let row = tile.row(layer as usize, air.temperature.strides());
            let above = tile.row((layer + 1) as usize, batch.interface_pressure.strides());
            let place = self.places.beyond_bytes(slot as usize);
            // Not a loop: a GPU would keep all arguments in slow memory.
            macro_rules! fetch {
                ($($number:literal $field:expr, $row:expr;)*) => {$(
                    // SAFETY: a layer of the batch, to the lane's own place.
                    unsafe { place.beyond($number * WARP).fetch(tile.address(&$field, $row)) };
                )*};
            }
            fetch!(
                0 air.u, row;
                1 air.v, row;
                2 air.temperature, row;
                3 air.vapour, row;
                4 air.cloud_water, row;
                5 air.cloud_ice, row;
                6 air.pressure, row;
                7 air.exner, row;
                8 air.thickness, row;
                9 batch.interface_pressure, above;
            );
        }
        Near::<R>::group();
    }

    /// The next layer.
    #[inline(always)]
    pub(crate) fn take<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Stored<[R; W]> {
        if W > 1 {
            let layer = Stored::read(batch, tile, self.next as usize);
            self.next += 1;
            return layer;
        }
        // To the place of the layer before, of which nothing is left to read.
        self.call(batch, tile, self.next + AHEAD as u32 - 1, self.before);
        Near::<R>::wait::<{ AHEAD - 1 }>();
        let place = self.places.beyond_bytes(self.slot as usize);
        macro_rules! load {
            ($($number:literal $field:ident),*) => {
                // SAFETY: the numbers have come.
                unsafe { Stored { $($field: place.beyond($number * WARP).read()),* } }
            };
        }
        let layer = load!(0 u, 1 v, 2 temperature, 3 vapour, 4 cloud_water, 5 cloud_ice, 6 pressure, 7 exner, 8 thickness, 9 top_pressure);
        self.next += 1;
        self.before = self.slot;
        let after = self.slot + Self::BYTES;
        self.slot = if after == AHEAD as u32 * Self::BYTES { 0 } else { after };
        layer
    }
}
