//! The precisions in which the scheme is compiled: here, and not again in every program that uses it.

use isobar_launch::Error;

use super::Longwave;
use super::turns::OnQueue;
use crate::{Columns, Options, Outputs, Words, Work};

/// A precision in which radiation is computed: `f32` or `f64`.
pub trait Precision: Compiled {}

/// What is compiled.
pub trait Compiled: isobar_launch::Precision {
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn compute(work: &Work<'_, Self>, options: &Options, launcher: &mut OnQueue<'_>) -> Result<(), Error>;
    fn compute_here(
        model: &Longwave<Self>,
        batch: (&Columns<Self>, &Words<'_>),
        options: &Options,
        results: &mut Outputs<Self>,
        progress: &(dyn Fn(usize) + Sync),
    );
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Compiled for $real {
            #[allow(private_interfaces, reason = "as above")]
            fn compute(work: &Work<'_, Self>, options: &Options, launcher: &mut OnQueue<'_>) -> Result<(), Error> {
                work.compute(options, launcher)
            }
            fn compute_here(
                model: &Longwave<Self>,
                batch: (&Columns<Self>, &Words<'_>),
                options: &Options,
                results: &mut Outputs<Self>,
                progress: &(dyn Fn(usize) + Sync),
            ) {
                model.on_cpu(batch, options, results, progress);
            }
        }
    )*};
}
precision!(f32 f64);
