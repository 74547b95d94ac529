//! A line at a pressure and temperature: intensity, widths, shift (Rothman et al. 1998, JQSRT 60, 665,
//! doi:10.1016/S0022-4073(98)00078-8, appendix; HITRAN of today: Gordon et al. 2022, doi:10.1016/j.jqsrt.2021.107949):
//!
//! ```text
//! S(T)    = S(T0) Q(T0)/Q(T) exp(-c2 E (1/T - 1/T0)) (1 - exp(-c2 nu/T)) / (1 - exp(-c2 nu/T0))  Eq. A11
//! gamma_L = p [(1 - q) gamma_air (T0/T)^n_air + q gamma_self (T0/T)^n_self]                          Eq. A12
//! delta   = p [(1 - q) delta_air + q delta_self]
//! gamma_D = nu sqrt(2 ln 2 k T / (m c^2))
//! Y       = p Y_air (T0/T)^n_Y
//! ```
//!
//! with the pressure `p` \[atm\], the temperature `T` \[K\] (`T0` is 296 K), the absorber's mole fraction `q`, the
//! lower state's energy `E` and the position `nu` \[cm^-1\], the mass of a molecule `m`, and half widths at half
//! maximum \[cm^-1\]. Eq. A12 has one exponent for both partners; lists of today may have two.

use isobar_core::Real;

use crate::constants::{ATMOSPHERE_HPA, Constants, REFERENCE_K};

/// A line as a list has it, for 296 K.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Line<R> {
    /// Position \[cm^-1\].
    pub wavenumber_per_cm: R,
    /// Intensity with the isotopologue's abundance in it \[cm^-1 / (molecule cm^-2)\].
    pub intensity: R,
    /// Half width by air \[cm^-1/atm\].
    pub air_width_per_cm_atm: R,
    /// Half width by the gas itself \[cm^-1/atm\].
    pub self_width_per_cm_atm: R,
    /// Energy of the lower state \[cm^-1\].
    pub lower_energy_per_cm: R,
    /// Exponent of the temperature in the width by air.
    pub air_exponent: R,
    /// Exponent of the temperature in the width by the gas itself.
    pub self_exponent: R,
    /// Shift by air \[cm^-1/atm\].
    pub air_shift_per_cm_atm: R,
    /// Shift by the gas itself \[cm^-1/atm\].
    pub self_shift_per_cm_atm: R,
    /// Line mixing by air, of first order \[1/atm\].
    pub mixing_per_atm: R,
    /// Exponent of the temperature in the line mixing.
    pub mixing_exponent: R,
}

/// The air around the absorbing molecules.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Air<R> {
    /// Pressure \[hPa\].
    pub pressure_hpa: R,
    /// Temperature \[K\].
    pub temperature_k: R,
    /// Mole fraction of the absorbing gas \[mol/mol\].
    pub mole_fraction: R,
}

/// A line in some air.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BroadenedLine<R> {
    /// Intensity \[cm^-1 / (molecule cm^-2)\].
    pub intensity: R,
    /// Lorentz half width \[cm^-1\].
    pub lorentz_width_per_cm: R,
    /// Shift of the position \[cm^-1\].
    pub shift_per_cm: R,
    /// Doppler half width \[cm^-1\].
    pub doppler_width_per_cm: R,
    /// Line mixing of first order: `K + Y L` instead of `K`.
    pub mixing: R,
}

impl<R: Real> Line<R> {
    /// The line in the air; `partition_ratio` is `Q(296 K)/Q(T)` and `mass_u` the mass \[u\] of its isotopologue.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, air: &Air<R>, constants: &Constants, partition_ratio: R, mass_u: R) -> BroadenedLine<R> {
        let c2 = R::from_f64(constants.second_radiation_cm_k);
        let reference = R::from_f64(REFERENCE_K);
        let temperature = air.temperature_k;
        let pressure = air.pressure_hpa / R::from_f64(ATMOSPHERE_HPA);
        let others = R::ONE - air.mole_fraction;

        let lower = -c2 * self.lower_energy_per_cm;
        let populations = (lower / temperature - lower / reference).exp();
        let photon = -c2 * self.wavenumber_per_cm;
        let emission = (photon / temperature).exp_m1() / (photon / reference).exp_m1();

        let log_cold = (reference / temperature).ln();
        let air_width = others * self.air_width_per_cm_atm * (self.air_exponent * log_cold).exp();
        let self_width = air.mole_fraction * self.self_width_per_cm_atm * (self.self_exponent * log_cold).exp();
        let shift = others * self.air_shift_per_cm_atm + air.mole_fraction * self.self_shift_per_cm_atm;
        BroadenedLine {
            intensity: self.intensity * partition_ratio * populations * emission,
            lorentz_width_per_cm: pressure * (air_width + self_width),
            shift_per_cm: pressure * shift,
            doppler_width_per_cm: doppler_width_per_cm(self.wavenumber_per_cm, temperature, mass_u, constants),
            mixing: pressure * self.mixing_per_atm * (self.mixing_exponent * log_cold).exp(),
        }
    }
}

/// Half width at half maximum \[cm^-1\] by the motion of molecules of a mass \[u\].
#[inline(always)]
#[must_use]
pub fn doppler_width_per_cm<R: Real>(wavenumber_per_cm: R, temperature_k: R, mass_u: R, constants: &Constants) -> R {
    let light = constants.light_m_per_s;
    let per_mass = 2.0 * core::f64::consts::LN_2 * constants.boltzmann_j_per_k / constants.atomic_mass_kg;
    // Divided twice: the square of the speed of light is fine, but a product with it is beyond f32.
    wavenumber_per_cm * (R::from_f64(per_mass / light / light) * temperature_k / mass_u).sqrt()
}
