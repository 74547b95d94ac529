//! Columns as their file has them: places and names in the file's own words.

use std::ops::Range;
use std::path::PathBuf;

use isobar_core::fields::{self, Declared};

use super::reading::GIVEN;
use super::{Fields, Grid, Stated};
use crate::error::{Error, Place};
use crate::netcdf::Orientation;

/// Pressures that a surface may have \[Pa\].
const SURFACE_PRESSURE: std::ops::RangeInclusive<f64> = 20_000.0..=200_000.0;

/// Where a file has what.
pub(crate) struct Described {
    path: PathBuf,
    grid: Grid,
    layers: usize,
    pub(crate) orientation: Orientation,
    pub(crate) vertical: [String; 2],
    /// What the file calls our variables.
    pub(crate) names: Vec<(&'static str, String)>,
    declared: &'static [&'static [Declared]],
}

impl Described {
    /// Of fields that were read by these names, in a file whose kind calls layers and levels so, for a scheme that
    /// declares these.
    pub(crate) fn new(
        fields: &Fields,
        names: Vec<(&'static str, String)>,
        vertical: [String; 2],
        declared: &'static [&'static [Declared]],
    ) -> Self {
        Self {
            path: fields.path().to_owned(),
            grid: fields.grid(),
            layers: fields.layers,
            orientation: fields.orientation,
            vertical,
            names,
            declared,
        }
    }

    /// Of columns that are no file's, with these numbers, and as many layers from this end on: they are called as we
    /// call them.
    pub(crate) fn of_columns(
        numbers: &Range<usize>,
        (layers, orientation): (usize, Orientation),
        declared: &'static [&'static [Declared]],
    ) -> Self {
        Self {
            path: PathBuf::new(),
            grid: Grid::of_columns(numbers),
            layers,
            orientation,
            vertical: ["layer", "level"].map(str::to_owned),
            names: Vec::new(),
            declared,
        }
    }

    /// Names and sizes of the dimensions that make up the columns, slowest first.
    pub(crate) fn horizontal(&self) -> Vec<(String, usize)> {
        self.grid.dimensions.iter().map(|(_, name, size)| (name.clone(), *size)).collect()
    }

    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.grid.columns()
    }

    /// The error that says this.
    pub(crate) fn refuse(&self, text: impl Into<String>) -> Error {
        Error::invalid(Place::File(self.path.clone()), text)
    }

    /// The columns whose pressure \[Pa\] is more likely in another unit: of a surface, or of a lowest layer.
    pub(crate) fn wrong_units<'a>(
        &'a self,
        [of_levels, of_layers]: &'a [Option<Stated>; 2],
        [levels, layers]: [&'a [f64]; 2],
    ) -> impl Iterator<Item = (usize, String)> + 'a {
        let count = self.grid.columns();
        (0..count).filter_map(move |column| {
            let surface = levels[column];
            let place = |variable| self.place(variable, 0, column);
            let surfaces = of_levels.as_ref().and_then(|stated| {
                let at = if stated.is_of_columns { self.grid.place(column) } else { place("level_pressure") };
                stated.complaint(surface, &at, |pa| SURFACE_PRESSURE.contains(&pa))
            });
            let text = surfaces.or_else(|| {
                let between = |pa: f64| pa <= surface && pa >= levels[count + column];
                of_layers.as_ref().and_then(|stated| stated.complaint(layers[column], &place("pressure"), between))
            });
            text.map(|text| (column, text))
        })
    }

    /// A column, or a layer or level of it.
    pub(crate) fn place_of(&self, level: Option<(&str, usize)>, column: usize) -> String {
        level.map_or_else(|| self.grid.place(column), |(variable, level)| self.place(variable, level, column))
    }

    /// A layer or level of a column, in the file's own order and names of dimensions.
    fn place(&self, variable: &str, level: usize, column: usize) -> String {
        let of_levels = ["level_", "interface_"].iter().any(|start| variable.starts_with(start));
        let (name, levels) =
            if of_levels { (&self.vertical[1], self.layers + 1) } else { (&self.vertical[0], self.layers) };
        let index = match self.orientation {
            Orientation::BottomFirst => level,
            Orientation::TopFirst => levels - 1 - level,
        };
        format!("{name} {index}, {}", self.grid.place(column))
    }

    /// What is wrong with a column, whose level pressures are these \[Pa\].
    pub(crate) fn text(&self, problem: &fields::Error, level_pressure: &[f64]) -> String {
        let called = |variable: &'static str| {
            let declared = self.declared.iter().copied().flatten().find(|declared| declared.name == variable);
            let ours = declared.map_or(variable, |declared| declared.file_name);
            let of_file = self.names.iter().find(|(name, of_file)| *name == ours && of_file != GIVEN);
            of_file.map_or(ours, |(_, name)| name)
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
                let below = level_pressure[below];
                format!(
                    "{} = {value} Pa at {place} lies outside [0, {below}): pressure falls with height",
                    called(variable)
                )
            }
            other => other.to_string(),
        }
    }
}
