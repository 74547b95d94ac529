//! Files of profiles that are written, or added to.

use std::io::Write;
use std::path::Path;

use netcdf_reader::{NcFile, NcType, NcVariable};
use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteOptions};

use super::invalid;
use super::lock::Lock;
use crate::error::Error;
use crate::netcdf::{Sample, classic_format, numbers as unpacked};
use crate::output::AtomicFile;

/// Values of a variable, one record after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cells {
    Numbers(Vec<f64>),
    Whole(Vec<i32>),
    Letters(Vec<u8>),
}

/// A variable over the records.
pub(crate) struct RecordVariable {
    pub(crate) name: String,
    pub(crate) units: &'static str,
    pub(crate) long_name: String,
    /// Its dimensions after that of the records.
    pub(crate) dimensions: Vec<&'static str>,
    pub(crate) cells: Cells,
}

/// A dimension of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordDimension {
    pub(crate) name: &'static str,
    pub(crate) size: usize,
    /// May a file to which records are added have another size? Each record fills as much as it has.
    pub(crate) varies: bool,
}

/// A file of records, some of them empty.
pub(crate) struct RecordFile {
    /// The dimension of the records, which may grow.
    pub(crate) record: &'static str,
    /// Which records there are; the others are fill values.
    pub(crate) filled: Vec<bool>,
    pub(crate) dimensions: Vec<RecordDimension>,
    pub(crate) variables: Vec<RecordVariable>,
}

impl RecordFile {
    /// Writes it as a whole.
    pub(crate) fn write(self, path: &Path) -> Result<(), Error> {
        let bytes = self.bytes(path)?;
        AtomicFile::write_with(path, |out| out.write_all(&bytes))
    }

    /// Writes it with the records that the file has already where there are none here. Others wait meanwhile.
    pub(crate) fn add(mut self, path: &Path) -> Result<(), Error> {
        let unwritable = |cause| Error::Io { path: path.to_owned(), action: "write", cause };
        let _lock = Lock::of(path).map_err(unwritable)?;
        if path.exists() {
            self.take_from(path)?;
        }
        self.write(path)
    }

    /// The file's bytes.
    pub(crate) fn bytes(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let refused = |cause: netcdf_writer::Error| invalid(path, format!("cannot be written: {cause}"));
        let mut builder = NcFileBuilder::new();
        let record = builder.add_unlimited_dimension(self.record).map_err(refused)?;
        let mut ids = Vec::new();
        for dimension in &self.dimensions {
            ids.push((dimension.name, builder.add_dimension(dimension.name, dimension.size as u64).map_err(refused)?));
        }
        let (mut all, mut largest) = (0, 0);
        for variable in &self.variables {
            let mut dimensions = vec![record];
            for wanted in &variable.dimensions {
                dimensions.extend(ids.iter().find(|(name, _)| name == wanted).map(|(_, id)| *id));
            }
            let id = match &variable.cells {
                Cells::Numbers(_) => builder.add_variable::<f64>(&variable.name, &dimensions),
                Cells::Whole(_) => builder.add_variable::<i32>(&variable.name, &dimensions),
                Cells::Letters(_) => builder.add_char_variable(&variable.name, &dimensions),
            };
            let id = id.map_err(refused)?;
            for (name, text) in [("long_name", variable.long_name.as_str()), ("units", variable.units)] {
                builder.add_variable_attribute(id, name, NcAttrValue::Chars(text.to_owned())).map_err(refused)?;
            }
            let bytes = match &variable.cells {
                Cells::Numbers(values) => builder.write_variable(id, values).map(|()| size_of_val(&values[..])),
                Cells::Whole(values) => builder.write_variable(id, values).map(|()| size_of_val(&values[..])),
                Cells::Letters(values) => builder.write_char_variable(id, values).map(|()| values.len()),
            };
            let bytes = bytes.map_err(refused)?.next_multiple_of(4) as u64;
            (all, largest) = (all + bytes, largest.max(bytes));
        }
        let longest = self.dimensions.iter().map(|dimension| dimension.size).max().unwrap_or(0);
        let format = classic_format(longest.max(self.filled.len()) as u64, (all, largest));
        builder.to_vec(NcWriteOptions { format }).map(|(_, bytes)| bytes).map_err(refused)
    }

    /// Takes over the records of a file that are not here.
    fn take_from(&mut self, path: &Path) -> Result<(), Error> {
        let unreadable = |cause: netcdf_reader::Error| {
            invalid(path, format!("profiles cannot be added: not a NetCDF file that can be read: {cause}"))
        };
        let file = NcFile::open(path).map_err(unreadable)?;
        let there = file.variables().map_err(unreadable)?.to_vec();
        let size = |name: &str| file.dimension(name).ok().map(|dimension| dimension.size as usize);
        let Some(old_records) = size(self.record) else {
            let text = format!("profiles cannot be added: there is no dimension {}", self.record);
            return Err(invalid(path, text));
        };
        if let Some(other) = there.iter().find(|there| self.variables.iter().all(|ours| ours.name != there.name)) {
            let text = format!("profiles cannot be added: variable {} is none of theirs", other.name);
            return Err(invalid(path, text));
        }
        let records = old_records.max(self.filled.len());
        let mut sizes = Vec::new();
        for dimension in &mut self.dimensions {
            let old = size(dimension.name).unwrap_or(dimension.size);
            if old != dimension.size && !dimension.varies {
                let (name, new) = (dimension.name, dimension.size);
                let text = format!("profiles cannot be added: dimension {name} is {old}, theirs {new}");
                return Err(invalid(path, text));
            }
            sizes.push((dimension.name, old, dimension.size));
            dimension.size = dimension.size.max(old);
        }
        for variable in &mut self.variables {
            let Some(old) = there.iter().find(|there| there.name == variable.name) else {
                let text = format!("profiles cannot be added: variable {} is missing", variable.name);
                return Err(invalid(path, text));
            };
            let names: Vec<&str> = old.dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
            if names[..].split_first().is_none_or(|(first, rest)| *first != self.record || rest != variable.dimensions)
            {
                let text = format!("profiles cannot be added: {} has dimensions ({})", variable.name, names.join(", "));
                return Err(invalid(path, text));
            }
            let of = |name: &&str| sizes.iter().find(|(known, ..)| known == name).map_or((1, 1), |(_, a, b)| (*a, *b));
            let shape: Vec<(usize, usize)> = variable.dimensions.iter().map(of).collect();
            // One that varies is the only one of its variable.
            let (old_run, new_run) = shape.iter().fold((1, 1), |(a, b), (old, new)| (a * old, b * new));
            let merge = Merge { records, old_records, old_run, new_run, filled: &self.filled };
            variable.cells = match &variable.cells {
                Cells::Numbers(new) => Cells::Numbers(merge.of(&numbers(&file, old, path)?, new, f64::FILL)),
                Cells::Whole(new) => {
                    let old: Vec<i32> = numbers(&file, old, path)?.into_iter().map(|value| value as i32).collect();
                    // An empty record has 0 entries.
                    Cells::Whole(merge.of(&old, new, 0))
                }
                Cells::Letters(new) => Cells::Letters(merge.of(&letters(&file, old, path)?, new, 0)),
            };
        }
        self.filled.resize(records, false);
        Ok(())
    }
}

/// Records of two files.
struct Merge<'a> {
    records: usize,
    old_records: usize,
    old_run: usize,
    new_run: usize,
    filled: &'a [bool],
}

impl Merge<'_> {
    fn of<T: Copy>(&self, old: &[T], new: &[T], fill: T) -> Vec<T> {
        let run = self.old_run.max(self.new_run);
        let mut all = Vec::with_capacity(self.records * run);
        for record in 0..self.records {
            let part = if self.filled.get(record) == Some(&true) {
                &new[record * self.new_run..(record + 1) * self.new_run]
            } else if record < self.old_records {
                &old[record * self.old_run..(record + 1) * self.old_run]
            } else {
                &[]
            };
            all.extend(part);
            all.resize((record + 1) * run, fill);
        }
        all
    }
}

fn expected(variable: &NcVariable) -> usize {
    // A damaged header has sizes that no number holds.
    variable.dimensions.iter().fold(1, |count: usize, dimension| count.saturating_mul(dimension.size as usize))
}

fn numbers(file: &NcFile, variable: &NcVariable, path: &Path) -> Result<Vec<f64>, Error> {
    let name = &variable.name;
    if matches!(variable.dtype, NcType::Char | NcType::String) {
        return Err(invalid(path, format!("{name} is text, expected numbers")));
    }
    let unreadable = |cause| invalid(path, format!("{name}: cannot be read: {cause}"));
    let stored = file.read_variable_as_f64(name).map_err(unreadable)?;
    let values = unpacked(file, variable).map_err(unreadable)?.into_iter().zip(&stored);
    // What its marks say is missing has ours from now on; a masked measurement stays one.
    let marked = |(value, stored): (f64, &f64)| if value.is_nan() && !stored.is_nan() { f64::FILL } else { value };
    whole(values.map(marked).collect(), variable, path)
}

pub(crate) fn letters(file: &NcFile, variable: &NcVariable, path: &Path) -> Result<Vec<u8>, Error> {
    let name = &variable.name;
    if variable.dtype != NcType::Char {
        return Err(invalid(path, format!("{name} is no text")));
    }
    let unreadable = |cause| invalid(path, format!("{name}: cannot be read: {cause}"));
    if file.as_classic().is_none() {
        return whole(file.read_variable_native_bytes(name).map_err(unreadable)?, variable, path);
    }
    // A text along the last dimension, without the zeros at its end.
    let length = variable.dimensions.last().map_or(1, |dimension| dimension.size as usize);
    let mut values = Vec::with_capacity(expected(variable));
    for text in file.read_variable_as_strings(name).map_err(unreadable)? {
        let end = values.len() + length;
        values.extend(text.bytes());
        values.resize(end.max(values.len()), 0);
    }
    whole(values, variable, path)
}

fn whole<T>(values: Vec<T>, variable: &NcVariable, path: &Path) -> Result<Vec<T>, Error> {
    let expected = expected(variable);
    match values.len() == expected {
        true => Ok(values),
        false => Err(invalid(path, format!("{} has {} of {expected} values", variable.name, values.len()))),
    }
}
