//! The distance over which exponential overlap of sub-columns is lost. Their random numbers are by KISS, seeded by each
//! column's pressures: a column has the same clouds in any company (`irng` 0).

use isobar_core::fields::Error;

use crate::rrtmg::physics::subcolumns::decorrelation_length_m;

/// The distance over which exponential overlap is lost.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Decorrelation {
    /// One length everywhere \[m\].
    Length(f64),
    /// By latitude and season (Oreopoulos et al. 2012, doi:10.5194/acp-12-9097-2012), for a day of the year.
    Latitude {
        /// Day of the year, 1 to 366.
        day: u32,
    },
}

impl Default for Decorrelation {
    fn default() -> Self {
        Self::Length(2500.0)
    }
}

impl Decorrelation {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`Error::Setup`]: a length that is not positive, a day that no year has.
    pub fn check(self) -> Result<(), Error> {
        match self {
            Self::Length(length) if !(length > 0.0 && length.is_finite()) => {
                Err(Error::Setup(format!("a decorrelation length of {length} m is not positive")))
            }
            Self::Latitude { day } if !(1..=366).contains(&day) => {
                Err(Error::Setup(format!("a decorrelation by latitude has the day {day} of a year: 1 to 366")))
            }
            _ => Ok(()),
        }
    }

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
