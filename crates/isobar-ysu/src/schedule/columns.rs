//! The columns of a tile: the stages in their order.

use isobar_core::{PerLane, Real, Status};

use crate::arguments::YsuArgs;
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::diagnostics::{adjusted_wind, status};
use crate::physics::drag::{Drag, blended_factor, drag};
use crate::schedule::source::Source;
use crate::schedule::sweep::{Mixed, diffuse};
use crate::schedule::tile::{SCALE_AWARE, TOWN, Tile};
use crate::schedule::top::find;
use crate::schedule::topographic::smooth_share;

/// Computes the columns of a tile; the status is that of all together.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) -> Status {
    let mut source = Source::start(batch, tile);
    let boundary_layer = find(batch, tile, &mut source);
    let drag = surface_drag(batch, tile, &boundary_layer);
    write_boundary_layer(batch, tile, &boundary_layer);
    let mixed = diffuse(batch, tile, &mut source, &boundary_layer, &drag);
    write_integrals(batch, tile, &mixed)
}

#[inline(always)]
fn surface_drag<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
) -> Drag<[R; W]> {
    let parameters = &batch.parameters;
    let mut factor = [R::ONE; W];
    if parameters.topographic != 0 {
        factor = tile.read_column(&batch.columns.drag_factor);
        if parameters.older_surface == 0 {
            let share = match F {
                SCALE_AWARE => stable_share(boundary_layer),
                _ => smooth_share(batch, tile, boundary_layer),
            };
            for lane in 0..W {
                factor[lane] = blended_factor(factor[lane], share[lane]);
            }
        }
    }
    if F == TOWN && parameters.topographic != 0 {
        let towns = tile.read_column(&batch.columns.urban_share);
        for lane in 0..W {
            factor[lane] *= R::ONE - towns[lane];
        }
    }
    let mut all = Drag::<[R; W]>::zeros();
    for lane in 0..W {
        let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
        all.set(lane, drag(parameters, &ground, &lowest, factor[lane]));
    }
    all
}

/// The share of Shin-Hong: by the Richardson number of the surface layer.
#[inline(always)]
fn stable_share<R: Real, const W: usize>(boundary_layer: &BoundaryLayer<[R; W], [u32; W]>) -> [R; W] {
    let mut share = [R::ZERO; W];
    for lane in 0..W {
        share[lane] = (R::ONE - boundary_layer.ground.richardson[lane]).clamp(R::ZERO, R::ONE);
    }
    share
}

/// Each column's status by the numbers that must be finite in it.
#[inline(always)]
fn statuses<R: Real, const W: usize, const COUNT: usize>(numbers: [[R; W]; COUNT]) -> [u32; W] {
    let mut statuses = [0; W];
    for lane in 0..W {
        let mut own = [R::ZERO; COUNT];
        for (number, own) in numbers.iter().zip(&mut own) {
            *own = number[lane];
        }
        statuses[lane] = status(own).0;
    }
    statuses
}

/// Writes what is known before the sweeps, and whether it is finite: a GPU's thread then need not keep it.
#[inline(always)]
fn write_boundary_layer<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    boundary_layer: &BoundaryLayer<[R; W], [u32; W]>,
) {
    let (mut u, mut v) = (boundary_layer.ground.u_10m, boundary_layer.ground.v_10m);
    if batch.parameters.topographic != 0 {
        let weight: [R; W] = tile.read_column(&batch.columns.wind_weight);
        for lane in 0..W {
            let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
            [u[lane], v[lane]] = adjusted_wind(weight[lane], &ground, &lowest);
        }
    }
    let mixing = &boundary_layer.mixing;
    let out = &batch.results;
    tile.write_column(&out.height_m, mixing.height);
    tile.write_column(&out.level, boundary_layer.layer);
    tile.write_column(&out.convective_velocity_m_per_s, boundary_layer.convective_velocity);
    tile.write_column(&out.entrainment_depth_m, mixing.zone_depth);
    tile.write_column(&out.u_10m_m_per_s, u);
    tile.write_column(&out.v_10m_m_per_s, v);
    let numbers = [mixing.height, boundary_layer.convective_velocity, mixing.zone_depth, u, v];
    tile.write_column(&out.status, statuses(numbers));
}

/// Writes the integrals and each column's status, and says whether all columns of the tile are finite.
#[inline(always)]
fn write_integrals<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    Mixed { integrals, lowest, energy }: &Mixed<R, W>,
) -> Status {
    let out = &batch.results;
    tile.write_column(&out.stress_u_n_per_m2, integrals.u);
    tile.write_column(&out.stress_v_n_per_m2, integrals.v);
    tile.write_column(&out.heat_w_per_m2, integrals.theta);
    tile.write_column(&out.latent_heat_w_per_m2, integrals.vapour);
    // What is not finite in a profile is not finite in its sum, and neither is its lowest layer, which depends on all
    // others.
    let sums = statuses(integrals.into_array());
    let [water, ice] = lowest.not_integrated();
    let lowest = statuses([water, ice, *energy]);
    let before = tile.read_back_column(&out.status, Status::OK.0);
    let (mut all, mut status) = ([0; W], Status::OK);
    for lane in 0..W {
        all[lane] = sums[lane] | lowest[lane] | before[lane];
        status = status.or(Status(all[lane]));
    }
    tile.write_column(&out.status, all);
    status
}
