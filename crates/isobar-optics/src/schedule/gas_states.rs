//! The states of all layers: a part of a tile of 32 columns and 32 layers is an item. A CPU's thread has a layer, whose
//! columns are its lanes, and a GPU's warp a column, whose layers are its lanes: the one reads neighbours, the other
//! writes them.

use core::array::from_fn;
use core::ops::Range;

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::atmosphere::Atmosphere;
use crate::gases::{ABSORBERS, DRY_AIR};
use crate::physics::layer::{Layer, each};
use crate::physics::{ecckd, planck, rrtmgp};
use crate::state::{ColumnState, Layout, Place, States};
use crate::tables::{GasTables, Model};

/// Computes what the tables say of every layer: the first kernel of a spectrum.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GasStates<'a, R> {
    /// The tables.
    pub tables: GasTables<'a, R>,
    /// The columns.
    pub atmosphere: Atmosphere<'a, R>,
    /// What is written.
    pub states: States<'a, R>,
}

// SAFETY: an item writes the states of its own layers and columns.
unsafe impl<R: Real> Kernel for GasStates<'_, R> {
    const NAME: &'static str = "optics_gas_states";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        let (layers, columns) = (self.atmosphere.temperature_k.levels(), self.atmosphere.temperature_k.items());
        columns.div_ceil(WARP) * layers.div_ceil(WARP) * WARP
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (tile, part) = (index / WARP, index % WARP);
        let (layers, columns) = (self.atmosphere.temperature_k.levels(), self.atmosphere.temperature_k.items());
        let strips = layers.div_ceil(WARP);
        let (column, layer) = (tile / strips * WARP, tile % strips * WARP);
        if W == 1 {
            let (column, layer) = (column + part, layer + lanes.first());
            if column < columns && layer < layers {
                self.layer::<1>(column, layer);
            }
        } else if layer + part < layers {
            let end = columns.min(column + W);
            // As many columns at once as a vector of the widest kind holds.
            if size_of::<R>() == 4 {
                self.row::<16>(column..end, layer + part);
            } else {
                self.row::<8>(column..end, layer + part);
            }
        }
        Status::OK
    }
}

impl<R: Real> GasStates<'_, R> {
    /// The layout of the memory of columns of `layers` layers.
    #[must_use]
    pub fn layout(tables: &GasTables<'_, R>, layers: usize) -> Layout {
        Layout { layers: layers as u32, flavours: tables.flavours, slots: tables.slots }
    }

    /// A layer of neighbouring columns: `L` at once that are all in one region of the atmosphere, others one by one.
    #[inline(always)]
    fn row<const L: usize>(&self, columns: Range<usize>, layer: usize) {
        let region = |column| {
            // SAFETY: callers' layers and columns are those of the views.
            rrtmgp::region(&self.tables, unsafe { self.atmosphere.pressure_pa.get(layer, column) })
        };
        for first in columns.clone().step_by(L) {
            let few = first..columns.end.min(first + L);
            if few.len() == L && few.clone().all(|column| region(column) == region(first)) {
                self.layer::<L>(first, layer);
            } else {
                for column in few {
                    self.layer::<1>(column, layer);
                }
            }
        }
    }

    /// A layer of `L` columns from `column` on, which are all in one region.
    #[inline(always)]
    fn layer<const L: usize>(&self, column: usize, layer: usize) {
        let (tables, atmosphere) = (&self.tables, &self.atmosphere);
        let layers = atmosphere.temperature_k.levels();
        let layout = Self::layout(tables, layers);
        // SAFETY: the kernel's caller vouches for the views.
        let states: [_; L] = from_fn(|lane| unsafe { ColumnState::new(&self.states, layout, column + lane) });
        macro_rules! at {
            ($field:expr, $level:expr) => {
                // SAFETY: levels and columns below are those of the views.
                each::<R, L>(|lane| unsafe { $field.get($level, column + lane) })
            };
        }

        let mut mixing_ratios = [[R::ZERO; L]; ABSORBERS];
        for (ratios, gas) in mixing_ratios.iter_mut().zip(&atmosphere.gases) {
            if !gas.is_empty() {
                *ratios = at!(gas, layer);
            }
        }
        mixing_ratios[DRY_AIR] = [R::ONE; L];
        let pressure_pa = at!(atmosphere.pressure_pa, layer);
        let temperature_k = at!(atmosphere.temperature_k, layer);
        let [lower, upper]: [[R; L]; 2] =
            [at!(atmosphere.level_pressure_pa, layer), at!(atmosphere.level_pressure_pa, layer + 1)];
        let weight_pa = each::<R, L>(|lane| lower[lane] - upper[lane]);

        let air = Layer { pressure_pa, temperature_k, weight_pa, mixing_ratios };
        if tables.model == Model::Rrtmgp as u32 {
            let position = rrtmgp::position(&air, tables);
            let region = position.region;
            let molecules = rrtmgp::air(&air, &position);
            for lane in 0..L {
                let (state, column) = (&states[lane], column + lane);
                state.set_air(layer, molecules[lane]);
                // Pressure falls with height: the last layer of the lower atmosphere knows how many there are.
                // SAFETY: as above.
                let upper_next = layer + 1 == layers
                    || rrtmgp::region(tables, unsafe { atmosphere.pressure_pa.get(layer + 1, column) }) == 1;
                if region == 0 && upper_next {
                    state.set_lower_layers(layer + 1);
                } else if region == 1 && layer == 0 {
                    state.set_lower_layers(0);
                }
            }
            for flavour in 0..tables.flavours {
                // SAFETY: a row of the table.
                let pair = unsafe { tables.flavour_rows.get((region * tables.flavours + flavour) as usize) };
                let (rows, stencils) = rrtmgp::stencils(&air, tables, &position, pair);
                for lane in 0..L {
                    debug_assert!(tables.holds(&rows[lane]));
                    states[lane].set_stencil(layer, flavour, rows[lane], stencils[lane]);
                }
            }
            for slot in 0..tables.slots {
                // SAFETY: a row of the table.
                let absorber = unsafe { tables.absorbers.get((region * tables.slots + slot) as usize) };
                let amounts = rrtmgp::amounts(&air, &position, &absorber);
                for lane in 0..L {
                    states[lane].set_amount(layer, slot, amounts[lane]);
                }
            }
        } else {
            let moles = ecckd::air(&air);
            let (rows, stencils) = ecckd::stencils(&air, tables);
            for lane in 0..L {
                states[lane].set_air(layer, moles[lane]);
                if layer == 0 {
                    states[lane].set_lower_layers(layers);
                }
                debug_assert!(tables.holds(&rows[lane]));
                states[lane].set_stencil(layer, 0, rows[lane], stencils[lane]);
            }
            for slot in 0..tables.slots {
                // SAFETY: there are as many.
                let absorber = unsafe { tables.absorbers.get(slot as usize) };
                let amounts = ecckd::amounts(&air, &absorber);
                for lane in 0..L {
                    states[lane].set_amount(layer, slot, amounts[lane]);
                }
            }
        }

        if tables.is_longwave() {
            let set = |place, temperature_k: &[R; L]| {
                let places = planck::places(tables, temperature_k);
                for lane in 0..L {
                    states[lane].set_place(place, places[lane]);
                }
            };
            set(Place::Layer(layer), &temperature_k);
            set(Place::Level(layer), &at!(atmosphere.level_temperature_k, layer));
            if layer == 0 {
                set(Place::Level(layers), &at!(atmosphere.level_temperature_k, layers));
                let surface_k = at!(atmosphere.surface_temperature_k, 0);
                set(Place::Surface, &surface_k);
                set(Place::WarmerSurface, &each::<R, L>(|lane| surface_k[lane] + R::ONE));
            }
        }
    }
}
