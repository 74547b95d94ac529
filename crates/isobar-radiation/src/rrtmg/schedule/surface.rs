//! The surface of a column for a warp of g-points.

use isobar_core::Real;

use crate::rrtmg::arguments::TransferArgs;
use crate::rrtmg::physics::planck::Position;
use crate::rrtmg::physics::surface::Surface;
use crate::rrtmg::schedule::lane_groups::{point_groups, point_lanes};
use crate::rrtmg::schedule::lists::Lists;
use crate::rrtmg::schedule::points::{Points, WarpPoints};
use crate::rrtmg::schedule::sweep::Streams;
use crate::rrtmg::tables::QUAD;

/// Turns what arrives at the surface of all sky and of clear sky into what leaves it, and gives their derivatives. The
/// lists of the lowest layer, which is in this region, were written.
#[inline(always)]
pub(crate) fn reflect<R: Real, const W: usize>(
    batch: &TransferArgs<'_, R>,
    column: usize,
    points: &WarpPoints<R, W>,
    lists: (Lists<R>, usize),
    streams: &mut Streams<R, W>,
) {
    for group in 0..point_groups::<W>() {
        let these = (points.of_group(group), group * QUAD);
        if point_lanes::<W>() == QUAD {
            reflect_quad::<R, W, QUAD>(batch, column, these, lists, streams);
        } else {
            reflect_quad::<R, W, 1>(batch, column, these, lists, streams);
        }
    }
}

/// The `N` g-points of a quad that a thread has, of which the first is lane `first`.
#[inline(always)]
fn reflect_quad<R: Real, const W: usize, const N: usize>(
    batch: &TransferArgs<'_, R>,
    column: usize,
    (points, first): (&Points<R>, usize),
    (lists, region): (Lists<R>, usize),
    streams: &mut Streams<R, W>,
) {
    let tables = &batch.sources.tables;
    let temperature = Position::of(batch.sources.columns.surface_temperature_k.at(column));
    let emission = points.emission::<N>(lists, (region, 0));
    let emissivity = batch.sources.columns.emissivity.at(points.band, column);
    let planck = temperature.radiance(&tables.planck, points.band);
    let surface = Surface::new(emissivity, planck, temperature.radiance(&tables.planck_derivative, points.band));
    for lane in 0..N {
        for sky in 0..2 {
            streams[2 + sky][first + lane] = surface.reflect(emission[lane], &mut streams[sky][first + lane]);
        }
    }
}
