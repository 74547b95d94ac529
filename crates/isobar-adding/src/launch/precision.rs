//! The precisions in which models are compiled: here, and not again in every program that uses them.

use isobar_launch::{Error, Queue};

use super::{Resident, ScatteringResident};
use crate::Schedule;

/// A precision in which radiances are computed: `f32` or `f64`.
pub trait Precision: Compiled {}

/// What is compiled.
pub trait Compiled: isobar_launch::Precision {
    fn compute_clear_sky(resident: &mut Resident<Self>, queue: &Queue, schedule: Schedule) -> Result<(), Error>;
    fn compute_scattering(resident: &mut ScatteringResident<Self>, queue: &Queue) -> Result<(), Error>;
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Compiled for $real {
            fn compute_clear_sky(
                resident: &mut Resident<Self>,
                queue: &Queue,
                schedule: Schedule,
            ) -> Result<(), Error> {
                resident.compute_any(queue, schedule)
            }
            fn compute_scattering(resident: &mut ScatteringResident<Self>, queue: &Queue) -> Result<(), Error> {
                resident.compute_any(queue)
            }
        }
    )*};
}
precision!(f32 f64);
