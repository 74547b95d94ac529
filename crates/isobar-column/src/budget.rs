//! What a column holds.
//!
//! Its heat is its potential enthalpy, `sum cp theta dp/g`: mixing moves potential temperature, so that this, and not
//! `sum cp T dp/g`, changes by the flux through the surface and by radiation alone. Radiation's part is
//! `sum cp Q / Pi dp/g`, with the heating Q of temperature, which is the divergence of the fluxes, and the Exner
//! function Pi.

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{DRY_AIR_KG_PER_MOL, GRAVITY, HEAT_CAPACITY};

/// The mass of a layer \[kg/m^2\].
#[inline(always)]
#[must_use]
pub fn mass<R: Real>(interface_pressure: &Field<'_, R>, layer: usize, column: usize) -> R {
    (interface_pressure.at(layer, column) - interface_pressure.at(layer + 1, column)) / R::from_f64(GRAVITY)
}

/// The amount of air of a layer \[mol/m^2\].
#[inline(always)]
#[must_use]
pub fn amount_of_air<R: Real>(interface_pressure: &Field<'_, R>, layer: usize, column: usize) -> R {
    mass(interface_pressure, layer, column) / R::from_f64(DRY_AIR_KG_PER_MOL)
}

/// Integrals over each column, from the surface up: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Budget<'a, R> {
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Potential temperature of `(layer, column)` \[K\].
    pub theta_k: Field<'a, R>,
    /// Water vapour, likewise \[kg/kg\].
    pub vapour_kg_per_kg: Field<'a, R>,
    /// Mole fractions of `(layer, tracer * columns + column)`; without items where there are no tracers.
    pub tracers: Field<'a, R>,
    /// Potential enthalpy \[J/m^2\], one level.
    pub enthalpy_j_per_m2: FieldMut<'a, R>,
    /// Water \[kg/m^2\], one level.
    pub water_kg_per_m2: FieldMut<'a, R>,
    /// Tracers of `(tracer, column)` \[mol/m^2\]; without items where there are no tracers.
    pub tracer_amounts_mol_per_m2: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Budget<'_, R> {
    const NAME: &'static str = "column_budget";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.theta_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let (layers, columns) = (self.theta_k.levels(), self.theta_k.items());
        let (mut enthalpy, mut water) = (R::ZERO, R::ZERO);
        for layer in 0..layers {
            let mass = mass(&self.interface_pressure_pa, layer, column);
            enthalpy += R::from_f64(HEAT_CAPACITY) * self.theta_k.at(layer, column) * mass;
            water += self.vapour_kg_per_kg.at(layer, column) * mass;
        }
        self.enthalpy_j_per_m2.set(0, column, enthalpy);
        self.water_kg_per_m2.set(0, column, water);
        for tracer in 0..self.tracer_amounts_mol_per_m2.levels() {
            let mut amount = R::ZERO;
            for layer in 0..layers {
                let air = amount_of_air(&self.interface_pressure_pa, layer, column);
                amount += self.tracers.at(layer, tracer * columns + column) * air;
            }
            self.tracer_amounts_mol_per_m2.set(tracer, column, amount);
        }
        if enthalpy.is_finite() && water.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}
