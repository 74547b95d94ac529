//! The k-distribution.

use std::path::{Path, PathBuf};

use isobar_longwave::KDistribution;

use crate::commands::Failure;

/// A k-distribution, and the file that it comes from.
pub(super) struct KSet {
    pub(super) path: PathBuf,
    pub(super) coefficients: KDistribution,
}

impl KSet {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let coefficients = KDistribution::open(path).map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self { path: path.to_owned(), coefficients })
    }

    /// The kind, the size, and where it lies.
    pub(super) fn description(&self) -> String {
        format!("RRTMG_LW, {} g-points, {}", self.coefficients.points(), isobar_io::netcdf::path_in_words(&self.path))
    }
}
