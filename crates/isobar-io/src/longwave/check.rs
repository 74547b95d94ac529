//! Columns that are complete and valid, or an error in the file's own words.

use std::path::PathBuf;

use isobar_longwave::{Columns, TableRange};

use super::pressure_unit::Stated;
use super::{LongwaveInput, LongwaveRequest, Outside, cloud, derive};
use crate::columns_file::{Fields, Grid};
use crate::error::{Error, Place};
use crate::netcdf::Orientation;

/// What a file has, surface first.
pub(super) struct Raw {
    path: PathBuf,
    grid: Grid,
    layers: usize,
    orientation: Orientation,
    vertical: [&'static str; 2],
    /// What the file calls our variables.
    names: Vec<(&'static str, String)>,
    columns: Columns<f64>,
    derived: Vec<String>,
    /// Pressures of levels and layers with their units.
    pub(super) stated: [Option<Stated>; 2],
}

/// Pressures that a surface may have \[Pa\].
const SURFACE_PRESSURE: std::ops::RangeInclusive<f64> = 20_000.0..=200_000.0;

pub(super) fn complete(mut raw: Raw, request: &LongwaveRequest) -> Result<LongwaveInput, Error> {
    let refuse = |path: &PathBuf, text: String| Error::invalid(Place::File(path.clone()), text);
    if let Some(text) = raw.wrong_unit() {
        return Err(refuse(&raw.path, text));
    }
    if let Some(clouds) = &mut raw.columns.clouds
        && clouds.thickness_m.is_empty()
        && cloud::needs_thickness(request.options)
    {
        let thickness = derive::thickness(&raw.columns);
        raw.columns.clouds.as_mut().expect("there are clouds").thickness_m = thickness;
        raw.derived.push("thickness = Rd T / g ln(pressure below / pressure above)".to_owned());
    }
    // What is invalid in any case comes first.
    let validate = |raw: &Raw| {
        let valid = raw.columns.validate(request.spectrum, request.options);
        valid.map_err(|problem| refuse(&raw.path, raw.text(problem)))
    };
    validate(&raw)?;
    let outliers = TableRange::get().apply(&mut raw.columns, request.outside == Outside::Clamp);
    let first = outliers.first.map(|first| raw.text(first));
    if let (Outside::Error, Some(first)) = (request.outside, &first) {
        let others = if outliers.count > 1 { format!(" (and {} more)", outliers.count - 1) } else { String::new() };
        return Err(refuse(&raw.path, format!("{first}{others}")));
    }
    Ok(LongwaveInput {
        columns: raw.columns,
        orientation: raw.orientation,
        horizontal: raw.grid.0.iter().map(|&(_, name, size)| (name, size)).collect(),
        vertical: raw.vertical,
        derived: raw.derived,
        outside: (outliers.count, first),
    })
}

impl Raw {
    pub(super) fn new(
        fields: Fields,
        names: Vec<(&'static str, String)>,
        columns: Columns<f64>,
        derived: Vec<String>,
        vertical: [&'static str; 2],
    ) -> Self {
        Self {
            path: fields.path().to_owned(),
            grid: fields.grid(),
            layers: fields.layers,
            orientation: fields.orientation,
            vertical,
            names,
            columns,
            derived,
            stated: [None, None],
        }
    }

    /// The first pressure that is more likely in another unit: of a surface, or of a lowest layer.
    fn wrong_unit(&self) -> Option<String> {
        let count = self.grid.columns();
        let (levels, layers) = (&self.columns.level_pressure, &self.columns.pressure);
        let [of_levels, of_layers] = &self.stated;
        (0..count).find_map(|column| {
            let surface = levels[column];
            let place = |variable| self.place(variable, 0, column);
            let surfaces = of_levels.as_ref().and_then(|stated| {
                stated.complaint(surface, &place("level_pressure"), |pa| SURFACE_PRESSURE.contains(&pa))
            });
            surfaces.or_else(|| {
                let between = |pa: f64| pa <= surface && pa >= levels[count + column];
                of_layers.as_ref().and_then(|stated| stated.complaint(layers[column], &place("pressure"), between))
            })
        })
    }

    /// A layer or level of a column, in the file's own order and names of dimensions.
    fn place(&self, variable: &str, level: usize, column: usize) -> String {
        let of_levels = variable.starts_with("level_") || variable == "surface pressure";
        let (name, levels) =
            if of_levels { (self.vertical[1], self.layers + 1) } else { (self.vertical[0], self.layers) };
        let index = match self.orientation {
            Orientation::BottomFirst => level,
            Orientation::TopFirst => levels - 1 - level,
        };
        format!("{name} {index}, {}", self.grid.place(column))
    }

    /// What is wrong with a column.
    fn text(&self, problem: isobar_longwave::Error) -> String {
        let called = |variable: &'static str| {
            let ours = variable.replace(' ', "_").replace("surface_pressure", "level_pressure");
            self.names.iter().find(|(name, _)| *name == ours).map_or(ours, |(_, name)| name.clone())
        };
        match problem {
            isobar_longwave::Error::Value { variable, column, layer, value, range } => {
                let place = layer.map_or_else(|| self.grid.place(column), |layer| self.place(variable, layer, column));
                format!("{} = {value} at {place} is not {range}", called(variable))
            }
            isobar_longwave::Error::Pressure { variable, column, layer, value, below, .. } => {
                let place = self.place(variable, layer, column);
                let range = format!("[0, {below}): pressure falls with height");
                format!("{} = {value} Pa at {place} lies outside {range}", called(variable))
            }
            other => other.to_string(),
        }
    }
}
