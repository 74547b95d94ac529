//! Versions of the scheme, and the parameters in which they differ.

use isobar_core::Real;

use crate::constants::{
    BACKGROUND_HEAT, BACKGROUND_MOMENTUM, CLOUD_EFFICIENCY, LARGEST_EFFICIENCY, LEAST_PER_DISTANCE,
};
use crate::physical::{Constants, Physical};

/// Which code's formulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Version {
    /// WRF 4.6 and 4.7.
    #[default]
    Wrf4,
    /// WRF 3.6.1: no background diffusivities, but a least one that grows with the layers' thickness; no top-down
    /// mixing.
    Wrf361,
}

/// What is chosen for a run.
///
/// ```
/// use isobar_ysu::{Options, Version};
/// let options = Options { top_down: true, ..Options::new(72.0) };
/// assert_eq!(options.version, Version::Wrf4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(deny_unknown_fields))]
pub struct Options {
    /// The formulation.
    pub version: Version,
    /// The model's time step \[s\], positive. The implicit systems are solved for twice of it, as in WRF.
    pub time_step_s: f64,
    /// Does radiative cooling at cloud tops mix downward? Needs the radiative heating; not in [`Version::Wrf361`].
    pub top_down: bool,
    /// Are surface drag and 10 m wind adjusted to unresolved orography?
    pub topographic: bool,
    /// The physical constants: of a host model, or one's own.
    #[cfg_attr(feature = "serde", serde(default))]
    pub constants: Constants,
    /// Is the efficiency of entrainment by cloud tops at most 0.4, and nothing without evaporation, as in MMM-physics
    /// since pull request 19 (WRF 4.8)? Otherwise it is at least 0.2. For top-down mixing only.
    #[cfg_attr(feature = "serde", serde(default))]
    pub limited_entrainment: bool,
    /// Do the buildings of a multi-layer urban canopy (BEP, BEP+BEM) exchange heat, moisture and momentum with the
    /// layers? Needs the urban fields, which then have the surface's fluxes of heat and moisture, too; not in
    /// [`Version::Wrf361`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub urban: bool,
}

impl Options {
    /// WRF 4 without top-down mixing, orography and towns.
    #[must_use]
    pub fn new(time_step_s: f64) -> Self {
        Self {
            version: Version::Wrf4,
            time_step_s,
            top_down: false,
            topographic: false,
            constants: Constants::WRF,
            limited_entrainment: false,
            urban: false,
        }
    }

    /// The parameters of the kernel.
    #[must_use]
    pub fn parameters<R: Real>(&self) -> Parameters<R> {
        let newer = self.version == Version::Wrf4;
        let (momentum, heat, least) =
            if newer { (BACKGROUND_MOMENTUM, BACKGROUND_HEAT, 0.0) } else { (0.0, 0.0, LEAST_PER_DISTANCE) };
        Parameters {
            step: R::from_f64(2.0 * self.time_step_s),
            background_momentum: R::from_f64(momentum),
            background_heat: R::from_f64(heat),
            least_per_thickness: R::from_f64(least),
            top_down: u32::from(self.top_down && newer),
            topographic: u32::from(self.topographic),
            older_surface: u32::from(!newer),
            nonlocal_flux: 0,
            dissipative: 0,
            least_efficiency: R::from_f64(if self.limited_entrainment { 0.0 } else { CLOUD_EFFICIENCY }),
            largest_efficiency: R::from_f64(if self.limited_entrainment { LARGEST_EFFICIENCY } else { f64::INFINITY }),
            physical: Physical::of_ysu(&self.constants),
        }
    }
}

/// The parameters of a kernel, made by [`Options::parameters`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Parameters<R> {
    /// Twice the time step \[s\].
    pub(crate) step: R,
    /// What is added to the diffusivity of momentum \[m^2/s\].
    pub(crate) background_momentum: R,
    /// What is added to the diffusivity of heat and moisture \[m^2/s\].
    pub(crate) background_heat: R,
    /// The least diffusivity over the distance of the layers' centres \[m/s\].
    pub(crate) least_per_thickness: R,
    /// 0 or 1.
    pub(crate) top_down: u32,
    /// 0 or 1.
    pub(crate) topographic: u32,
    /// Does the surface current lack density and wind ratio, and the drag the blending with height? 0 or 1.
    pub(crate) older_surface: u32,
    /// 0 or 1: the nonlocal heat flux and the heat of dissipation of Shin-Hong.
    pub(crate) nonlocal_flux: u32,
    pub(crate) dissipative: u32,
    /// The efficiency of entrainment by a cloud's top without evaporation, and the largest.
    pub(crate) least_efficiency: R,
    pub(crate) largest_efficiency: R,
    /// The physical constants.
    pub(crate) physical: Physical<R>,
}
