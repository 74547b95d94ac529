//! The temperature of the ground: given through the day, or that of a slab.
//!
//! The slab is one layer of ground:
//! `C dT/dt = (1 - albedo) transmittance S0 mu + L_down - L_up - H - Lv E - lambda (T - T_deep)`, with `mu` the cosine
//! of the Sun's zenith angle, stepped forward. Steps of minutes are stable for a heat capacity from 1e4 J/(m^2 K) on.

use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::LATENT_HEAT;

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
    /// Upward long-wave flux of `(level, column)` \[W/m^2\]; the surface's is read.
    pub flux_up_w_per_m2: Field<'a, R>,
    /// Downward, likewise.
    pub flux_down_w_per_m2: Field<'a, R>,
    /// Upward flux of sensible heat \[W/m^2\].
    pub sensible_heat_flux_w_per_m2: Column<'a, R>,
    /// Upward flux of moisture \[kg/(m^2 s)\].
    pub moisture_flux_kg_per_m2_s: Column<'a, R>,
    /// Temperature \[K\], one level.
    pub temperature_k: FieldMut<'a, R>,
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
        let mean = self.mean_temperature_k.at(column);
        let temperature = if p.slab == 0 {
            mean + self.amplitude_k.at(column) * p.phase
        } else {
            let before = self.temperature_k.at(0, column);
            let sun = self.cosine_of_zenith.at(column).max(R::ZERO) * R::from_f64(SOLAR_CONSTANT);
            let gain = (R::ONE - p.albedo) * p.transmittance * sun + self.flux_down_w_per_m2.at(0, column);
            let turbulent = self.sensible_heat_flux_w_per_m2.at(column)
                + R::from_f64(LATENT_HEAT) * self.moisture_flux_kg_per_m2_s.at(column);
            let loss = self.flux_up_w_per_m2.at(0, column) + turbulent + p.conductance_w_per_m2_k * (before - mean);
            before + p.step_s * (gain - loss) / p.heat_capacity_j_per_m2_k
        };
        self.temperature_k.set(0, column, temperature);
        if temperature.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}
