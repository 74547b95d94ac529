//! A dataset that is written: a NetCDF file, or a Zarr store.
//!
//! The classic formats: every tool reads them, lists variables in the order in which they were written, and can edit a
//! file in place (NCO, netCDF4's mode `a`). The same encoder's NetCDF-4 has no order of creation, without which the
//! netCDF library refuses to write to a file.

mod dimensions;

use std::path::{Path, PathBuf};

use netcdf_writer::{DimensionId, NcAttrValue, NcFileBuilder, NcWriteFormat, VariableId};
use rayon::prelude::*;

use super::Provenance;
use super::checksum::{self, checksum};
use super::destination::Destination;
use super::output_variable::{OutputVariable, Sample, sealed};
use super::write_parts::Parts;
use crate::error::{Error, Place};
use crate::output::{AtomicFile, STANDARD_OUTPUT};
use crate::zarr_path::is_zarr;

/// A NetCDF file in the making, or a Zarr store where its path ends with `.zarr`: written beside its destination by
/// [`DatasetWriter::commit`] and renamed when complete. Dropped before, it leaves nothing.
#[derive(Debug)]
pub struct DatasetWriter {
    path: PathBuf,
    destination: Destination,
    /// Says what a file of these formats cannot have; values do not go through it, which would copy them twice.
    builder: NcFileBuilder,
    dimensions: Vec<(String, usize, DimensionId)>,
    /// Bytes of all variables, and of the largest.
    bytes: (u64, u64),
    /// The dimensions of a grid, and attributes of what has values at its points.
    grid: (Vec<String>, Vec<(String, String)>),
    /// A dimension that stands for several of a grid, and these.
    items: Option<(String, Vec<String>)>,
    /// The variable that was defined last.
    defined: Option<VariableId>,
    /// Where values go.
    parts: Parts,
    /// Has it variables of bytes without a sign, which the oldest formats lack?
    unsigned: bool,
}

/// Values that a thread encodes at a time.
const ENCODED: usize = 1 << 16;

/// What is left for the header in the first 2 GiB of a file.
const HEADER: u64 = 1 << 24;

/// The oldest of the classic formats that has the room: offsets and sizes of variables are signed words of 32 bits in
/// CDF-1, offsets have 64 bits in CDF-2, and sizes too in CDF-5. Sizes of variables are rounded up to 4 bytes.
pub(crate) fn format(longest_dimension: u64, (bytes, largest): (u64, u64)) -> NcWriteFormat {
    const WORD: u64 = i32::MAX as u64;
    if longest_dimension > WORD || largest > u64::from(u32::MAX) - 3 {
        NcWriteFormat::Cdf5
    } else if bytes > WORD - HEADER {
        NcWriteFormat::Offset64
    } else {
        NcWriteFormat::Classic
    }
}

impl DatasetWriter {
    /// Starts a file: a folder that cannot be written is refused here, before the computation.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        if path == Path::new(STANDARD_OUTPUT) {
            let problem = "NetCDF does not go to standard output: name a file";
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        Ok(Self::of(path, Destination::create(path)?))
    }

    /// Starts or goes on with a file that several processes fill, each with parts of its own
    /// ([`DatasetWriter::in_parts`]): it is there from the start, under this name, and stays. Each process writes the
    /// first part before its own, with the same bytes: its attributes are those of all.
    ///
    /// # Errors
    /// As [`DatasetWriter::create`].
    pub fn shared(path: &Path) -> Result<Self, Error> {
        Ok(Self::of(path, Destination::shared(path)?))
    }

    /// Makes what several processes are going to fill ([`DatasetWriter::shared`]) empty, whatever an earlier run has
    /// left.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn clear_shared(path: &Path) -> Result<(), Error> {
        Destination::clear(path).map_err(|cause| Error::Io { path: path.to_owned(), action: "write", cause })
    }

    /// Gives what several processes have filled its name, in the place of what has it.
    ///
    /// # Errors
    /// It cannot be renamed.
    pub fn finish_shared(unfinished: &Path, path: &Path) -> Result<(), Error> {
        let renamed = Destination::rename(unfinished, path);
        renamed.map_err(|cause| Error::Io { path: unfinished.to_owned(), action: "rename", cause })
    }

    /// Waits until all parts that were written are on the disk.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.destination.sync()
    }

    fn of(path: &Path, destination: Destination) -> Self {
        Self {
            path: path.to_owned(),
            destination,
            builder: NcFileBuilder::new(),
            dimensions: Vec::new(),
            bytes: (0, 0),
            grid: (Vec::new(), Vec::new()),
            items: None,
            defined: None,
            parts: Parts::default(),
            unsigned: false,
        }
    }

    /// Finds out whether a file can be made, as [`AtomicFile::check`].
    ///
    /// # Errors
    /// As [`DatasetWriter::create`].
    pub fn check(path: &Path) -> Result<(), Error> {
        let is_open = path != Path::new(STANDARD_OUTPUT) && !is_zarr(path);
        if is_open { AtomicFile::check(path) } else { Self::create(path).map(drop) }
    }

    /// Says where the content comes from; hashes the input files.
    ///
    /// # Errors
    /// An input cannot be read.
    pub fn provenance(&mut self, provenance: &Provenance) -> Result<(), Error> {
        if self.has_header() {
            return Ok(());
        }
        provenance.attributes()?.iter().try_for_each(|(name, text)| self.attribute(name, text))
    }

    /// Adds a global attribute.
    ///
    /// # Errors
    /// The name is taken or none.
    pub fn attribute(&mut self, name: &str, text: &str) -> Result<(), Error> {
        if self.has_header() {
            return Ok(());
        }
        let value = NcAttrValue::Chars(text.to_owned());
        self.builder.add_attribute(name, value.clone()).map_err(|cause| self.refused(cause))?;
        self.parts.attribute(name, value);
        Ok(())
    }

    /// Adds global attributes with a checksum of them, which
    /// [`Dataset::whole_attributes`](super::Dataset::whole_attributes) compares.
    ///
    /// # Errors
    /// A name is taken or none.
    pub fn attributes_with_checksum(&mut self, attributes: &[(&str, &str)]) -> Result<(), Error> {
        let texts: Vec<&str> = attributes.iter().map(|(_, text)| text.trim()).collect();
        attributes.iter().try_for_each(|(name, text)| self.attribute(name, text))?;
        self.attribute(checksum::ATTRIBUTE, &checksum(&texts))
    }

    /// From now on values come part by part along a dimension of this size. Each part begins with
    /// [`DatasetWriter::begin_part`], adds the same dimensions and variables in the same order, and ends with
    /// [`DatasetWriter::end_part`]; attributes are those of the first.
    pub fn in_parts(&mut self, dimension: &str, size: usize) {
        self.parts.along = Some((dimension.to_owned(), size));
    }

    /// Begins the part that has this first index along the dimension of the parts.
    pub fn begin_part(&mut self, start: usize) {
        self.parts.begin(start);
    }

    /// Writes a part.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn end_part(&mut self) -> Result<(), Error> {
        let format = self.format();
        let written = self.destination.write(&mut self.parts, &format);
        written.map_err(|cause| Error::Io { path: self.path.clone(), action: "write", cause })
    }

    fn has_header(&self) -> bool {
        self.parts.has_header()
    }

    /// Defines a variable, unless an earlier part has; says whether its attributes are still to be added.
    fn define<T: sealed::Sealed>(&mut self, name: &str, ids: &[DimensionId]) -> netcdf_writer::Result<bool> {
        if self.has_header() {
            let problem = || netcdf_writer::Error::InvalidDefinition(format!("{name} is not next in the first part"));
            return if self.parts.is_next(name) { Ok(false) } else { Err(problem()) };
        }
        let number = |id: &DimensionId| self.dimensions.iter().position(|(.., known)| known == id);
        let numbers: Vec<usize> = ids.iter().filter_map(number).collect();
        let whole = |&number: &usize| self.whole_size(&self.dimensions[number].0, self.dimensions[number].1);
        let values: usize = numbers.iter().map(whole).product();
        let bytes = (values * size_of::<T>()).next_multiple_of(4) as u64;
        self.bytes = (self.bytes.0 + bytes, self.bytes.1.max(bytes));
        self.defined = Some(self.builder.add_variable::<T>(name, ids)?);
        self.parts.define(name, numbers, T::KIND);
        Ok(true)
    }

    /// Adds an attribute to the variable that was defined last.
    fn annotate(&mut self, name: &str, value: NcAttrValue) -> netcdf_writer::Result<()> {
        if let Some(id) = self.defined {
            self.builder.add_variable_attribute(id, name, value.clone())?;
        }
        self.parts.annotate(name, value);
        Ok(())
    }

    /// Keeps the values of the variable that was defined last, or of the next of this part.
    fn store<T: sealed::Sealed>(&mut self, values: &[T]) {
        let mut bytes = vec![0; size_of_val(values)];
        let parts = bytes.par_chunks_mut(ENCODED * size_of::<T>()).zip(values.par_chunks(ENCODED));
        parts.for_each(|(bytes, values)| T::encode(values, bytes));
        self.parts.put(bytes);
    }

    /// Adds a variable with its values, the first dimension slowest.
    ///
    /// # Errors
    /// The name is taken or none, the unit is unknown, a dimension was not added, or there is not one value for each
    /// index.
    pub fn variable<T: Sample>(&mut self, variable: &OutputVariable, values: &[T]) -> Result<(), Error> {
        self.put(variable, values, Vec::new())
    }

    /// Adds a variable of times: its units say since when, by a calendar of CF's.
    ///
    /// # Errors
    /// As [`DatasetWriter::variable`].
    pub fn times(&mut self, variable: &OutputVariable, values: &[f64], calendar: &str) -> Result<(), Error> {
        self.put(variable, values, vec![("calendar", NcAttrValue::Chars(calendar.to_owned()))])
    }

    /// Adds a variable of which some values may be missing: they are [`Sample::FILL`], and `_FillValue` says so.
    ///
    /// # Errors
    /// As [`DatasetWriter::variable`].
    pub fn variable_with_gaps<T: Sample>(&mut self, variable: &OutputVariable, values: &[T]) -> Result<(), Error> {
        self.put(variable, values, vec![("_FillValue", T::FILL.fill_attr_value())])
    }

    /// Adds a variable with a checksum, which [`Dataset::read_whole`](super::Dataset::read_whole) compares.
    ///
    /// # Errors
    /// As [`DatasetWriter::variable`].
    pub fn variable_with_checksum<T: Sample>(&mut self, variable: &OutputVariable, values: &[T]) -> Result<(), Error> {
        let size =
            |name: &str| self.dimensions.iter().find(|(known, ..)| known == name).map_or(0, |(_, size, _)| *size);
        let dimensions = variable.dimensions.iter().map(|&name| (name, size(name)));
        let sum = checksum::of_variable(variable.name, dimensions, values.iter().map(|&value| value.into()));
        self.put(variable, values, vec![(checksum::ATTRIBUTE, NcAttrValue::Chars(sum))])
    }

    /// Adds a variable of bytes without a sign, which makes the file one of 64-bit data (CDF-5).
    ///
    /// # Errors
    /// As [`DatasetWriter::variable`].
    pub(crate) fn bytes(&mut self, variable: &OutputVariable, values: &[u8]) -> Result<(), Error> {
        self.unsigned = true;
        self.put(variable, values, Vec::new())
    }

    /// Adds a variable whose numbers have meanings.
    ///
    /// # Errors
    /// As [`DatasetWriter::variable`].
    pub fn flags(&mut self, variable: &OutputVariable, values: &[i32], meanings: &[(i32, &str)]) -> Result<(), Error> {
        let (flags, names): (Vec<i32>, Vec<&str>) = meanings.iter().copied().unzip();
        let meanings = NcAttrValue::Chars(names.join(" "));
        self.put(variable, values, vec![("flag_values", NcAttrValue::Ints(flags)), ("flag_meanings", meanings)])
    }

    fn put<T: sealed::Sealed>(
        &mut self,
        variable: &OutputVariable,
        values: &[T],
        more: Vec<(&str, NcAttrValue)>,
    ) -> Result<(), Error> {
        let name = variable.name;
        if let Err(problem) = variable.check_units() {
            return Err(self.invalid(format!("{name}: units {:?}: {problem}", variable.units)));
        }
        let mut ids = Vec::with_capacity(variable.dimensions.len());
        let mut count = 1;
        for wanted in self.spread(variable.dimensions) {
            let Some((_, size, id)) = self.dimensions.iter().find(|(known, ..)| *known == wanted) else {
                return Err(self.invalid(format!("{name} has dimension {wanted}, which the file has not")));
            };
            ids.push(*id);
            count *= size;
        }
        if values.len() != count {
            return Err(self.invalid(format!("{name} has {} values; its dimensions have {count}", values.len())));
        }
        self.add(variable, &ids, values, more).map_err(|cause| self.refused(cause))
    }

    /// Writes the file and gives it its name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn commit(mut self) -> Result<(), Error> {
        let format = self.format();
        if self.parts.along.is_none() {
            let written = self.destination.write_whole(self.parts, &format);
            written.map_err(|cause| Error::Io { path: self.path, action: "write", cause })?;
        }
        self.destination.commit()
    }

    fn format(&self) -> NcWriteFormat {
        let sizes = self.dimensions.iter().map(|(name, size, _)| self.whole_size(name, *size) as u64);
        if self.unsigned { NcWriteFormat::Cdf5 } else { format(sizes.max().unwrap_or(0), self.bytes) }
    }

    fn add<T: sealed::Sealed>(
        &mut self,
        variable: &OutputVariable,
        dimensions: &[DimensionId],
        values: &[T],
        more: Vec<(&str, NcAttrValue)>,
    ) -> netcdf_writer::Result<()> {
        if !self.define::<T>(variable.name, dimensions)? {
            self.store(values);
            return Ok(());
        }
        let attributes = [
            ("units", Some(variable.units)),
            ("long_name", Some(variable.long_name)),
            ("standard_name", variable.standard_name),
            ("reference_name", variable.reference_name),
        ];
        for (name, text) in attributes {
            if let Some(text) = text {
                self.annotate(name, NcAttrValue::Chars(text.to_owned()))?;
            }
        }
        let (grid, named) = self.grid.clone();
        let has = self.spread(variable.dimensions).into_iter().map(str::to_owned).collect::<Vec<_>>();
        if !grid.is_empty() && grid.iter().all(|name| has.contains(name)) {
            for (name, text) in named {
                self.annotate(&name, NcAttrValue::Chars(text))?;
            }
        }
        for (name, value) in more {
            self.annotate(name, value)?;
        }
        self.store(values);
        Ok(())
    }

    fn invalid(&self, problem: String) -> Error {
        Error::invalid(Place::File(self.path.clone()), problem)
    }

    fn refused(&self, cause: netcdf_writer::Error) -> Error {
        self.invalid(format!("cannot be written: {cause}"))
    }
}

#[cfg(test)]
mod tests;
