//! The sweeps of a tracer over the levels, with what the sweep upward of moisture left.

use isobar_core::{PerLane, Real, Status};

use crate::arguments::MixTracers;
use crate::physics::implicit::Coupling;
use crate::physics::tracers::{eliminate, status, substitute};
use crate::schedule::tile::{Offset, Tile};

/// Computes a tracer of the columns of a tile.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize, const F: u8>(
    mix: &MixTracers<'_, R>,
    tile: &Tile<W, F>,
    tracer: usize,
) -> Status {
    upward(mix, tile, tracer);
    downward(mix, tile, tracer)
}

/// Where a level of the tracer is.
#[inline(always)]
fn offset<R: Real, const W: usize, const F: u8>(
    mix: &MixTracers<'_, R>,
    tile: &Tile<W, F>,
    tracer: usize,
    level: usize,
) -> Offset {
    tile.offset(level * mix.count() + tracer, mix.tracers.strides())
}

/// Where its tendency is: on a GPU in the same layout.
#[inline(always)]
fn result<R: Real, const W: usize, const F: u8>(
    mix: &MixTracers<'_, R>,
    tile: &Tile<W, F>,
    tracer: usize,
    level: usize,
) -> Offset {
    let strides = if W == 1 { mix.tracers.strides() } else { mix.tendencies.strides() };
    tile.offset(level * mix.count() + tracer, strides)
}

#[inline(always)]
fn coupling<R: Real, const W: usize, const F: u8>(
    mix: &MixTracers<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Coupling<[R; W]> {
    let at = tile.offset(level, mix.exchange.strides());
    Coupling { exchange: tile.read(&mix.exchange, at), reciprocal: tile.read(&mix.reciprocal, at) }
}

/// Eliminates all rows and solves the uppermost.
#[inline(always)]
fn upward<R: Real, const W: usize, const F: u8>(mix: &MixTracers<'_, R>, tile: &Tile<W, F>, tracer: usize) {
    let step = mix.parameters.step;
    let top = mix.exchange.levels() - 1;
    let mut carried = [R::ZERO; W];
    let mut lower: [R; W] = tile.read(&mix.tracers, offset(mix, tile, tracer, 0));
    for level in 0..=top {
        let at = result(mix, tile, tracer, level);
        let coupling = coupling(mix, tile, level);
        let upper = tile.read(&mix.tracers, offset(mix, tile, tracer, (level + 1).min(top)));
        let mut values = [R::ZERO; W];
        for lane in 0..W {
            let layers = [lower[lane], upper[lane]];
            [values[lane], carried[lane]] = eliminate(&coupling.lane(lane), layers, step, carried[lane]);
        }
        tile.write(&mix.tendencies, at, values);
        lower = upper;
    }
}

/// Substitutes from the top down.
#[inline(always)]
fn downward<R: Real, const W: usize, const F: u8>(mix: &MixTracers<'_, R>, tile: &Tile<W, F>, tracer: usize) -> Status {
    let step = mix.parameters.step;
    let top = mix.exchange.levels() - 1;
    let mut above: [R; W] = tile.read_back(&mix.tendencies, result(mix, tile, tracer, top));
    for level in (0..top).rev() {
        let at = result(mix, tile, tracer, level);
        let coupling = coupling(mix, tile, level);
        let values: [R; W] = tile.read_back(&mix.tendencies, at);
        for lane in 0..W {
            above[lane] = substitute(&coupling.lane(lane), values[lane], step, above[lane]);
        }
        tile.write(&mix.tendencies, at, above);
    }
    let mut all = Status::OK;
    for lane in 0..W {
        let status = status(above[lane]);
        if tile.inside(lane) {
            mix.status.mark(tile.column(lane), status);
            all = all.or(status);
        }
    }
    all
}
