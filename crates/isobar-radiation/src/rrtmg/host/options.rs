//! What a user chooses of RRTMG_LW's long wave alone.

use isobar_core::fields::Error;
use isobar_optics::Overlap;

use crate::host::options::{Angles, CloudSolver, LongwaveScattering, Options as AllOptions};
use crate::rrtmg::angles::{Slant, quadrature};
use crate::rrtmg::clouds::FU_SIZE;
use crate::rrtmg::constants::HEAT_CAPACITY;
use crate::rrtmg::host::decorrelation::Decorrelation;

/// How transmittances are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Transmittance {
    /// By the exponential.
    #[default]
    Exact,
    /// With RRTMG_LW's table of 10,000 entries, to compare with it digit by digit.
    Table,
}

/// How ice absorbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum IceOptics {
    /// One coefficient over the effective radius, 10 um or more (`iceflag` 0).
    OneCoefficient,
    /// Ebert and Curry, effective radius 13 to 130 um (`iceflag` 1).
    EbertCurry,
    /// Spheres by Key's Streamer, effective radius 5 to 131 um (`iceflag` 2).
    Spheres,
    /// Fu, generalised effective size 5 to 140 um: 1.0315 times the effective radius (`iceflag` 3).
    #[default]
    Fu,
}

impl IceOptics {
    /// The sizes that it is for \[um\].
    #[must_use]
    pub fn range_um(self) -> [f64; 2] {
        match self {
            Self::OneCoefficient => [10.0, f64::MAX],
            Self::EbertCurry => [13.0, 130.0],
            Self::Spheres => [5.0, 131.0],
            Self::Fu => [5.0, 140.0],
        }
    }

    /// What stands for the size over the effective radius.
    #[must_use]
    pub fn size_of_radius(self) -> f64 {
        if self == Self::Fu { FU_SIZE } else { 1.0 }
    }

    /// RRTMG_LW's `iceflag`.
    #[must_use]
    pub fn flag(self) -> u32 {
        match self {
            Self::OneCoefficient => 0,
            Self::EbertCurry => 1,
            Self::Spheres => 2,
            Self::Fu => 3,
        }
    }
}

/// How droplets absorb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum LiquidOptics {
    /// One coefficient for all (`liqflag` 0).
    OneCoefficient,
    /// Hu and Stamnes, effective radius 2.5 to 60 um (`liqflag` 1).
    #[default]
    HuStamnes,
}

impl LiquidOptics {
    /// The radii that it is for \[um\].
    #[must_use]
    pub fn range_um(self) -> [f64; 2] {
        match self {
            Self::OneCoefficient => [0.0, f64::MAX],
            Self::HuStamnes => [2.5, 60.0],
        }
    }

    /// RRTMG_LW's `liqflag`.
    #[must_use]
    pub fn flag(self) -> u32 {
        match self {
            Self::OneCoefficient => 0,
            Self::HuStamnes => 1,
        }
    }
}

/// The choices.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Options {
    /// Transmittances.
    pub transmittance: Transmittance,
    /// Ice.
    pub ice: IceOptics,
    /// Droplets.
    pub liquid: LiquidOptics,
    /// How often KISS is advanced before sub-columns are drawn, or the seed of [`crate::rrtmg::mersenne_mask`]
    /// (`permuteseed`).
    pub seed: u32,
    /// The distance over which exponential overlap is lost.
    pub decorrelation: Decorrelation,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            transmittance: Transmittance::default(),
            ice: IceOptics::default(),
            liquid: LiquidOptics::default(),
            seed: 1,
            decorrelation: Decorrelation::default(),
        }
    }
}

impl AllOptions {
    /// The choices with which RRTMG_LW itself is run: its heat capacity, and results without clouds beside those with.
    #[must_use]
    pub fn of_rrtmg() -> Self {
        Self { heat_capacity_j_per_kg_k: HEAT_CAPACITY, clear_sky: true, ..Self::default() }
    }

    /// Checks what RRTMG_LW has of these.
    pub(crate) fn check_rrtmg(&self) -> Result<(), Error> {
        let refuse = |text: String| Err(Error::Setup(text));
        if self.slants().is_none() {
            return refuse(match self.angles {
                Angles::Gauss(count) => format!("{count} angles: of RRTMG_LW there are quadratures of 2 to 4"),
                _ => "RRTMG_LW knows no best angles".to_owned(),
            });
        }
        if self.longwave_scattering != LongwaveScattering::None {
            return refuse("RRTMG_LW's long wave does not scatter".to_owned());
        }
        if self.cloud_solver == CloudSolver::Tripleclouds {
            return refuse("RRTMG_LW has sub-columns or fractions, not Tripleclouds".to_owned());
        }
        // Without it RRTMG_LW's files have zeros.
        if self.overlaps_exponentially() { self.rrtmg.decorrelation.check() } else { Ok(()) }
    }

    /// The angles along which RRTMG_LW follows radiation, if it has them.
    pub(crate) fn slants(&self) -> Option<Vec<Slant>> {
        match self.angles {
            Angles::Own => Some(vec![Slant::OF_BANDS]),
            Angles::Gauss(count) => quadrature(count).map(<[Slant]>::to_vec),
            Angles::Secant(secant) => Some(vec![Slant { secant, weight: 1.0 }]),
            Angles::Best => None,
        }
    }

    /// Have sub-columns an overlap that is lost over a distance?
    pub(crate) fn overlaps_exponentially(&self) -> bool {
        self.cloud_solver == CloudSolver::McIca && self.overlap.is_exponential()
    }

    /// Do cloudy parts overlap at random between clouds, and as much as possible within one?
    pub(crate) fn is_maximum_random(&self) -> bool {
        self.overlap == Overlap::MaximumRandom
    }
}
