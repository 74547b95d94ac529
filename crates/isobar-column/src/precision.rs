//! The precisions in which the column model's kernels are compiled: here, and not again in every program that uses
//! them.

use isobar_launch::{Buffer, Error, Queue};

use crate::Built;

/// A precision in which a column model computes: `f32` or `f64`.
pub trait Precision: isobar_longwave::Precision + isobar_ysu::Precision + Compiled {}

/// What is compiled.
pub trait Compiled: isobar_launch::Precision {
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn launch(kernel: &Built<'_, Self>, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error>;
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Compiled for $real {
            #[allow(private_interfaces, reason = "as above")]
            fn launch(kernel: &Built<'_, Self>, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error> {
                kernel.launch_any(queue, statuses)
            }
        }
    )*};
}
precision!(f32 f64);
