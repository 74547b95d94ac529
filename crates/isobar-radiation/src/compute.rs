//! The scheme on the calling thread, in any type of numbers.

use std::convert::Infallible;

use isobar_core::fields::{Error, OwnedOutputs};
use isobar_core::{FieldMut, Kernel, Real, kernel};
use isobar_optics::state::States;

use crate::fields::{ColumnViews, Fluxes};
use crate::host::options::Options;
use crate::host::spectrum::Spectra;
use crate::order::{Launcher, Rows, Tables, Work, Workspace};

/// The fluxes of some columns: for other numbers than `f32` and `f64`, as [`isobar_core::Dual`] for derivatives.
///
/// It is compiled where it is called, for the processor that the caller's build is for; [`crate::Radiation`] has the
/// same bits several times as fast.
///
/// # Errors
/// Options, sizes or the first column that is not valid.
pub fn compute<R: Real>(
    spectra: &Spectra<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    let (columns, extents) = spectra.checked(columns, options)?;
    let mut fluxes = Fluxes::default();
    fluxes.resize(&extents, &|declared| spectra.wants(declared, options))?;
    let (count, layers) = (extents.items(), columns.layers());
    for spectrum in spectra.each() {
        let tables = Tables::new(spectrum.view(), &spectrum.optics);
        let rows = Rows::new(&tables.gases, layers, options, false);
        let [mut numbers, mut sums, mut band_sums] =
            [rows.numbers, rows.sums, rows.band_sums].map(|rows| vec![R::ZERO; rows * count]);
        let mut words = vec![0; rows.words * count];
        let workspace = Workspace {
            states: States {
                numbers: FieldMut::level_fastest(&mut numbers, rows.numbers, count),
                words: FieldMut::level_fastest(&mut words, rows.words, count),
            },
            sums: FieldMut::level_fastest(&mut sums, rows.sums, count),
            band_sums: if rows.band_sums == 0 {
                FieldMut::empty()
            } else {
                FieldMut::level_fastest(&mut band_sums, rows.band_sums, count)
            },
            saved: FieldMut::empty(),
        };
        let work = Work { columns, fluxes: fluxes.views(count), workspace };
        let Ok(()) = work.compute(&tables, options, &mut ThisThread);
    }
    Ok(fluxes)
}

/// Runs kernels on the calling thread.
struct ThisThread;

impl Launcher for ThisThread {
    type Error = Infallible;

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Infallible> {
        kernel::run(kernel);
        Ok(())
    }
}
