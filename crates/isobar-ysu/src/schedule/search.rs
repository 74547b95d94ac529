//! The search upward for the height of the boundary layer.

use isobar_core::{PerLane, Real};

use crate::arguments::YsuArgs;
use crate::constants::CRITICAL_OVER_LAND;
use crate::physics::height::{Height, critical_over_water, is_stable_water};
use crate::physics::layer::Heights;
use crate::physics::richardson::{Parcel, Rise, Searched};
use crate::physics::surface::{Ground, Lowest};
use crate::physics::top_down::Scan;
use crate::schedule::inputs;
use crate::schedule::source::Source;
use crate::schedule::tile::{AT_A_TIME, SCALE_AWARE, Tile, group};

/// Searches in the lanes that are `active`, and leaves the others as they are.
#[inline(always)]
fn search<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    source: &mut Source<R>,
    (ground, lowest): (&Ground<[R; W]>, &Lowest<[R; W]>),
    parcel: &Parcel<[R; W]>,
    active: [u32; W],
    found: &mut Height<[R; W], [u32; W]>,
) {
    let heights = Heights { centre: lowest.centre, top: lowest.top };
    let mut rise = Rise { heights, crossing: found.crossing, layer: found.layer, active };
    for lane in 0..W {
        if active[lane] != 0 {
            rise.crossing.above[lane] = ground.richardson[lane];
        }
    }
    let together = group::<R, W>();
    let mut layers = [Searched::<[R; W]>::zeros(); AT_A_TIME];
    let count = batch.layers() as u32;
    let mut level = 1;
    while level < count && tile.any(&rise.active) {
        let in_shared = source.ready(batch, tile, level);
        for i in 0..together {
            layers[i] = source.searched(batch, tile, level + i as u32, in_shared);
        }
        for i in 0..together {
            let number = level + i as u32 + 1;
            let inside = level + (i as u32) < count;
            for lane in 0..W {
                let (air, lowest, parcel) = (layers[i].lane(lane), lowest.lane(lane), parcel.lane(lane));
                let physical = &batch.parameters.physical;
                rise.set(lane, rise.lane(lane).through(&air, (number, inside), &lowest, &parcel, physical));
            }
        }
        level += together as u32;
    }
    (found.crossing, found.layer) = (rise.crossing, rise.layer);
}

/// The critical Richardson number on a stable surface.
#[inline(always)]
fn stable_critical<R: Real, const W: usize, const F: u8>(tile: &Tile<W, F>, ground: &Ground<[R; W]>) -> [R; W] {
    let mut critical = [R::from_f64(CRITICAL_OVER_LAND); W];
    let mut water = [0; W];
    for lane in 0..W {
        water[lane] = u32::from(is_stable_water(&ground.lane(lane)));
    }
    if tile.any(&water) {
        for lane in 0..W {
            let number = critical_over_water(&ground.lane(lane));
            critical[lane] = if water[lane] != 0 { number } else { critical[lane] };
        }
    }
    critical
}

/// Settles the height in the lanes that were searched.
#[inline(always)]
fn settle<R: Real, const W: usize>(
    found: &mut Height<[R; W], [u32; W]>,
    lowest: &Lowest<[R; W]>,
    critical: &[R; W],
    searched: &[u32; W],
) {
    for lane in 0..W {
        found.set(lane, found.lane(lane).settled(&lowest.lane(lane), critical[lane], searched[lane] != 0));
    }
}

/// The height of the boundary layer.
#[inline(always)]
pub(crate) fn height<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    source: &mut Source<R>,
    ground: &Ground<[R; W]>,
    lowest: &Lowest<[R; W]>,
) -> Height<[R; W], [u32; W]> {
    let mut found = Height::<[R; W], [u32; W]>::all(Height::start());
    let stable = stable_critical(tile, ground);
    let mut parcel = Parcel { virtual_theta: lowest.virtual_deviation, critical: [R::ZERO; W] };
    let mut liquid_parcel = lowest.liquid_deviation;
    let mut searched = [1; W];
    // Twice the same instructions, which a GPU's cache for them has to hold once.
    let mut guessed = false;
    loop {
        search(batch, tile, source, (ground, lowest), &parcel, searched, &mut found);
        if guessed {
            break;
        }
        guessed = true;
        settle(&mut found, lowest, &parcel.critical, &searched);
        for lane in 0..W {
            let (ground, lowest) = (ground.lane(lane), lowest.lane(lane));
            let parcels = [parcel.virtual_theta[lane], liquid_parcel[lane]];
            let (with, parcels) = found.lane(lane).with_thermals(&ground, &lowest, parcels, &batch.parameters.physical);
            found.set(lane, with);
            [parcel.virtual_theta[lane], liquid_parcel[lane]] = parcels;
        }
        searched = found.mixed;
        if batch.parameters.top_down == 0 {
            // No column is mixed and stable: one search serves both.
            for lane in 0..W {
                let low = found.lane(lane).stable_and_low(&ground.lane(lane), &lowest.lane(lane));
                searched[lane] |= u32::from(low);
                parcel.critical[lane] = if low { stable[lane] } else { R::ZERO };
            }
        }
    }
    if batch.parameters.top_down != 0 {
        scan(batch, tile, lowest, &liquid_parcel, &mut found);
        let mixed = found.mixed;
        settle(&mut found, lowest, &parcel.critical, &mixed);
        for lane in 0..W {
            searched[lane] = u32::from(found.lane(lane).stable_and_low(&ground.lane(lane), &lowest.lane(lane)));
        }
        parcel.critical = stable;
        search(batch, tile, source, (ground, lowest), &parcel, searched, &mut found);
    }
    settle(&mut found, lowest, &parcel.critical, &searched);
    found
}

/// Lifts the top to the layer above the last one that is buoyant without its condensate.
#[inline(always)]
fn scan<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    lowest: &Lowest<[R; W]>,
    parcel: &[R; W],
    found: &mut Height<[R; W], [u32; W]>,
) {
    let mut scan = Scan { from: found.layer, ..Scan::<[R; W], [u32; W]>::zeros() };
    // Shin-Hong begins above the lowest layer, and goes to the uppermost.
    let scale_aware = F == SCALE_AWARE;
    for lane in 0..W {
        let from = scan.from[lane];
        scan.from[lane] = if scale_aware && from < 2 { 2 } else { from };
    }
    let end = if scale_aware { batch.layers() } else { batch.layers() - 1 };
    for level in 0..end {
        let air = inputs::scanned(batch, tile, level);
        for lane in 0..W {
            let (air, lowest) = (air.lane(lane), lowest.lane(lane));
            let (before, physical) = (found.lane(lane), &batch.parameters.physical);
            let (further, lifted) =
                scan.lane(lane).rise(&air, level as u32 + 1, &lowest, parcel[lane], before, physical);
            scan.set(lane, further);
            (found.layer[lane], found.mixed[lane]) = (lifted.layer, lifted.mixed);
            found.crossing.set(lane, lifted.crossing);
        }
    }
}
