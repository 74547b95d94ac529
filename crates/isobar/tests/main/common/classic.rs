//! Commands that read NetCDF, on files that tests write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
use tempfile::TempDir;

use super::said;

pub(crate) const RADIANCE: &str = "mW m-2 sr-1 cm";
pub(crate) const PROFILE_ONLY: &[&str] = &["profile"];
pub(crate) const COLUMN: &[&str] = &["layer", "profile"];
pub(crate) const BY_ANGLE: &[&str] = &["angle", "profile"];

/// A dimension of the eight characters of which a text consists, if it is a variable's last.
pub(crate) const LETTERS: &str = "letters";

/// Up to eight characters as the number whose bytes they are.
pub(crate) fn letters(text: &str) -> f64 {
    let mut bytes = [0; 8];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    f64::from_be_bytes(bytes)
}

/// A variable of a file: name, dimensions, unit, values.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) dimensions: Vec<&'static str>,
    pub(crate) units: Option<&'static str>,
    /// Attributes beside `units`.
    pub(crate) attributes: Vec<(&'static str, &'static str)>,
    pub(crate) values: Vec<f64>,
}

/// A file in NetCDF's classic format, encoded here, so that nothing of ours stands between a test and the reader.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classic {
    pub(crate) dimensions: Vec<(&'static str, usize)>,
    pub(crate) attributes: Vec<(&'static str, &'static str)>,
    /// Global attributes that are a number.
    pub(crate) numbers: Vec<(&'static str, f64)>,
    pub(crate) variables: Vec<Variable>,
}

impl Classic {
    pub(crate) fn with(
        mut self,
        name: &'static str,
        dimensions: &[&'static str],
        units: &'static str,
        values: &[f64],
    ) -> Self {
        let (dimensions, values) = (dimensions.to_vec(), values.to_vec());
        let units = Some(units).filter(|units| !units.is_empty());
        self.variables.push(Variable { name, dimensions, units, attributes: Vec::new(), values });
        self
    }

    /// With attributes of the last variable, `name=text` each.
    pub(crate) fn says(mut self, attributes: &[&'static str]) -> Self {
        let all = attributes.iter().map(|text| text.split_once('=').expect("name=text"));
        self.variables.last_mut().expect("a variable").attributes.extend(all);
        self
    }

    pub(crate) fn variable(&mut self, name: &str) -> &mut Variable {
        self.variables.iter_mut().find(|variable| variable.name == name).expect("the file has it")
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let start = self.header(0).len();
        let mut bytes = self.header(start);
        assert_eq!(bytes.len(), start);
        let values = self.variables.iter().flat_map(|variable| &variable.values);
        bytes.extend(values.flat_map(|value| value.to_be_bytes()));
        bytes
    }

    /// The header of a file whose values start at this byte.
    fn header(&self, mut start: usize) -> Vec<u8> {
        let mut out = b"CDF\x01".to_vec();
        number(&mut out, 0);
        list(&mut out, 0x0a, self.dimensions.len());
        for (name, size) in &self.dimensions {
            text(&mut out, name);
            number(&mut out, *size);
        }
        attributes(&mut out, &self.attributes, &self.numbers);
        list(&mut out, 0x0b, self.variables.len());
        for variable in &self.variables {
            text(&mut out, variable.name);
            number(&mut out, variable.dimensions.len());
            for dimension in &variable.dimensions {
                number(&mut out, self.dimensions.iter().position(|(name, _)| name == dimension).expect("known"));
            }
            let units = variable.units.map(|units| ("units", units));
            let texts: Vec<_> = units.into_iter().chain(variable.attributes.iter().copied()).collect();
            attributes(&mut out, &texts, &[]);
            let kind = if variable.dimensions.last() == Some(&LETTERS) { 2 } else { 6 };
            for n in [kind, 8 * variable.values.len(), start] {
                number(&mut out, n);
            }
            start += 8 * variable.values.len();
        }
        out
    }
}

fn number(out: &mut Vec<u8>, n: usize) {
    out.extend(u32::try_from(n).unwrap().to_be_bytes());
}

/// Length and bytes, filled up to whole words.
fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len());
    out.extend(text.bytes());
    out.resize(out.len().next_multiple_of(4), 0);
}

fn list(out: &mut Vec<u8>, tag: usize, count: usize) {
    number(out, if count == 0 { 0 } else { tag });
    number(out, count);
}

fn attributes(out: &mut Vec<u8>, all: &[(&str, &str)], numbers: &[(&str, f64)]) {
    list(out, 0x0c, all.len() + numbers.len());
    for (name, value) in numbers {
        text(out, name);
        number(out, 6);
        number(out, 1);
        out.extend(value.to_be_bytes());
    }
    for (name, value) in all {
        text(out, name);
        number(out, 2);
        text(out, value);
    }
}

/// A folder with `in.nc`, and the command that reads it.
pub(crate) struct Case {
    pub(crate) folder: TempDir,
    name: &'static str,
}

impl Case {
    /// For `isobar adding`.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self::of("adding", bytes)
    }

    pub(crate) fn of(name: &'static str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("in.nc"), bytes).unwrap();
        Self { folder, name }
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.folder.path().join("out.nc")
    }

    pub(crate) fn command(&self, more: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args([self.name, "in.nc", "--out", "out.nc", "--quiet", "--device", "cpu"])
            .args(more)
            .env("ISOBAR_DATA", super::data())
            .current_dir(self.folder.path())
            .output()
            .expect("the command starts")
    }

    /// Runs the command, which has to succeed without a word.
    pub(crate) fn solve(&self, more: &[&str]) -> Vec<u8> {
        let output = self.command(more);
        assert!(output.status.success() && said(&output).is_empty(), "{more:?}: {}", said(&output));
        fs::read(self.out()).unwrap()
    }

    pub(crate) fn read(&self, name: &'static str) -> Vec<f64> {
        read(&self.out(), name)
    }

    /// The command has to fail with one line that names the file and holds all of `parts`, and leave nothing.
    pub(crate) fn refused(&self, more: &[&str], parts: &[&str]) {
        let output = self.command(more);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{parts:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("isobar: in.nc: "), "{text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        let names: Vec<_> = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["in.nc"], "left behind");
    }
}

/// A radiance of a file, in the order level, angle, profile.
pub(crate) fn read(path: &Path, name: &'static str) -> Vec<f64> {
    const LEVELS: &[Axis] = &[Axis::required(Dimension::Level), ENDS[0], ENDS[1]];
    const ENDS: &[Axis] = &[Axis::required(Dimension::Angle), Axis::required(Dimension::Profile)];
    let spec = VariableSpec {
        name,
        aliases: &[],
        standard_names: &[],
        unit: RADIANCE,
        axes: if ["upward_radiance", "downward_radiance"].contains(&name) { LEVELS } else { ENDS },
        accepted: Accepted::FINITE,
    };
    Dataset::open(path).unwrap().read(&spec).unwrap().values
}
