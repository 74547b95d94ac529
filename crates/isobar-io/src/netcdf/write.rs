//! A NetCDF file that is written.
//!
//! NetCDF-4, with contiguous variables and dimension scales: the netCDF library and what is built on it read it. The
//! encoder needs the whole file in memory, and records no order of creation, so that the netCDF library lists variables
//! by name and cannot append to the file in place (a copy made with it can be appended to).

use std::path::{Path, PathBuf};

use netcdf_writer::{DimensionId, NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions, VariableId};

use super::checksum::{self, checksum};
use super::{Provenance, Unit};
use crate::error::{Error, Place};
use crate::output::AtomicFile;

/// A number that a variable can hold: `f32`, `f64` or `i32`.
pub trait Sample: sealed::Sealed {
    /// NetCDF's usual mark of a value that is not there.
    const FILL: Self;
}

impl Sample for f32 {
    const FILL: Self = 9.969_21e36;
}

impl Sample for f64 {
    const FILL: Self = 9.969_209_968_386_869e36;
}

impl Sample for i32 {
    const FILL: Self = -2_147_483_647;
}

mod sealed {
    pub trait Sealed: netcdf_writer::NcWriteType + netcdf_writer::NcFillValueType + Copy + Into<f64> {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for i32 {}
}

/// A variable of an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputVariable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its dimensions, slowest first.
    pub dimensions: &'a [&'a str],
    /// Its unit.
    pub units: &'a str,
    /// What it is, in words.
    pub long_name: &'a str,
    /// Its CF standard name, if it has one.
    pub standard_name: Option<&'a str>,
    /// What the reference model calls it, if it has it.
    pub reference_name: Option<&'a str>,
}

/// A NetCDF-4 file in the making: written beside its destination by [`NetcdfOutput::commit`] and renamed when complete.
/// Dropped before, it leaves nothing.
#[derive(Debug)]
pub struct NetcdfOutput {
    path: PathBuf,
    file: AtomicFile,
    builder: NcFileBuilder,
    dimensions: Vec<(String, usize, DimensionId)>,
}

impl NetcdfOutput {
    /// Starts a file: a folder that cannot be written is refused here, before the computation.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let file = AtomicFile::create(path)?;
        Ok(Self { path: path.to_owned(), file, builder: NcFileBuilder::new(), dimensions: Vec::new() })
    }

    /// Says where the content comes from; hashes the input files.
    ///
    /// # Errors
    /// An input cannot be read.
    pub fn provenance(&mut self, provenance: &Provenance) -> Result<(), Error> {
        provenance.attributes()?.iter().try_for_each(|(name, text)| self.attribute(name, text))
    }

    /// Adds a global attribute.
    ///
    /// # Errors
    /// The name is taken or none.
    pub fn attribute(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.builder.add_attribute(name, NcAttrValue::Chars(text.to_owned())).map_err(|cause| self.refused(cause))
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

    /// Adds a dimension.
    ///
    /// # Errors
    /// The name is taken or none, or the size is 0.
    pub fn dimension(&mut self, name: &str, size: usize) -> Result<(), Error> {
        if size == 0 {
            // NetCDF takes a size of 0 for "unlimited".
            return Err(self.invalid(format!("dimension {name} = 0: it is empty")));
        }
        let id = self.builder.add_dimension(name, size as u64).map_err(|cause| self.refused(cause))?;
        self.dimensions.push((name.to_owned(), size, id));
        Ok(())
    }

    /// Adds a variable with its values, the first dimension slowest.
    ///
    /// # Errors
    /// The name is taken or none, the unit is unknown, a dimension was not added, or there is not one value for each
    /// index.
    pub fn variable<T: Sample>(&mut self, variable: &OutputVariable, values: &[T]) -> Result<(), Error> {
        self.put(variable, values, |_, _| Ok(()))
    }

    /// Adds a variable of which some values may be missing: they are [`Sample::FILL`], and `_FillValue` says so.
    ///
    /// # Errors
    /// As [`NetcdfOutput::variable`].
    pub fn variable_with_gaps<T: Sample>(&mut self, variable: &OutputVariable, values: &[T]) -> Result<(), Error> {
        self.put(variable, values, |builder, id| builder.set_variable_fill_value(id, T::FILL))
    }

    /// Adds a variable with a checksum, which [`Dataset::read_whole`](super::Dataset::read_whole) compares.
    ///
    /// # Errors
    /// As [`NetcdfOutput::variable`].
    pub fn variable_with_checksum<T: Sample>(&mut self, variable: &OutputVariable, values: &[T]) -> Result<(), Error> {
        let size =
            |name: &str| self.dimensions.iter().find(|(known, ..)| known == name).map_or(0, |(_, size, _)| *size);
        let dimensions = variable.dimensions.iter().map(|&name| (name, size(name)));
        let sum = checksum::of_variable(variable.name, dimensions, values.iter().map(|&value| value.into()));
        self.put(variable, values, |builder, id| {
            builder.add_variable_attribute(id, checksum::ATTRIBUTE, NcAttrValue::Chars(sum))
        })
    }

    /// Adds a variable whose numbers have meanings.
    ///
    /// # Errors
    /// As [`NetcdfOutput::variable`].
    pub fn flags(&mut self, variable: &OutputVariable, values: &[i32], meanings: &[(i32, &str)]) -> Result<(), Error> {
        let (flags, names): (Vec<i32>, Vec<&str>) = meanings.iter().copied().unzip();
        self.put(variable, values, |builder, id| {
            builder.add_variable_attribute(id, "flag_values", NcAttrValue::Ints(flags))?;
            builder.add_variable_attribute(id, "flag_meanings", NcAttrValue::Chars(names.join(" ")))
        })
    }

    fn put<T: Sample>(
        &mut self,
        variable: &OutputVariable,
        values: &[T],
        more: impl FnOnce(&mut NcFileBuilder, VariableId) -> netcdf_writer::Result<()>,
    ) -> Result<(), Error> {
        let name = variable.name;
        if let Err(problem) = variable.units.parse::<Unit>() {
            return Err(self.invalid(format!("{name}: units {:?}: {problem}", variable.units)));
        }
        let mut ids = Vec::with_capacity(variable.dimensions.len());
        let mut count = 1;
        for wanted in variable.dimensions {
            let Some((_, size, id)) = self.dimensions.iter().find(|(known, ..)| known == wanted) else {
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
        let options = NcWriteOptions { format: NcWriteFormat::Nc4 };
        match self.builder.write(&mut self.file, options) {
            Ok(_) => self.file.commit(),
            Err(netcdf_writer::Error::Io(cause)) => Err(Error::Io { path: self.path, action: "write", cause }),
            Err(cause) => Err(self.refused(cause)),
        }
    }

    fn add<T: Sample>(
        &mut self,
        variable: &OutputVariable,
        dimensions: &[DimensionId],
        values: &[T],
        more: impl FnOnce(&mut NcFileBuilder, VariableId) -> netcdf_writer::Result<()>,
    ) -> netcdf_writer::Result<()> {
        let id = self.builder.add_variable::<T>(variable.name, dimensions)?;
        let attributes = [
            ("units", Some(variable.units)),
            ("long_name", Some(variable.long_name)),
            ("standard_name", variable.standard_name),
            ("reference_name", variable.reference_name),
        ];
        for (name, text) in attributes {
            if let Some(text) = text {
                self.builder.add_variable_attribute(id, name, NcAttrValue::Chars(text.to_owned()))?;
            }
        }
        more(&mut self.builder, id)?;
        self.builder.write_variable(id, values)
    }

    fn invalid(&self, problem: String) -> Error {
        Error::invalid(Place::File(self.path.clone()), problem)
    }

    fn refused(&self, cause: netcdf_writer::Error) -> Error {
        self.invalid(format!("cannot be written: {cause}"))
    }
}
