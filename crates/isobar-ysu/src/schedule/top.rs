//! The boundary layer of a tile: its height, and what happens at its top.

use isobar_core::Real;

use crate::arguments::YsuArgs;
use crate::physics::boundary_layer::{BoundaryLayer, add_cloud, around_top, boundary_layer, surface_entrainment};
use crate::physics::sample::Sample;
use crate::physics::surface::Lowest;
use crate::physics::top_down::{CloudTop, add_cooling, cloudy, highest};
use crate::schedule::inputs;
use crate::schedule::search::height;
use crate::schedule::source::Source;
use crate::schedule::tile::Tile;

/// The boundary layers of a tile.
#[inline(always)]
pub(crate) fn find<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    source: &mut Source<R>,
) -> BoundaryLayer<R, W> {
    let ground = inputs::ground(batch, tile);
    let lowest = Lowest::new(&source.lowest(batch, tile), &ground);
    let found = height(batch, tile, source, &ground, &lowest);

    let [below, above] = around_top(&found);
    let below = source.samples(batch, tile, &below);
    let above = source.samples(batch, tile, &above);
    let mut entrainment = surface_entrainment(&lowest, &found, &below, &above);
    let mut counter = found.counter;
    let mut cloud = [0; W];
    if batch.parameters.top_down != 0 {
        cloud = cloudy(&below, &found.mixed);
        if tile.any(&cloud) {
            let top = cloud_top(batch, tile, source, &found.layer, &below, &above);
            add_cloud(&top, &cloud, &ground, &lowest, &found, &mut entrainment, &mut counter);
        }
    }
    let topographic = batch.parameters.topographic != 0;
    boundary_layer(&ground, &lowest, &found, &entrainment, &counter, cloud, (&below, &above), topographic)
}

/// The air around the top of a cloud, and what cools below it.
#[inline(always)]
fn cloud_top<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    source: &Source<R>,
    layer: &[u32; W],
    below: &Sample<[R; W]>,
    above: &Sample<[R; W]>,
) -> CloudTop<R, W> {
    let mut pressure = [R::ZERO; W];
    for lane in 0..W {
        pressure[lane] = batch.columns.interface_pressure_pa.at(layer[lane].max(1) as usize - 1, tile.column(lane));
    }
    let farther = source.samples(batch, tile, layer);
    let mut cooling = [R::ZERO; W];
    for level in 0..highest(layer).saturating_sub(1) as usize {
        add_cooling(&mut cooling, &inputs::cooled(batch, tile, level), level as u32 + 1, layer);
    }
    CloudTop { below: *below, above: *above, farther, pressure, cooling }
}
