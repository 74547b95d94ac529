//! What can be wrong with files, lists, grids and states.

use std::path::{Path, PathBuf};

/// An error; each says in one line what is wrong and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpectraError {
    /// A file cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's words, or what is missing in it.
        why: String,
    },
    /// A line of a file is wrong.
    #[error("{}, line {line}: {why}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong, with the value and what is accepted.
        why: String,
    },
    /// A number that is given is out of its range.
    #[error("{what} is {value}; accepted is {accepted}")]
    Value {
        /// What it is.
        what: String,
        /// Its value.
        value: String,
        /// The range.
        accepted: String,
    },
    /// Options that exclude each other, or a grid that does not serve them.
    #[error("{0}")]
    Options(String),
    /// A line in some air has an intensity, width or shift that is no number.
    #[error("line {line} of {gas} at {pressure_hpa} hPa and {temperature_k} K gives no finite numbers")]
    NotFinite {
        /// The gas.
        gas: String,
        /// The number of the line in the list, from 1.
        line: usize,
        /// The pressure \[hPa\].
        pressure_hpa: f64,
        /// The temperature \[K\].
        temperature_k: f64,
    },
    /// A device failed.
    #[cfg(feature = "launch")]
    #[error(transparent)]
    Device(#[from] isobar_launch::Error),
}

impl SpectraError {
    pub(crate) fn file(path: &Path, why: impl ToString) -> Self {
        Self::File { path: path.to_owned(), why: why.to_string() }
    }

    pub(crate) fn record(path: &Path, line: usize, why: impl Into<String>) -> Self {
        Self::Record { path: path.to_owned(), line, why: why.into() }
    }

    pub(crate) fn value(what: impl Into<String>, value: impl ToString, accepted: impl Into<String>) -> Self {
        Self::Value { what: what.into(), value: value.to_string(), accepted: accepted.into() }
    }
}
