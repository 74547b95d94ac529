//! A file as it is stored: NetCDF, or a Zarr store, which is a folder.

use std::ops::Range;

use netcdf_reader::{NcAttribute, NcFile, NcGroup, NcSliceInfo, NcSliceInfoElem, NcVariable, Result};

/// An open file, whose header has been read. Variables go by their paths (`group/variable`).
pub(super) enum Store {
    Netcdf(Box<NcFile>),
    #[cfg(feature = "zarr")]
    Zarr(super::zarr::Stored),
}

impl Store {
    /// Its dimensions and variables, and the groups with theirs.
    pub(super) fn root(&self) -> Result<&NcGroup> {
        match self {
            Self::Netcdf(file) => file.root_group(),
            #[cfg(feature = "zarr")]
            Self::Zarr(stored) => Ok(stored.root()),
        }
    }

    /// Global attributes.
    pub(super) fn attributes(&self) -> Result<&[NcAttribute]> {
        match self {
            Self::Netcdf(file) => file.global_attributes(),
            #[cfg(feature = "zarr")]
            Self::Zarr(stored) => Ok(&stored.root().attributes),
        }
    }

    pub(super) fn variable(&self, path: &str) -> Result<&NcVariable> {
        match self {
            Self::Netcdf(file) => file.variable(path),
            #[cfg(feature = "zarr")]
            Self::Zarr(stored) => stored.variable(path),
        }
    }

    /// Numbers of a variable as they are stored, those of some indices of each dimension, or all.
    pub(super) fn numbers(&self, path: &str, indices: &[Option<Range<usize>>]) -> Result<Vec<f64>> {
        let file = match self {
            Self::Netcdf(file) => file,
            #[cfg(feature = "zarr")]
            Self::Zarr(stored) => return stored.numbers(path, indices),
        };
        let array = if indices.iter().all(Option::is_none) {
            file.read_variable_as_f64(path)?
        } else {
            let slice = |range: &Option<Range<usize>>| {
                let (start, end) = range.as_ref().map_or((0, u64::MAX), |range| (range.start as u64, range.end as u64));
                NcSliceInfoElem::Slice { start, end, step: 1 }
            };
            let selections = indices.iter().map(slice).collect();
            file.read_variable_slice_as_f64(path, &NcSliceInfo { selections })?
        };
        let in_order = array.is_standard_layout();
        Ok(if in_order { array.into_raw_vec_and_offset().0 } else { array.iter().copied().collect() })
    }

    /// The texts of a variable.
    pub(super) fn strings(&self, path: &str) -> Result<Vec<String>> {
        match self {
            Self::Netcdf(file) => file.read_variable_as_strings(path),
            #[cfg(feature = "zarr")]
            Self::Zarr(stored) => stored.strings(path),
        }
    }
}
