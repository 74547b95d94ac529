//! What the column model makes of the revised MM5 surface layer's fluxes: they go from more to less, and its flux of
//! heat is that of potential enthalpy ([`crate::surface_flux`]), whose sensible heat follows.
//!
//! The revised MM5 surface layer takes the moisture of land through a molecular layer of a centimetre, by a logarithm
//! that is below 0 where the middle of the lowest layer is hardly above it. Its fluxes would go from less to more then,
//! and no step be short enough: such columns have none.

use isobar_core::{Column, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{GAS_CONSTANT, HEAT_CAPACITY, REFERENCE_PRESSURE};

/// The exchange of each column that a surface layer gave: an item. All fields have one level.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Downgradient<'a, R> {
    /// Pressure at the surface \[Pa\].
    pub surface_pressure_pa: Column<'a, R>,
    /// Flux of potential enthalpy a kelvin of potential temperature \[W/(m^2 K)\].
    pub exchange_heat_w_per_m2_k: FieldMut<'a, R>,
    /// Flux of moisture a unit of mixing ratio \[kg/(m^2 s)\].
    pub exchange_moisture_kg_per_m2_s: FieldMut<'a, R>,
    /// Upward flux of potential enthalpy \[W/m^2\].
    pub potential_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Upward flux of sensible heat, which is written \[W/m^2\].
    pub sensible_heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Upward flux of moisture \[kg/(m^2 s)\].
    pub moisture_flux_kg_per_m2_s: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Downgradient<'_, R> {
    const NAME: &'static str = "column_downgradient";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.exchange_heat_w_per_m2_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        for (exchange, flux) in [
            (&self.exchange_heat_w_per_m2_k, &self.potential_heat_flux_w_per_m2),
            (&self.exchange_moisture_kg_per_m2_s, &self.moisture_flux_kg_per_m2_s),
        ] {
            if exchange.at(0, column) < R::ZERO {
                exchange.set(0, column, R::ZERO);
                flux.set(0, column, R::ZERO);
            }
        }
        let pressure = self.surface_pressure_pa.at(column) / R::from_f64(REFERENCE_PRESSURE);
        let exner = pressure.powf(R::from_f64(GAS_CONSTANT / HEAT_CAPACITY));
        let sensible = exner * self.potential_heat_flux_w_per_m2.at(0, column);
        self.sensible_heat_flux_w_per_m2.set(0, column, sensible);
        Status::OK
    }
}
