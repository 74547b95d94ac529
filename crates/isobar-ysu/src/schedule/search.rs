//! The search upward for the height of the boundary layer.

use isobar_core::Real;

use crate::arguments::YsuArgs;
use crate::physics::height::{Height, stable_critical};
use crate::physics::layer::Heights;
use crate::physics::richardson::{Crossing, Parcel, Searched, rise};
use crate::physics::surface::{Ground, Lowest};
use crate::physics::top_down::Scan;
use crate::schedule::inputs;
use crate::schedule::source::Source;
use crate::schedule::tile::{AT_A_TIME, Tile, group};

/// Searches in the lanes that are `active`, and leaves the others as they are. `layer` counts from 1.
#[inline(always)]
fn search<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    source: &mut Source<R>,
    lowest: &Lowest<[R; W]>,
    surface_richardson: &[R; W],
    parcel: &Parcel<[R; W]>,
    mut active: [u32; W],
    crossing: &mut Crossing<[R; W]>,
    layer: &mut [u32; W],
) {
    let mut heights = Heights { centre: lowest.centre, top: lowest.top };
    for lane in 0..W {
        if active[lane] != 0 {
            crossing.above[lane] = surface_richardson[lane];
        }
    }
    let together = group::<R, W>();
    let mut layers = [Searched::ZEROS; AT_A_TIME];
    let count = batch.layers() as u32;
    let mut level = 1;
    while level < count && tile.any(&active) {
        let in_shared = source.ready(batch, tile, level);
        for i in 0..together {
            layers[i] = source.searched(batch, tile, level + i as u32, in_shared);
        }
        for i in 0..together {
            let number = level + i as u32 + 1;
            let inside = level + (i as u32) < count;
            rise(&layers[i], (number, inside), lowest, parcel, &mut heights, &mut active, crossing, layer);
        }
        level += together as u32;
    }
}

/// The height of the boundary layer.
#[inline(always)]
pub(crate) fn height<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    source: &mut Source<R>,
    ground: &Ground<[R; W]>,
    lowest: &Lowest<[R; W]>,
) -> Height<R, W> {
    let mut found = Height::start();
    // No closure, which a CPU's vector instructions would not reach.
    macro_rules! seek {
        ($found:ident, $parcel:ident, $active:ident) => {
            search(
                batch,
                tile,
                source,
                lowest,
                &ground.richardson,
                &$parcel,
                $active,
                &mut $found.crossing,
                &mut $found.layer,
            )
        };
    }
    let stable = stable_critical(tile.lanes(), ground);
    let mut parcel = Parcel { virtual_theta: lowest.virtual_deviation, critical: [R::ZERO; W] };
    let mut liquid_parcel = lowest.liquid_deviation;
    let mut searched = [1; W];
    // Twice the same instructions, which a GPU's cache for them has to hold once.
    let mut guessed = false;
    loop {
        seek!(found, parcel, searched);
        if guessed {
            break;
        }
        guessed = true;
        found.settle(lowest, &parcel, &searched);
        found.add_thermals(ground, lowest, &mut parcel, &mut liquid_parcel);
        searched = found.mixed;
        if batch.parameters.top_down == 0 {
            // No column is mixed and stable: one search serves both.
            for lane in 0..W {
                let low = found.stable_and_low(lane, ground, lowest);
                searched[lane] |= u32::from(low);
                parcel.critical[lane] = if low { stable[lane] } else { R::ZERO };
            }
        }
    }
    if batch.parameters.top_down != 0 {
        scan(batch, tile, lowest, &liquid_parcel, &mut found);
        let mixed = found.mixed;
        found.settle(lowest, &parcel, &mixed);
        for lane in 0..W {
            searched[lane] = u32::from(found.stable_and_low(lane, ground, lowest));
        }
        parcel.critical = stable;
        seek!(found, parcel, searched);
    }
    found.settle(lowest, &parcel, &searched);
    found
}

/// Lifts the top to the layer above the last one that is buoyant without its condensate.
#[inline(always)]
fn scan<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    lowest: &Lowest<[R; W]>,
    parcel: &[R; W],
    found: &mut Height<R, W>,
) {
    let mut scan = Scan::start(found);
    for level in 0..batch.layers() - 1 {
        scan.rise(&inputs::scanned(batch, tile, level), level as u32 + 1, lowest, parcel, found);
    }
}
