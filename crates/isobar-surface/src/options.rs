//! What is chosen for a run, and the parameters that kernels get of it.

use isobar_core::Real;

use crate::constants::Constants;

/// Which fluxes of heat and moisture come out (`isfflx`, `scm_force_flux`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Fluxes {
    /// Those that the profiles carry.
    #[default]
    Computed,
    /// Those that came in, as a single column is driven; exchange coefficients are computed all the same.
    Given,
    /// None, nor an exchange: the surface is only rough.
    Zero,
}

/// Roughness of water for heat and moisture, and with the latter two for momentum in strong winds (`isftcflx`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum WaterRoughness {
    /// COARE 3.0 (Fairall et al. 2003), and Charnock's relation for momentum.
    #[default]
    Coare,
    /// 0.1 mm for heat and moisture, and for momentum a law that levels off in strong winds.
    Constant,
    /// Garratt (1992) for heat and moisture, and the same for momentum.
    Garratt,
}

/// Roughness of land for heat (`iz0tlnd`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum LandRoughness {
    /// That of momentum for heat; for moisture a molecular layer.
    #[default]
    Momentum,
    /// Less than that of momentum by Reynolds number and roughness (Chen and Zhang 2009).
    ChenZhang,
    /// The same with Zilitinkevich's coefficient 0.1.
    Zilitinkevich,
}

/// How `z / L` is found from the Richardson number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Root {
    /// As WRF does: at most ten secants, which mostly end before they have converged.
    #[default]
    Secants,
    /// To the last digit.
    Converged,
}

/// What is chosen for a run. The default is WRF's.
///
/// ```
/// use isobar_surface::{Constants, Options, WaterRoughness};
/// let water_roughness = WaterRoughness::Garratt;
/// let options = Options { water_roughness, constants: Constants::mpas(), ..Options::default() };
/// assert!(options.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Options {
    /// Which fluxes come out.
    pub fluxes: Fluxes,
    /// Roughness of water.
    pub water_roughness: WaterRoughness,
    /// Roughness of land for heat.
    pub land_roughness: LandRoughness,
    /// Does the roughness of water depend on its depth (`shalwater_z0`)? Needs the depth, and
    /// [`WaterRoughness::Coare`].
    pub shallow_water: bool,
    /// Drag of orography that the grid does not resolve (`if_kim_tofd`)? Needs the deviation of its heights.
    pub form_drag: bool,
    /// Its height is the deviation times this (`tofd_factor`).
    pub form_drag_factor: f64,
    /// How `z / L` is found.
    pub root: Root,
    /// Physical constants.
    pub constants: Constants,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fluxes: Fluxes::Computed,
            water_roughness: WaterRoughness::Coare,
            land_roughness: LandRoughness::Momentum,
            shallow_water: false,
            form_drag: false,
            form_drag_factor: 1.0,
            root: Root::Secants,
            constants: Constants::wrf(),
        }
    }
}

impl Options {
    /// The parameters of the kernel.
    #[must_use]
    pub fn parameters<R: Real>(&self) -> Parameters<R> {
        let Constants { cp, g, rd, karman, xlv, svp1, svp2, svp3, svpt0, p1000mb, .. } = self.constants;
        let number = R::from_f64;
        Parameters {
            cp: number(cp),
            g: number(g),
            rd: number(rd),
            karman: number(karman),
            xlv: number(xlv),
            svp1: number(svp1),
            svp2: number(svp2),
            svp3: number(svp3),
            svpt0: number(svpt0),
            p1000mb: number(p1000mb),
            ep1: number(self.constants.ep1()),
            ep2: number(self.constants.ep2()),
            rovcp: number(self.constants.rovcp()),
            form_drag_factor: number(if self.form_drag { self.form_drag_factor } else { 0.0 }),
            fluxes: self.fluxes as u32,
            water_roughness: self.water_roughness as u32,
            land_roughness: self.land_roughness as u32,
            shallow_water: u32::from(self.shallow_water),
            converged: u32::from(self.root == Root::Converged),
        }
    }
}

/// The parameters of a kernel, made by [`Options::parameters`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Parameters<R> {
    pub(crate) cp: R,
    pub(crate) g: R,
    pub(crate) rd: R,
    pub(crate) karman: R,
    pub(crate) xlv: R,
    pub(crate) svp1: R,
    pub(crate) svp2: R,
    pub(crate) svp3: R,
    pub(crate) svpt0: R,
    pub(crate) p1000mb: R,
    pub(crate) ep1: R,
    pub(crate) ep2: R,
    pub(crate) rovcp: R,
    /// 0 without form drag.
    pub(crate) form_drag_factor: R,
    /// The number of a [`Fluxes`].
    fluxes: u32,
    /// The number of a [`WaterRoughness`].
    water_roughness: u32,
    /// The number of a [`LandRoughness`].
    land_roughness: u32,
    /// 0 or 1.
    shallow_water: u32,
    /// 0 or 1: is the root looked for until it has converged?
    converged: u32,
}

impl<R: Real> Parameters<R> {
    #[inline(always)]
    pub(crate) fn is(&self, fluxes: Fluxes) -> bool {
        self.fluxes == fluxes as u32
    }

    #[inline(always)]
    pub(crate) fn has_water(&self, roughness: WaterRoughness) -> bool {
        self.water_roughness == roughness as u32
    }

    #[inline(always)]
    pub(crate) fn has_land(&self, roughness: LandRoughness) -> bool {
        self.land_roughness == roughness as u32
    }

    #[inline(always)]
    pub(crate) fn shallow_water(&self) -> bool {
        self.shallow_water != 0
    }

    #[inline(always)]
    pub(crate) fn form_drag(&self) -> bool {
        self.form_drag_factor > R::ZERO
    }

    #[inline(always)]
    pub(crate) fn converged(&self) -> bool {
        self.converged != 0
    }
}
