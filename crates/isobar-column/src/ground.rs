//! The ground: its temperature, given through the day or as a change from its mean; or what warms a slab, whose
//! temperature then follows in [`crate::exchange`].
//!
//! The slab is one layer of ground with the heat capacity `C` \[J/(m^2 K)\]:
//!
//! `C dT/dt = S + L_down - L_up(T) - lambda (T - T_deep) - H - Lv E`,
//!
//! with the sunlight `S` that it absorbs: the short wave's, downward less upward; or, in a model without short wave,
//! `(1 - albedo) transmittance S0 mu` with the cosine `mu` of the Sun's zenith angle. Of this the ground gives the
//! part without turbulence, linear around the temperature `T_n` before the step, as `G - s (T - T_n)`:
//!
//! * `G = S + L_down - L_up(T_n) - lambda (T_n - T_deep)`, where `L_up(T_n)` is the flux that the long wave had at
//!   `T_r` and `L' (T_n - T_r)` with its own derivative `L'`; where it has none, the flux is held.
//! * `s = L' + lambda`.
//!
//! What is conducted to the ground below, `lambda (T - T_deep)`, is handed on besides: the flux into the ground is that
//! and what the slab keeps.

use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

/// The solar constant \[W/m^2\] (Kopp and Lean 2011, doi:10.1029/2010GL045777).
pub const SOLAR_CONSTANT: f64 = 1361.0;

/// Numbers of the ground, the same for all columns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Parameters<R> {
    /// Not 0: a slab, with what follows but the first two numbers; 0: mean and amplitude are given.
    pub slab: u32,
    /// The cosine of the time from the warmest hour to the end of the step, in turns of a day.
    pub phase: R,
    /// What the temperature at the end of the step differs by from that \[K\].
    pub change_k: R,
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
    /// Derivative of the upward long-wave flux by the ground's temperature \[W/(m^2 K)\], 0 where it is not known.
    pub emission_derivative_w_per_m2_k: Column<'a, R>,
    /// The temperature for which that flux is \[K\].
    pub emission_temperature_k: Column<'a, R>,
    /// Temperature \[K\]; this and the rest have one level.
    pub temperature_k: FieldMut<'a, R>,
    /// `G`, what the ground gains without turbulence \[W/m^2\]; 0 where its temperature is given.
    pub forcing_w_per_m2: FieldMut<'a, R>,
    /// `s`, by how much less the warmer it gets \[W/(m^2 K)\]; likewise.
    pub slope_w_per_m2_k: FieldMut<'a, R>,
    /// The time step over `C` \[K m^2/W\]; likewise.
    pub response_k_m2_per_w: FieldMut<'a, R>,
    /// `lambda (T_n - T_deep)` \[W/m^2\]; likewise.
    pub conducted_w_per_m2: FieldMut<'a, R>,
    /// `lambda` \[W/(m^2 K)\]; likewise.
    pub conductance_w_per_m2_k: FieldMut<'a, R>,
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
        let (mut forcing, mut slope, mut response) = (R::ZERO, R::ZERO, R::ZERO);
        let (mut conducted, mut conductance) = (R::ZERO, R::ZERO);
        if p.slab == 0 {
            let given = self.mean_temperature_k.at(column) + self.amplitude_k.at(column) * p.phase + p.change_k;
            self.temperature_k.set(0, column, given);
        } else {
            conductance = p.conductance_w_per_m2_k;
            conducted = conductance * (self.temperature_k.at(0, column) - self.mean_temperature_k.at(column));
            (forcing, slope) = self.balance(column, conducted);
            response = p.step_s / p.heat_capacity_j_per_m2_k;
        }
        self.forcing_w_per_m2.set(0, column, forcing);
        self.slope_w_per_m2_k.set(0, column, slope);
        self.response_k_m2_per_w.set(0, column, response);
        self.conducted_w_per_m2.set(0, column, conducted);
        self.conductance_w_per_m2_k.set(0, column, conductance);
        if forcing.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}

impl<R: Real> Ground<'_, R> {
    /// What a slab gains without turbulence, and by how much less the warmer it gets.
    #[inline(always)]
    fn balance(&self, column: usize, conducted: R) -> (R, R) {
        let p = &self.parameters;
        let temperature = self.temperature_k.at(0, column);
        let sun = if p.shortwave != 0 {
            self.shortwave_down_w_per_m2.at(0, column) - self.shortwave_up_w_per_m2.at(0, column)
        } else {
            let sun = self.cosine_of_zenith.at(column).max(R::ZERO) * R::from_f64(SOLAR_CONSTANT);
            (R::ONE - p.albedo) * p.transmittance * sun
        };
        let emission_slope = self.emission_derivative_w_per_m2_k.at(column);
        let emitted = self.flux_up_w_per_m2.at(0, column)
            + emission_slope * (temperature - self.emission_temperature_k.at(column));
        let income = sun + self.flux_down_w_per_m2.at(0, column);
        (income - emitted - conducted, emission_slope + p.conductance_w_per_m2_k)
    }
}
