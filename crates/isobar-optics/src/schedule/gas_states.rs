//! The states of all layers: a part of a tile of 32 columns and 32 layers is an item. A CPU's thread has a layer, whose
//! columns are its lanes, and a GPU's warp a column, whose layers are its lanes: the one reads neighbours, the other
//! writes them.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::atmosphere::Atmosphere;
use crate::gases::{ABSORBERS, DRY_AIR};
use crate::physics::layer::Layer;
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
        for lane in 0..W {
            let (column, layer) =
                if W == 1 { (column + part, layer + lanes.first()) } else { (column + lane, layer + part) };
            if column < columns && layer < layers {
                self.layer(column, layer);
            }
        }
        Status::OK
    }
}

impl<R: Real> GasStates<'_, R> {
    /// The layout of the memory of columns of so many layers.
    #[must_use]
    pub fn layout(tables: &GasTables<'_, R>, layers: usize) -> Layout {
        Layout { layers: layers as u32, flavours: tables.flavours, slots: tables.slots }
    }

    #[inline(always)]
    fn layer(&self, column: usize, layer: usize) {
        let (tables, atmosphere) = (&self.tables, &self.atmosphere);
        let layers = atmosphere.temperature_k.levels();
        // SAFETY: the kernel's caller vouches for the views.
        let state = unsafe { ColumnState::new(&self.states, Self::layout(tables, layers), column) };
        macro_rules! at {
            ($field:expr, $level:expr) => {
                // SAFETY: levels and columns below are those of the views.
                unsafe { $field.get($level, column) }
            };
        }

        let mut mixing_ratios = [R::ZERO; ABSORBERS];
        for (ratio, gas) in mixing_ratios.iter_mut().zip(&atmosphere.gases) {
            if !gas.is_empty() {
                *ratio = at!(gas, layer);
            }
        }
        mixing_ratios[DRY_AIR] = R::ONE;
        let pressure_pa = at!(atmosphere.pressure_pa, layer);
        let temperature_k = at!(atmosphere.temperature_k, layer);
        let weight_pa = at!(atmosphere.level_pressure_pa, layer) - at!(atmosphere.level_pressure_pa, layer + 1);

        let air = Layer { pressure_pa, temperature_k, weight_pa, mixing_ratios: &mixing_ratios };
        if tables.model == Model::Rrtmgp as u32 {
            let position = rrtmgp::position(&air, tables);
            let region = position.region as u32;
            state.set_air(layer, rrtmgp::air(&air, &position));
            // Pressure falls with height: the last layer of the lower atmosphere knows how many there are.
            let upper_next = layer + 1 == layers || at!(atmosphere.pressure_pa, layer + 1) <= tables.tropopause_pa;
            if position.region == 0 && upper_next {
                state.set_lower_layers(layer + 1);
            } else if position.region == 1 && layer == 0 {
                state.set_lower_layers(0);
            }
            for flavour in 0..tables.flavours {
                // SAFETY: a row of the table.
                let pair = unsafe { tables.flavour_rows.get((region * tables.flavours + flavour) as usize) };
                let (rows, stencil) = rrtmgp::stencil(&air, tables, &position, pair);
                state.set_stencil(layer, flavour, rows, stencil);
            }
            for slot in 0..tables.slots {
                // SAFETY: a row of the table.
                let absorber = unsafe { tables.absorbers.get((region * tables.slots + slot) as usize) };
                state.set_amount(layer, slot, rrtmgp::amount(&air, &position, &absorber));
            }
        } else {
            state.set_air(layer, ecckd::air(&air));
            if layer == 0 {
                state.set_lower_layers(layers);
            }
            let (rows, stencil) = ecckd::stencil(&air, tables);
            state.set_stencil(layer, 0, rows, stencil);
            for slot in 0..tables.slots {
                // SAFETY: there are as many.
                let absorber = unsafe { tables.absorbers.get(slot as usize) };
                state.set_amount(layer, slot, ecckd::amount(&air, &absorber));
            }
        }

        if tables.is_longwave() {
            macro_rules! set {
                ($place:expr, $temperature_k:expr) => {
                    state.set_place($place, planck::place(tables, $temperature_k))
                };
            }
            set!(Place::Layer(layer), temperature_k);
            set!(Place::Level(layer), at!(atmosphere.level_temperature_k, layer));
            if layer == 0 {
                set!(Place::Level(layers), at!(atmosphere.level_temperature_k, layers));
                let surface_k = at!(atmosphere.surface_temperature_k, 0);
                set!(Place::Surface, surface_k);
                set!(Place::WarmerSurface, surface_k + R::ONE);
            }
        }
    }
}
