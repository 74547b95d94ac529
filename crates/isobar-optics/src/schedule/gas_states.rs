//! The states of all layers: a part of a tile of 32 columns and 32 layers is an item. A CPU's thread has a layer, whose
//! columns are its lanes, and a GPU's warp a column, whose layers are its lanes: the one reads neighbours, the other
//! writes them.

use core::array::from_fn;
use core::ops::Range;

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, PerLane, Real, Status, Team};

use crate::atmosphere::Atmosphere;
use crate::gases::{ABSORBERS, DRY_AIR, H2O};
use crate::physics::layer::Layer;
use crate::physics::{ecckd, planck, rrtmgp};
use crate::state::{ColumnState, Layout, Place, Rows, States, Stencil};
use crate::tables::{GasTables, Model, NONE};

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
        // Loops, not closures, which a CPU's vector instructions would not reach.
        macro_rules! each {
            ($lane:ident => $value:expr) => {{
                let mut values = [R::ZERO; L];
                for $lane in 0..L {
                    values[$lane] = $value;
                }
                values
            }};
        }
        macro_rules! at {
            ($field:expr, $level:expr) => {
                // SAFETY: levels and columns below are those of the views.
                each!(lane => unsafe { $field.get($level, column + lane) })
            };
        }

        let mut mixing_ratios = [[R::ZERO; L]; ABSORBERS];
        for (ratios, gas) in mixing_ratios.iter_mut().zip(&atmosphere.gases) {
            if !gas.is_empty() {
                *ratios = at!(gas, layer);
            }
        }
        mixing_ratios[DRY_AIR] = [R::ONE; L];
        let [lower, upper]: [[R; L]; 2] =
            [at!(atmosphere.level_pressure_pa, layer), at!(atmosphere.level_pressure_pa, layer + 1)];
        let pressure_pa = at!(atmosphere.pressure_pa, layer);
        let air = Layer {
            pressure_pa,
            ln_pressure: each!(lane => pressure_pa[lane].ln()),
            temperature_k: at!(atmosphere.temperature_k, layer),
            weight_pa: each!(lane => lower[lane] - upper[lane]),
            water: mixing_ratios[H2O],
        };
        let (mut rows, mut stencils) = ([Rows::default(); L], [Stencil::default(); L]);
        macro_rules! set_stencils {
            ($flavour:expr) => {
                for lane in 0..L {
                    debug_assert!(tables.holds(&rows[lane]));
                    states[lane].set_stencil(layer, $flavour, rows[lane], stencils[lane]);
                }
            };
        }
        if tables.model == Model::Rrtmgp as u32 {
            let region = rrtmgp::region(tables, air.pressure_pa[0]);
            let mut position = rrtmgp::Position::<[R; L], [u32; L]>::zeros();
            for lane in 0..L {
                position.set(lane, rrtmgp::position(&air.lane(lane), tables));
            }
            for lane in 0..L {
                let (state, column) = (&states[lane], column + lane);
                state.set_air(layer, rrtmgp::air(&air.lane(lane), position.dry[lane]));
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
                let [first, second] = pair.gases.map(|gas| &mixing_ratios[gas as usize]);
                for t in 0..2 {
                    for lane in 0..L {
                        // SAFETY: the ratios of a pair are as many as temperatures.
                        let ratio =
                            unsafe { tables.ratios.get((pair.ratio + position.temperature[lane]) as usize + t) };
                        let (position, gases) = (position.lane(lane), [first[lane], second[lane]]);
                        let (own, weights) = rrtmgp::half_stencil(tables, &position, (region, t as u32), gases, ratio);
                        [rows[lane].major[t], rows[lane].minor[t]] = own;
                        let stencil = &mut stencils[lane];
                        [stencil.amount[t], stencil.minor[2 * t], stencil.minor[2 * t + 1]] = weights;
                        stencil.beyond = position.far;
                    }
                }
                set_stencils!(flavour);
            }
            for slot in 0..tables.slots {
                // SAFETY: a row of the table.
                let absorber = unsafe { tables.absorbers.get((region * tables.slots + slot) as usize) };
                let scaling = if absorber.scaling_gas == NONE { DRY_AIR } else { absorber.scaling_gas as usize };
                let (gas, scaling) = (&mixing_ratios[absorber.gas as usize], &mixing_ratios[scaling]);
                let amounts = each!(lane => {
                    let ratios = [gas[lane], scaling[lane]];
                    rrtmgp::amount(&air.lane(lane), position.dry[lane], &absorber, ratios)
                });
                for lane in 0..L {
                    states[lane].set_amount(layer, slot, amounts[lane]);
                }
            }
        } else {
            let (mut pressure, mut far) = ([0; L], [R::ZERO; L]);
            for lane in 0..L {
                (pressure[lane], far[lane]) = tables.ln_pressure.clamped_interval(air.ln_pressure[lane]);
            }
            let first = each!(lane => {
                let start = pressure[lane] as usize;
                // SAFETY: there is one a pressure, and the interval ends at one.
                let firsts = unsafe { [tables.first_temperature.get(start), tables.first_temperature.get(start + 1)] };
                ecckd::first_temperature(far[lane], firsts)
            });
            let mut position = ecckd::Position::<[R; L], [u32; L]>::zeros();
            for lane in 0..L {
                let in_pressure = (pressure[lane], far[lane]);
                position.set(lane, ecckd::position(&air.lane(lane), tables, in_pressure, first[lane]));
            }
            for lane in 0..L {
                (rows[lane], stencils[lane]) = ecckd::stencil(tables, &position.lane(lane));
            }
            set_stencils!(0);
            for lane in 0..L {
                states[lane].set_air(layer, ecckd::air(&air.lane(lane)));
                if layer == 0 {
                    states[lane].set_lower_layers(layers);
                }
            }
            for slot in 0..tables.slots {
                // SAFETY: there are as many.
                let absorber = unsafe { tables.absorbers.get(slot as usize) };
                let gas = absorber.gas as usize;
                let ratios = &mixing_ratios[gas];
                let amounts = each!(lane => {
                    let air = air.lane(lane);
                    let fraction = if gas == DRY_AIR { R::ONE } else { ecckd::mole_fraction(ratios[lane], air.water) };
                    ecckd::amount(&air, fraction, absorber.reference)
                });
                for lane in 0..L {
                    states[lane].set_amount(layer, slot, amounts[lane]);
                }
            }
        }

        if tables.is_longwave() {
            macro_rules! set {
                ($place:expr, $temperature_k:expr) => {{
                    let (temperature_k, mut places) = ($temperature_k, [(0, [R::ZERO; 2]); L]);
                    for lane in 0..L {
                        places[lane] = planck::place(tables, temperature_k[lane]);
                    }
                    for lane in 0..L {
                        states[lane].set_place($place, places[lane]);
                    }
                }};
            }
            set!(Place::Layer(layer), air.temperature_k);
            set!(Place::Level(layer), at!(atmosphere.level_temperature_k, layer));
            if layer == 0 {
                set!(Place::Level(layers), at!(atmosphere.level_temperature_k, layers));
                let surface_k = at!(atmosphere.surface_temperature_k, 0);
                set!(Place::Surface, surface_k);
                set!(Place::WarmerSurface, each!(lane => surface_k[lane] + R::ONE));
            }
        }
    }
}
