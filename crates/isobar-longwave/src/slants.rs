//! The kernel of slants: what follows from all layers of a column. A lane has a layer, and then a band.

use isobar_core::kernel::WARP;
use isobar_core::{Field, Kernel, Lanes, Real, Status, Team};

use crate::amounts::precipitable_water;
use crate::constants::HPA_PER_PA;
use crate::layers::LayerStates;
use crate::state::{AIR, GASES, Indices, UPPER_CONTINUUM};
use crate::tables::Tables;

/// The layers of the lower region, precipitable water and mean slants of a column: an item. [`crate::Layers`] comes
/// first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slants<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// Pressure of the levels \[Pa\].
    pub level_pressure: Field<'a, R>,
    /// What the layers left, and where the results go.
    pub states: LayerStates<'a, R>,
}

// SAFETY: an item writes the slants of its own column, and reads its layers.
unsafe impl<R: Real> Kernel for Slants<'_, R> {
    const NAME: &'static str = "longwave_slants";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.level_pressure.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let (states, layers) = (&self.states, self.level_pressure.levels() - 1);
        let (mut lower, mut all_water, mut all_molecules) = (0, R::ZERO, R::ZERO);
        for strip in 0..layers.div_ceil(WARP) {
            // Lanes above the last layer add nothing.
            let (mut below, mut water, mut molecules) = ([0; W], [R::ZERO; W], [R::ZERO; W]);
            for lane in 0..W {
                let layer = strip * WARP + lanes.first() + lane;
                if layer < layers {
                    // SAFETY: the layer and the column are those of the states, which have all numbers.
                    unsafe {
                        let indices = Indices::unpacked(states.indices.get(layer, column));
                        below[lane] = u32::from(indices.foreign_continuum != UPPER_CONTINUUM);
                        water[lane] = states.values.get(GASES * layers + layer, column);
                        molecules[lane] = states.values.get(AIR * layers + layer, column) + water[lane];
                    }
                }
            }
            lower += lanes.ballot(&below).count_ones();
            all_water = add(lanes, all_water, water);
            all_molecules = add(lanes, all_molecules, molecules);
        }
        let surface_hpa = self.level_pressure.at(0, column) * R::from_f64(HPA_PER_PA);
        let water = precipitable_water(all_water, all_molecules, surface_hpa);
        if lanes.first() == 0 {
            states.lower_layers.set(0, column, lower);
            states.precipitable_water.set(0, column, water);
        }
        let bands = self.tables.band_count();
        for lane in 0..W {
            let band = lanes.first() + lane;
            if band < bands {
                states.secants.set(band, column, secant(self.tables.band(band).secant, water));
            }
        }
        Status::OK
    }
}

const _: () = assert!(crate::scratch::MOST_BANDS <= WARP, "a lane has a band");

/// Adds the values of all lanes of the warp, one after the other.
#[inline(always)]
fn add<R: Real, const W: usize>(lanes: Lanes<W>, mut sum: R, values: [R; W]) -> R {
    for lane in 0..WARP {
        sum += if W > 1 { values[lane] } else { lanes.gather(values, |_| lane)[0] };
    }
    sum
}

/// The secant of a band's mean slant under so much precipitable water.
#[inline(always)]
fn secant<R: Real>([a0, a1, a2]: [R; 3], water_cm: R) -> R {
    let fitted = (a0 + a1 * (a2 * water_cm).exp()).clamp(R::from_f64(1.5), R::from_f64(1.8));
    if a1 == R::ZERO { a0 } else { fitted }
}
