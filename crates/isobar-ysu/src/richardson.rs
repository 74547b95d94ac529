//! The search upward for the level at which the bulk Richardson number against a rising parcel exceeds a critical one.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::coming::{Coming, group};
use crate::constants::GRAVITY;
use crate::layer::Heights;
use crate::near::{self, come};
use crate::potential_temperature::{deviation, virtual_deviation};
use crate::surface::Lowest;
use crate::tile::{AT_A_TIME, Tile, per_lane};

per_lane! {
    /// Richardson numbers and heights where a search stopped: of the last level below and of that above the critical
    /// number.
    struct Crossing { below, above, centre_below, centre }
}

per_lane! {
    /// The parcel: its virtual potential temperature less the reference \[K\], and the Richardson number that ends its
    /// rise.
    struct Parcel { virtual_theta, critical }
}

per_lane! {
    /// What a search reads of a layer.
    struct Searched { temperature, exner, vapour, u, v, thickness }
}

impl<R: Real, const W: usize> Searched<[R; W]> {
    #[inline(always)]
    fn read(batch: &YsuArgs<'_, R>, tile: &Tile<W>, level: usize) -> Self {
        let air = &batch.air;
        let row = tile.row(level, air.temperature.strides());
        // SAFETY: the level is one of the batch, all of whose fields have the temperature's layout.
        unsafe {
            Self {
                temperature: tile.read(&air.temperature, row),
                exner: tile.read(&air.exner, row),
                vapour: tile.read(&air.vapour, row),
                u: tile.read(&air.u, row),
                v: tile.read(&air.v, row),
                thickness: tile.read(&air.thickness, row),
            }
        }
    }
}

/// The bulk Richardson number of a layer for a parcel, without its division by the potential temperature `reference`.
#[inline(always)]
pub(crate) fn bulk<R: Real>(difference: R, reference: R, centre: R, u: R, v: R) -> R {
    (difference * (R::from_f64(GRAVITY) * centre)).plain_quotient(reference * u.mul_add(u, v * v).at_least(R::ONE))
}

impl<R: Real> Crossing<R> {
    /// The height at which the number is critical.
    #[inline(always)]
    pub(crate) fn height(&self, critical: R) -> R {
        let between = (critical - self.below) / (self.above - self.below);
        let weight = if self.above <= critical { R::ONE } else { between };
        let weight = if self.below >= critical { R::ZERO } else { weight };
        self.centre_below + weight * (self.centre - self.centre_below)
    }
}

/// Searches in the lanes that are `active`, and leaves the others as they are. `layer` counts from 1.
#[inline(always)]
pub(crate) fn search<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    coming: &mut Coming<R>,
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
        let near = W == 1 && level + together as u32 <= count.min(near::places::<R>() as u32);
        if near {
            coming.await_group(batch, tile, (level - 1) / together as u32);
        }
        for i in 0..together {
            let level = level + i as u32;
            layers[i] = if near {
                // SAFETY: the layer has come.
                unsafe { come!(near::place(tile, level) => Searched { temperature, exner, vapour, u, v, thickness }) }
            } else {
                Searched::read(batch, tile, level.min(count - 1) as usize)
            };
        }
        for i in 0..together {
            let air = &layers[i];
            // Beyond the uppermost layer nobody rises.
            let inside = level + (i as u32) < count;
            for lane in 0..W {
                let below = heights.lane(lane);
                let here = below.next(air.thickness[lane]);
                heights.set(lane, here);
                let reference = lowest.reference[lane];
                let warmth = deviation(air.temperature[lane], air.exner[lane], reference);
                let warmth = virtual_deviation(warmth, air.vapour[lane], reference);
                let difference = warmth - parcel.virtual_theta[lane];
                let number = bulk(difference, lowest.lane(lane).virtual_theta(), here.centre, air.u[lane], air.v[lane]);
                let last = crossing.lane(lane);
                let rising = inside & (active[lane] != 0);
                let now =
                    Crossing { below: last.above, above: number, centre_below: below.centre, centre: here.centre };
                crossing.below[lane] = if rising { now.below } else { last.below };
                crossing.above[lane] = if rising { now.above } else { last.above };
                crossing.centre_below[lane] = if rising { now.centre_below } else { last.centre_below };
                crossing.centre[lane] = if rising { now.centre } else { last.centre };
                layer[lane] = if rising { level + i as u32 + 1 } else { layer[lane] };
                active[lane] = if rising & (number <= parcel.critical[lane]) { 1 } else { 0 };
            }
        }
        level += together as u32;
    }
}
