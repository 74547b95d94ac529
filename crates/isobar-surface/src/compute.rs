//! The scheme on the calling thread, in any type of numbers.

use isobar_core::fields::check::complete;
use isobar_core::fields::{Error, OwnedOutputs};
use isobar_core::{Column, Real, kernel};

use crate::arguments::SurfaceKernel;
use crate::check::ITEM;
use crate::fields::{ColumnViews, Results};
use crate::options::Options;
use crate::table::corrections;

/// The results of some columns: for other numbers than `f32` and `f64`, as [`isobar_core::Dual`] for derivatives.
///
/// It is compiled where it is called, for the processor that the caller's build is for; [`crate::SurfaceLayer`] has the
/// same bits several times as fast.
///
/// # Errors
/// Options, sizes or the first column that is not valid.
pub fn compute<R: Real>(columns: &ColumnViews<'_, R>, options: &Options) -> Result<Results<R>, Error> {
    compute_with::<R, false>(columns, options)
}

/// [`compute`] lane by lane, as the threads of a GPU do it: for tests.
///
/// # Errors
/// As [`compute`].
#[doc(hidden)]
pub fn compute_by_lanes<R: Real>(columns: &ColumnViews<'_, R>, options: &Options) -> Result<Results<R>, Error> {
    compute_with::<R, true>(columns, options)
}

fn compute_with<R: Real, const BY_LANES: bool>(
    columns: &ColumnViews<'_, R>,
    options: &Options,
) -> Result<Results<R>, Error> {
    options.check()?;
    let extents = columns.extents();
    let columns = complete(columns, &extents, ITEM, &|declared| options.need(declared))?;
    if let Some(first) = columns.check(&extents, options, 0..extents.items()).into_iter().next() {
        return Err(first);
    }
    let mut results = Results::default();
    results.resize(&extents, &|_| true)?;
    let table = corrections::<R>();
    let kernel = SurfaceKernel {
        parameters: options.parameters(),
        corrections: Column::from(&table[..]),
        columns,
        results: results.views(extents.items()),
    };
    if BY_LANES {
        kernel::run_by_lanes(&kernel);
    } else {
        kernel::run(&kernel);
    }
    Ok(results)
}
