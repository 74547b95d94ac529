//! What follows from all layers of a column: a lane has a layer, and then a band.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::rrtmg::arguments::{LayerStates, Slants};
use crate::rrtmg::constants::HPA_PER_PA;
use crate::rrtmg::physics::amounts::precipitable_water;
use crate::rrtmg::physics::diffusivity::secant;
use crate::rrtmg::state::{AIR, GASES, Indices, UPPER_CONTINUUM};

/// Writes a column's number of layers in the lower region, precipitable water and secants.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(kernel: &Slants<'_, R>, column: usize, lanes: Lanes<W>) {
    let (states, layers) = (&kernel.states, kernel.columns.level_pressure_pa.levels() - 1);
    let (mut lower, mut all_water, mut all_molecules) = (0, R::ZERO, R::ZERO);
    for strip in 0..layers.div_ceil(WARP) {
        // Lanes above the last layer add nothing.
        let (mut below, mut water, mut molecules) = ([0; W], [R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            let layer = strip * WARP + lanes.first() + lane;
            if layer < layers {
                (below[lane], water[lane], molecules[lane]) = read(states, layers, (layer, column));
            }
        }
        lower += lanes.ballot(&below).count_ones();
        all_water = add(lanes, all_water, water);
        all_molecules = add(lanes, all_molecules, molecules);
    }
    let surface_hpa = kernel.columns.level_pressure_pa.at(0, column) * R::from_f64(HPA_PER_PA);
    let water = precipitable_water(all_water, all_molecules, surface_hpa);
    if lanes.first() == 0 {
        states.lower_layers.set(0, column, lower);
        states.precipitable_water_cm.set(0, column, water);
    }
    let bands = kernel.tables.band_count();
    for lane in 0..W {
        let band = lanes.first() + lane;
        if band < bands {
            states.secants.set(band, column, secant(kernel.tables.band(band).secant, water));
        }
    }
}

/// Is a layer in the lower region (1 or 0); its columns of water and of all molecules.
#[inline(always)]
fn read<R: Real>(states: &LayerStates<'_, R>, layers: usize, (layer, column): (usize, usize)) -> (u32, R, R) {
    // SAFETY: callers' layers and columns are those of the states, which have all numbers.
    unsafe {
        let indices = Indices::unpacked(states.indices.get(layer, column));
        let water = states.values.get(GASES * layers + layer, column);
        let molecules = states.values.get(AIR * layers + layer, column) + water;
        (u32::from(indices.foreign_continuum != UPPER_CONTINUUM), water, molecules)
    }
}

/// Adds the values of all lanes of the warp, one after the other.
#[inline(always)]
fn add<R: Real, const W: usize>(lanes: Lanes<W>, mut sum: R, values: [R; W]) -> R {
    for lane in 0..WARP {
        sum += if W > 1 { values[lane] } else { lanes.gather(values, |_| lane)[0] };
    }
    sum
}
