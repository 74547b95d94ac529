//! Where turbulent energy waits between its sweeps: in the workspace of a CPU's thread, behind the eliminated rows, or,
//! on a GPU, in the batch's workspace.

use isobar_core::{Near, Real};

use crate::arguments::YsuArgs;
use crate::physics::shin_hong::energy::Source;
use crate::physics::shin_hong::transport::Row;
use crate::schedule::shared::workspace_bytes;
use crate::schedule::tile::{Tile, vector};

/// The numbers of a level.
pub(crate) const NUMBERS: usize = Source::COUNT;
const _: () = assert!(Row::COUNT <= NUMBERS, "rows take the places of sources");

/// The bytes that a CPU's thread has for rows and energy.
pub(crate) const fn bytes<R>(layers: usize) -> usize {
    workspace_bytes::<R>(layers) + layers * NUMBERS * vector::<R>() * size_of::<R>()
}

/// A CPU's place for a number of a level.
#[inline(always)]
fn near<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    number: usize,
) -> Near<R> {
    let rows = workspace_bytes::<R>(batch.layers()) / size_of::<R>();
    tile.workspace().beyond(rows + (level * NUMBERS + number) * W)
}

#[inline(always)]
fn read<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    number: usize,
) -> [R; W] {
    if W == 1 {
        return tile.read_back(&batch.workspace.energy, tile.offset(level * NUMBERS + number, batch.strides()));
    }
    debug_assert!(level < batch.layers() && number < NUMBERS && W == vector::<R>());
    // SAFETY: one of the numbers behind the rows, of which there are as many as layers: the kernel asked for `bytes`.
    unsafe { near(batch, tile, level, number).read() }
}

#[inline(always)]
fn write<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    number: usize,
    values: [R; W],
) {
    if W == 1 {
        let at = tile.offset(level * NUMBERS + number, batch.strides());
        return tile.write(&batch.workspace.energy, at, values);
    }
    debug_assert!(level < batch.layers() && number < NUMBERS && W == vector::<R>());
    // SAFETY: as above.
    unsafe { near(batch, tile, level, number).write(values) };
}

/// Keeps the sources of a level.
#[inline(always)]
pub(crate) fn keep_source<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    source: &Source<[R; W]>,
) {
    source.each().zip(Source::NUMBERS).map(|(values, number)| write(batch, tile, level, number, *values));
}

/// The sources of a level again.
#[inline(always)]
pub(crate) fn take_source<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Source<[R; W]> {
    Source::NUMBERS.map(|number| read(batch, tile, level, number))
}

/// Keeps an eliminated row of a level in the place of its sources.
#[inline(always)]
pub(crate) fn keep_energy<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    row: &Row<[R; W]>,
) {
    row.each().zip(Row::NUMBERS).map(|(values, number)| write(batch, tile, level, number, *values));
}

/// The row again.
#[inline(always)]
pub(crate) fn take_energy<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Row<[R; W]> {
    Row::NUMBERS.map(|number| read(batch, tile, level, number))
}
