//! The precisions in which radiances are compiled: here, and not again in every program that uses them.

use isobar_launch::Error;
use isobar_raytrace::Ray;

use super::chunk::{Part, Worker};

/// A precision in which radiances are computed: `f32` or `f64`.
pub trait Precision: Compiled {}

/// What is compiled.
pub trait Compiled: isobar_launch::Precision {
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn compute(worker: &mut Worker<'_, Self>, rays: &[Ray], finished: &mut dyn FnMut(usize, Part))
    -> Result<(), Error>;
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Compiled for $real {
            #[allow(private_interfaces, reason = "as above")]
            fn compute(
                worker: &mut Worker<'_, Self>,
                rays: &[Ray],
                finished: &mut dyn FnMut(usize, Part),
            ) -> Result<(), Error> {
                worker.run_any(rays, finished)
            }
        }
    )*};
}
precision!(f32 f64);
