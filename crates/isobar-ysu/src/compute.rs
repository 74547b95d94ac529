//! The scheme on the calling thread, in any type of numbers.

use std::vec;
use std::vec::Vec;

use isobar_core::fields::check::complete;
use isobar_core::fields::{Error, OwnedOutputs, TRACER};
use isobar_core::{Field, FieldMut, Kernel, Real, kernel};

use crate::arguments::{MixTracers, Workspace, YsuArgs};
use crate::check::ITEM;
use crate::chosen::{Chosen, Form};
use crate::fields::{ColumnViews, Results};
use crate::kernel::{ShinHongKernel, UrbanKernel, YsuKernel};
use crate::schedule::energy_memory::NUMBERS as ENERGY_NUMBERS;

/// The results of some columns: for other numbers than `f32` and `f64`, as [`isobar_core::Dual`] for derivatives.
///
/// It is compiled where it is called, for the processor that the caller's build is for; [`crate::Ysu`] has the same
/// bits several times as fast.
///
/// # Errors
/// Options, sizes or the first column that is not valid; more than 2^31 values a field.
pub fn compute<R: Real>(columns: &ColumnViews<'_, R>, options: &impl Chosen) -> Result<Results<R>, Error> {
    compute_with::<R, false>(columns, options)
}

/// [`compute`] lane by lane, as the threads of a GPU do it: for tests.
///
/// # Errors
/// As [`compute`].
#[doc(hidden)]
pub fn compute_by_lanes<R: Real>(columns: &ColumnViews<'_, R>, options: &impl Chosen) -> Result<Results<R>, Error> {
    compute_with::<R, true>(columns, options)
}

fn compute_with<R: Real, const BY_LANES: bool>(
    columns: &ColumnViews<'_, R>,
    options: &impl Chosen,
) -> Result<Results<R>, Error> {
    options.check()?;
    let extents = columns.extents()?;
    let columns = complete(columns, &extents, ITEM, &|declared| options.need(declared))?;
    if let Some(first) = columns.check(&extents, 0..extents.items()).into_iter().next() {
        return Err(first);
    }
    let (layers, count, tracers) = (columns.temperature_k.levels(), extents.items(), extents.size(TRACER));
    if (layers + 1).saturating_mul(count).saturating_mul(tracers.max(1)) > i32::MAX as usize {
        return Err(Error::Setup(std::format!("{count} columns are too many at a time")));
    }
    let mut results = Results::default();
    results.resize(&extents, &|declared| options.wants(declared))?;
    let form = options.form();
    let mut workspace: [Vec<R>; 7] = [0, 1, 2, 3, 4, 5, 6].map(|part| match part {
        0..3 => vec![R::ZERO; layers * count],
        5 if form == Form::Urban => vec![R::ZERO; layers * count],
        6 if form == Form::ShinHong => vec![R::ZERO; ENERGY_NUMBERS * layers * count],
        3..5 if tracers > 0 => vec![R::ZERO; layers * count],
        _ => Vec::new(),
    });
    let views = workspace.each_mut().map(|values| match values.len() {
        0 => FieldMut::empty(),
        size => FieldMut::item_fastest(values, size / count, count),
    });
    let [heat, moisture, momentum, exchange, reciprocal, vapour, energy] = views;
    let parameters = options.parameters();
    let outputs = results.views(count);
    let tendencies = outputs.tracers_tendency_per_s;
    let workspace_views = Workspace { heat, moisture, momentum, exchange, reciprocal, vapour, energy };
    let arguments = YsuArgs { parameters, columns, results: outputs, workspace: workspace_views };
    match form {
        Form::Ysu => run::<_, BY_LANES>(&YsuKernel::<R, true>(arguments)),
        Form::Urban => run::<_, BY_LANES>(&UrbanKernel(arguments)),
        Form::ShinHong => run::<_, BY_LANES>(&ShinHongKernel(arguments)),
    }
    if tracers > 0 {
        let [_, _, _, exchange, reciprocal, _, _] = &workspace;
        let [exchange, reciprocal] = [exchange, reciprocal].map(|values| Field::item_fastest(values, layers, count));
        let (tracers, status) = (columns.tracers, outputs.status);
        run::<_, BY_LANES>(&MixTracers { parameters, exchange, reciprocal, tracers, tendencies, status });
    }
    Ok(results)
}

fn run<K: Kernel, const BY_LANES: bool>(kernel: &K) {
    if BY_LANES {
        kernel::run_by_lanes(kernel);
    } else {
        kernel::run(kernel);
    }
}
