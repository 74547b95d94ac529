//! The reference's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use isobar_io::{KDistribution, read_cloud_tables, read_k_distribution};
use isobar_optics::{Ecckd, GasOptics};
use isobar_radiation::{CloudOptics, Roughness};
use netcdf_reader::NcFile;

/// A file of the reference, if it is there.
pub(crate) fn reference(name: &str) -> Option<PathBuf> {
    isobar_golden::find("rrtmgp").map(|dir| dir.join(name))
}

/// A k-distribution, read once for all tests.
pub(crate) fn gas_optics(path: &Path) -> GasOptics {
    static READ: Mutex<BTreeMap<PathBuf, GasOptics>> = Mutex::new(BTreeMap::new());
    let read = || read_k_distribution(path).unwrap().gas_optics().unwrap();
    READ.lock().unwrap().entry(path.to_owned()).or_insert_with(read).clone()
}

/// A k-distribution of ecCKD, as its file has it.
pub(crate) fn ecckd(path: &Path) -> Ecckd {
    match read_k_distribution(path) {
        Ok(KDistribution::Ecckd(model)) => model,
        Ok(KDistribution::Rrtmgp(_)) => panic!("{} is RRTMGP's", path.display()),
        Err(error) => panic!("{error}"),
    }
}

/// Tables of clouds, with ice of medium roughness.
pub(crate) fn cloud_optics(path: &Path) -> CloudOptics {
    CloudOptics::new(&read_cloud_tables(path).unwrap_or_else(|error| panic!("{error}")), Roughness::Medium)
}

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
}

/// `values[item][row]` as `[row][item]`, rows from the other end: files go down, we go up.
pub(crate) fn upward(values: &[f64], items: usize) -> Vec<f64> {
    let rows = values.len() / items;
    (0..rows).rev().flat_map(|row| (0..items).map(move |item| values[item * rows + row])).collect()
}

/// `values[item][row]` as `[row][item]`.
pub(crate) fn transposed(values: &[f64], items: usize) -> Vec<f64> {
    let rows = values.len() / items;
    (0..rows).flat_map(|row| (0..items).map(move |item| values[item * rows + row])).collect()
}

/// The largest difference, and the largest of the second.
pub(crate) fn difference(ours: &[f64], theirs: &[f64]) -> (f64, f64) {
    assert_eq!(ours.len(), theirs.len());
    assert!(ours.iter().all(|value| value.is_finite()));
    let largest = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (largest, theirs.iter().map(|value| value.abs()).fold(0.0, f64::max))
}
