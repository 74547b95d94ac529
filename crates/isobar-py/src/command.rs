//! The command line, for `python -m isobar`.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Does what a command line says, the program's name its first word, and gives the exit status. For a process that does
/// nothing else. `data` is the folder of the package's k-distributions.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>, data: PathBuf) -> u8 {
    isobar::cli::comes_with(data);
    py.detach(|| isobar::cli::run(words))
}
