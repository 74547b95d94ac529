//! The sweeps of a tracer over the levels, with what the sweep upward of moisture left.

use isobar_core::{Real, Status};

use crate::physics::implicit::Coupling;
use crate::physics::tracers::{eliminate, status, substitute};
use crate::schedule::tile::{Offset, Tile};
use crate::views::MixTracers;

/// Computes a tracer of the columns of a tile.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(mix: &MixTracers<'_, R>, tile: &Tile<W>, tracer: usize) -> Status {
    upward(mix, tile, tracer);
    downward(mix, tile, tracer)
}

/// Where a level of the tracer is.
#[inline(always)]
fn offset<R: Real, const W: usize>(mix: &MixTracers<'_, R>, tile: &Tile<W>, tracer: usize, level: usize) -> Offset {
    tile.offset_from(level, tracer * mix.exchange.items(), mix.tracers.strides())
}

#[inline(always)]
fn coupling<R: Real, const W: usize>(mix: &MixTracers<'_, R>, tile: &Tile<W>, level: usize) -> Coupling<[R; W]> {
    let at = tile.offset(level, mix.exchange.strides());
    Coupling { exchange: tile.read(&mix.exchange, at), reciprocal: tile.read(&mix.reciprocal, at) }
}

/// Eliminates all rows and solves the uppermost.
#[inline(always)]
fn upward<R: Real, const W: usize>(mix: &MixTracers<'_, R>, tile: &Tile<W>, tracer: usize) {
    let step = mix.parameters.step;
    let top = mix.exchange.levels() - 1;
    let mut carried = [R::ZERO; W];
    let mut lower: [R; W] = tile.read(&mix.tracers, offset(mix, tile, tracer, 0));
    for level in 0..=top {
        let at = offset(mix, tile, tracer, level);
        let coupling = coupling(mix, tile, level);
        let upper = tile.read(&mix.tracers, offset(mix, tile, tracer, (level + 1).min(top)));
        let values = eliminate(&coupling, &lower, &upper, step, &mut carried);
        tile.write(&mix.tendencies, at, values);
        lower = upper;
    }
}

/// Substitutes from the top down.
#[inline(always)]
fn downward<R: Real, const W: usize>(mix: &MixTracers<'_, R>, tile: &Tile<W>, tracer: usize) -> Status {
    let step = mix.parameters.step;
    let top = mix.exchange.levels() - 1;
    let mut above: [R; W] = tile.read_back(&mix.tendencies, offset(mix, tile, tracer, top));
    for level in (0..top).rev() {
        let at = offset(mix, tile, tracer, level);
        let coupling = coupling(mix, tile, level);
        let values = tile.read_back(&mix.tendencies, at);
        substitute(&coupling, &values, step, &mut above);
        tile.write(&mix.tendencies, at, above);
    }
    status(&above)
}
