//! Fields from a NetCDF file, as the commands read it.

use isobar_core::fields::{AnyField, Declared, Extents, InputSet};
use isobar_io::Outside;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::CallError;
use crate::options;

/// What is wanted of a file, besides what the options say.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FileChoices {
    /// Are clouds read?
    pub clouds: bool,
    /// The cloudy part of layers with cloud water where the file has no cloud fraction.
    pub cloud_fraction: f64,
    /// Are rain and snow of WRF's files read, too?
    pub rain_and_snow: bool,
    /// Are gases that the file lacks zero?
    pub assume_zero: bool,
    /// Mixing ratios \[mol/mol\] by gas, which win over the file's.
    pub gases: std::collections::BTreeMap<String, f64>,
    /// What becomes of values outside of the tables: `extrapolate`, `clamp`, `error`.
    #[serde(with = "OutsideByName")]
    pub outside: Outside,
    /// Time \[s\] at which conditions of chemistry are taken.
    pub time_s: f64,
    /// The surface of profiles: `black`, `specular`, `lambertian`.
    pub surface: String,
    /// Is the source of profiles linear between their levels?
    pub linear_source: bool,
    /// What a file of columns, for radiation or a boundary layer, calls something by a name that is not known: ours,
    /// and the file's.
    pub names: std::collections::BTreeMap<String, String>,
    /// Constants of columns for a boundary layer, by our names, which win over the file's.
    pub values: std::collections::BTreeMap<String, f64>,
    /// The dimension of layers in a file of columns, where it does not say which is.
    pub vertical: Option<String>,
    /// Files of columns that complete the first, or go on in time.
    pub others: Vec<std::path::PathBuf>,
    /// Is the sun that of radiation the mean of the time's interval?
    pub mean_sun: bool,
}

/// [`Outside`] by name.
#[derive(Deserialize)]
#[serde(remote = "Outside", rename_all = "snake_case")]
enum OutsideByName {
    Extrapolate,
    Clamp,
    Error,
}

impl Default for FileChoices {
    fn default() -> Self {
        Self {
            clouds: true,
            cloud_fraction: 1.0,
            rain_and_snow: false,
            assume_zero: false,
            gases: std::collections::BTreeMap::new(),
            outside: Outside::Extrapolate,
            time_s: 0.0,
            surface: "specular".to_owned(),
            linear_source: false,
            names: std::collections::BTreeMap::new(),
            values: std::collections::BTreeMap::new(),
            vertical: None,
            others: Vec::new(),
            mean_sun: false,
        }
    }
}

impl FileChoices {
    /// Reads the choices from JSON.
    ///
    /// # Errors
    /// [`CallError::Setup`]: an entry that is none.
    pub fn from_map(given: &Map<String, Value>) -> Result<Self, CallError> {
        options::entries("choices of a file", given)
    }

    /// Choices that differ from what they are unless they are given, and that files for a scheme do not follow, each
    /// in a sentence.
    pub(crate) fn without_effect(&self, scheme: &str) -> Vec<String> {
        let usual = Self::default();
        let radiation: &[&str] = &["radiation", "radiation_adjoint"];
        let boundary_layer: &[&str] = &["ysu", "shin_hong"];
        let columns: &[&str] = &["radiation", "radiation_adjoint", "ysu", "shin_hong"];
        let profiles: &[&str] = &["clear_sky"];
        let rules = [
            ("clouds", self.clouds != usual.clouds, radiation, "radiation"),
            ("cloud_fraction", self.cloud_fraction != usual.cloud_fraction, radiation, "radiation"),
            ("rain_and_snow", self.rain_and_snow, radiation, "radiation"),
            ("assume_zero", self.assume_zero, radiation, "radiation"),
            ("gases", !self.gases.is_empty(), radiation, "radiation"),
            ("outside", self.outside != usual.outside, radiation, "radiation"),
            ("mean_sun", self.mean_sun, radiation, "radiation"),
            ("values", !self.values.is_empty(), boundary_layer, "boundary layers"),
            ("names", !self.names.is_empty(), columns, "columns of radiation and boundary layers"),
            ("vertical", self.vertical.is_some(), columns, "columns of radiation and boundary layers"),
            ("time_s", self.time_s != usual.time_s, &["chemistry"], "chemistry"),
            ("surface", self.surface != usual.surface, profiles, "profiles"),
            ("linear_source", self.linear_source, profiles, "profiles"),
        ];
        let useless = rules.into_iter().filter(|(_, given, schemes, _)| *given && !schemes.contains(&scheme));
        useless.map(|(name, _, _, whose)| format!("{name} has no effect: it is of files for {whose}")).collect()
    }
}

/// What is said of a name or constant that nothing was read by.
pub(crate) fn unread<T: std::fmt::Display>(choice: &str, ((ours, of), why): (&(String, T), String)) -> String {
    format!("{choice}: {ours} = {of} has no effect: {why}")
}

/// Fields of a file, in double precision, surface or top first as the scheme has its layers.
#[derive(Clone, Debug, Default)]
pub struct FileFields {
    /// The fields that the file has or that follow from it.
    pub fields: Vec<FileField>,
    /// Options that the file says, such as its angles.
    pub options: Map<String, Value>,
    /// What does not stand in the file as it is used, in words.
    pub derived: Vec<String>,
    /// What of it a user should hear.
    pub notes: Vec<String>,
    /// The items that the file has no values of, in order: another one stands in the place of each.
    pub masked: Vec<usize>,
}

/// A field of a file.
#[derive(Clone, Debug)]
pub struct FileField {
    /// Which.
    pub declared: &'static Declared,
    /// The sizes of its dimensions and the items, the items last; none of a single value.
    pub shape: Vec<usize>,
    /// The values in this order; words as numbers.
    pub values: Vec<f64>,
}

impl FileFields {
    /// All that is there.
    pub(crate) fn of<'a, V: InputSet<'a, Real = f64>>(views: &V, extents: &Extents, derived: Vec<String>) -> Self {
        let mut fields = Vec::new();
        views.visit(&mut |declared, field| {
            let (rows, items) = field.extent();
            if rows * items == 0 {
                return;
            }
            let single = match &field {
                AnyField::Real(field) => field.strides() == (0, 0),
                AnyField::Word(field) => field.strides() == (0, 0),
            };
            let at = |row, item| match &field {
                AnyField::Real(field) => field.at(row, item),
                AnyField::Word(field) => f64::from(field.at(row, item)),
            };
            let own: Vec<usize> = declared.shape.iter().map(|&dimension| extents.size(dimension)).collect();
            let own = if own.iter().product::<usize>() == rows { own } else { vec![rows] };
            let (values, shape) = if single && rows * items > 1 {
                (vec![at(0, 0)], Vec::new())
            } else {
                let values = (0..rows).flat_map(|row| (0..items).map(move |item| (row, item)));
                (values.map(|(row, item)| at(row, item)).collect(), own.into_iter().chain([items]).collect())
            };
            fields.push(FileField { declared, shape, values });
        });
        Self { fields, options: Map::new(), derived, notes: Vec::new(), masked: Vec::new() }
    }

    /// With what a user should hear, and the items without values.
    pub(crate) fn with_notes(self, notes: Vec<String>, masked: Vec<usize>) -> Self {
        Self { notes, masked, ..self }
    }
}
