//! Columns that are complete and valid.

use isobar_core::fields::{self, Declared, check};
use isobar_longwave::constants::GRAVITY;
use isobar_longwave::{ColumnViews, Columns, ITEM, TableRange};

use super::{LongwaveInput, LongwaveRequest, Outside, cloud};
use crate::columns_file::{Pressures, Raw, derive};
use crate::error::Error;

impl Pressures for Columns<f64> {
    const DECLARED: &'static [Declared] = ColumnViews::<f64>::DECLARED;

    fn pressures(&self) -> [&[f64]; 2] {
        [&self.level_pressure_pa, &self.pressure_pa]
    }
}

pub(super) fn complete(mut raw: Raw<Columns<f64>>, request: &LongwaveRequest) -> Result<LongwaveInput, Error> {
    raw.check_units()?;
    let columns = &mut raw.columns;
    if columns.is_cloudy() && columns.thickness_m.is_empty() && cloud::needs_thickness(request.options) {
        columns.thickness_m = derive::thickness(&columns.temperature_k, columns.pressures(), GRAVITY);
        raw.derived.push(derive::THICKNESS.to_owned());
    }
    // What is invalid in any case comes first.
    let problems = problems(&raw.columns, request).map_err(|problem| raw.refuse(&problem))?;
    raw.leave_out(&problems)?;
    let outliers = TableRange::get().apply(&mut raw.columns, request.outside == Outside::Clamp);
    let outside = raw.check_outside(request.outside, (outliers.count, outliers.first.as_ref()))?;
    Ok(raw.input(outside))
}

/// What is wrong with columns.
fn problems(columns: &Columns<f64>, request: &LongwaveRequest) -> Result<Vec<fields::Error>, fields::Error> {
    let (views, options) = (ColumnViews::try_from(columns)?, request.options);
    let extents = views.extents(request.spectrum, options)?;
    let read = check::complete(&views, &extents, ITEM, &|declared| options.need(declared))?;
    Ok(read.check(&extents, options, 0..extents.items()))
}
