//! Coefficients of gas, cloud and aerosol optics: RRTMGP's and ecCKD's files are read to the numbers that others read,
//! our own layout gives back what was written, and what is damaged is refused.

mod aerosols;
mod clouds;
mod committed;
mod ecckd;
mod own;
mod own_clouds;
mod rrtmgp;
mod scattering;

use std::path::Path;

use crate::common::tables::Tables;
use isobar_io::{KDistribution, read_k_distribution};
use isobar_optics::{Ecckd, Rrtmgp};

fn read_rrtmgp(path: &Path) -> Rrtmgp {
    match read_k_distribution(path).unwrap() {
        KDistribution::Rrtmgp(model) => model,
        KDistribution::Ecckd(_) => panic!("{} is no sum of gases", path.display()),
    }
}

fn read_ecckd(path: &Path) -> Ecckd {
    match read_k_distribution(path).unwrap() {
        KDistribution::Ecckd(model) => model,
        KDistribution::Rrtmgp(_) => panic!("{} is a sum of gases", path.display()),
    }
}

/// What a file is refused with.
fn refused(tables: &Tables) -> String {
    let (_folder, path) = tables.save();
    crate::common::message(read_k_distribution(&path), &path)
}

/// Equal but for the order of the sum that somebody else formed.
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{found}, expected {expected}");
}

/// Tells that files whose end is missing are refused, wherever they end.
fn truncated_is_refused<T>(path: &Path, read: impl Fn(&Path) -> Result<T, isobar_io::Error>) {
    let bytes = std::fs::read(path).unwrap();
    for part in [0, 100, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1000] {
        let (_folder, cut) = crate::common::file(&bytes[..part], "cut.nc");
        let message = crate::common::message(read(&cut), &cut);
        assert!(message.starts_with("cut.nc: "), "{part}: {message}");
    }
}

#[test]
fn other_files_are_no_k_distribution() {
    let tables = Tables::new(&[("layer", 2)]).with("temperature(layer)", "K", &[200.0]);
    assert_eq!(
        refused(&tables),
        "in.nc: it is no k-distribution: it has neither kmajor (RRTMGP), nor *_molar_absorption_coeff (ecCKD), nor \
         *_absorption (Isobar's); the file has: temperature"
    );
    let (_folder, path) = crate::common::file("no NetCDF", "in.nc");
    assert!(crate::common::message(read_k_distribution(&path), &path).contains("not a NetCDF file"));
}
