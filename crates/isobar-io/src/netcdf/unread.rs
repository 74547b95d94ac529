//! What a reader did with a file besides taking its numbers as they are.

use netcdf_reader::{NcType, NcVariable};

use super::{Clamped, Dataset, attribute};
use crate::calendar::units::are_of_times;

/// What there is to say of a file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Values that rounding left out of their range, by variable.
    pub clamped: Vec<Clamped>,
    /// Variables that nothing has read, those of layers and levels first: without coordinates, their bounds, times,
    /// texts, and what other variables name as their own.
    pub not_read: Vec<String>,
}

/// The most names that are listed; more hide what counts.
const MOST_NAMES: usize = 20;

impl Remarks {
    /// The remarks on a file that is read through.
    #[must_use]
    pub fn of(file: &Dataset) -> Self {
        Self { clamped: file.clamped().to_vec(), not_read: file.not_read() }
    }

    /// A line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.clamped.is_empty() {
            let all: Vec<String> = self.clamped.iter().map(ToString::to_string).collect();
            lines.push(format!("rounding out of their range, taken for the end of it: {}", all.join(", ")));
        }
        if !self.not_read.is_empty() {
            let (said, more) = self.not_read.split_at(self.not_read.len().min(MOST_NAMES));
            let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
            lines.push(format!("not read: {}{more}", said.join(", ")));
        }
        lines
    }
}

/// Attributes that name other variables (CF 1.11, chapters 3, 5 and 7).
const NAMING: [&str; 7] =
    ["ancillary_variables", "bounds", "cell_measures", "climatology", "coordinates", "formula_terms", "grid_mapping"];
/// Standard names of what says where and when.
const PLACES: [&str; 10] = [
    "time",
    "forecast_reference_time",
    "forecast_period",
    "latitude",
    "longitude",
    "grid_latitude",
    "grid_longitude",
    "projection_x_coordinate",
    "projection_y_coordinate",
    "realization",
];
/// Names of the same in files that have no attributes for it, in small letters.
const PLACE_NAMES: [&str; 16] = [
    "crs",
    "lat",
    "latitude",
    "lon",
    "longitude",
    "time",
    "xtime",
    "itimestep",
    "xlat",
    "xlong",
    "xlat_u",
    "xlong_u",
    "xlat_v",
    "xlong_v",
    "time_bnds",
    "time_bounds",
];

impl Dataset {
    /// The variables that nothing has read, as [`Remarks::not_read`] has them.
    #[must_use]
    pub fn not_read(&self) -> Vec<String> {
        let texts = self.variables.iter().flat_map(|variable| NAMING.map(|name| attribute::of(variable, name)));
        let texts: Vec<String> = texts.flatten().collect();
        let named = |name: &str| texts.iter().any(|text| text.split_whitespace().any(|word| word == name));
        let left = |variable: &&NcVariable| {
            let name = &variable.name;
            // Of a type or an encoding that is not known, so that results lack it, too.
            if matches!(&variable.dtype, NcType::Opaque { tag, .. } if !tag.is_empty()) {
                return true;
            }
            !self.was_read(name) && !self.is_coordinate(name) && !says_where(variable) && !named(name)
        };
        let is_vertical = |variable: &NcVariable| {
            variable
                .dimensions
                .iter()
                .any(|dimension| self.role(&dimension.name).is_some_and(|role| role.is_vertical()))
        };
        let mut left: Vec<&NcVariable> = self.variables.iter().filter(left).collect();
        left.sort_by_key(|variable| !is_vertical(variable));
        left.into_iter().map(|variable| variable.name.clone()).collect()
    }
}

/// Whether a variable is a text, a place or a time.
pub(super) fn says_where(variable: &NcVariable) -> bool {
    let has =
        |name: &str, values: &dyn Fn(&str) -> bool| attribute::of(variable, name).is_some_and(|text| values(&text));
    matches!(variable.dtype, NcType::Char | NcType::String)
        || PLACE_NAMES.contains(&variable.name.to_lowercase().as_str())
        || attribute::of(variable, "axis").is_some()
        || has("standard_name", &|name| PLACES.contains(&name))
        || has("units", &|units| are_of_times(units) || units.starts_with("degrees_") || units.starts_with("degree_"))
}
