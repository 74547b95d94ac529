//! The Sun.

use isobar_core::Real;

use super::quantity::{COSINE_OF_ZENITH, LATITUDE, LONGITUDE, PHOTOLYSIS_FACTOR};
use crate::constants::DAY_S;
use crate::sun::{Sun as SunKernel, declination, hour_angle};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// Where the Sun is in the middle of a step, and the photolysis factor: [`crate::sun`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Day of the year at time 0, 1.0 at the start of January; time 0 is midnight at longitude 0.
    pub day_of_year: f64,
}

impl<R: Precision> Stage<R> for Sun {
    fn name(&self) -> &str {
        "sun"
    }

    fn reads(&self) -> Vec<Quantity> {
        vec![LATITUDE, LONGITUDE]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![COSINE_OF_ZENITH, PHOTOLYSIS_FACTOR]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let time = step.middle_s();
        let tilt: f64 = declination(self.day_of_year + time / DAY_S);
        let kernel = SunKernel {
            latitude_deg: fields.read_column(LATITUDE)?,
            longitude_deg: fields.read_column(LONGITUDE)?,
            declination: R::from_f64(tilt),
            hour_angle: <R as Real>::from_f64(hour_angle(time)),
            cosine_of_zenith: fields.write(COSINE_OF_ZENITH)?,
            photolysis_factor: fields.write(PHOTOLYSIS_FACTOR)?,
        };
        fields.launch_built(&Built::Sun(kernel))
    }
}
