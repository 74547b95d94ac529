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
        let time = step.middle_s();
        let tilt: f64 = declination(self.day_of_year + time / DAY_S);
        let real = <R as Real>::from_f64;
        let kernel = position::kernel(fields, real(tilt), real(hour_angle(time)))?;
        fields.launch_built(&Built::Sun(kernel))
    }
}
