//! The Sun.

use core::f64::consts::{PI, TAU};

use isobar_core::Real;

use super::quantity::{COSINE_OF_ZENITH, LATITUDE, LONGITUDE, PHOTOLYSIS_FACTOR};
use crate::constants::DAY_S;
use crate::sun::{Sun as SunKernel, declination, hour_angle};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// What the Sun stands by.
#[derive(Clone, Copy, Debug, Default)]
pub enum SolarTime {
    /// Mean solar time: it is highest at noon, all year.
    #[default]
    Mean,
    /// By the equation of time on a day of the year ([`equation_of_time`]).
    Apparent,
    /// By a date.
    Date {
        /// Its declination and, within half a turn of noon, its hour angle at longitude 0 \[rad\] at a time \[s\].
        position: fn(f64) -> [f64; 2],
        /// That time at time 0.
        start_s: f64,
    },
}

impl SolarTime {
    /// Declination and hour angle at longitude 0 \[rad\] at a time \[s\] since the start of a day of the year.
    #[must_use]
    pub fn position(self, day_of_year: f64, time_s: f64) -> [f64; 2] {
        let day = day_of_year + time_s / DAY_S;
        match self {
            Self::Mean => [declination(day), hour_angle(time_s)],
            Self::Apparent => [declination(day), hour_angle(time_s + equation_of_time(day))],
            Self::Date { position, start_s } => position(start_s + time_s),
        }
    }
}

/// Those of one date are of one function, whatever its address.
impl PartialEq for SolarTime {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mean, Self::Mean) | (Self::Apparent, Self::Apparent) => true,
            (Self::Date { start_s, .. }, Self::Date { start_s: other, .. }) => start_s == other,
            _ => false,
        }
    }
}

/// By how much the Sun is ahead of mean solar time \[s\] on a day of the year, from 1.0 at the start of January
/// (Spencer 1971, Search 2, 172): within 35 s.
#[must_use]
pub fn equation_of_time(day_of_year: f64) -> f64 {
    let angle = TAU / 365.0 * (day_of_year - 1.0);
    let terms = [(0.001_868, -0.032_077), (-0.014_615, -0.040_849)];
    let mut sum = 0.000_075;
    for (number, (cosine, sine)) in [1.0, 2.0].into_iter().zip(terms) {
        sum += cosine * Real::cos(number * angle) + sine * Real::sin(number * angle);
    }
    sum * 0.5 * DAY_S / PI
}

/// Where the Sun is in the middle of a step, and the photolysis factor: [`crate::sun`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Day of the year at time 0, 1.0 at the start of January; time 0 is midnight at longitude 0.
    pub day_of_year: f64,
    /// By which time.
    pub solar_time: SolarTime,
}

impl Sun {
    /// By mean solar time, from a day of the year on.
    #[must_use]
    pub fn new(day_of_year: f64) -> Self {
        Self { day_of_year, solar_time: SolarTime::Mean }
    }
}

kernel_fields!(position: SunKernel { declination_rad: R, hour_angle_rad: R } {
    column latitude_deg: LATITUDE,
    column longitude_deg: LONGITUDE,
    write cosine_of_zenith: COSINE_OF_ZENITH,
    write photolysis_factor: PHOTOLYSIS_FACTOR,
});

impl<R: Precision> Stage<R> for Sun {
    fn name(&self) -> &str {
        "sun"
    }

    fn reads(&self) -> Vec<Quantity> {
        position::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        position::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let [tilt, angle] = self.solar_time.position(self.day_of_year, step.middle_s());
        let real = <R as Real>::from_f64;
        let kernel = position::kernel(fields, real(tilt), real(angle))?;
        fields.launch_built(&Built::Sun(kernel))
    }
}
