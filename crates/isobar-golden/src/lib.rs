//! What tests share: reference data of the codes that Isobar is compared with, and the comparison of devices bit for
//! bit ([`conformance!`]).
//!
//! The data are found through `ISOBAR_REFERENCE`, by default `../shared/reference` beside the checkout. A test
//! whose data are missing says so aloud and ends: `let Some(dir) = isobar_golden::find("jurassic") else { return };`

use std::io::Write as _;
use std::path::{Path, PathBuf};

mod agreement;
mod bits;
mod conformance;
mod devices;

pub use agreement::Agreement;
pub use bits::{Outputs, Random, numbers_of_all_magnitudes};
pub use conformance::same_bits_everywhere;
pub use devices::{devices, gpus};
pub use serde_json::Value;

/// The folder of one reference code, or nothing, with a line on standard error.
#[must_use]
pub fn find(code: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ISOBAR_REFERENCE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference"), PathBuf::from);
    let dir = root.join(code);
    if dir.is_dir() {
        return Some(dir);
    }
    // Past the test harness, which swallows what a passing test prints.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no reference data in {} (set ISOBAR_REFERENCE)", dir.display());
    None
}

/// A JSON file.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The numbers of a JSON array; `null` is NaN.
///
/// # Panics
/// If it is no array.
#[must_use]
pub fn numbers(value: &Value) -> Vec<f64> {
    let array = value.as_array().unwrap_or_else(|| panic!("no array: {value}"));
    array.iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
}

/// Shape and values of a NumPy file of doubles or singles in C order.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn npy(path: &Path) -> (Vec<usize>, Vec<f64>) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let failed = |error: std::io::Error| -> ! { panic!("{}: {error}", path.display()) };
    let open = || npyz::NpyFile::new(&bytes[..]).unwrap_or_else(|error| failed(error));
    let shape = open().shape().iter().map(|&n| n as usize).collect();
    let values = match open().into_vec::<f32>() {
        Ok(singles) => singles.into_iter().map(f64::from).collect(),
        Err(_) => open().into_vec().unwrap_or_else(|error| failed(error)),
    };
    (shape, values)
}

/// Shape and values of a NumPy file of 32-bit integers, or of bytes, in C order.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn npy_integers(path: &Path) -> (Vec<usize>, Vec<i32>) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let failed = |error: std::io::Error| -> ! { panic!("{}: {error}", path.display()) };
    let open = || npyz::NpyFile::new(&bytes[..]).unwrap_or_else(|error| failed(error));
    let shape = open().shape().iter().map(|&n| n as usize).collect();
    let values = match open().into_vec::<u8>() {
        Ok(bytes) => bytes.into_iter().map(i32::from).collect(),
        Err(_) => open().into_vec().unwrap_or_else(|error| failed(error)),
    };
    (shape, values)
}

/// The rows of numbers of a text file; `#` begins a comment.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn rows(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("{}: {word} is no number", path.display()));
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split_whitespace().map(number).collect())
        .collect()
}
