//! Derivatives by a column of air from those by its state: the transpose of [`super::gas_states`].

use isobar_core::{FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::atmosphere::Atmosphere;
use crate::gases::{ABSORBERS, DRY_AIR, GASES, H2O};
use crate::physics::adjoint::{self, ByPosition};
use crate::physics::layer::Layer;
use crate::physics::{ecckd, rrtmgp};
use crate::schedule::gas_states::GasStates;
use crate::state::{ColumnState, Place, States};
use crate::tables::{GasTables, Model, NONE};

/// Derivatives by what gas optics reads of columns: fields as [`Atmosphere`]'s, to which is added; empty where nobody
/// wants them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AtmosphereGradients<'a, R> {
    /// By the pressure of layers.
    pub pressure_pa: FieldMut<'a, R>,
    /// By that of levels.
    pub level_pressure_pa: FieldMut<'a, R>,
    /// By the temperature of layers.
    pub temperature_k: FieldMut<'a, R>,
    /// By that of levels.
    pub level_temperature_k: FieldMut<'a, R>,
    /// By that of the surface.
    pub surface_temperature_k: FieldMut<'a, R>,
    /// By the gases.
    pub gases: [FieldMut<'a, R>; GASES.len()],
}

/// Adds derivatives by columns, from those by their states: a column is an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GasStatesAdjoint<'a, R> {
    /// What was computed.
    pub forward: GasStates<'a, R>,
    /// Derivatives by its states' numbers, in their places.
    pub by_states: FieldMut<'a, R>,
    /// What is added to.
    pub gradients: AtmosphereGradients<'a, R>,
}

/// Adds to a value, where the field is wanted.
///
/// # Safety
/// The place is one of the field's, if it has any.
#[inline(always)]
unsafe fn add<R: Real>(field: &FieldMut<'_, R>, (level, column): (usize, usize), value: R) {
    if !field.is_empty() {
        // SAFETY: the caller's.
        unsafe { field.put(level, column, field.get(level, column) + value) };
    }
}

// SAFETY: an item adds to what is its own column's.
unsafe impl<R: Real> Kernel for GasStatesAdjoint<'_, R> {
    const NAME: &'static str = "optics_gas_states_adjoint";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.forward.atmosphere.temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let (tables, layers) = (&self.forward.tables, self.layers());
        let states = States { numbers: self.by_states, ..self.forward.states };
        // SAFETY: the caller's; a lane has its own layers, and the levels below them, then those above.
        unsafe {
            let by = ColumnState::new(&states, GasStates::layout(tables, layers), column);
            for layer in lanes.strided(layers) {
                let by_weight = self.layer(&by, (layer, column));
                add(&self.gradients.level_pressure_pa, (layer, column), by_weight);
                by.set_air(layer, by_weight);
            }
            lanes.wait();
            for layer in lanes.strided(layers) {
                add(&self.gradients.level_pressure_pa, (layer + 1, column), -by.air(layer));
            }
            if tables.is_longwave() {
                self.black_bodies(&by, column, lanes);
            }
        }
        Status::OK
    }
}

impl<R: Real> GasStatesAdjoint<'_, R> {
    fn layers(&self) -> usize {
        self.forward.atmosphere.temperature_k.levels()
    }

    /// Adds derivatives by the air of a layer; returns that by its weight.
    ///
    /// # Safety
    /// Layer and column are those of the views, and the caller's own.
    #[inline(always)]
    unsafe fn layer(&self, by: &ColumnState<R>, (layer, column): (usize, usize)) -> R {
        let Self { forward: GasStates { tables, atmosphere, .. }, gradients, .. } = self;
        // SAFETY: the caller's; layers and levels are those of the views.
        let (air, mixing_ratios) = unsafe { air(atmosphere, layer, column) };
        let mut to = Layer {
            pressure_pa: R::ZERO,
            ln_pressure: R::ZERO,
            temperature_k: R::ZERO,
            weight_pa: R::ZERO,
            water: R::ZERO,
        };
        let mut by_gases = [R::ZERO; ABSORBERS];
        if tables.model == Model::Rrtmgp as u32 {
            of_rrtmgp(tables, (&air, &mixing_ratios), (by, layer), (&mut to, &mut by_gases));
        } else {
            of_ecckd(tables, (&air, &mixing_ratios), (by, layer), (&mut to, &mut by_gases));
        }
        by_gases[H2O] += to.water;
        // SAFETY: as above.
        unsafe {
            add(&gradients.pressure_pa, (layer, column), to.pressure_pa + to.ln_pressure / air.pressure_pa);
            add(&gradients.temperature_k, (layer, column), to.temperature_k);
            for (field, by_gas) in gradients.gases.iter().zip(by_gases) {
                add(field, (layer, column), by_gas);
            }
        }
        to.weight_pa
    }

    /// Adds derivatives by temperatures, of layers to those of [`GasStatesAdjoint::layer`] by the same lane.
    ///
    /// # Safety
    /// The column is one of the views', and the caller's own.
    #[inline(always)]
    unsafe fn black_bodies<const W: usize>(&self, by: &ColumnState<R>, column: usize, lanes: Lanes<W>) {
        let Self { forward: GasStates { tables, atmosphere, .. }, gradients, .. } = self;
        let layers = self.layers();
        let of = |place, temperature_k| adjoint::of_place(tables, temperature_k, by.place(place).1);
        // SAFETY: the caller's.
        unsafe {
            for layer in lanes.strided(layers) {
                let temperature_k = atmosphere.temperature_k.get(layer, column);
                add(&gradients.temperature_k, (layer, column), of(Place::Layer(layer), temperature_k));
            }
            for level in lanes.strided(layers + 1) {
                let temperature_k = atmosphere.level_temperature_k.get(level, column);
                add(&gradients.level_temperature_k, (level, column), of(Place::Level(level), temperature_k));
            }
            if lanes.first() == 0 {
                let surface_k = atmosphere.surface_temperature_k.get(0, column);
                add(&gradients.surface_temperature_k, (0, column), of(Place::Surface, surface_k));
            }
        }
    }
}

/// A layer, and the mixing ratios of what absorbs there.
///
/// # Safety
/// Layers and columns are those of the views.
unsafe fn air<R: Real>(atmosphere: &Atmosphere<'_, R>, layer: usize, column: usize) -> (Layer<R>, [R; ABSORBERS]) {
    let mut mixing_ratios = [R::ZERO; ABSORBERS];
    mixing_ratios[DRY_AIR] = R::ONE;
    // SAFETY: the caller's.
    unsafe {
        for (ratio, gas) in mixing_ratios.iter_mut().zip(&atmosphere.gases) {
            if !gas.is_empty() {
                *ratio = gas.get(layer, column);
            }
        }
        let levels = &atmosphere.level_pressure_pa;
        let pressure_pa = atmosphere.pressure_pa.get(layer, column);
        let air = Layer {
            pressure_pa,
            ln_pressure: pressure_pa.ln(),
            temperature_k: atmosphere.temperature_k.get(layer, column),
            weight_pa: levels.get(layer, column) - levels.get(layer + 1, column),
            water: mixing_ratios[H2O],
        };
        (air, mixing_ratios)
    }
}

/// By the air of a layer in RRTMGP's tables.
fn of_rrtmgp<R: Real>(
    tables: &GasTables<'_, R>,
    (air, mixing_ratios): (&Layer<R>, &[R; ABSORBERS]),
    (by, layer): (&ColumnState<R>, usize),
    (to, by_gases): (&mut Layer<R>, &mut [R; ABSORBERS]),
) {
    let region = rrtmgp::region(tables, air.pressure_pa);
    let position = rrtmgp::position(air, tables);
    let dry = position.dry;
    let mut by_position = ByPosition::zero();
    by_position.of_air(air, dry, by.air(layer), to);
    for flavour in 0..tables.flavours {
        // SAFETY: a row of the table.
        let pair = unsafe { tables.flavour_rows.get((region * tables.flavours + flavour) as usize) };
        let gases = pair.gases.map(|gas| gas as usize);
        let by = by.stencil(layer, flavour);
        by_position.far += by.beyond;
        for half in 0..2 {
            // SAFETY: the ratios of a pair are as many as temperatures.
            let ratio = unsafe { tables.ratios.get((pair.ratio + position.temperature) as usize + half) };
            let by = [by.amount[half], by.minor[2 * half], by.minor[2 * half + 1]];
            let pair = (gases.map(|gas| mixing_ratios[gas]), ratio);
            let by_pair = by_position.of_half_stencil(tables, &position, half == 1, pair, by);
            by_gases[gases[0]] += by_pair[0];
            by_gases[gases[1]] += by_pair[1];
        }
    }
    for slot in 0..tables.slots {
        // SAFETY: a row of the table.
        let absorber = unsafe { tables.absorbers.get((region * tables.slots + slot) as usize) };
        let scaling = if absorber.scaling_gas == NONE { DRY_AIR } else { absorber.scaling_gas as usize };
        let gas = absorber.gas as usize;
        let ratios = [mixing_ratios[gas], mixing_ratios[scaling]];
        let by_ratios = by_position.of_amount(air, dry, &absorber, ratios, (by.amount(layer, slot), &mut *to));
        by_gases[gas] += by_ratios[0];
        by_gases[scaling] += by_ratios[1];
    }
    by_position.of_layer(air, tables, dry, to);
}

/// By the air of a layer in ecCKD's tables.
fn of_ecckd<R: Real>(
    tables: &GasTables<'_, R>,
    (air, mixing_ratios): (&Layer<R>, &[R; ABSORBERS]),
    (by, layer): (&ColumnState<R>, usize),
    (to, by_gases): (&mut Layer<R>, &mut [R; ABSORBERS]),
) {
    let (pressure, far) = tables.ln_pressure.clamped_interval(air.ln_pressure);
    let node = pressure as usize;
    // SAFETY: there is one a pressure, and the interval ends at one.
    let firsts = unsafe { [tables.first_temperature.get(node), tables.first_temperature.get(node + 1)] };
    let position = ecckd::position(air, tables, (pressure, far), ecckd::first_temperature(far, firsts));
    adjoint::of_ecckd_stencil(air, tables, &position, firsts, &by.stencil(layer, 0), to);
    adjoint::of_ecckd_air(by.air(layer), to);
    for slot in 0..tables.slots {
        // SAFETY: there are as many.
        let absorber = unsafe { tables.absorbers.get(slot as usize) };
        let gas = absorber.gas as usize;
        let ratio = if gas == DRY_AIR { None } else { Some(mixing_ratios[gas]) };
        by_gases[gas] += adjoint::of_ecckd_amount(air, ratio, absorber.reference, by.amount(layer, slot), to);
    }
}
