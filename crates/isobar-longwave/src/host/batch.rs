//! Columns and their results in the host's memory, and a plain loop over them.

use std::convert::Infallible;
use std::sync::Arc;

use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{FieldMut, Kernel, Real};

use crate::arguments::{Layers, OpticalDepths, TransferArgs};
use crate::host::columns::Columns;
use crate::host::error::Error;
use crate::host::mask_bits::Words;
use crate::host::options::Options;
use crate::host::outputs::{Outputs, States};
use crate::host::table_data::TableData;
use crate::host::work::{Launcher, Work};
use crate::host::workspace::HostRoom;
use crate::state;

/// A batch with memory for its results.
#[derive(Debug, Clone)]
pub struct Batch<R> {
    tables: Arc<TableData<R>>,
    options: Options,
    columns: Columns<R>,
    mask: Vec<u32>,
    /// [`crate::clouds::Clouds::entries`]; empty unless RRTMG_LW's digits are wanted.
    entries: Vec<u32>,
    workspace: HostRoom<R>,
    outputs: Outputs<R>,
}

impl<R: Real> Batch<R> {
    /// A batch of columns, which are checked; clouds without a mask get one.
    ///
    /// # Errors
    /// Sizes or values that do not fit, or too many columns at a time: a field has fewer than 2^31 values.
    pub fn new(tables: Arc<TableData<R>>, columns: Columns<R>, options: Options) -> Result<Self, Error> {
        let (bands, points) = (tables.bands.len(), tables.points);
        columns.validate((bands, points), &options)?;
        let (layers, count) = (columns.layers(), columns.columns());
        if (layers + 1).saturating_mul(count).saturating_mul(state::VALUES) > i32::MAX as usize {
            return Err(Error::Setup(format!("{count} columns are too many at a time")));
        }
        let Words { mask, entries } = columns.words((bands, points), &options)?;
        let mask = match &columns.clouds {
            Some(clouds) if columns.generates_masks(&options) => options.subcolumns.mask(&columns, clouds, points)?,
            _ => mask.into_owned(),
        };
        let extents = tables.extents(layers);
        // Masks are there.
        let workspace = HostRoom::new(&extents, &columns, &options, (count, false));
        let outputs = Outputs::room(&extents, &options, columns.clouds.is_some(), count);
        Ok(Self { tables, options, columns, mask, entries, workspace, outputs })
    }

    /// The same by the kernels that a GPU takes, [`crate::spread`], for comparison: with exact transmittances,
    /// sub-columns or no clouds, and without fluxes of bands.
    #[must_use]
    pub fn spread(mut self) -> Self {
        let extents = self.tables.extents(self.columns.layers());
        self.workspace = self.workspace.with_spread(&extents, self.columns.clouds.is_some());
        self
    }

    /// Computes all columns on the calling thread.
    pub fn compute(&mut self) {
        let options = self.options.clone();
        let mut status = std::mem::take(&mut self.outputs.status);
        let Ok(()) = self.work().compute(&options, &mut ThisThread(&mut status));
        self.outputs.status = status;
    }

    fn work(&mut self) -> Work<'_, R> {
        let Self { tables, options, columns, mask, entries, workspace, outputs } = self;
        let fluxes = outputs.view(columns.columns());
        Work::on_host(tables, columns, [mask, entries], options, (workspace, fluxes))
    }

    /// The results so far.
    #[must_use]
    pub fn outputs(&self) -> &Outputs<R> {
        &self.outputs
    }

    /// The results.
    #[must_use]
    pub fn into_outputs(self) -> Outputs<R> {
        self.outputs
    }

    /// What the first kernel left.
    #[must_use]
    pub fn states(&self) -> &States<R> {
        self.workspace.states()
    }

    /// The mask of clouds; empty where there are none.
    #[must_use]
    pub fn mask(&self) -> &[u32] {
        &self.mask
    }

    /// The kernel of layers, which comes first.
    pub fn layers(&mut self) -> Layers<'_, R> {
        self.work().layers()
    }

    /// The arguments of the kernel of transfer, which comes second.
    pub fn transfer(&mut self) -> TransferArgs<'_, R> {
        let options = self.options.clone();
        self.work().transfer(&options, 0.0)
    }

    /// Optical depths and Planck fractions, `[(layer * points + point) * columns + column]` each.
    #[must_use]
    pub fn optical_depths(&mut self) -> [Vec<R>; 2] {
        let (count, rows) = (self.columns.columns(), self.columns.layers() * self.tables.points);
        let (mut depths, mut fractions) = (vec![R::ZERO; rows * count], vec![R::ZERO; rows * count]);
        let work = self.work();
        run(&work.layers(), &mut []);
        run(&work.slants(), &mut []);
        let kernel = OpticalDepths {
            sources: work.sources(),
            optical_depth: FieldMut::item_fastest(&mut depths, rows, count),
            fraction: FieldMut::item_fastest(&mut fractions, rows, count),
        };
        run(&kernel, &mut []);
        [depths, fractions]
    }
}

/// Runs kernels on the calling thread, and keeps statuses.
struct ThisThread<'a>(&'a mut [u32]);

impl Launcher for ThisThread<'_> {
    type Error = Infallible;

    fn launch<K: Kernel>(&mut self, kernel: &K, first: Option<usize>) -> Result<(), Infallible> {
        run(kernel, first.map_or(&mut [], |first| &mut self.0[first..]));
        Ok(())
    }
}

/// Computes every item on the calling thread; a status for each that has workspace.
fn run<K: Kernel>(kernel: &K, statuses: &mut [u32]) {
    let mut memory = ThreadMemory::of(kernel);
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of living vectors, and the memory is this thread's.
        let status = unsafe { kernel.item::<WARP>(index, memory.lanes()) };
        if let Some(to) = statuses.get_mut(index) {
            *to = status.0;
        }
    }
}
