//! The precisions in which models are compiled: here, and not again in every program that uses them.

use isobar_launch::{Error, Job};

use super::clear_sky::{self, ClearSky};
use super::scattering::{self, Scattering};

/// A precision in which radiances are computed: `f32` or `f64`.
pub trait Precision: Compiled {}

/// What is compiled.
pub trait Compiled: isobar_launch::Precision {
    fn enqueue_clear_sky(job: Job<'_, '_, '_, ClearSky<Self>>) -> Result<(), Error>
    where
        Self: Precision;
    fn enqueue_scattering(job: Job<'_, '_, '_, Scattering<Self>>) -> Result<(), Error>
    where
        Self: Precision;
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Compiled for $real {
            fn enqueue_clear_sky(job: Job<'_, '_, '_, ClearSky<Self>>) -> Result<(), Error> {
                clear_sky::enqueue(job)
            }
            fn enqueue_scattering(job: Job<'_, '_, '_, Scattering<Self>>) -> Result<(), Error> {
                scattering::enqueue(job)
            }
        }
    )*};
}
precision!(f32 f64);
