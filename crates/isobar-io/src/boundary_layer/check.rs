//! Columns that are complete and valid, or an error, or bad columns that are left out.

use isobar_core::Status;
use isobar_core::fields;
use isobar_ysu::{Chosen, ColumnViews};

use super::derive::{Problem, Raw};
use super::{BoundaryLayerInput, surface};
use crate::columns_file::{BadColumn, stand_in};
use crate::error::{Error, Place};
use crate::netcdf::Orientation;

pub(super) fn complete(mut raw: Raw, options: &impl Chosen, keep_going: bool) -> Result<BoundaryLayerInput, Error> {
    // First, for much is derived from pressures.
    let mut problems = raw.pressures();
    problems.extend(raw.derive());
    raw.turbulence(options);
    let mut has_step_before = false;
    if let Some(surface) = &mut raw.surface {
        has_step_before = surface::complete(surface, &mut raw.columns, &raw.boundary_layer_height, &mut raw.derived)
            .map_err(|problem| Error::invalid(Place::File(raw.path.clone()), problem))?;
    }
    let invalid = |text: String| Error::invalid(Place::File(raw.path.clone()), text);
    let (columns, count) = (&raw.columns, raw.grid.columns());
    let mut bad: Vec<Option<(Status, String)>> = vec![None; count];
    let mut note = |column: usize, status: Status, text: &str| {
        bad[column].get_or_insert_with(|| (status, text.to_owned()));
    };
    for refusal in &raw.refusals {
        let status = if refusal.finite { Status::OUT_OF_RANGE } else { Status::NOT_FINITE };
        raw.grid.columns_at(&refusal.index).into_iter().for_each(|column| note(column, status, &refusal.text));
    }
    problems.iter().for_each(|(column, text)| note(*column, Status::OUT_OF_RANGE, text));
    let views = ColumnViews::try_from(columns).map_err(|problem| invalid(problem.to_string()))?;
    let mut invalid_values = views.check(&columns.extents(), 0..count);
    if let Some(surface) = &raw.surface {
        invalid_values.extend(surface::check(surface).map_err(invalid)?);
    }
    for problem in invalid_values {
        let nan = matches!(problem, fields::Error::Value { value, .. } if !value.is_finite());
        let status = if nan { Status::NOT_FINITE } else { Status::OUT_OF_RANGE };
        note(problem.item().expect("of a column"), status, &raw.text(&problem));
    }
    let bad: Vec<BadColumn> = bad
        .into_iter()
        .enumerate()
        .filter_map(|(column, bad)| bad.map(|(status, text)| BadColumn { column, status, text }))
        .collect();
    match &bad[..] {
        [first, ..] if !keep_going => return Err(invalid(first.text.clone())),
        [first, ..] if bad.len() == count => {
            return Err(invalid(format!("no column can be computed; the first: {}", first.text)));
        }
        _ => {}
    }
    let (mut columns, mut surface) = (raw.columns, raw.surface);
    let is_bad = |column: usize| bad.binary_search_by_key(&column, |bad| bad.column).is_ok();
    stand_in(&mut columns, count, is_bad);
    if let Some(surface) = &mut surface {
        stand_in(surface, count, is_bad);
    }
    options.check().map_err(|problem| Error::invalid(Place::File(raw.path), problem.to_string()))?;
    Ok(BoundaryLayerInput {
        columns,
        surface,
        has_step_before,
        orientation: raw.orientation,
        horizontal: raw.grid.dimensions.iter().map(|(_, name, size)| (name.clone(), *size)).collect(),
        vertical: raw.vertical,
        derived: raw.derived,
        remarks: raw.remarks,
        made_up: raw.made_up,
        bad,
    })
}

impl Raw {
    /// The columns whose pressure does not fall with height, or is not between that of the interfaces.
    fn pressures(&self) -> Vec<Problem> {
        let count = self.grid.columns();
        let mut problems = Vec::new();
        for (variable, values) in
            [("pressure", &self.columns.pressure_pa), ("interface_pressure", &self.columns.interface_pressure_pa)]
        {
            for (i, (below, value)) in values.iter().zip(&values[count..]).enumerate() {
                // NaN was refused before.
                if value >= below {
                    let place = self.place(variable, i / count + 1, i % count);
                    let text = format!(
                        "{variable} = {value} Pa at {place} lies outside [0, {below}): pressure falls with height"
                    );
                    problems.push((i % count, text));
                }
            }
        }
        let interfaces = &self.columns.interface_pressure_pa;
        for (i, value) in self.columns.pressure_pa.iter().enumerate() {
            let (below, above) = (interfaces[i], interfaces[i + count]);
            if *value > below || *value < above {
                let place = self.place("pressure", i / count, i % count);
                let text = format!("pressure = {value} Pa at {place} lies outside [{above}, {below}], its interfaces'");
                problems.push((i % count, text));
            }
        }
        problems
    }

    /// A layer or level of a column, in the file's own order and names of dimensions.
    fn place(&self, variable: &str, level: usize, column: usize) -> String {
        let (name, levels) = match variable {
            "interface_pressure" => (self.vertical[1], self.layers + 1),
            _ => (self.vertical[0], self.layers),
        };
        let index = match self.orientation {
            Orientation::BottomFirst => level,
            Orientation::TopFirst => levels - 1 - level,
        };
        format!("{name} {index}, {}", self.grid.place(column))
    }

    /// What is wrong with a column.
    fn text(&self, problem: &fields::Error) -> String {
        let fields::Error::Value { variable, item, place, value, accepted, unit, .. } = problem else {
            return problem.to_string();
        };
        let all = ColumnViews::<f64>::DECLARED.iter().chain(isobar_surface::ColumnViews::<f64>::DECLARED);
        let declared = { all }.find(|declared| declared.name == *variable);
        let name = declared.map_or(*variable, |declared| declared.file_name);
        let place = match place[..] {
            [(_, level), ..] => self.place(name, level, *item),
            [] => self.grid.place(*item),
        };
        format!("{name} = {value} {unit} at {place} is not {accepted}")
    }
}
