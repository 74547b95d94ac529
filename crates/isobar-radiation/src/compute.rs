//! The scheme on the calling thread, in any type of numbers.

use std::convert::Infallible;

use isobar_core::fields::{Error, OwnedOutputs};
use isobar_core::{HostMemory, Kernel, Real, kernel};

use crate::fields::{ColumnViews, Fluxes};
use crate::host::options::Options;
use crate::host::spectrum::Spectra;
use crate::order::{Launcher, Rows, Work, Workspace};

/// The fluxes of some columns: for other numbers than `f32` and `f64`, as [`isobar_core::Dual`] for derivatives.
///
/// It is compiled where it is called, for the processor that the caller's build is for; [`crate::Radiation`] has the
/// same bits several times as fast.
///
/// # Errors
/// Options, sizes or the first column that is not valid; RRTMG_LW's long wave, which [`crate::rrtmg::compute`] has.
pub fn compute<R: Real>(
    spectra: &Spectra<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    if spectra.is_rrtmg() {
        // Its kernels would be compiled for each type of numbers of anybody who has no use for them.
        return Err(Error::Setup("RRTMG_LW's long wave is computed by rrtmg::compute".to_owned()));
    }
    let (columns, extents) = spectra.checked(columns, options)?;
    let mut fluxes = Fluxes::default();
    fluxes.resize(&extents, &|declared| spectra.wants(declared, options))?;
    let (count, layers) = (extents.items(), columns.layers());
    for spectrum in spectra.each() {
        let tables = spectrum.view_in(&mut HostMemory::default());
        let rows = Rows::new(&tables.gases, layers, options, false);
        let mut memory = HostMemory::default();
        // SAFETY: the memory lives until the spectrum is computed.
        let workspace = unsafe { Workspace::new(&rows, count, &mut memory) };
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
