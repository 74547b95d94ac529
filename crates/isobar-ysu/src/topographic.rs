//! The height up to which unresolved orography matters, from a diagnostic turbulent energy and from potential
//! temperature, and the share of the drag that it leaves alone (Jimenez and Dudhia 2012, Lorente-Plazas et al. 2016).

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::boundary_layer::BoundaryLayer;
use crate::boundary_layer::Mixing;
use crate::constants::GRAVITY;
use crate::diffusivity::{Interface, UNKNOWN, interface};
use crate::free_atmosphere::{asymptotic_length, mixing_length};
use crate::layer::{Heights, Layer, Stored};
use crate::potential_temperature::{deviation, virtual_deviation};
use crate::tile::{Tile, per_lane};

per_lane! {
    /// Extremes below 500 m, and the heights that follow from them \[m\].
    struct Search { energy, energy_below, warmth, warmth_below, by_energy, by_warmth, bottom, thickness_below }
}

/// The share of the drag that orography does not change, 0 to 1.
#[inline(always)]
pub(crate) fn smooth_share<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
) -> [R; W] {
    let height = mixing_height(batch, tile, boundary_layer);
    let mut share = [R::ZERO; W];
    for lane in 0..W {
        let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
        let flux = lowest.virtual_flux.max(R::ZERO);
        let convective = R::from_f64(GRAVITY) / lowest.virtual_theta() * height[lane] * flux;
        let velocity = convective.powf(R::from_f64(0.33));
        let velocity = if ground.is_land() { velocity } else { R::ZERO };
        let high = (height[lane] - R::from_f64(500.0)) / R::from_f64(1000.0);
        share[lane] = (R::from_f64(0.9) * velocity + R::from_f64(1.5) * high.max(R::ZERO)).min(R::ONE);
    }
    share
}

/// Turbulent energy, twice, at the interface between two layers: shear production less buoyancy over a mixing length.
#[inline(always)]
fn energy<R: Real>(
    lower: &Layer<R>,
    upper: &Layer<R>,
    mixing: &Mixing<R>,
    reference: R,
    momentum: R,
    heat: R,
    below: bool,
) -> R {
    let distance = upper.centre - lower.centre;
    let (du, dv) = ((upper.u - lower.u) / distance, (upper.v - lower.v) / distance);
    let shear = momentum * ((du - mixing.counter_u) * du + (dv - mixing.counter_v) * dv);
    let warming = (upper.theta - lower.theta) / distance;
    let buoyancy = heat * (R::from_f64(GRAVITY) / (reference + lower.theta)) * (warming - mixing.counter_heat);
    let asymptotic = if below { R::from_f64(150.0) } else { asymptotic_length(distance) };
    let dissipated = R::from_f64(16.6) * mixing_length(lower.top, asymptotic) * (shear - buoyancy);
    let energy = dissipated.max(R::ZERO).powf(R::from_f64(0.66));
    if dissipated > R::ZERO { energy } else { R::ZERO }
}

/// The height of mixing \[m\].
#[inline(always)]
fn mixing_height<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
) -> [R; W] {
    let strides = batch.air.temperature.strides();
    let layers = batch.layers();
    // Upward once: the energy of every interface goes to the scratch, its largest and the least potential temperature
    // stay.
    let reference = &boundary_layer.lowest.reference;
    let mut lower = Layer::new(&Stored::read(batch, tile, 0), &Layer::below_lowest(&boundary_layer.ground), reference);
    let mut bottom = [R::ZERO; W];
    let mut largest = [R::ZERO; W];
    let mut coldest = [R::from_f64(9e9); W];
    let (mut energy_layer, mut cold_layer) = ([1_u32; W], [1_u32; W]);
    for level in 0..layers - 1 {
        let upper = Layer::new(&Stored::read(batch, tile, level + 1), &lower, reference);
        let at: Interface<R, W> =
            interface::<R, W, UNKNOWN>(&batch.parameters, tile, boundary_layer, level, &lower, &upper);
        let mut energies = [R::ZERO; W];
        for lane in 0..W {
            let here = lower.lane(lane);
            let (momentum, heat) = (at.local_momentum[lane], at.diffusivity.heat[lane]);
            let mixing = boundary_layer.mixing.lane(lane);
            let energy =
                energy(&here, &upper.lane(lane), &mixing, reference[lane], momentum, heat, at.below[lane] != 0);
            energies[lane] = energy;
            let low = (level > 0) & (bottom[lane] <= R::from_f64(500.0));
            let more = low & (energy > largest[lane]);
            largest[lane] = if more { energy } else { largest[lane] };
            energy_layer[lane] = if more { level as u32 + 1 } else { energy_layer[lane] };
            let colder = low & (here.virtual_theta < coldest[lane]);
            coldest[lane] = if colder { here.virtual_theta } else { coldest[lane] };
            cold_layer[lane] = if colder { level as u32 + 1 } else { cold_layer[lane] };
        }
        // SAFETY: the level is the batch's, and its row of the scratch the item's own.
        unsafe { tile.write(&batch.scratch.momentum, tile.row(level, strides), energies) };
        bottom = lower.top;
        lower = upper;
    }
    second_sweep(batch, tile, boundary_layer, &largest, &coldest, &energy_layer, &cold_layer)
}

/// Upward again to where the energy has decayed and where the air is warmer than the coldest by a threshold.
#[inline(always)]
fn second_sweep<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
    largest: &[R; W],
    coldest: &[R; W],
    energy_layer: &[u32; W],
    cold_layer: &[u32; W],
) -> [R; W] {
    let (air, strides) = (&batch.air, batch.air.temperature.strides());
    let lowest = &boundary_layer.lowest;
    let half = R::from_f64(0.5);
    let exit = batch.layers() as u32 - 1;
    let mut search = Search::ZEROS;
    search.by_energy = lowest.top;
    search.by_warmth = lowest.top;
    let (mut seek_energy, mut seek_warmth) = ([1_u32; W], [1_u32; W]);
    let mut heights = Heights::<[R; W]>::ZEROS;
    for level in 0..batch.layers() - 2 {
        let mut either = [0; W];
        for lane in 0..W {
            either[lane] = seek_energy[lane] | seek_warmth[lane];
        }
        if !tile.any(&either) {
            break;
        }
        let row = tile.row(level, strides);
        // SAFETY: the level is the batch's, all of whose fields have the temperature's layout; the scratch was written
        // above.
        let (temperature, exner, vapour, thickness, energies) = unsafe {
            (
                tile.read(&air.temperature, row),
                tile.read(&air.exner, row),
                tile.read(&air.vapour, row),
                tile.read(&air.thickness, row),
                tile.read_back(&batch.scratch.momentum, row),
            )
        };
        // Counted from 1; the last of them leaves the search at the first interface.
        let layer = level as u32 + 1;
        let last = layer + 1 == exit;
        for lane in 0..W {
            let mut at = search.lane(lane);
            let bottom = heights.top[lane];
            heights.set(lane, heights.lane(lane).next(thickness[lane]));
            let warmth = deviation(temperature[lane], exner[lane], lowest.reference[lane]);
            let warmth = virtual_deviation(warmth, vapour[lane], lowest.reference[lane]);
            let energy = half * energies[lane];
            let threshold = (largest[lane] / R::from_f64(40.0)).clamp(R::from_f64(0.025), R::from_f64(0.25));
            let excess = if boundary_layer.ground.lane(lane).is_land() { R::from_f64(1.5) } else { R::from_f64(0.75) };
            let target = coldest[lane] + excess;
            let tiny = R::from_f64(1e-6);

            let warm = (seek_warmth[lane] != 0) & (layer > cold_layer[lane]) & (warmth >= target);
            let step = ((warmth - target) / (warmth - at.warmth_below).max(tiny)).min(R::ONE);
            let found = if last { lowest.top[lane] } else { bottom - at.thickness_below * step };
            at.by_warmth = if warm { found } else { at.by_warmth };
            seek_warmth[lane] = if warm { 0 } else { seek_warmth[lane] };

            let calm = (seek_energy[lane] != 0) & (layer > energy_layer[lane]) & (energy <= threshold);
            let step = ((threshold - energy) / (at.energy_below - energy).max(tiny)).min(R::ONE);
            let found = (bottom - at.thickness_below * step).max(lowest.top[lane]);
            let found = if last { lowest.top[lane] } else { found };
            at.by_energy = if calm { found } else { at.by_energy };
            seek_energy[lane] = if calm { 0 } else { seek_energy[lane] };

            at.warmth_below = warmth;
            at.energy_below = energy;
            at.thickness_below = thickness[lane];
            search.set(lane, at);
        }
    }
    let mut height = [R::ZERO; W];
    for lane in 0..W {
        let (by_energy, by_warmth) = (search.by_energy[lane], search.by_warmth[lane]);
        let weight = half * ((by_warmth - R::from_f64(200.0)) / R::from_f64(400.0)).tanh() + half;
        height[lane] = by_energy * (R::ONE - weight) + by_warmth * weight;
    }
    height
}
