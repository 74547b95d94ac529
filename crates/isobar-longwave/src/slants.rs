//! The kernel of slants: what follows from all layers of a column. A lane has a column.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::amounts::precipitable_water;
use crate::layers::{Air, LayerStates};
use crate::state::{Indices, UPPER_CONTINUUM};
use crate::tables::Tables;

/// Layers that are read before they are added: memory is waited for once.
const AT_A_TIME: usize = 4;

/// The layers of the lower region, precipitable water and mean slants of 32 neighbouring columns: an item. [`crate::Layers`] comes first.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Slants<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// The air.
    pub air: Air<'a, R>,
    /// Indices of the layers, and where the results go.
    pub states: LayerStates<'a, R>,
}

// SAFETY: an item writes the slants of its own columns, and reads their indices.
unsafe impl<R: Real> Kernel for Slants<'_, R> {
    const NAME: &'static str = "longwave_slants";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.air.columns().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (air, states, columns) = (&self.air, &self.states, self.air.columns());
        let first = index * WARP + lanes.first();
        let (mut lower, mut all_water, mut all_molecules) = ([0_u32; W], [R::ZERO; W], [R::ZERO; W]);
        let layers = air.temperature.levels();
        for start in (0..layers).step_by(AT_A_TIME) {
            let mut read = [([R::ZERO; W], [R::ZERO; W], [0; W]); AT_A_TIME];
            for i in 0..AT_A_TIME {
                let layer = (start + i).min(layers - 1);
                (read[i].0, read[i].1) = air.dry_and_water::<W>(layer, first);
                for lane in 0..W {
                    read[i].2[lane] = states.indices.at(layer, (first + lane).min(columns - 1));
                }
            }
            for i in 0..AT_A_TIME {
                if start + i < layers {
                    let (dry, water, indices) = &read[i];
                    for lane in 0..W {
                        all_water[lane] += water[lane];
                        all_molecules[lane] += dry[lane] + water[lane];
                        let continuum = Indices::unpacked(indices[lane]).foreign_continuum;
                        lower[lane] += u32::from(continuum != UPPER_CONTINUUM);
                    }
                }
            }
        }
        let surface: [R; W] = air.hpa(&air.level_pressure, 0, first);
        for lane in 0..W {
            let column = first + lane;
            if column < columns {
                let water = precipitable_water(all_water[lane], all_molecules[lane], surface[lane]);
                states.lower_layers.set(0, column, lower[lane]);
                states.precipitable_water.set(0, column, water);
                for band in 0..self.tables.band_count() {
                    states.secants.set(band, column, secant(self.tables.band(band).secant, water));
                }
            }
        }
        Status::OK
    }
}

/// The secant of a band's mean slant under so much precipitable water.
#[inline(always)]
fn secant<R: Real>([a0, a1, a2]: [R; 3], water_cm: R) -> R {
    let fitted = (a0 + a1 * (a2 * water_cm).exp()).clamp(R::from_f64(1.5), R::from_f64(1.8));
    if a1 == R::ZERO { a0 } else { fitted }
}
