//! Versions of the scheme, and the parameters in which they differ.

use isobar_core::Real;

use crate::constants::{BACKGROUND_HEAT, BACKGROUND_MOMENTUM, LEAST_PER_DISTANCE};

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
}

impl Options {
    /// WRF 4 without top-down mixing and orography.
    #[must_use]
    pub fn new(time_step_s: f64) -> Self {
        Self { version: Version::Wrf4, time_step_s, top_down: false, topographic: false }
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
}
