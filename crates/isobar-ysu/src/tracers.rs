//! Any number of further tracers, with the system of moisture: each goes through memory, level by level (notes 10).

use isobar_core::Real;

use crate::batch::Ysu;
use crate::implicit::Coupling;
use crate::tile::Tile;

/// Calls the block for each tracer of each lane inside the batch, with its item number.
macro_rules! for_each {
    ($batch:expr, $tile:expr, $lane:ident, $item:ident => $work:block) => {
        let columns = $batch.columns();
        for tracer in 0..$batch.tracers.items() / columns {
            for $lane in 0..W {
                if $tile.inside($lane) {
                    let $item = tracer * columns + $tile.column($lane);
                    $work
                }
            }
        }
    };
}

/// No tracer comes through the surface.
#[inline(always)]
pub(crate) fn start<R: Real, const W: usize>(batch: &Ysu<'_, R>, tile: &Tile<W>) {
    for_each!(batch, tile, lane, item => {
        // SAFETY: the item is one of the tracers', and the column the caller's.
        unsafe { batch.tracer_tendencies.put(0, item, R::ZERO) };
    });
}

/// Eliminates the row of a level, whose right-hand side without the flux above lies in the output.
#[inline(always)]
pub(crate) fn eliminate<R: Real, const W: usize>(
    batch: &Ysu<'_, R>,
    tile: &Tile<W>,
    level: usize,
    coupling: &Coupling<[R; W]>,
) {
    let step = batch.parameters.step;
    for_each!(batch, tile, lane, item => {
        let (tracers, tendencies) = (&batch.tracers, &batch.tracer_tendencies);
        let coupling = coupling.lane(lane);
        // SAFETY: the level and the one above are the batch's, and as above.
        unsafe {
            let flux = coupling.exchange * (tracers.get(level + 1, item) - tracers.get(level, item));
            let value = (tendencies.get(level, item) + flux) * coupling.reciprocal;
            tendencies.put(level, item, value);
            tendencies.put(level + 1, item, step * coupling.exchange * value - flux);
        }
    });
}

/// Solves the uppermost row.
#[inline(always)]
pub(crate) fn top<R: Real, const W: usize>(batch: &Ysu<'_, R>, tile: &Tile<W>, mass: &[R; W]) {
    let level = batch.layers() - 1;
    for_each!(batch, tile, lane, item => {
        let tendencies = &batch.tracer_tendencies;
        // SAFETY: as above.
        unsafe { tendencies.put(level, item, tendencies.get(level, item) / mass[lane]) };
    });
}

/// The solution of a level, from that above it.
#[inline(always)]
pub(crate) fn substitute<R: Real, const W: usize>(batch: &Ysu<'_, R>, tile: &Tile<W>, level: usize, factor: &[R; W]) {
    for_each!(batch, tile, lane, item => {
        let tendencies = &batch.tracer_tendencies;
        // SAFETY: as above.
        unsafe {
            let value = tendencies.get(level, item) + factor[lane] * tendencies.get(level + 1, item);
            tendencies.put(level, item, value);
        }
    });
}
