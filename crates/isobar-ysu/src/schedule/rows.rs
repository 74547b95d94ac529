//! Where eliminated rows wait for the sweep downward, and where solutions go.
//!
//! The rows of the lowest layers, on a CPU of all, are kept in shared memory or the workspace of the thread
//! ([`crate::schedule::shared`]); above them right-hand sides wait in the outputs, and factors in the batch's
//! workspace, for a GPU's thread has no memory for columns.

use isobar_core::Real;

use crate::arguments::YsuArgs;
use crate::fields::tendencies;
use crate::physics::implicit::{Coupling, Row};
use crate::schedule::shared;
use crate::schedule::tile::Tile;

/// Keeps an eliminated row for the sweep downward.
#[inline(always)]
pub(crate) fn keep<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    rows: &Row<[R; W]>,
) {
    if (level as u32) < shared::kept_rows::<R, W, F>() as u32 {
        shared::keep(tile, level, rows);
        return;
    }
    let at = tile.offset(level, batch.workspace_strides::<W>());
    tile.write(&batch.workspace.heat, at, rows.factor_heat);
    tile.write(&batch.workspace.moisture, at, rows.factor_moisture);
    tile.write(&batch.workspace.momentum, at, rows.factor_momentum);
    write::<R, W, false, F>(batch, tile, level, rows);
}

/// Reads back an eliminated row that is not one of [`shared::kept_rows`].
#[inline(always)]
pub(crate) fn read<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Row<[R; W]> {
    let (results, workspace) = (&batch.results, &batch.workspace);
    let waiting = tile.offset(level, batch.workspace_strides::<W>());
    let at = tile.offset(level, batch.result_strides::<W>());
    macro_rules! read {
        ($($name:ident $field:ident,)*) => {
            Row {
                factor_heat: tile.read_back(&workspace.heat, waiting),
                factor_moisture: tile.read_back(&workspace.moisture, waiting),
                factor_momentum: tile.read_back(&workspace.momentum, waiting),
                $($name: tile.read_back(&results.$field, at)),*
            }
        };
    }
    tendencies!(read)
}

/// Writes the values of a row to the outputs, to stay there (`LAST`) or to be read back.
#[inline(always)]
pub(crate) fn write<R: Real, const W: usize, const LAST: bool, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    rows: &Row<[R; W]>,
) {
    let results = &batch.results;
    let at = tile.offset(level, batch.result_strides::<W>());
    macro_rules! write {
        ($($name:ident $field:ident,)*) => {$(
            if LAST {
                tile.write_once(&results.$field, at, rows.$name);
            } else {
                tile.write(&results.$field, at, rows.$name);
            }
        )*};
    }
    tendencies!(write);
}

/// Leaves the system of moisture to other tracers, where there are any.
#[inline(always)]
pub(crate) fn write_coupling<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    coupling: &Coupling<[R; W]>,
) {
    if !batch.workspace.exchange.is_empty() {
        // On a CPU the factors may have no workspace.
        let strides = if W == 1 { batch.strides() } else { batch.workspace.exchange.strides() };
        let at = tile.offset(level, strides);
        tile.write(&batch.workspace.exchange, at, coupling.exchange);
        tile.write(&batch.workspace.reciprocal, at, coupling.reciprocal);
    }
}

/// Writes the diffusivities at the lower interface of a level.
#[inline(always)]
pub(crate) fn write_diffusivities<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    heat: [R; W],
    momentum: [R; W],
) {
    let at = tile.offset(level, batch.result_strides::<W>());
    tile.write_once(&batch.results.diffusivity_heat_m2_per_s, at, heat);
    tile.write_once(&batch.results.diffusivity_momentum_m2_per_s, at, momentum);
}
