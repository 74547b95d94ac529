//! What is chosen for a run of Shin-Hong.

use isobar_core::Real;

use crate::constants::{BACKGROUND_HEAT, BACKGROUND_MOMENTUM, CLOUD_EFFICIENCY, LARGEST_EFFICIENCY};
use crate::physical::{Constants, Physical};
use crate::shin_hong_constants::EXPONENTS;
use crate::version::Parameters;

/// What is chosen for a run of Shin-Hong.
///
/// ```
/// use isobar_ysu::ShinHongOptions;
/// let options = ShinHongOptions { cloud_mixing: true, ..ShinHongOptions::new(60.0) };
/// assert!(options.nonlocal_flux);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct ShinHongOptions {
    /// The model's time step \[s\], positive. The implicit systems are solved for twice of it, as in WRF.
    pub time_step_s: f64,
    /// Have thermals the heat flux of large-eddy simulations (`if_shinhong_nonlocal_flux`)? Otherwise they have YSU's.
    pub nonlocal_flux: bool,
    /// Does radiative cooling at cloud tops mix downward (`if_scu_mixing`)? Needs the radiative heating.
    pub cloud_mixing: bool,
    /// Does the wind's energy that turbulence takes become heat (`if_dissipative_heating`)?
    pub dissipative_heating: bool,
    /// Are surface drag and 10 m wind adjusted to unresolved orography (`ctopo`, `ctopo2`)?
    pub topographic: bool,
    /// The physical constants: of a host model, or one's own.
    pub constants: Constants,
}

impl ShinHongOptions {
    /// The nonlocal heat flux, and nothing else.
    #[must_use]
    pub fn new(time_step_s: f64) -> Self {
        Self {
            time_step_s,
            nonlocal_flux: true,
            cloud_mixing: false,
            dissipative_heating: false,
            topographic: false,
            constants: Constants::WRF,
        }
    }

    /// The parameters of the kernel.
    #[must_use]
    pub fn parameters<R: Real>(&self) -> Parameters<R> {
        Parameters {
            step: R::from_f64(2.0 * self.time_step_s),
            background_momentum: R::from_f64(BACKGROUND_MOMENTUM),
            background_heat: R::from_f64(BACKGROUND_HEAT),
            least_per_thickness: R::ZERO,
            top_down: u32::from(self.cloud_mixing),
            topographic: u32::from(self.topographic),
            older_surface: 0,
            nonlocal_flux: u32::from(self.nonlocal_flux),
            dissipative: u32::from(self.dissipative_heating),
            least_efficiency: R::from_f64(CLOUD_EFFICIENCY),
            largest_efficiency: R::from_f64(LARGEST_EFFICIENCY),
            physical: Physical::new(&self.constants, EXPONENTS),
        }
    }
}
