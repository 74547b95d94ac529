//! Urban layers of a tile: what buildings change of a row, before and after it is eliminated.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::physics::implicit::{Carried, Row, Upward};
use crate::physics::layer::Layer;
use crate::physics::mixed_layer::Diffusivity;
use crate::physics::urban::{CarriedVapour, Urban};
use crate::schedule::tile::Tile;

/// What rows leave to the next: of a town's, of vapour, too.
pub(crate) type CarriedBoth<R, const W: usize> = (Carried<[R; W]>, CarriedVapour<[R; W]>);

/// What buildings do to a level.
#[inline(always)]
pub(crate) fn read<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> Urban<[R; W]> {
    let (air, row) = (&batch.columns, tile.offset(level, batch.strides()));
    Urban {
        u_rate: tile.read(&air.urban_u_rate_per_s, row),
        v_rate: tile.read(&air.urban_v_rate_per_s, row),
        theta_rate: tile.read(&air.urban_theta_rate_per_s, row),
        vapour_rate: tile.read(&air.urban_vapour_rate_per_s, row),
        u_source: tile.read(&air.urban_u_source_m_per_s2, row),
        v_source: tile.read(&air.urban_v_source_m_per_s2, row),
        theta_source: tile.read(&air.urban_theta_source_k_per_s, row),
        vapour_source: tile.read(&air.urban_vapour_source_per_s, row),
        faces: tile.read(&air.urban_open_faces, row),
        volume: tile.read(&air.urban_open_volume, row),
    }
}

/// Adds what buildings take and give in a layer to its row.
#[inline(always)]
pub(crate) fn add<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    urban: &Urban<[R; W]>,
    layer: &Layer<[R; W]>,
    reference: &[R; W],
    carried: &mut CarriedBoth<R, W>,
) {
    let step = batch.parameters.step;
    for lane in 0..W {
        let before = (carried.0.lane(lane), carried.1.lane(lane));
        let (rows, vapour) = urban.lane(lane).add(&layer.lane(lane), reference[lane], step, before.0, before.1);
        carried.0.set(lane, rows);
        carried.1.set(lane, vapour);
    }
}

/// Narrows what is carried through the upper face of a layer.
#[inline(always)]
pub(crate) fn narrow<R: Real, const W: usize>(
    urban: &Urban<[R; W]>,
    diffusivity: &mut Diffusivity<[R; W]>,
    upward: &mut Upward<[R; W]>,
) {
    for lane in 0..W {
        let urban = urban.lane(lane);
        diffusivity.set(lane, urban.narrowed(&diffusivity.lane(lane)));
        upward.set(lane, urban.narrowed_upward(&upward.lane(lane)));
    }
}

/// What the elimination of a row read and made.
pub(crate) struct Eliminated<'a, R, const W: usize> {
    pub(crate) layers: [&'a Layer<[R; W]>; 2],
    pub(crate) diffusivity: &'a Diffusivity<[R; W]>,
    pub(crate) upward: &'a Upward<[R; W]>,
    /// What the rows before left.
    pub(crate) before: CarriedBoth<R, W>,
}

/// Puts an eliminated row right, and leaves its factor of vapour in the workspace.
#[inline(always)]
pub(crate) fn correct<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    urban: &Urban<[R; W]>,
    eliminated: &Eliminated<'_, R, W>,
    carried: &mut CarriedBoth<R, W>,
    rows: &mut Row<[R; W]>,
) {
    let (step, mut factors) = (batch.parameters.step, [R::ZERO; W]);
    for lane in 0..W {
        let [lower, upper] = eliminated.layers.map(|layer| layer.lane(lane));
        let before = (eliminated.before.0.lane(lane), eliminated.before.1.lane(lane));
        let after = (carried.0.lane(lane), rows.lane(lane));
        let (diffusivity, upward) = (eliminated.diffusivity.lane(lane), eliminated.upward.lane(lane));
        let (next, vapour, row, factor) =
            urban.lane(lane).correct(before, after, [&lower, &upper], &diffusivity, &upward, step);
        carried.0.set(lane, next);
        carried.1.set(lane, vapour);
        rows.set(lane, row);
        factors[lane] = factor;
    }
    tile.write(&batch.workspace.vapour, offset(batch, tile, level), factors);
}

/// Where the factor of vapour of a level is.
#[inline(always)]
fn offset<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
) -> crate::schedule::tile::Offset {
    tile.offset(level, if W == 1 { batch.strides() } else { batch.workspace.vapour.strides() })
}

/// The solution of vapour in a row, by its own factor, from that of the row above.
#[inline(always)]
pub(crate) fn vapour_below<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    level: usize,
    above: &[R; W],
    value: &[R; W],
) -> [R; W] {
    let factors: [R; W] = tile.read_back(&batch.workspace.vapour, offset(batch, tile, level));
    let mut vapour = [R::ZERO; W];
    for lane in 0..W {
        vapour[lane] = factors[lane].mul_add(above[lane], value[lane]);
    }
    vapour
}
