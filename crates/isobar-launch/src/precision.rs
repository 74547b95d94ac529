//! The precisions in which models are compiled: here, once for a CPU's vectors each, and not again in every program
//! that uses them.

use isobar_core::Real;
use isobar_ysu::{Columns, Outputs};

use crate::infrared::{Part, Worker};
use crate::longwave::Longwave;
use crate::{Buffer, Error, Plain, Queue, boundary_layer, column, longwave};

/// A precision in which models compute: `f32` or `f64`.
pub trait Precision: Models {}

/// What is compiled. The names of what each model does behind its own methods.
pub trait Models: Real + Plain {
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn compute_infrared(
        worker: &mut Worker<'_, Self>,
        rays: &[isobar_raytrace::Ray],
        finished: &mut dyn FnMut(usize, Part),
    ) -> Result<(), Error>;
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn compute_boundary_layer(
        views: boundary_layer::Views<'_, Self>,
        queue: &Queue,
        statuses: &mut Buffer<u32>,
    ) -> Result<(), Error>;
    fn compute_boundary_layer_here(columns: &Columns<Self>, options: &isobar_ysu::Options, results: &mut Outputs<Self>);
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn compute_longwave(
        work: &isobar_longwave::Work<'_, Self>,
        options: &isobar_longwave::Options,
        launcher: &mut longwave::OnQueue<'_>,
    ) -> Result<(), Error>;
    #[allow(private_interfaces, reason = "nobody outside can call it")]
    fn launch_column(kernel: &column::Built<'_, Self>, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error>;
    fn compute_longwave_here(
        model: &Longwave<Self>,
        batch: (&isobar_longwave::Columns<Self>, &isobar_longwave::Words<'_>),
        options: &isobar_longwave::Options,
        results: &mut isobar_longwave::Outputs<Self>,
        progress: &(dyn Fn(usize) + Sync),
    );
}

macro_rules! precision {
    ($($real:ty)*) => {$(
        impl Precision for $real {}

        impl Models for $real {
            #[allow(private_interfaces, reason = "as above")]
            fn compute_infrared(
                worker: &mut Worker<'_, Self>,
                rays: &[isobar_raytrace::Ray],
                finished: &mut dyn FnMut(usize, Part),
            ) -> Result<(), Error> {
                worker.run_any(rays, finished)
            }
            #[allow(private_interfaces, reason = "as above")]
            fn compute_boundary_layer(
                views: boundary_layer::Views<'_, Self>,
                queue: &Queue,
                statuses: &mut Buffer<u32>,
            ) -> Result<(), Error> {
                views.compute_any(queue, statuses)
            }
            fn compute_boundary_layer_here(
                columns: &Columns<Self>,
                options: &isobar_ysu::Options,
                results: &mut Outputs<Self>,
            ) {
                boundary_layer::on_cpu(columns, options, results);
            }
            #[allow(private_interfaces, reason = "as above")]
            fn compute_longwave(
                work: &isobar_longwave::Work<'_, Self>,
                options: &isobar_longwave::Options,
                launcher: &mut longwave::OnQueue<'_>,
            ) -> Result<(), Error> {
                work.compute(options, launcher)
            }
            #[allow(private_interfaces, reason = "as above")]
            fn launch_column(
                kernel: &column::Built<'_, Self>,
                queue: &Queue,
                statuses: &mut Buffer<u32>,
            ) -> Result<(), Error> {
                kernel.launch_any(queue, statuses)
            }
            fn compute_longwave_here(
                model: &Longwave<Self>,
                batch: (&isobar_longwave::Columns<Self>, &isobar_longwave::Words<'_>),
                options: &isobar_longwave::Options,
                results: &mut isobar_longwave::Outputs<Self>,
                progress: &(dyn Fn(usize) + Sync),
            ) {
                model.on_cpu(batch, options, results, progress);
            }
        }
    )*};
}
precision!(f32 f64);
