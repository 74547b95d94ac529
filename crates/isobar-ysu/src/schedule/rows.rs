//! Where eliminated rows wait for the sweep downward, and where solutions go.
//!
//! The rows of the lowest layers, on a CPU of all, are kept in shared memory or the workspace of the thread
//! ([`crate::schedule::shared`]); above them right-hand sides wait in the outputs, and factors in the batch's
//! workspace, for a GPU's thread has no memory for columns.

use isobar_core::Real;

use crate::physics::implicit::{Coupling, Row};
use crate::schedule::shared;
use crate::schedule::tile::Tile;
use crate::views::YsuArgs;

/// Keeps an eliminated row for the sweep downward.
#[inline(always)]
pub(crate) fn keep<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize, rows: &Row<[R; W]>) {
    if (level as u32) < shared::kept_rows::<R, W>() as u32 {
        shared::keep(tile, level, rows);
        return;
    }
    let at = tile.offset(level, batch.air.temperature.strides());
    tile.write(&batch.scratch.heat, at, rows.factor_heat);
    tile.write(&batch.scratch.moisture, at, rows.factor_moisture);
    tile.write(&batch.scratch.momentum, at, rows.factor_momentum);
    write::<R, W, false>(batch, tile, level, rows);
}

/// Reads back an eliminated row that is not one of [`shared::kept_rows`].
#[inline(always)]
pub(crate) fn read<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Row<[R; W]> {
    let (tendencies, scratch) = (&batch.tendencies, &batch.scratch);
    let at = tile.offset(level, batch.air.temperature.strides());
    Row {
        factor_heat: tile.read_back(&scratch.heat, at),
        factor_moisture: tile.read_back(&scratch.moisture, at),
        factor_momentum: tile.read_back(&scratch.momentum, at),
        theta: tile.read_back(&tendencies.theta, at),
        vapour: tile.read_back(&tendencies.vapour, at),
        cloud_water: tile.read_back(&tendencies.cloud_water, at),
        cloud_ice: tile.read_back(&tendencies.cloud_ice, at),
        u: tile.read_back(&tendencies.u, at),
        v: tile.read_back(&tendencies.v, at),
    }
}

/// Writes the values of a row to the outputs, to stay there (`LAST`) or to be read back.
#[inline(always)]
pub(crate) fn write<R: Real, const W: usize, const LAST: bool>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
    rows: &Row<[R; W]>,
) {
    let tendencies = &batch.tendencies;
    let at = tile.offset(level, batch.air.temperature.strides());
    macro_rules! write {
        ($($field:ident),*) => {$(
            if LAST {
                tile.write_once(&tendencies.$field, at, rows.$field);
            } else {
                tile.write(&tendencies.$field, at, rows.$field);
            }
        )*};
    }
    write!(theta, vapour, cloud_water, cloud_ice, u, v);
}

/// Leaves the system of moisture to other tracers, where there are any.
#[inline(always)]
pub(crate) fn write_coupling<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
    coupling: &Coupling<[R; W]>,
) {
    if !batch.exchange.is_empty() {
        let at = tile.offset(level, batch.air.temperature.strides());
        tile.write(&batch.exchange, at, coupling.exchange);
        tile.write(&batch.reciprocal, at, coupling.reciprocal);
    }
}

/// Writes the diffusivities at the lower interface of a level.
#[inline(always)]
pub(crate) fn write_diffusivities<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    level: usize,
    heat: [R; W],
    momentum: [R; W],
) {
    let at = tile.offset(level, batch.air.temperature.strides());
    tile.write_once(&batch.diffusivity_heat, at, heat);
    tile.write_once(&batch.diffusivity_momentum, at, momentum);
}
