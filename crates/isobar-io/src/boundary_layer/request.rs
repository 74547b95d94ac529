//! What is asked of files.

use crate::columns_file::Reading;
use crate::error::Error;
use crate::netcdf::{Dataset, Part};

/// How files are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoundaryLayerRequest<'a> {
    /// What the file calls something by a name that is not known: our name, and the file's.
    pub names: &'a [(String, String)],
    /// Constants by our names, which win over the file's.
    pub constants: &'a [(String, f64)],
    /// The dimension of layers, where the file does not say which is.
    pub vertical: Option<&'a str>,
    /// Where the surface layer comes from.
    pub surface: SurfaceLayerSource,
    /// The part of the file that is read, if not all.
    pub part: Option<&'a Part>,
    /// Whether columns with values that are missing or out of range are left out instead of being an error.
    pub keep_going: bool,
}

/// Where the surface layer comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SurfaceLayerSource {
    /// The file, or similarity.
    #[default]
    Given,
    /// A scheme, later: the file has the surface in place of its layer, its temperature, how wet it is, and what is
    /// known of the step before (`isobar_surface::Columns`).
    Computed {
        /// The length of the grid's cells \[m\], for files that do not have it.
        grid_length_m: Option<f64>,
        /// Its options, of which depend what it needs: fluxes that are given, depth of water, deviation of heights.
        options: isobar_surface::Options,
    },
    /// Nowhere: these are columns that a model of its own starts from, of one time. Nothing of the surface is read but
    /// its kind and, if they are there, its roughness and temperature; and where and when the columns are. Winds are
    /// turned eastward and northward, where the file says how its grid lies.
    Elsewhere {
        /// Whether the temperature of the surface is wanted.
        surface_temperature: bool,
    },
}

impl SurfaceLayerSource {
    /// Whether the columns are those that a model of its own starts from.
    pub(super) fn is_start(self) -> bool {
        matches!(self, Self::Elsewhere { .. })
    }
}

impl BoundaryLayerRequest<'_> {
    /// Begins to read a file.
    ///
    /// # Errors
    /// A constant is given twice.
    pub(super) fn begin(&self, file: Dataset) -> Result<Reading, Error> {
        for (place, (name, value)) in self.constants.iter().enumerate() {
            if let Some((_, before)) = self.constants[..place].iter().find(|(before, _)| before == name) {
                return Err(file.invalid(format!("{name} is given twice, as {before} and as {value}")));
            }
        }
        let mut reading = Reading::new(file);
        reading.give(self.constants);
        Ok(reading)
    }
}
