//! What a user chooses.

use isobar_core::Real;
use isobar_core::fields::Error;
use isobar_optics::Overlap;

use crate::constants::{ANGLES, DAY_S, ECRAD_SECANT, GRAVITY, HEAT_CAPACITY};
use crate::rrtmg;

/// The paths along which long-wave radiation is followed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Angles {
    /// The one angle for which the k-distribution was made: ecCKD's with the secant 1.66, RRTMGP's with that of the
    /// quadrature, RRTMG_LW's with that of each band and column.
    #[default]
    Own,
    /// Angles of a Gauss-Jacobi quadrature, 1 to 4; of RRTMG_LW's own 2 to 4.
    Gauss(usize),
    /// One angle, whose secant depends on a g-point's optical depth; only with k-distributions that know it.
    Best,
    /// One angle of this secant: [`crate::constants::ECRAD_SECANT`] is ecRad's.
    Secant(f64),
}

/// What becomes of long-wave radiation that particles scatter. Gases do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum LongwaveScattering {
    /// Particles only absorb.
    #[default]
    None,
    /// Some goes back, along the same angles as without (Tang et al. 2018): RTE's own choice.
    Rescaled,
    /// Two streams of one secant, which is ecRad's unless the option `angles` has another.
    TwoStream,
}

/// Whose forward peak is taken for light that is not scattered, in the short wave (Joseph et al. 1976).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum DeltaScaling {
    /// That of clouds and of aerosol, each by itself, as RTE's examples have it, and ecRad.
    #[default]
    Particles,
    /// That of all that scatters in a layer, gases too: ecRad's `do_sw_delta_scaling_with_gases`.
    Mixture,
}

/// How radiation goes through layers that are cloudy in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum CloudSolver {
    /// Each g-point sees a random sub-column, which is clear or cloudy in each layer: any overlap, and noise.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "mcica"))]
    McIca,
    /// Each layer has a clear, a thin and a thick part: no noise. Overlap of neighbouring layers alone: random,
    /// maximum-random, exponential-random; one angle of the long wave, which scatters by two streams if it does.
    Tripleclouds,
    /// RRTMG_LW's fractions of clear and cloudy air, alone: they overlap at random (`rtrn`), or as much as possible
    /// within a cloud and at random otherwise (`rtrnmr`).
    Fractions,
}

/// The choices.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Options {
    /// Paths of the long wave.
    pub angles: Angles,
    /// Does it scatter?
    pub longwave_scattering: LongwaveScattering,
    /// What the short wave's forward peak is that of.
    pub delta_scaling: DeltaScaling,
    /// Compute the fluxes of each band?
    pub band_fluxes: bool,
    /// Heat capacity of dry air at constant pressure \[J/(kg K)\].
    pub heat_capacity_j_per_kg_k: f64,
    /// Compute the derivative of the long wave's upward flux by the surface's temperature?
    pub derivative: bool,
    /// Compute fluxes without clouds, too, where there are clouds?
    pub clear_sky: bool,
    /// How radiation goes through layers that are cloudy in part.
    pub cloud_solver: CloudSolver,
    /// How clouds overlap.
    pub overlap: Overlap,
    /// The distance over which exponential overlap is lost \[m\]; not RRTMG_LW's, which is among its own choices.
    pub decorrelation_m: f64,
    /// What RRTMG_LW's long wave alone has.
    pub rrtmg: rrtmg::Options,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            angles: Angles::default(),
            longwave_scattering: LongwaveScattering::default(),
            delta_scaling: DeltaScaling::default(),
            band_fluxes: false,
            heat_capacity_j_per_kg_k: HEAT_CAPACITY,
            derivative: false,
            clear_sky: false,
            cloud_solver: CloudSolver::default(),
            overlap: Overlap::default(),
            decorrelation_m: 2000.0,
            rrtmg: rrtmg::Options::default(),
        }
    }
}

impl Options {
    /// Checks what does not depend on columns.
    ///
    /// # Errors
    /// [`Error::Setup`]: angles for which there is no quadrature, or which scattering does not have; numbers that are
    /// not positive.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |text: String| Err(Error::Setup(text));
        match self.angles {
            Angles::Gauss(count) if !(1..=ANGLES.len()).contains(&count) => {
                return refuse(format!("{count} angles: there are quadratures of 1 to {}", ANGLES.len()));
            }
            Angles::Secant(secant) if !(1.0..=1e3).contains(&secant) => {
                return refuse(format!("a secant of {secant} is not in [1, 1000]"));
            }
            Angles::Best if self.longwave_scattering != LongwaveScattering::None => {
                return refuse("the best secants are those of a long wave that does not scatter".to_owned());
            }
            Angles::Gauss(_) if self.longwave_scattering == LongwaveScattering::TwoStream => {
                return refuse("two streams of the long wave have one secant, not angles of a quadrature".to_owned());
            }
            _ => {}
        }
        if self.cloud_solver == CloudSolver::Tripleclouds {
            if self.band_fluxes {
                return refuse("Tripleclouds has no fluxes by band".to_owned());
            }
            if self.delta_scaling == DeltaScaling::Mixture {
                return refuse("Tripleclouds scales forward peaks of particles alone".to_owned());
            }
            if matches!(self.angles, Angles::Gauss(2..) | Angles::Best) {
                return refuse("Tripleclouds follows long-wave radiation along one angle".to_owned());
            }
            if self.longwave_scattering == LongwaveScattering::Rescaled {
                return refuse("Tripleclouds scatters long-wave radiation by two streams".to_owned());
            }
            if matches!(self.overlap, Overlap::Maximum | Overlap::Exponential) {
                let text = "Tripleclouds knows overlap of neighbouring layers alone: random, maximum-random or \
                            exponential-random";
                return refuse(text.to_owned());
            }
        }
        for (name, value) in
            [("heat capacity", self.heat_capacity_j_per_kg_k), ("decorrelation length", self.decorrelation_m)]
        {
            if !(value > 0.0 && value.is_finite()) {
                return refuse(format!("a {name} of {value} is not positive"));
            }
        }
        Ok(())
    }

    /// Kelvin a day for a W/m^2 in a Pa.
    pub(crate) fn heating_factor<R: Real>(&self) -> R {
        R::from_f64(GRAVITY * DAY_S / self.heat_capacity_j_per_kg_k)
    }

    /// Secants and weights, and their number; 0 for each band's best.
    pub(crate) fn angles<R: Real>(&self, is_ecckd: bool) -> ([[R; 2]; 4], u32) {
        let gauss = |count: usize| ANGLES[count - 1].iter().map(|(cosine, weight)| [1.0 / cosine, *weight]).collect();
        let chosen: Vec<[f64; 2]> = match self.angles {
            Angles::Own if is_ecckd || self.longwave_scattering == LongwaveScattering::TwoStream => {
                vec![[ECRAD_SECANT, 1.0]]
            }
            Angles::Own => gauss(1),
            Angles::Gauss(count) => gauss(count),
            Angles::Best => Vec::new(),
            Angles::Secant(secant) => vec![[secant, 1.0]],
        };
        let mut angles = [[R::ZERO; 2]; 4];
        for (angle, chosen) in angles.iter_mut().zip(&chosen) {
            *angle = chosen.map(R::from_f64);
        }
        (angles, chosen.len() as u32)
    }
}
