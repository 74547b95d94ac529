//! The scheme on the calling thread, in any type of numbers.

use std::convert::Infallible;

use isobar_core::fields::{Error, Extents, OutputSet, OwnedOutputs};
use isobar_core::{FieldMut, Kernel, Real, kernel};

use crate::arguments::{LayerStates, OpticalDepths, Spread};
use crate::fields::{ColumnViews, FluxViews, Fluxes};
use crate::host::options::Options;
use crate::host::table_data::TableData;
use crate::order::{Launcher, Work};
use crate::workspace::{Rows, Workspace, fluxes_of};

/// The fluxes of some columns: for other numbers than `f32` and `f64`, as [`isobar_core::Dual`] for derivatives.
///
/// It is compiled where it is called, for the processor that the caller's build is for; [`crate::Longwave`] has the
/// same bits several times as fast.
///
/// # Errors
/// Options, sizes or the first column that is not valid.
pub fn compute<R: Real>(
    tables: &TableData<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    compute_with::<R, false>(tables, columns, options)
}

/// The same by the kernels that a GPU takes ([`crate::spread`]): for tests.
///
/// # Errors
/// As [`compute`].
#[doc(hidden)]
pub fn compute_spread<R: Real>(
    tables: &TableData<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    compute_with::<R, true>(tables, columns, options)
}

/// What the first kernels leave, and optical depths and Planck fractions made of it,
/// `[(layer * points + point) * columns + column]`: for tests.
///
/// # Errors
/// As [`compute`].
#[doc(hidden)]
pub fn compute_stages<R: Real>(
    tables: &TableData<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<(Memory<R>, [Vec<R>; 2]), Error> {
    let (columns, extents) = columns.checked(tables.spectrum(), options)?;
    let mut memory = Memory::new(tables, &columns, (&extents, options), false);
    let (count, rows) = (columns.columns(), columns.layers() * tables.points);
    let [mut depths, mut fractions] = [vec![R::ZERO; rows * count], vec![R::ZERO; rows * count]];
    let work = Work { tables: tables.view(), columns, workspace: memory.views(), fluxes: FluxViews::empty() };
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
/// As [`compute`].
#[doc(hidden)]
pub fn compute_layers_by_lanes<R: Real>(
    tables: &TableData<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Memory<R>, Error> {
    let (columns, extents) = columns.checked(tables.spectrum(), options)?;
    let mut memory = Memory::new(tables, &columns, (&extents, options), false);
    let (tables, workspace, fluxes) = (tables.view(), memory.views(), FluxViews::empty());
    kernel::run_by_lanes(&Work { tables, columns, workspace, fluxes }.layers());
    Ok(memory)
}

fn compute_with<R: Real, const SPREAD: bool>(
    tables: &TableData<R>,
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Fluxes<R>, Error> {
    let (columns, extents) = columns.checked(tables.spectrum(), options)?;
    let mut memory = Memory::new(tables, &columns, (&extents, options), SPREAD);
    let mut fluxes = Fluxes::default();
    fluxes.resize(&extents, &|declared| options.wants(declared, columns.is_cloudy()))?;
    let views = fluxes.views(extents.items());
    let work = Work { tables: tables.view(), columns, workspace: memory.views(), fluxes: views };
    let Ok(()) = work.compute(options, &mut ThisThread::<SPREAD>);
    Ok(fluxes)
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
pub struct Memory<R> {
    columns: usize,
    rows: Rows,
    /// Numbers of [`crate::state`], `[(column * VALUES + number) * layers + layer]`.
    pub values: Vec<R>,
    /// Packed indices, `[column * layers + layer]`.
    pub indices: Vec<u32>,
    /// Layers in the lower region.
    pub lower_layers: Vec<u32>,
    /// Precipitable water \[cm\].
    pub precipitable_water_cm: Vec<R>,
    secants: Vec<R>,
    mask: Vec<u32>,
    entries: Vec<u32>,
    follows: Vec<f64>,
    spread_numbers: Vec<R>,
    spread_words: Vec<u32>,
    slant: Vec<R>,
}

impl<R: Real> Memory<R> {
    fn new(
        tables: &TableData<R>,
        columns: &ColumnViews<'_, R>,
        (extents, options): (&Extents, &Options),
        spread: bool,
    ) -> Self {
        let rows = Rows::new(&tables.view(), extents, options, (columns.generates_masks(options), spread));
        let columns = extents.items();
        let numbers = |rows: usize| vec![R::ZERO; rows * columns];
        let words = |rows: usize| vec![0; rows * columns];
        Self {
            columns,
            rows,
            values: numbers(rows.values),
            indices: words(rows.layers),
            lower_layers: words(1),
            precipitable_water_cm: numbers(1),
            secants: numbers(rows.bands),
            mask: words(rows.mask),
            entries: words(rows.entries),
            follows: vec![0.0; rows.follows * columns],
            spread_numbers: numbers(rows.spread_numbers),
            spread_words: words(rows.spread_words),
            slant: numbers(rows.slant.iter().sum()),
        }
    }

    fn views(&mut self) -> Workspace<'_, R> {
        let (columns, rows) = (self.columns, self.rows);
        let mut slant = &mut self.slant[..];
        let slants = rows.slant.iter().map(|&rows| {
            let part = slant.split_off_mut(..rows * columns).expect("it has all rows");
            by_column(part, rows, columns)
        });
        Workspace {
            states: LayerStates {
                values: by_level(&mut self.values, rows.values, columns),
                indices: by_level(&mut self.indices, rows.layers, columns),
                lower_layers: by_column(&mut self.lower_layers, 1, columns),
                precipitable_water_cm: by_column(&mut self.precipitable_water_cm, 1, columns),
                secants: by_level(&mut self.secants, rows.bands, columns),
            },
            mask: by_column(&mut self.mask, rows.mask, columns),
            entries: by_column(&mut self.entries, rows.entries, columns),
            follows: by_column(&mut self.follows, rows.follows, columns),
            spread: Spread {
                numbers: by_level(&mut self.spread_numbers, rows.spread_numbers, columns),
                words: by_level(&mut self.spread_words, rows.spread_words, columns),
            },
            slant: fluxes_of(slants),
        }
    }
}

fn by_column<T: Copy>(values: &mut [T], rows: usize, columns: usize) -> FieldMut<'_, T> {
    if rows == 0 { FieldMut::empty() } else { FieldMut::item_fastest(values, rows, columns) }
}

fn by_level<T: Copy>(values: &mut [T], rows: usize, columns: usize) -> FieldMut<'_, T> {
    if rows == 0 { FieldMut::empty() } else { FieldMut::level_fastest(values, rows, columns) }
}
