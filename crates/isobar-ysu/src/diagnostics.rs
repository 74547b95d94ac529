//! What is written once a column.

use isobar_core::{Real, Status};

use crate::batch::YsuArgs;
use crate::boundary_layer::BoundaryLayer;
use crate::sweep::Integrals;
use crate::tile::Tile;

/// Writes what is known before the sweeps: a GPU's thread then need not keep it.
#[inline(always)]
pub(crate) fn write<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
) {
    let ground = &boundary_layer.ground;
    let (mut u, mut v) = (ground.u_10m, ground.v_10m);
    if batch.parameters.topographic != 0 {
        // SAFETY: the view has the batch's columns.
        let weight: [R; W] = unsafe { tile.read_column(&batch.surface.wind_weight) };
        let lowest = &boundary_layer.lowest;
        for lane in 0..W {
            u[lane] = weight[lane] * u[lane] + (R::ONE - weight[lane]) * lowest.u[lane];
            v[lane] = weight[lane] * v[lane] + (R::ONE - weight[lane]) * lowest.v[lane];
        }
    }
    let mixing = &boundary_layer.mixing;
    let out = &batch.diagnostics;
    // SAFETY: each field has a level and the batch's columns, of which the item writes its own.
    unsafe {
        tile.write_column(&out.height, mixing.height);
        tile.write_column(&out.level, boundary_layer.layer);
        tile.write_column(&out.convective_velocity, boundary_layer.convective_velocity);
        tile.write_column(&out.entrainment_depth, mixing.zone_depth);
        tile.write_column(&out.u_10m, u);
        tile.write_column(&out.v_10m, v);
    }
}

/// Writes the integrals and each column's status, and says whether all columns of the tile are finite.
#[inline(always)]
pub(crate) fn write_integrals<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    integrals: &Integrals<[R; W]>,
) -> Status {
    let mut statuses = [0; W];
    let mut status = Status::OK;
    for lane in 0..W {
        // What is not finite in a profile is not finite in its sum; cloud follows vapour's matrix.
        let sum = integrals.theta[lane] + integrals.vapour[lane] + integrals.u[lane] + integrals.v[lane];
        statuses[lane] = if sum.is_finite() { Status::OK.0 } else { Status::NOT_FINITE.0 };
        status = status.or(Status(statuses[lane]));
    }
    let out = &batch.diagnostics;
    // SAFETY: as above.
    unsafe {
        tile.write_column(&out.stress_u, integrals.u);
        tile.write_column(&out.stress_v, integrals.v);
        tile.write_column(&out.heat, integrals.theta);
        tile.write_column(&out.latent_heat, integrals.vapour);
        tile.write_column(&out.status, statuses);
    }
    status
}
