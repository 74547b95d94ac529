//! The precisions in which the scheme is compiled: here, and not again in every program that uses it.

use isobar_launch::{Buffer, Error, Queue};

use super::{Views, model};
use crate::{Columns, Options, Outputs};

/// A precision in which boundary layers are computed: `f32` or `f64`.
pub trait Precision: Compiled {}

/// What is compiled.
pub trait Compiled: isobar_launch::Precision {
    fn compute(views: Views<'_, Self>, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error>;
    fn compute_here(columns: &Columns<Self>, options: &Options, results: &mut Outputs<Self>);
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Compiled for $real {
            fn compute(views: Views<'_, Self>, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error> {
                views.compute_any(queue, statuses)
            }
            fn compute_here(columns: &Columns<Self>, options: &Options, results: &mut Outputs<Self>) {
                model::on_cpu(columns, options, results);
            }
        }
    )*};
}
precision!(f32 f64);
