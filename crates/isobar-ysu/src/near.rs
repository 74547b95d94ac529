//! What an item keeps near the arithmetic: in the scratch of a GPU's block, or in the memory of a CPU's thread, which
//! the caches hold from item to item.
//!
//! A GPU's scratch has places for layers. The lowest layers come there while the top of the boundary layer is searched
//! for ([`crate::coming`]), stay for the sweep upward, and leave their places to their eliminated rows, which wait
//! longest for the sweep downward and would be pushed out of the caches meanwhile. The last places serve the layers
//! above in turn. A CPU has room for all rows, and reads layers from memory.

use isobar_core::kernel::WARP;
use isobar_core::{Near, Real};

use crate::implicit::Row;
use crate::layer::Stored;
use crate::tile::{Tile, vector};

/// The numbers of an eliminated row.
const NUMBERS: usize = 9;
/// The numbers of a stored layer, and of a place. The last one, the pressure at the upper interface, outlives the
/// others.
pub(crate) const STORED: usize = 10;
/// The places that layers above the lowest ones take in turn.
pub(crate) const IN_TURN: usize = 3;
/// The bytes of a scratch. 8 items fill an H200's multiprocessor: with more of them the other rows fall out of the
/// cache, with fewer nothing goes on while one waits.
const BYTES: usize = 220 * WARP * 4;

/// The bytes of a scratch for one kind of number: numbers with derivatives, which no GPU has, need more.
pub(crate) const fn bytes<R>() -> usize {
    let in_doubles = size_of::<R>().div_ceil(size_of::<f64>());
    BYTES * in_doubles
}

/// The places of a scratch.
pub(crate) const fn places<R>() -> usize {
    bytes::<R>() / (WARP * STORED * size_of::<R>())
}

/// The layers whose rows are near: on a CPU all.
#[inline(always)]
pub(crate) const fn layers<R, const W: usize>() -> usize {
    if W > 1 { usize::MAX } else { places::<R>() - IN_TURN }
}

/// The bytes that the rows of so many layers take in the memory of a CPU's thread.
pub(crate) const fn memory_bytes<R>(layers: usize) -> usize {
    layers * NUMBERS * vector::<R>() * size_of::<R>()
}

/// The place of a number for this thread's lane, whose neighbours' follow.
#[inline(always)]
pub(crate) fn place<R: Real, const W: usize>(tile: &Tile<W>, place: u32) -> Near<R> {
    tile.near().beyond_bytes((place * (STORED * WARP * size_of::<R>()) as u32) as usize)
}

/// How far the numbers of a row are from each other.
const fn apart<const W: usize>() -> usize {
    if W > 1 { W } else { WARP }
}

/// Where the numbers of a row go.
#[inline(always)]
fn row<R: Real, const W: usize>(tile: &Tile<W>, layer: usize) -> Near<R> {
    if W > 1 { tile.memory().beyond(layer * NUMBERS * W) } else { place(tile, layer as u32) }
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

/// The pressure at the upper interface of a layer that came to its place, on a GPU.
///
/// # Safety
/// The layer is below [`layers`], and came.
#[inline(always)]
pub(crate) unsafe fn top_pressure<R: Real, const W: usize>(tile: &Tile<W>, layer: usize) -> [R; W] {
    // SAFETY: the caller's.
    unsafe { place::<R, W>(tile, layer as u32).beyond((STORED - 1) * WARP).read() }
}

/// Reads some fields of a struct, by their names in [`Stored`], of a layer that came to a place on a GPU:
/// `come!(place => Stored { u, v })`.
///
/// # Safety
/// It came.
macro_rules! come {
    ($place:expr => $name:ident { $($field:ident),* $(,)? }) => {{
        let place = $place;
        $name { $($field: place.beyond($crate::near::come!(@ $field) * isobar_core::kernel::WARP).read()),* }
    }};
    (@ u) => { 0 };
    (@ v) => { 1 };
    (@ temperature) => { 2 };
    (@ vapour) => { 3 };
    (@ cloud_water) => { 4 };
    (@ cloud_ice) => { 5 };
    (@ pressure) => { 6 };
    (@ exner) => { 7 };
    (@ thickness) => { 8 };
    (@ top_pressure) => { 9 };
}
pub(crate) use come;

/// A layer that came to a place, on a GPU.
///
/// # Safety
/// It came.
#[inline(always)]
pub(crate) unsafe fn stored<R: Real, const W: usize>(place: Near<R>) -> Stored<[R; W]> {
    // SAFETY: the caller's.
    unsafe {
        come!(place => Stored {
            u, v, temperature, vapour, cloud_water, cloud_ice, pressure, exner, thickness, top_pressure
        })
    }
}
