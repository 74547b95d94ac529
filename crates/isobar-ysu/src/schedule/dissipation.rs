//! The heat of dissipation, which a sweep downward adds to the tendencies.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::physics::shin_hong::dissipation::{Moved, Stress, warming};
use crate::schedule::inputs::interface_pressure;
use crate::schedule::tile::Tile;

/// A layer with its tendencies of wind.
struct Layer<R, const W: usize> {
    moved: Moved<[R; W]>,
    tendencies: [[R; W]; 2],
}

#[inline(always)]
fn layer<R: Real, const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>, level: usize) -> Layer<R, W> {
    let (air, out) = (&batch.columns, &batch.results);
    let (row, result) = (tile.offset(level, batch.strides()), tile.offset(level, batch.result_strides::<W>()));
    let tendencies = [&out.u_tendency_m_per_s2, &out.v_tendency_m_per_s2].map(|f| tile.read_back(f, result));
    let [mut u, mut v]: [[R; W]; 2] = [&air.u_m_per_s, &air.v_m_per_s].map(|field| tile.read(field, row));
    for lane in 0..W {
        u[lane] += batch.parameters.step * tendencies[0][lane];
        v[lane] += batch.parameters.step * tendencies[1][lane];
    }
    Layer { moved: Moved { u, v, pressure: tile.read(&air.pressure_pa, row) }, tendencies }
}

/// Adds the heat to the tendencies of potential temperature; the column's heating does not have it.
#[inline(always)]
pub(crate) fn add<R: Real, const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) {
    let mut level = batch.layers() - 1;
    let mut here = layer(batch, tile, level);
    let mut top_pressure = interface_pressure(batch, tile, level + 1);
    let (mut stress, mut above) = (Stress::<[R; W]>::zeros(), [R::ZERO; W]);
    loop {
        let bottom_pressure = interface_pressure(batch, tile, level);
        let below = if level > 0 { layer(batch, tile, level - 1) } else { layer(batch, tile, 0) };
        let exner: [R; W] = tile.read(&batch.columns.exner, tile.offset(level, batch.strides()));
        let result = tile.offset(level, batch.result_strides::<W>());
        let mut theta: [R; W] = tile.read_back(&batch.results.theta_tendency_k_per_s, result);
        for lane in 0..W {
            let mass = bottom_pressure[lane] - top_pressure[lane];
            let tendencies = [here.tendencies[0][lane], here.tendencies[1][lane]];
            let carried = stress.lane(lane).below(mass, tendencies);
            let heating = carried.heating(&below.moved.lane(lane), &here.moved.lane(lane));
            let heating = if level > 0 { heating } else { R::ZERO };
            theta[lane] += warming([heating, above[lane]], exner[lane], &batch.parameters);
            stress.set(lane, carried);
            above[lane] = heating;
        }
        tile.write_once(&batch.results.theta_tendency_k_per_s, result, theta);
        if level == 0 {
            break;
        }
        (here, top_pressure) = (below, bottom_pressure);
        level -= 1;
    }
}
