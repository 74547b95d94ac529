//! The temperature of the ground: given through the day, or that of a slab by its energy balance.
//!
//! The slab is one layer of ground with the heat capacity `C` \[J/(m^2 K)\]:
//!
//! `C dT/dt = S + L_down - L_up(T) - B(T) - lambda (T - T_deep)`, `B = H + Lv E`,
//!
//! with the sunlight `S` that it absorbs: the short wave's, downward less upward; or, in a model without short wave,
//! `(1 - albedo) transmittance S0 mu` with the cosine `mu` of the Sun's zenith angle.
//!
//! A step is implicit in the temperature, linear around that before it, `T_n`:
//!
//! `(C + dt (L' + B' + lambda)) (T_(n+1) - T_n) = dt (S + L_down - L_up(T_n) - B_n - lambda (T_n - T_deep) - r_n)`
//!
//! * `L_up(T_n)` is the flux that the long wave had at `T_r`, and `L' (T_n - T_r)`, with its own derivative `L'`; where
//!   it has none, the flux is held.
//! * `B' = c (cp / Pi + Lv beta dq_sat/dT)` with the exchange coefficient `c` of the surface layer, its Exner function
//!   `Pi` and the availability `beta` of moisture.
//! * `r_n = B_n - B*_n` settles what was taken for the turbulent fluxes in the step before, `B* = B_n + B' (T_(n+1) -
//!   T_n)`, and what the air got: nothing is lost between ground and air.
//!
//! All is damped, however long the step. What comes in is summed up, flux by flux; `C` times the change of temperature
//! is that within roundings.

use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{GAS_CONSTANT, HEAT_CAPACITY, LATENT_HEAT, REFERENCE_PRESSURE};
use crate::humidity::saturation_slope;

/// The solar constant \[W/m^2\] (Kopp and Lean 2011, doi:10.1029/2010GL045777).
pub const SOLAR_CONSTANT: f64 = 1361.0;

/// Numbers of the ground, the same for all columns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Parameters<R> {
    /// Not 0: a slab, with what follows but the first number; 0: mean and amplitude are given.
    pub slab: u32,
    /// The cosine of the time since the warmest hour, in turns of a day.
    pub phase: R,
    /// The time step \[s\].
    pub step_s: R,
    /// Heat capacity of the slab \[J/(m^2 K)\], positive.
    pub heat_capacity_j_per_m2_k: R,
    /// Not 0: sunlight is that of the short-wave fluxes, and the next two numbers are not read.
    pub shortwave: u32,
    /// The part of sunlight that reaches the ground, 0 to 1.
    pub transmittance: R,
    /// The part of it that is reflected, 0 to 1.
    pub albedo: R,
    /// Conductance to the ground below \[W/(m^2 K)\].
    pub conductance_w_per_m2_k: R,
}

/// The ground of each column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Ground<'a, R> {
    /// The numbers.
    pub parameters: Parameters<R>,
    /// Mean temperature of the day, or the temperature of the ground below \[K\].
    pub mean_temperature_k: Column<'a, R>,
    /// Half of the range through the day \[K\].
    pub amplitude_k: Column<'a, R>,
    /// Cosine of the Sun's zenith angle.
    pub cosine_of_zenith: Column<'a, R>,
    /// Upward long-wave flux of `(level, column)` \[W/m^2\]; of this and the next three the surface's is read.
    pub flux_up_w_per_m2: Field<'a, R>,
    /// Downward, likewise.
    pub flux_down_w_per_m2: Field<'a, R>,
    /// Upward short-wave flux.
    pub shortwave_up_w_per_m2: Field<'a, R>,
    /// Downward short-wave flux.
    pub shortwave_down_w_per_m2: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\]; the surface's is read.
    pub interface_pressure_pa: Field<'a, R>,
    /// Derivative of the upward long-wave flux by the ground's temperature \[W/(m^2 K)\], 0 where it is not known.
    pub emission_derivative_w_per_m2_k: Column<'a, R>,
    /// The temperature for which that flux is \[K\].
    pub emission_temperature_k: Column<'a, R>,
    /// Exchange coefficient of the surface layer \[kg/(m^2 s)\].
    pub exchange_kg_per_m2_s: Column<'a, R>,
    /// Availability of moisture, 0 to 1.
    pub moisture_availability: Column<'a, R>,
    /// Upward flux of sensible heat in the step before \[W/m^2\].
    pub sensible_heat_flux_w_per_m2: Column<'a, R>,
    /// Upward flux of moisture in the step before \[kg/(m^2 s)\].
    pub moisture_flux_kg_per_m2_s: Column<'a, R>,
    /// Temperature \[K\]; this and the rest have one level.
    pub temperature_k: FieldMut<'a, R>,
    /// What the last step took for the turbulent fluxes of heat and moisture, `B*` \[W/m^2\].
    pub turbulent_flux_taken_w_per_m2: FieldMut<'a, R>,
    /// Flux into the slab \[W/m^2\].
    pub heat_flux_w_per_m2: FieldMut<'a, R>,
    /// Heat that came into the slab so far \[J/m^2\].
    pub heat_gained_j_per_m2: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column and reads what it wrote and the inputs.
unsafe impl<R: Real> Kernel for Ground<'_, R> {
    const NAME: &'static str = "column_ground";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.mean_temperature_k.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let p = &self.parameters;
        let temperature = if p.slab == 0 {
            self.mean_temperature_k.at(column) + self.amplitude_k.at(column) * p.phase
        } else {
            self.balance(column)
        };
        self.temperature_k.set(0, column, temperature);
        if temperature.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}

impl<R: Real> Ground<'_, R> {
    /// The temperature of a slab after a step.
    #[inline(always)]
    fn balance(&self, column: usize) -> R {
        let (p, latent) = (&self.parameters, R::from_f64(LATENT_HEAT));
        let (before, deep) = (self.temperature_k.at(0, column), self.mean_temperature_k.at(column));
        let sun = if p.shortwave != 0 {
            self.shortwave_down_w_per_m2.at(0, column) - self.shortwave_up_w_per_m2.at(0, column)
        } else {
            let sun = self.cosine_of_zenith.at(column).max(R::ZERO) * R::from_f64(SOLAR_CONSTANT);
            (R::ONE - p.albedo) * p.transmittance * sun
        };
        let emission_slope = self.emission_derivative_w_per_m2_k.at(column);
        let emitted =
            self.flux_up_w_per_m2.at(0, column) + emission_slope * (before - self.emission_temperature_k.at(column));

        let turbulent =
            self.sensible_heat_flux_w_per_m2.at(column) + latent * self.moisture_flux_kg_per_m2_s.at(column);
        let owed = turbulent - self.turbulent_flux_taken_w_per_m2.at(0, column);
        let pressure = self.interface_pressure_pa.at(0, column);
        let exner = (pressure / R::from_f64(REFERENCE_PRESSURE)).powf(R::from_f64(GAS_CONSTANT / HEAT_CAPACITY));
        let moist = latent * self.moisture_availability.at(column) * saturation_slope(before, pressure);
        let turbulent_slope = self.exchange_kg_per_m2_s.at(column) * (R::from_f64(HEAT_CAPACITY) / exner + moist);

        let conducted = p.conductance_w_per_m2_k * (before - deep);
        let income = sun + self.flux_down_w_per_m2.at(0, column);
        let gain = income - emitted - turbulent - owed - conducted;
        let slope = emission_slope + turbulent_slope + p.conductance_w_per_m2_k;
        let change = p.step_s * gain / (p.heat_capacity_j_per_m2_k + p.step_s * slope);

        // What was taken of each flux.
        let taken = turbulent + turbulent_slope * change;
        let conducted = conducted + p.conductance_w_per_m2_k * change;
        let flux = income - (emitted + emission_slope * change) - (taken + owed) - conducted;
        let gained = self.heat_gained_j_per_m2.at(0, column);
        self.turbulent_flux_taken_w_per_m2.set(0, column, taken);
        self.heat_flux_w_per_m2.set(0, column, flux);
        self.heat_gained_j_per_m2.set(0, column, gained + p.step_s * flux);
        before + change
    }
}
