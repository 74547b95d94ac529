//! Optical depths and Planck fractions of a column, written out.

use isobar_core::{Lanes, Real};

use crate::rrtmg::arguments::OpticalDepths;
use crate::rrtmg::schedule::chunk::{Chunk, Chunks};
use crate::rrtmg::schedule::lane_groups::{point_groups, point_lanes};
use crate::rrtmg::schedule::points::Points;
use crate::rrtmg::schedule::scratch::Scratch;
use crate::rrtmg::tables::QUAD;

/// Writes those of a column; the lanes have the scratch of a block.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(kernel: &OpticalDepths<'_, R>, column: usize, lanes: Lanes<W>) {
    let sources = &kernel.sources;
    let scratch = Scratch::of(lanes);
    let chunks = Chunks::new(sources.columns.temperature_k.levels(), sources.states.lower_layers.at(0, column));
    for index in 0..chunks.count() {
        let chunk = chunks.get(index);
        sources.write_terms(lanes, (column, chunk), scratch);
        lanes.barrier();
        for segment in lanes.shares(sources.tables.segments()) {
            for group in 0..point_groups::<W>() {
                let points = Points::new(&sources.tables, lanes, segment, group);
                if point_lanes::<W>() == QUAD {
                    write::<R, QUAD>(kernel, &points, (column, chunk), scratch);
                } else {
                    write::<R, 1>(kernel, &points, (column, chunk), scratch);
                }
            }
        }
        lanes.barrier();
    }
}

/// Writes those of the `N` g-points of a quad that a thread has.
#[inline(always)]
fn write<R: Real, const N: usize>(
    kernel: &OpticalDepths<'_, R>,
    points: &Points<R>,
    (column, chunk): (usize, Chunk),
    scratch: &Scratch<R>,
) {
    let tables = &kernel.sources.tables;
    let band = tables.band(points.band);
    for slot in 0..chunk.count {
        let aerosol = scratch.aerosol[points.band][slot].get();
        let depths = points.optical_depths::<N>(scratch.lists(), (chunk.region, slot), aerosol);
        let fractions = points.fractions::<N>(scratch.lists(), (chunk.region, slot));
        for lane in 0..N {
            let point = points.first + lane as u32;
            let row = (chunk.low + slot) * tables.points as usize + point as usize;
            if points.flux != R::ZERO && point < band.first_point + band.points {
                kernel.optical_depth.set(row, column, depths[lane]);
                kernel.fraction.set(row, column, fractions[lane]);
            }
        }
    }
}
