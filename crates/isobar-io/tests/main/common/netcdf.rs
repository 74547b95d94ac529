//! NetCDF files made for tests, and what is asked of them.

use std::path::PathBuf;

use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, Field, Orientation, VariableSpec};
use netcdf_writer::{DimensionId, NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};
use tempfile::TempDir;

use super::message;
use Dimension::{Angle, Layer, Level, Profile};

pub(crate) const TEMPERATURE: VariableSpec = VariableSpec {
    name: "temperature",
    aliases: &["t_lay", "tlay"],
    standard_names: &["air_temperature"],
    unit: "K",
    axes: &[Axis::required(Layer), Axis::optional(Profile)],
    accepted: Accepted::POSITIVE,
};
pub(crate) const LEVEL_TEMPERATURE: VariableSpec = VariableSpec {
    name: "temperature_level",
    aliases: &[],
    axes: &[Axis::required(Level), Axis::optional(Profile)],
    ..TEMPERATURE
};
pub(crate) const COSINE: VariableSpec = VariableSpec {
    name: "cosine",
    aliases: &["mu"],
    standard_names: &[],
    unit: "1",
    axes: &[Axis::required(Angle)],
    accepted: Accepted::COSINE,
};
pub(crate) const EMISSIVITY: VariableSpec = VariableSpec {
    name: "emissivity",
    aliases: &["emis"],
    standard_names: &["surface_longwave_emissivity"],
    unit: "1",
    axes: &[Axis::optional(Angle), Axis::optional(Profile)],
    accepted: Accepted::FRACTION,
};

/// A file in the making: sizes of its dimensions, variables, global attributes.
#[derive(Default)]
pub(crate) struct Make {
    pub(crate) dimensions: Vec<(&'static str, u64)>,
    builder: NcFileBuilder,
}

impl Make {
    pub(crate) fn new(dimensions: &[(&'static str, u64)]) -> Self {
        let mut builder = NcFileBuilder::new();
        for (name, size) in dimensions {
            add(&mut builder, name, *size);
        }
        Self { dimensions: dimensions.to_vec(), builder }
    }

    pub(crate) fn global(mut self, name: &str, text: &str) -> Self {
        self.builder.add_attribute(name, NcAttrValue::Chars(text.into())).unwrap();
        self
    }

    /// `name(dimension, dimension)` with text attributes `name=text` and these values.
    pub(crate) fn with(self, what: &str, attributes: &[&str], values: &[f64]) -> Self {
        let numbers: [(&str, f64); 0] = [];
        self.with_numbers(what, attributes, &numbers, values)
    }

    /// `name(dimension, letters)` with letters.
    pub(crate) fn with_text(mut self, what: &str, text: &str) -> Self {
        let (name, dimensions) = what.trim_end_matches(')').split_once('(').unwrap();
        let mut other = NcFileBuilder::new();
        let all: Vec<_> = self.dimensions.iter().map(|(n, s)| (*n, add(&mut other, n, *s))).collect();
        let id = |wanted: &str| all.iter().find(|(known, _)| *known == wanted).unwrap().1;
        let ids: Vec<_> = dimensions.split(", ").map(id).collect();
        let id = self.builder.add_char_variable(name, &ids).unwrap();
        self.builder.write_char_variable(id, text.as_bytes()).unwrap();
        self
    }

    pub(crate) fn with_numbers<T: netcdf_writer::NcWriteType>(
        mut self,
        what: &str,
        attributes: &[&str],
        numbers: &[(&str, f64)],
        values: &[T],
    ) -> Self {
        let (name, dimensions) = what.trim_end_matches(')').split_once('(').unwrap_or((what, ""));
        let mut ids = Vec::new();
        // The writer's handles count from 0; a second builder finds them by name.
        let mut other = NcFileBuilder::new();
        let all: Vec<_> = self.dimensions.iter().map(|(n, s)| (*n, add(&mut other, n, *s))).collect();
        for dimension in dimensions.split(", ").filter(|dimension| !dimension.is_empty()) {
            ids.push(all.iter().find(|(known, _)| *known == dimension).unwrap().1);
        }
        let id = match name.contains('/') {
            true => self.builder.add_variable_path::<T>(name, &ids).unwrap(),
            false => self.builder.add_variable::<T>(name, &ids).unwrap(),
        };
        for attribute in attributes {
            let (key, text) = attribute.split_once('=').unwrap();
            self.builder.add_variable_attribute(id, key, NcAttrValue::Chars(text.into())).unwrap();
        }
        for (key, number) in numbers {
            self.builder.add_variable_attribute(id, *key, NcAttrValue::Doubles(vec![*number])).unwrap();
        }
        self.builder.write_variable(id, values).unwrap();
        self
    }

    pub(crate) fn save(self, format: NcWriteFormat) -> (TempDir, PathBuf) {
        super::file(self.builder.to_vec(NcWriteOptions { format }).unwrap().1, "in.nc")
    }

    pub(crate) fn open(self) -> (TempDir, Dataset) {
        let (folder, path) = self.save(NcWriteFormat::Nc4);
        (folder, Dataset::open(&path).unwrap())
    }

    pub(crate) fn read(self, spec: &VariableSpec) -> Field {
        let (_folder, mut file) = self.open();
        file.read(spec).unwrap()
    }

    pub(crate) fn refuses(self, specs: &[&VariableSpec]) -> String {
        let (_folder, mut file) = self.open();
        let (last, before) = specs.split_last().unwrap();
        for spec in before {
            file.read(spec).unwrap();
        }
        let path = file.path().to_owned();
        message(file.read(last), &path)
    }

    pub(crate) fn orientation(self) -> Result<Orientation, String> {
        let (_folder, mut file) = self.open();
        for spec in [&TEMPERATURE, &LEVEL_TEMPERATURE] {
            file.read_optional(spec).unwrap();
        }
        let path = file.path().to_owned();
        match file.orientation() {
            Ok(orientation) => Ok(orientation),
            error => Err(message(error, &path)),
        }
    }
}

/// Adds a dimension, of a group where its name has one.
fn add(builder: &mut NcFileBuilder, name: &str, size: u64) -> DimensionId {
    let added =
        if name.contains('/') { builder.add_dimension_path(name, size) } else { builder.add_dimension(name, size) };
    added.unwrap()
}

/// Values of three layers and two profiles.
pub(crate) const SIX: [f64; 6] = [200., 201., 202., 203., 204., 205.];

pub(crate) fn layers() -> Make {
    Make::new(&[("layer", 3), ("profile", 2)])
}
