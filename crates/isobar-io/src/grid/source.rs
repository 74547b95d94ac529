//! Variables of a file by name, and what runs along their dimensions.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use netcdf_reader::{NcFile, NcType, NcVariable};

use super::clock::Clock;
use super::mesh::Mesh;
use crate::error::{Error, Place};
use crate::netcdf::{Conversion, Unit, open, refused, text_of};

/// A column of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Node {
    pub(super) time: usize,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// What runs along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Time,
    /// Levels, or layers of a model.
    Level,
    /// Boundaries of layers.
    Boundary,
    Row,
    Column,
}

/// An open file.
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) file: NcFile,
    pub(super) variables: Vec<NcVariable>,
    /// The dimensions that have a role, by name.
    pub(super) roles: Vec<(String, Role)>,
    pub(super) mesh: OnceCell<Mesh>,
    pub(super) clock: OnceCell<Clock>,
}

/// Temperature by our names, for what runs along its dimensions.
pub(super) const TEMPERATURE: [&str; 5] = ["t", "ta", "T", "temperature", "air_temperature"];

/// 2 GiB: more than a field of any model at one time.
const MOST: u64 = 1 << 28;

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let file = open(path)?;
        let refuse = |cause| refused(path, cause);
        let variables = file.variables().map_err(refuse)?.to_vec();
        let (mesh, clock) = (OnceCell::new(), OnceCell::new());
        let mut this = Self { path: path.to_owned(), file, variables, roles: Vec::new(), mesh, clock };
        this.roles = if this.is_wrf() { wrf_roles() } else { this.roles_of_coordinates() };
        Ok(this)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn invalid(&self, problem: impl Into<String>) -> Error {
        Error::invalid(Place::File(self.path.clone()), problem)
    }

    pub(super) fn is_wrf(&self) -> bool {
        ["PB", "PHB", "XLAT"].iter().all(|name| self.named(name).is_some())
    }

    pub(super) fn is_grid(&self) -> bool {
        let has = |role: Role| self.roles.iter().any(|(_, other)| *other == role);
        self.is_wrf() || (has(Role::Row) && has(Role::Column) && self.named("nlev").is_none())
    }

    pub(super) fn named(&self, name: &str) -> Option<&NcVariable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// The variable by one of these names, or by a CF standard name.
    pub(super) fn find(&self, names: &[&str], standard: &[&str]) -> Option<&NcVariable> {
        let by_standard = || {
            self.variables.iter().find(|variable| {
                text_of(variable, "standard_name").is_some_and(|name| standard.contains(&name.as_str()))
            })
        };
        names.iter().find_map(|name| self.named(name)).or_else(by_standard)
    }

    /// The variable that must be there, by one of these names or by a CF standard name.
    pub(super) fn need(&self, names: &[&str], standard: &[&str]) -> Result<&NcVariable, Error> {
        self.find(names, standard).ok_or_else(|| {
            let mut text = format!("variable {} is missing", names[0]);
            let others: Vec<String> = names[1..].iter().map(|&name| name.to_owned()).collect();
            let standard = standard.iter().map(|name| format!("standard_name {name:?}"));
            let accepted: Vec<String> = others.into_iter().chain(standard).collect();
            if !accepted.is_empty() {
                text += &format!("; also accepted: {}", accepted.join(", "));
            }
            let there: Vec<&str> = self.variables.iter().take(20).map(|variable| variable.name.as_str()).collect();
            self.invalid(format!("{text}; the file has: {}", there.join(", ")))
        })
    }

    /// How the values of a variable become values in a unit.
    pub(super) fn conversion(&self, variable: &NcVariable, unit: &str) -> Result<Conversion, Error> {
        let name = &variable.name;
        let Some(text) = text_of(variable, "units") else {
            return Err(
                self.invalid(format!("{name} has no attribute \"units\"; expected one that converts to {unit}"))
            );
        };
        self.converts(&text, unit).ok_or_else(|| {
            self.invalid(format!("{name} has units {text:?}; expected {unit} or a unit that converts to it"))
        })
    }

    /// How values in the unit that a text names become values in a unit.
    pub(super) fn converts(&self, text: &str, unit: &str) -> Option<Conversion> {
        let text = match text.trim() {
            // As the Copernicus store has it.
            "millibars" => "millibar",
            // As ECMWF's tables have it.
            "kg kg**-1" => "kg kg-1",
            // Geopotential metres: of a height that says itself that it is geopotential.
            "gpm" => "m",
            text => text,
        };
        text.parse::<Unit>().ok()?.conversion(&unit.parse().ok()?)
    }

    pub(super) fn role(&self, name: &str) -> Option<Role> {
        self.roles.iter().find(|(known, _)| known == name).map(|(_, role)| *role)
    }

    /// What runs along the dimensions of temperature, as its coordinates say.
    fn roles_of_coordinates(&self) -> Vec<(String, Role)> {
        let mut roles = Vec::new();
        for variable in &self.variables {
            let [dimension] = &variable.dimensions[..] else { continue };
            let units = text_of(variable, "units").unwrap_or_default();
            let is = |plain: &[&str], prefix: &str| {
                plain.contains(&variable.name.as_str()) || units.to_lowercase().starts_with(prefix)
            };
            let own = variable.name == dimension.name;
            let role = match () {
                () if own && is(&["lat", "latitude"], "degrees_n") => Role::Row,
                () if own && is(&["lon", "longitude"], "degrees_e") => Role::Column,
                () if own && (units.contains(" since ") || is_time(&variable.name)) => Role::Time,
                () => continue,
            };
            roles.push((dimension.name.clone(), role));
        }
        // What else temperature varies along is the vertical.
        if let Some(temperature) = self.find(&TEMPERATURE, &["air_temperature"]) {
            // Times without their coordinate are missed where they are asked for.
            let times = temperature.dimensions.iter().filter(|dimension| is_time(&dimension.name));
            let times = times.filter(|dimension| roles.iter().all(|(name, _)| *name != dimension.name));
            roles.extend(times.map(|dimension| (dimension.name.clone(), Role::Time)).collect::<Vec<_>>());
            let others = temperature
                .dimensions
                .iter()
                .filter(|dimension| dimension.size > 1 && roles.iter().all(|(name, _)| *name != dimension.name));
            roles.extend(others.map(|dimension| (dimension.name.clone(), Role::Level)).collect::<Vec<_>>());
        }
        roles
    }

    /// All values of a variable of few dimensions, decoded.
    pub(super) fn values(&self, variable: &NcVariable) -> Result<Vec<f64>, Error> {
        let name = &variable.name;
        self.check_size(variable, variable.dimensions.iter().map(|dimension| dimension.size))?;
        if matches!(variable.dtype, NcType::Char | NcType::String) {
            return Err(self.invalid(format!("{name} is text, expected numbers")));
        }
        let array = self.file.read_variable_unpacked_masked(name);
        let array = array.map_err(|cause| self.invalid(format!("{name}: cannot be read: {cause}")))?;
        let values: Vec<f64> = array.iter().copied().collect();
        match values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(self.invalid(format!("{name}: a value is missing at index {index}"))),
            None => Ok(values),
        }
    }

    pub(super) fn check_size(&self, variable: &NcVariable, sizes: impl Iterator<Item = u64>) -> Result<(), Error> {
        let count = sizes.fold(1_u64, |count, size| count.saturating_mul(size));
        match (1..=MOST).contains(&count) {
            true => Ok(()),
            false => Err(self.invalid(format!("{} has {count} values to read; expected 1 to {MOST}", variable.name))),
        }
    }
}

fn is_time(name: &str) -> bool {
    ["time", "valid_time"].contains(&name)
}

fn wrf_roles() -> Vec<(String, Role)> {
    let named = [
        ("Time", Role::Time),
        ("bottom_top", Role::Level),
        ("bottom_top_stag", Role::Boundary),
        ("south_north", Role::Row),
        ("west_east", Role::Column),
    ];
    named.map(|(name, role)| (name.to_owned(), role)).to_vec()
}
