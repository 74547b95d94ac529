//! Constants, each with its source.

/// Planck's times the speed of light over Boltzmann's constant \[cm K\]: CODATA 2018.
pub const SECOND_RADIATION_CM_K: f64 = 1.438_776_877;
/// Boltzmann's constant \[J/K\]: exact in the SI of 2019.
pub const BOLTZMANN_J_PER_K: f64 = 1.380_649e-23;
/// The speed of light \[m/s\]: exact.
pub const LIGHT_M_PER_S: f64 = 299_792_458.0;
/// The atomic mass constant \[kg\]: CODATA 2018.
pub const ATOMIC_MASS_KG: f64 = 1.660_539_066_60e-27;
/// The temperature of the intensities and widths of HITRAN and of ExoMol's broadening \[K\].
pub const REFERENCE_K: f64 = 296.0;
/// A standard atmosphere \[hPa\]: HITRAN's widths and shifts are per atmosphere.
pub const ATMOSPHERE_HPA: f64 = 1013.25;
/// Torr in an atmosphere: pressures of cross-section files.
pub const TORR_PER_ATMOSPHERE: f64 = 760.0;
/// Where lines are cut off by default \[cm^-1\]: LBLRTM, RFM and the water continuum MT_CKD.
pub const WING_CUT_PER_CM: f64 = 25.0;

/// 1 / sqrt(pi).
pub(crate) const FRAC_1_SQRT_PI: f64 = 0.564_189_583_547_756_3;
/// sqrt(ln 2).
pub(crate) const SQRT_LN_2: f64 = 0.832_554_611_157_697_8;

/// The constants of nature in a calculation; others than [`Constants::CODATA_2018`] serve comparisons with codes that
/// have their own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Constants {
    /// h c / k \[cm K\].
    pub second_radiation_cm_k: f64,
    /// k \[J/K\].
    pub boltzmann_j_per_k: f64,
    /// c \[m/s\].
    pub light_m_per_s: f64,
    /// The atomic mass constant \[kg\].
    pub atomic_mass_kg: f64,
}

impl Constants {
    /// CODATA 2018.
    pub const CODATA_2018: Self = Self {
        second_radiation_cm_k: SECOND_RADIATION_CM_K,
        boltzmann_j_per_k: BOLTZMANN_J_PER_K,
        light_m_per_s: LIGHT_M_PER_S,
        atomic_mass_kg: ATOMIC_MASS_KG,
    };
}

impl Default for Constants {
    fn default() -> Self {
        Self::CODATA_2018
    }
}
