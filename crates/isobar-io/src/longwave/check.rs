//! Columns that are complete and valid, or an error in the file's own words.

use std::path::PathBuf;

use isobar_core::fields;
use isobar_longwave::{ColumnViews, Columns, TableRange};

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
    let columns = &mut raw.columns;
    if columns.is_cloudy() && columns.thickness_m.is_empty() && cloud::needs_thickness(request.options) {
        columns.thickness_m = derive::thickness(columns);
        raw.derived.push("thickness = Rd T / g ln(pressure below / pressure above)".to_owned());
    }
    // What is invalid in any case comes first.
    let validate = |raw: &Raw| {
        let views = ColumnViews::try_from(&raw.columns);
        let valid = views.and_then(|views| views.checked(request.spectrum, request.options).map(|_| ()));
        valid.map_err(|problem| refuse(&raw.path, raw.text(&problem)))
    };
    validate(&raw)?;
    let outliers = TableRange::get().apply(&mut raw.columns, request.outside == Outside::Clamp);
    let first = outliers.first.map(|first| raw.text(&first));
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
        let (levels, layers) = (&self.columns.level_pressure_pa, &self.columns.pressure_pa);
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
        let of_levels = variable.starts_with("level_");
        let (name, levels) =
            if of_levels { (self.vertical[1], self.layers + 1) } else { (self.vertical[0], self.layers) };
        let index = match self.orientation {
            Orientation::BottomFirst => level,
            Orientation::TopFirst => levels - 1 - level,
        };
        format!("{name} {index}, {}", self.grid.place(column))
    }

    /// What is wrong with a column.
    fn text(&self, problem: &fields::Error) -> String {
        let called = |variable: &'static str| {
            let declared = ColumnViews::<f64>::DECLARED.iter().find(|declared| declared.name == variable);
            let ours = declared.map_or(variable, |declared| declared.file_name);
            self.names.iter().find(|(name, _)| *name == ours).map_or(ours, |(_, name)| name)
        };
        match problem {
            fields::Error::Value { variable, item, place, value, accepted, unit, .. } => {
                let place = match place[..] {
                    [("layer" | "level", level), ..] => self.place(variable, level, *item),
                    [(name, index), ..] => format!("{name} {index}, {}", self.grid.place(*item)),
                    [] => self.grid.place(*item),
                };
                let unit = if *unit == "1" { String::new() } else { format!(" {unit}") };
                format!("{} = {value} at {place} is not {accepted}{unit}", called(variable))
            }
            fields::Error::Order { variable, item, place, value, .. } => {
                let level = place[0].1;
                let (place, below) = (self.place(variable, level, *item), (level - 1) * self.grid.columns() + item);
                let below = self.columns.level_pressure_pa[below];
                format!(
                    "{} = {value} Pa at {place} lies outside [0, {below}): pressure falls with height",
                    called(variable)
                )
            }
            other => other.to_string(),
        }
    }
}
