//! The output of `isobar radiation`, and numbers of other files.

use std::path::Path;

use netcdf_reader::NcFile;

/// A NetCDF file of numbers.
pub(crate) struct Numbers(NcFile);

impl Numbers {
    pub(crate) fn open(path: &Path) -> Self {
        Self(NcFile::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    /// All values of a variable, the last dimension fastest.
    pub(crate) fn all(&self, name: &str) -> Vec<f64> {
        let values = self.0.read_variable_as_f64(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        values.iter().copied().collect()
    }

    /// Names and sizes of the dimensions of a variable.
    pub(crate) fn shape(&self, name: &str) -> Vec<(String, u64)> {
        let variable = self.0.variable(name).unwrap();
        variable.dimensions.iter().map(|dimension| (dimension.name.clone(), dimension.size)).collect()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.variable(name).is_ok()
    }

    /// An attribute of a variable.
    pub(crate) fn attribute(&self, variable: &str, name: &str) -> Option<String> {
        let attributes = &self.0.variable(variable).unwrap().attributes;
        let found = attributes.iter().find(|attribute| attribute.name == name)?;
        found.value.as_string()
    }
}

/// The largest difference.
pub(crate) fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
