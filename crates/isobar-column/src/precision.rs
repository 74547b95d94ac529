//! The precisions in which the column model's kernels are compiled.

use isobar_launch::{Buffer, Queue, compiled_here};

use crate::Built;

compiled_here! {
    /// A precision in which a column model computes: `f32` or `f64`.
    pub trait Precision: isobar_photolysis::Precision, isobar_radiation::Precision, isobar_surface::Precision,
        isobar_ysu::Precision {
        fn launch(kernel: &Built<'_, Self>, queue: &Queue, statuses: &mut Buffer<u32>) = Built::launch_any;
    }
}
