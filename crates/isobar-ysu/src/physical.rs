//! The physical constants of a host model, and what formulas make of them.

use isobar_core::Real;

use crate::constants::{
    CONVECTIVE_FACTOR, COUNTER_GRADIENT, ENTRAINMENT_RATIO, GAS_CONSTANT, GRAVITY, HEAT_CAPACITY, KARMAN, LATENT_HEAT,
    PRANDTL_CONVECTIVE, SUBLIMATION_HEAT, SURFACE_LAYER, THIRD, TWO_THIRDS, VAPOUR_GAS_CONSTANT,
};
use crate::shin_hong_constants::CONDENSATE_HEAT;

/// The physical constants of a host model: all else follows from these six, as `Rd / cp`, `Rv / Rd - 1` and `Rd / Rv`.
///
/// ```
/// use isobar_ysu::{Constants, Options};
/// let own = Constants { gravity_m_per_s2: 9.7803, ..Constants::MPAS };
/// let options = Options { constants: own, ..Options::new(60.0) };
/// assert_eq!(options.check(), Ok(()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Constants {
    /// Specific heat of dry air at constant pressure \[J/(kg K)\] (`cp`).
    pub heat_capacity_j_per_kg_k: f64,
    /// Acceleration of gravity \[m/s^2\] (`g`).
    pub gravity_m_per_s2: f64,
    /// Gas constant of dry air \[J/(kg K)\] (`rd`).
    pub gas_constant_j_per_kg_k: f64,
    /// Gas constant of water vapour \[J/(kg K)\] (`rv`).
    pub vapour_gas_constant_j_per_kg_k: f64,
    /// Von Karman's constant (`karman`).
    pub karman: f64,
    /// Latent heat of vaporisation \[J/kg\] (`xlv`).
    pub latent_heat_j_per_kg: f64,
}

impl Constants {
    /// WRF's.
    pub const WRF: Self = Self {
        heat_capacity_j_per_kg_k: HEAT_CAPACITY,
        gravity_m_per_s2: GRAVITY,
        gas_constant_j_per_kg_k: GAS_CONSTANT,
        vapour_gas_constant_j_per_kg_k: VAPOUR_GAS_CONSTANT,
        karman: KARMAN,
        latent_heat_j_per_kg: LATENT_HEAT,
    };
    /// MPAS-Atmosphere's: WRF's, but for gravity.
    pub const MPAS: Self = Self { gravity_m_per_s2: 9.80616, ..Self::WRF };
    /// CAM-SIMA's, those of CESM's `shr_const_mod`: the gas constants are Avogadro's number times Boltzmann's constant
    /// over molar masses.
    pub const CAM_SIMA: Self = Self {
        heat_capacity_j_per_kg_k: 1004.64,
        gravity_m_per_s2: 9.80616,
        gas_constant_j_per_kg_k: 6.02214e26 * 1.38065e-23 / 28.966,
        vapour_gas_constant_j_per_kg_k: 6.02214e26 * 1.38065e-23 / 18.016,
        karman: 0.4,
        latent_heat_j_per_kg: 2.501e6,
    };
    /// Those of the UFS and of other hosts of the CCPP.
    pub const UFS: Self = Self {
        heat_capacity_j_per_kg_k: 1004.6,
        gravity_m_per_s2: 9.80665,
        gas_constant_j_per_kg_k: 287.05,
        vapour_gas_constant_j_per_kg_k: 461.5,
        karman: 0.4,
        latent_heat_j_per_kg: 2.5e6,
    };
    /// The host models by name.
    pub const NAMED: [(&'static str, Self); 4] =
        [("wrf", Self::WRF), ("mpas", Self::MPAS), ("cam_sima", Self::CAM_SIMA), ("ufs", Self::UFS)];

    /// Each by its short and long name, the latter that of the field.
    #[must_use]
    pub const fn each(&self) -> [(&'static str, &'static str, f64); 6] {
        [
            ("cp", "heat_capacity_j_per_kg_k", self.heat_capacity_j_per_kg_k),
            ("g", "gravity_m_per_s2", self.gravity_m_per_s2),
            ("rd", "gas_constant_j_per_kg_k", self.gas_constant_j_per_kg_k),
            ("rv", "vapour_gas_constant_j_per_kg_k", self.vapour_gas_constant_j_per_kg_k),
            ("karman", "karman", self.karman),
            ("xlv", "latent_heat_j_per_kg", self.latent_heat_j_per_kg),
        ]
    }

    /// One of them by its short or long name.
    pub fn by_name(&mut self, name: &str) -> Option<&mut f64> {
        match name {
            "cp" | "heat_capacity_j_per_kg_k" => Some(&mut self.heat_capacity_j_per_kg_k),
            "g" | "gravity_m_per_s2" => Some(&mut self.gravity_m_per_s2),
            "rd" | "gas_constant_j_per_kg_k" => Some(&mut self.gas_constant_j_per_kg_k),
            "rv" | "vapour_gas_constant_j_per_kg_k" => Some(&mut self.vapour_gas_constant_j_per_kg_k),
            "karman" => Some(&mut self.karman),
            "xlv" | "latent_heat_j_per_kg" => Some(&mut self.latent_heat_j_per_kg),
            _ => None,
        }
    }
}

impl Default for Constants {
    /// [`Constants::WRF`].
    fn default() -> Self {
        Self::WRF
    }
}

/// What formulas take of the constants, each number rounded once, and the exponents of the scheme: parameters of a
/// kernel.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Physical<R> {
    pub(crate) gravity: R,
    pub(crate) per_gravity: R,
    pub(crate) gas_constant: R,
    pub(crate) heat_capacity: R,
    pub(crate) per_heat_capacity: R,
    /// `Rd / cp`.
    pub(crate) poisson: R,
    /// `Rv / Rd - 1`: what vapour adds to the virtual temperature.
    pub(crate) virtual_share: R,
    /// `Rd / Rv`.
    pub(crate) gas_ratio: R,
    /// `L / cp`, of vaporisation and sublimation.
    pub(crate) latent: R,
    pub(crate) sublimation: R,
    /// `cp / L`.
    pub(crate) per_latent: R,
    /// `L / Rd`.
    pub(crate) latent_per_gas: R,
    /// `L^2 / (cp Rv)`.
    pub(crate) moist_heating: R,
    /// `Rd / Rv L / Rd`.
    pub(crate) saturation_rise: R,
    /// `g^2 / cp`.
    pub(crate) lapse: R,
    /// `g / cp`, `cp / g` and `L / g`.
    pub(crate) heating: R,
    pub(crate) per_heating: R,
    pub(crate) moistening: R,
    /// `-0.15 / g`.
    pub(crate) entrainment: R,
    pub(crate) karman: R,
    /// Karman's constant times factors of the scheme: of the velocity scale, of that at half the height, of two Prandtl
    /// numbers, of the surface layer.
    pub(crate) convective: R,
    pub(crate) convective_mean: R,
    pub(crate) prandtl_surface: R,
    pub(crate) prandtl_convective: R,
    pub(crate) karman_surface: R,
    /// What the heat of condensate is over `cp`, and the reciprocal of `cp - Rd`: for Shin-Hong.
    pub(crate) condensate: R,
    pub(crate) per_constant_volume: R,
    /// What the exponents of velocities are more than one third and two thirds.
    pub(crate) third_rest: R,
    pub(crate) two_thirds_rest: R,
}

impl<R: Real> Physical<R> {
    /// Products and quotients are made in double precision.
    pub(crate) fn new(constants: &Constants, [third, two_thirds]: [f64; 2]) -> Self {
        let Constants {
            heat_capacity_j_per_kg_k: heat_capacity,
            gravity_m_per_s2: gravity,
            gas_constant_j_per_kg_k: gas,
            vapour_gas_constant_j_per_kg_k: vapour_gas,
            karman,
            latent_heat_j_per_kg: latent,
        } = *constants;
        let gas_ratio = gas / vapour_gas;
        let number = R::from_f64;
        Self {
            gravity: number(gravity),
            per_gravity: number(1.0 / gravity),
            gas_constant: number(gas),
            heat_capacity: number(heat_capacity),
            per_heat_capacity: number(1.0 / heat_capacity),
            poisson: number(gas / heat_capacity),
            virtual_share: number(vapour_gas / gas - 1.0),
            gas_ratio: number(gas_ratio),
            latent: number(latent / heat_capacity),
            sublimation: number(SUBLIMATION_HEAT / heat_capacity),
            per_latent: number(heat_capacity / latent),
            latent_per_gas: number(latent / gas),
            moist_heating: number(latent * latent / (heat_capacity * vapour_gas)),
            saturation_rise: number(gas_ratio * latent / gas),
            lapse: number(gravity * gravity / heat_capacity),
            heating: number(gravity / heat_capacity),
            per_heating: number(heat_capacity / gravity),
            moistening: number(latent / gravity),
            entrainment: number(-ENTRAINMENT_RATIO / gravity),
            karman: number(karman),
            convective: number(CONVECTIVE_FACTOR * karman),
            convective_mean: number(CONVECTIVE_FACTOR * karman * 0.5),
            prandtl_surface: number(COUNTER_GRADIENT * karman * SURFACE_LAYER),
            prandtl_convective: number(PRANDTL_CONVECTIVE * karman),
            karman_surface: number(karman * SURFACE_LAYER),
            condensate: number(CONDENSATE_HEAT / heat_capacity),
            per_constant_volume: number(1.0 / (heat_capacity - gas)),
            third_rest: number(third - 1.0 / 3.0),
            two_thirds_rest: number(two_thirds - 2.0 / 3.0),
        }
    }

    /// With the exponents of YSU.
    pub(crate) fn of_ysu(constants: &Constants) -> Self {
        Self::new(constants, [THIRD, TWO_THIRDS])
    }
}
