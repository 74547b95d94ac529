//! The choices for sub-columns. Their random numbers are by KISS, seeded by each column's pressures: a column has the
//! same clouds in any company (`irng` 0).

use crate::overlap as numbers;
use crate::physics::subcolumns::decorrelation_length_m;

/// How clouds of different layers overlap (RRTMG_LW's `icld`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Overlap {
    /// At random (1).
    Random,
    /// At random across clear layers, as much as possible within a cloud (2).
    #[default]
    MaximumRandom,
    /// As much as possible (3).
    Maximum,
    /// Less with distance (4).
    Exponential,
    /// Less with distance within a cloud, at random across clear layers (5).
    ExponentialRandom,
}

/// The distance over which exponential overlap is lost.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Decorrelation {
    /// The same everywhere \[m\].
    Length(f64),
    /// By latitude and season (Oreopoulos et al. 2012, doi:10.5194/acp-12-9097-2012), for a day of the year.
    Latitude {
        /// Day of the year, 1 to 366.
        day: u32,
    },
}

/// The choices for sub-columns.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Subcolumns {
    /// Overlap.
    pub overlap: Overlap,
    /// How often KISS is advanced first, or the seed of [`Subcolumns::mersenne_mask`] (`permuteseed`).
    pub seed: u32,
    /// For exponential overlap.
    pub decorrelation: Decorrelation,
}

impl Default for Subcolumns {
    fn default() -> Self {
        Self { overlap: Overlap::default(), seed: 1, decorrelation: Decorrelation::Length(2500.0) }
    }
}

impl Decorrelation {
    /// The length \[m\] at a latitude.
    #[must_use]
    pub fn length_m(self, latitude_deg: f64) -> f64 {
        let (length, centre_deg) = self.parameters();
        if length > 0.0 { length } else { decorrelation_length_m(latitude_deg, centre_deg) }
    }

    /// The length \[m\], 0 if it depends on latitude, and the latitude at which it is greatest \[degrees\].
    #[must_use]
    pub fn parameters(self) -> (f64, f64) {
        match self {
            Self::Length(length) => (length, 0.0),
            Self::Latitude { day } if day > 181 => (0.0, -4.0 * 7.0 / 365.0 * (f64::from(day) - 272.0)),
            Self::Latitude { day } => (0.0, 4.0 * 7.0 / 365.0 * (f64::from(day) - 91.0)),
        }
    }
}

impl Overlap {
    /// The number that [`crate::cloud_mask`] has for it, and RRTMG_LW.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Random => numbers::RANDOM,
            Self::MaximumRandom => numbers::MAXIMUM_RANDOM,
            Self::Maximum => numbers::MAXIMUM,
            Self::Exponential => numbers::EXPONENTIAL,
            Self::ExponentialRandom => numbers::EXPONENTIAL_RANDOM,
        }
    }

    /// Is it less with distance?
    #[must_use]
    pub fn is_exponential(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialRandom)
    }
}
