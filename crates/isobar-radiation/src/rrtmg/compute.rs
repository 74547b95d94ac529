//! RRTMG_LW's long wave on the calling thread, in any type of numbers.

use std::convert::Infallible;

use isobar_core::fields::{Error, Extents, OwnedOutputs};
use isobar_core::{FieldMut, HostMemory, Kernel, Real, kernel};

use crate::fields::Fluxes;
use crate::host::options::Options;
use crate::host::spectrum::{Rrtmg, Spectra};
use crate::rrtmg::TableData;
use crate::rrtmg::arguments::{LayerStates, OpticalDepths};
use crate::rrtmg::order::{Launcher, Work};
use crate::rrtmg::views::{ColumnViews, FluxViews};
use crate::rrtmg::workspace::{Rows, Workspace};

/// RRTMG_LW's long wave of some columns: for other numbers than `f32` and `f64`, as [`isobar_core::Dual`] for
/// derivatives. [`crate::compute`] has that of other k-distributions and the short wave.
///
/// # Errors
/// Options, sizes or the first column that is not valid; another k-distribution.
pub fn compute<R: Real>(
    spectra: &Spectra<R>,
    columns: &crate::ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    compute_with::<R, false>(spectra, columns, options)
}

/// [`compute`] by the kernels that a GPU takes ([`crate::rrtmg::spread`]): for tests.
///
/// # Errors
/// As [`compute`].
#[doc(hidden)]
pub fn compute_spread<R: Real>(
    spectra: &Spectra<R>,
    columns: &crate::ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    compute_with::<R, true>(spectra, columns, options)
}

fn compute_with<R: Real, const SPREAD: bool>(
    spectra: &Spectra<R>,
    columns: &crate::ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    let (columns, extents) = spectra.checked(columns, options)?;
    let k = of(spectra)?;
    let mut fluxes = Fluxes::default();
    fluxes.resize(&extents, &|declared| spectra.wants(declared, options))?;
    let (views, columns) = (FluxViews::of(&fluxes.views(extents.items())), ColumnViews::of(&columns));
    let mut memory = Memory::new(&k.tables, &columns, (&extents, options), SPREAD);
    let work = Work::new(k.tables.view(), columns, memory.views(), (views, false));
    let Ok(()) = work.compute(options, &mut ThisThread::<SPREAD>);
    Ok(fluxes)
}

/// Its tables, which have to be the only ones.
fn of<R: Real>(spectra: &Spectra<R>) -> Result<&Rrtmg<R>, Error> {
    let alone = spectra.rrtmg.as_ref().filter(|_| spectra.count() == 1);
    alone.ok_or_else(|| Error::Setup("this is for RRTMG_LW's k-distribution alone".to_owned()))
}

/// What the first kernels leave, and optical depths and Planck fractions made of it,
/// `[(layer * points + point) * columns + column]`: for tests.
///
/// # Errors
/// As [`crate::compute`].
#[doc(hidden)]
pub fn compute_stages<R: Real>(
    spectra: &Spectra<R>,
    columns: &crate::ColumnViews<'_, R>,
    options: &Options,
) -> Result<(Memory<R>, [Vec<R>; 2]), Error> {
    let (tables, columns, mut memory) = prepared(spectra, columns, options)?;
    let (count, rows) = (columns.columns(), columns.layers() * tables.points);
    let [mut depths, mut fractions] = [vec![R::ZERO; rows * count], vec![R::ZERO; rows * count]];
    let work = Work::new(tables.view(), columns, memory.views(), (FluxViews::none(), false));
    let Ok(()) = work.states(&mut ThisThread::<false>);
    kernel::run(&OpticalDepths {
        sources: work.sources(),
        optical_depth: FieldMut::item_fastest(&mut depths, rows, count),
        fraction: FieldMut::item_fastest(&mut fractions, rows, count),
    });
    Ok((memory, [depths, fractions]))
}

/// The first of them lane by lane, as the threads of a GPU: for tests.
///
/// # Errors
/// As [`crate::compute`].
#[doc(hidden)]
pub fn compute_layers_by_lanes<R: Real>(
    spectra: &Spectra<R>,
    columns: &crate::ColumnViews<'_, R>,
    options: &Options,
) -> Result<Memory<R>, Error> {
    let (tables, columns, mut memory) = prepared(spectra, columns, options)?;
    kernel::run_by_lanes(&Work::new(tables.view(), columns, memory.views(), (FluxViews::none(), false)).layers());
    Ok(memory)
}

type Prepared<'s, 'a, R> = (&'s TableData<R>, ColumnViews<'a, R>, Memory<R>);

fn prepared<'s, 'a, R: Real>(
    spectra: &'s Spectra<R>,
    columns: &crate::ColumnViews<'a, R>,
    options: &Options,
) -> Result<Prepared<'s, 'a, R>, Error> {
    let (columns, extents) = spectra.checked(columns, options)?;
    let k = of(spectra)?;
    let columns = ColumnViews::of(&columns);
    let memory = Memory::new(&k.tables, &columns, (&extents, options), false);
    Ok((&k.tables, columns, memory))
}

/// Runs kernels on the calling thread.
struct ThisThread<const SPREAD: bool>;

impl<const SPREAD: bool> Launcher for ThisThread<SPREAD> {
    type Error = Infallible;
    const SPREAD: Option<bool> = Some(SPREAD);

    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Infallible> {
        kernel::run(kernel);
        Ok(())
    }

    fn is_gpu(&self) -> bool {
        false
    }
}

/// What kernels leave to each other, in the host's memory.
#[doc(hidden)]
#[derive(Debug)]
pub struct Memory<R: Real> {
    workspace: Workspace<'static, R>,
    _parts: HostMemory,
}

impl<R: Real> Memory<R> {
    fn new(
        tables: &TableData<R>,
        columns: &ColumnViews<'_, R>,
        (extents, options): (&Extents, &Options),
        spread: bool,
    ) -> Self {
        let rows = Rows::new(&tables.view(), extents, options, (columns.generates_masks(options), spread));
        let mut parts = HostMemory::default();
        // SAFETY: the parts live as long as the views, and nobody gets these for longer.
        let workspace = unsafe { Workspace::new(&rows, extents.items(), &mut parts) };
        Self { workspace, _parts: parts }
    }

    fn views(&mut self) -> Workspace<'_, R> {
        self.workspace
    }

    /// What the first kernels left.
    #[must_use]
    pub fn states(&self) -> &LayerStates<'_, R> {
        &self.workspace.states
    }
}
