//! The kernels of the column model, compiled here and not again in every program that uses them.

use isobar_column::advance::{Advance, AdvanceTracers};
use isobar_column::budget::Budget;
use isobar_column::cells::{FromCells, ToCells};
use isobar_column::diagnose::Diagnose;
use isobar_column::ground::Ground;
use isobar_column::sun::Sun;
use isobar_column::surface_flux::SurfaceFlux;
use isobar_core::Real;

use crate::{Buffer, Error, Plain, Queue};

macro_rules! built {
    ($($kernel:ident),*) => {
        /// One of the kernels.
        pub(crate) enum Built<'a, R> {
            $(
                #[doc = concat!("See [`", stringify!($kernel), "`].")]
                $kernel($kernel<'a, R>),
            )*
        }

        impl<R: Real + Plain> Built<'_, R> {
            pub(crate) fn launch_any(&self, queue: &Queue, statuses: &mut Buffer<u32>) -> Result<(), Error> {
                match self {
                    $(Self::$kernel(kernel) => queue.launch(kernel, statuses),)*
                }
            }
        }
    };
}
built!(Advance, AdvanceTracers, Budget, Diagnose, FromCells, Ground, Sun, SurfaceFlux, ToCells);
