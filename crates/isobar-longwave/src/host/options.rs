//! What a user chooses.

use crate::constants::HEAT_CAPACITY;
use crate::host::overlap::Subcolumns;

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

/// How clouds and clear sky share a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Solver {
    /// Each g-point sees clouds of its own (McICA): any overlap, and noise.
    #[default]
    Subcolumns,
    /// Fractions, overlapping at random (`rtrn`).
    Random,
    /// Fractions, overlapping as much as possible within a cloud, at random otherwise (`rtrnmr`).
    MaximumRandom,
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
    /// Zenith angles along which radiation is followed, 1 to 4: one is the diffusivity angle of RRTMG_LW.
    pub slants: usize,
    /// Heat capacity of dry air at constant pressure \[J/(kg K)\].
    pub heat_capacity_j_per_kg_k: f64,
    /// Compute the derivative of the upward flux by the surface's temperature?
    pub derivative: bool,
    /// Compute the fluxes of each band?
    pub band_fluxes: bool,
    /// Clouds within a layer.
    pub solver: Solver,
    /// Ice.
    pub ice: IceOptics,
    /// Droplets.
    pub liquid: LiquidOptics,
    /// How clouds of different layers overlap, and random numbers.
    pub subcolumns: Subcolumns,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            transmittance: Transmittance::Exact,
            slants: 1,
            heat_capacity_j_per_kg_k: HEAT_CAPACITY,
            derivative: false,
            band_fluxes: false,
            solver: Solver::default(),
            ice: IceOptics::default(),
            liquid: LiquidOptics::default(),
            subcolumns: Subcolumns::default(),
        }
    }
}
