//! The boundary layer of a tile: its height, and what happens at its top.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::physics::boundary_layer::{BoundaryLayer, around_top, mixing};
use crate::physics::entrainment::{Entrainment, by_surface};
use crate::physics::mixing::Mixing;
use crate::physics::sample::Sample;
use crate::physics::shin_hong::nonlocal::Nonlocal;
use crate::physics::shin_hong::scaled::Scaled;
use crate::physics::shin_hong::shares::Shares;
use crate::physics::surface::Lowest;
use crate::physics::top_down::{CloudTop, cooling as cooling_of, is_cloudy};
use crate::schedule::inputs;
use crate::schedule::search::height;
use crate::schedule::source::Source;
use crate::schedule::tile::{SCALE_AWARE, Tile};

/// The boundary layers of a tile.
#[inline(always)]
pub(crate) fn find<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    source: &mut Source<R>,
) -> BoundaryLayer<[R; W], [u32; W]> {
    let ground = inputs::ground(batch, tile);
    let (stored, mut lowest) = (source.lowest(batch, tile), Lowest::<[R; W]>::zeros());
    for lane in 0..W {
        lowest.set(lane, Lowest::new(&stored.lane(lane), &ground.lane(lane), &batch.parameters.physical));
    }
    let found = height(batch, tile, source, &ground, &lowest);

    let (mut below, mut above) = ([0; W], [0; W]);
    for lane in 0..W {
        [below[lane], above[lane]] = around_top(found.layer[lane]);
    }
    let below = source.samples(batch, tile, &below);
    let above = source.samples(batch, tile, &above);
    let mut entrainment = Entrainment::<[R; W]>::zeros();
    for lane in 0..W {
        let (scales, height) = (found.scales.lane(lane), found.height[lane]);
        let (lowest, convective) = (lowest.lane(lane), scales.convective_cubed);
        let (layers, physical) = ([&below.lane(lane), &above.lane(lane)], &batch.parameters.physical);
        let by_surface = by_surface(&lowest, &scales, convective, height, layers, physical);
        entrainment.set(lane, by_surface);
    }
    let mut counter = found.counter;
    let mut cloud = [0; W];
    let scale_aware = F == SCALE_AWARE;
    let mut scaled = Scaled::<[R; W]>::zeros();
    if scale_aware {
        scaled.distance = tile.read_column(&batch.columns.grid_distance_m);
        for lane in 0..W {
            let (ground, scales, mixed) = (ground.lane(lane), found.scales.lane(lane), found.mixed[lane] != 0);
            let shares = Shares::new(&ground, &scales, found.height[lane], scaled.distance[lane], mixed);
            scaled.shares.set(lane, shares);
            counter.set(lane, shares.of_thermals(&counter.lane(lane)));
        }
    }
    if batch.parameters.top_down != 0 {
        for lane in 0..W {
            cloud[lane] = u32::from(is_cloudy(&below.lane(lane), found.mixed[lane] != 0));
        }
        if tile.any(&cloud) {
            let top = cloud_top(batch, tile, source, &found.layer, &below, &above);
            for lane in 0..W {
                let (ground, lowest, scales) = (ground.lane(lane), lowest.lane(lane), found.scales.lane(lane));
                let (top, height) = (top.lane(lane), found.height[lane]);
                let (driven, terms) = top.drive(&ground, &lowest, &scales, height, &batch.parameters);
                let before = (entrainment.lane(lane), counter.lane(lane));
                let cloudy = cloud[lane] != 0;
                entrainment.set(lane, if cloudy { driven } else { before.0 });
                counter.set(lane, if cloudy { terms } else { before.1 });
            }
        }
    }
    let mut all = Mixing::<[R; W]>::zeros();
    for lane in 0..W {
        let (ground, lowest, found) = (ground.lane(lane), lowest.lane(lane), found.lane(lane));
        let (entrainment, counter) = (entrainment.lane(lane), counter.lane(lane));
        let layers = [&below.lane(lane), &above.lane(lane)];
        let shares = scaled.shares.lane(lane);
        let shares = scale_aware.then_some(&shares);
        let mixing = mixing(&ground, &lowest, &found, &entrainment, &counter, layers, shares, &batch.parameters);
        all.set(lane, mixing);
        if scale_aware {
            let mixed = found.mixed != 0;
            let nonlocal = Nonlocal::new(&lowest, &found.scales, &entrainment, mixing.per_height, mixed);
            scaled.nonlocal.set(lane, nonlocal);
            scaled.entrainment[lane] = if mixed { entrainment.velocity } else { R::ZERO };
            scaled.counter_vapour[lane] = counter.vapour * mixing.per_height;
        }
    }
    BoundaryLayer {
        ground,
        lowest,
        mixing: all,
        scales: found.scales,
        scaled,
        convective_velocity: found.scales.convective,
        layer: found.layer,
        mixed: found.mixed,
        cloud,
    }
}

/// The air around the top of a cloud, and what cools below it.
#[inline(always)]
fn cloud_top<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    source: &Source<R>,
    layer: &[u32; W],
    below: &Sample<[R; W]>,
    above: &Sample<[R; W]>,
) -> CloudTop<[R; W]> {
    let mut pressure = [R::ZERO; W];
    for lane in 0..W {
        pressure[lane] = batch.columns.interface_pressure_pa.at(layer[lane].max(1) as usize - 1, tile.column(lane));
    }
    let farther = source.samples(batch, tile, layer);
    // The layer, counted from 1, below which all lanes' boundary layers end.
    let mut highest = 0;
    for lane in 0..W {
        highest = if layer[lane] > highest { layer[lane] } else { highest };
    }
    let mut cooling = [R::ZERO; W];
    for number in 1..highest {
        let air = inputs::cooled(batch, tile, number as usize - 1);
        for lane in 0..W {
            let watts = cooling_of(&air.lane(lane), &batch.parameters.physical);
            cooling[lane] += if number < layer[lane] { watts } else { R::ZERO };
        }
    }
    CloudTop { below: *below, above: *above, farther, pressure, cooling }
}
