//! The kernels of the column model, compiled here and not again in every program that uses them.

use isobar_core::Real;
use isobar_launch::{Buffer, Error, Plain, Queue};

use crate::advance::{Advance, AdvanceTracers};
use crate::budget::Budget;
use crate::cells::{FromCells, ToCells};
use crate::condensation::Condensation;
use crate::diagnose::Diagnose;
use crate::downgradient::Downgradient;
use crate::exchange::Exchange;
use crate::forcing::{Force, Prescribe, Rise};
use crate::ground::Ground;
use crate::light::{FromPhotolysis, ToPhotolysis};
use crate::sky::{FromRadiation, ToRadiation};
use crate::soil::{Conduct, WarmSoil};
use crate::sun::Sun;
use crate::surface_flux::SurfaceFlux;

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
built!(
    Advance,
    AdvanceTracers,
    Budget,
    Condensation,
    Conduct,
    Diagnose,
    Downgradient,
    Exchange,
    Force,
    FromCells,
    FromPhotolysis,
    FromRadiation,
    Ground,
    Prescribe,
    Rise,
    Sun,
    SurfaceFlux,
    ToCells,
    ToPhotolysis,
    ToRadiation,
    WarmSoil
);
