//! Columns that are complete and valid.

use isobar_core::fields::{self, Declared, check};
use isobar_radiation::{ColumnViews, Columns, ITEM};

use super::{Outside, RadiationInput, RadiationRequest, cloud, outside, particles};
use crate::columns_file::{Outliers, Pressures, Raw, derive};
use crate::error::Error;

impl Pressures for Columns<f64> {
    const DECLARED: &'static [&'static [Declared]] = &[ColumnViews::<f64>::DECLARED];

    fn pressures(&self) -> [&[f64]; 2] {
        [&self.level_pressure_pa, &self.pressure_pa]
    }
}

pub(super) fn complete(mut raw: Raw<Columns<f64>>, request: &RadiationRequest) -> Result<RadiationInput, Error> {
    raw.check_units()?;
    let columns = &mut raw.columns;
    if cloud::lack_thickness(columns, request.options) {
        columns.thickness_m = derive::thickness(&columns.temperature_k, columns.pressures(), request.gravity());
        raw.derived.push(derive::THICKNESS.to_owned());
    }
    // RRTMG_LW extrapolates beyond its tables: what is invalid in any case comes first.
    let extrapolates = request.is_rrtmg_alone();
    if extrapolates {
        leave_out_invalid(&mut raw, request)?;
    }
    let (outliers, notes) = find_outside(request, &mut raw.columns);
    raw.notes.extend(notes);
    let outside = raw.check_outside(request.outside, (outliers.count, outliers.first.as_ref()))?;
    if !extrapolates {
        leave_out_invalid(&mut raw, request)?;
    }
    Ok(raw.input(outside))
}

/// What lies outside of the tables, and what is said of sizes of rain and snow that are brought into those of others.
pub(super) fn find_outside(request: &RadiationRequest, columns: &mut Columns<f64>) -> (Outliers, Vec<String>) {
    let mut notes = Vec::new();
    if request.outside != Outside::Error {
        let stand_ins = [(particles::RAIN, request.rain_as_liquid), (particles::SNOW, request.snow_as_ice)];
        let species: Vec<usize> = stand_ins.into_iter().filter_map(|(species, is)| is.then_some(species)).collect();
        notes = particles::bring_in(request, columns, &species);
    }
    (outside::find(request, columns), notes)
}

/// Columns that are not valid are an error, or are left out if that is asked for.
fn leave_out_invalid(raw: &mut Raw<Columns<f64>>, request: &RadiationRequest) -> Result<(), Error> {
    let problems = problems(&raw.columns, request).map_err(|problem| raw.refuse(&problem))?;
    raw.leave_out(&problems)
}

/// What is wrong with columns.
fn problems(columns: &Columns<f64>, request: &RadiationRequest) -> Result<Vec<fields::Error>, fields::Error> {
    let views = ColumnViews::try_from(columns)?;
    let RadiationRequest { spectra, options, .. } = request;
    let extents = spectra.extents(&views, options)?;
    let read = check::complete(&views, &extents, ITEM, &|declared| spectra.need(declared, options))?;
    Ok(spectra.check(&read, &extents, options, 0..extents.items()))
}
