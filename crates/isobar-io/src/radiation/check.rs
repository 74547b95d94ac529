//! Columns that are complete and valid, or an error in the file's own words.

use isobar_core::fields;
use isobar_radiation::constants::GRAVITY;
use isobar_radiation::{ColumnViews, Columns};

use super::{Outside, RadiationInput, RadiationRequest, cloud, outside};
use crate::columns_file::{Described, Fields, Stated, derive};
use crate::error::Error;

/// What a file has, surface first.
pub(super) struct Raw {
    described: Described,
    columns: Columns<f64>,
    derived: Vec<String>,
    /// Pressures of levels and layers with their units.
    pub(super) stated: [Option<Stated>; 2],
}

pub(super) fn complete(mut raw: Raw, request: &RadiationRequest) -> Result<RadiationInput, Error> {
    let pressures = [&raw.columns.level_pressure_pa[..], &raw.columns.pressure_pa];
    if let Some(text) = raw.described.wrong_unit(&raw.stated, pressures) {
        return Err(raw.described.refuse(text));
    }
    let columns = &mut raw.columns;
    if cloud::lack_thickness(columns, request.options) {
        let pressures = [&columns.level_pressure_pa[..], &columns.pressure_pa];
        columns.thickness_m = derive::thickness(&columns.temperature_k, pressures, GRAVITY);
        raw.derived.push("thickness = Rd T / g ln(pressure below / pressure above)".to_owned());
    }
    let outliers = outside::find(request.spectra, &mut raw.columns, request.outside == Outside::Clamp);
    let first = outliers.first.map(|first| raw.text(&first));
    if let (Outside::Error, Some(first)) = (request.outside, &first) {
        let others = if outliers.count > 1 { format!(" (and {} more)", outliers.count - 1) } else { String::new() };
        return Err(raw.described.refuse(format!("{first}{others}")));
    }
    let views = ColumnViews::try_from(&raw.columns);
    let valid = views.and_then(|views| request.spectra.checked(&views, request.options).map(|_| ()));
    valid.map_err(|problem| raw.described.refuse(raw.text(&problem)))?;
    Ok(RadiationInput {
        columns: raw.columns,
        orientation: raw.described.orientation,
        horizontal: raw.described.horizontal(),
        vertical: raw.described.vertical,
        derived: raw.derived,
        outside: (outliers.count, first),
    })
}

impl Raw {
    pub(super) fn new(
        fields: &Fields,
        names: Vec<(&'static str, String)>,
        columns: Columns<f64>,
        derived: Vec<String>,
        vertical: [&'static str; 2],
    ) -> Self {
        let described = Described::new(fields, names, vertical, ColumnViews::<f64>::DECLARED);
        Self { described, columns, derived, stated: [None, None] }
    }

    /// What is wrong with a column.
    fn text(&self, problem: &fields::Error) -> String {
        self.described.text(problem, &self.columns.level_pressure_pa)
    }
}
