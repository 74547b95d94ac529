//! What went wrong, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Where a value was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(PathBuf, usize),
    /// An offset into a binary file \[bytes\].
    Byte(PathBuf, u64),
    /// File, variable and an offset into that variable of a NetCDF file \[bytes\].
    Variable(Box<(PathBuf, String)>, u64),
    /// A file as a whole.
    File(PathBuf),
    /// A `KEY VALUE` pair that came from no file.
    CommandLine,
}

impl Place {
    pub(crate) fn line(path: &Path, line: usize) -> Self {
        Self::Line(path.to_owned(), line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Byte(path, offset) => write!(f, "{}: byte {offset}", path.display()),
            Self::Variable(place, offset) => write!(f, "{}: {}: byte {offset}", place.0.display(), place.1),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

/// Why a file was not read or written. Each displays as one line; levels, rays and rows are counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system refused.
    #[error("{}: cannot {action}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `"read"` or `"write"`.
        action: &'static str,
        /// What the system says.
        cause: io::Error,
    },
    /// A token is not a number.
    #[error("{place}: {token:?} is not a number ({name})")]
    NotANumber {
        /// File and line.
        place: Place,
        /// The token found.
        token: String,
        /// What the number would mean.
        name: String,
    },
    /// A row ends too early.
    #[error("{place}: column {column} ({name}) is missing: the row has {found} of {expected} columns")]
    MissingColumn {
        /// File and line.
        place: Place,
        /// The first column that is missing, from 1.
        column: usize,
        /// What it would hold.
        name: String,
        /// The columns that are there.
        found: usize,
        /// The columns that the control file asks for.
        expected: usize,
    },
    /// A value lies outside its accepted range.
    #[error("{place}: {what} lies outside {range}")]
    OutOfRange {
        /// Where.
        place: Place,
        /// Variable, value and unit.
        what: String,
        /// The accepted range.
        range: String,
    },
    /// A binary file ends too early.
    #[error("{place}: the file ends within {what}: {missing} bytes are missing")]
    Truncated {
        /// File and the offset at which the item starts.
        place: Place,
        /// The item being read.
        what: String,
        /// How many bytes it lacks.
        missing: u64,
    },
    /// A table breaks the order or the range of an axis.
    #[error("{place}: {cause}")]
    Table {
        /// The file.
        place: Place,
        /// Axis, index and value.
        cause: isobar_ega::TableError,
    },
    /// A file lacks gases that the computation needs. The words are the command's.
    #[error(
        "{place}: gases are missing: {}; give a constant with --gas NAME=VALUE, or take all that are missing for zero \
         with --assume-zero",
        names.join(", ")
    )]
    MissingGases {
        /// The file.
        place: Place,
        /// Their formulas, in small letters, with the variable that may be meant.
        names: Vec<String>,
    },
    /// Anything else that makes no sense, in words.
    #[error("{place}: {problem}")]
    Invalid {
        /// Where.
        place: Place,
        /// What is wrong.
        problem: String,
    },
}

impl Error {
    pub(crate) fn invalid(place: Place, problem: impl Into<String>) -> Self {
        Self::Invalid { place, problem: problem.into() }
    }

    /// Whether the file does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Io { cause, .. } if cause.kind() == io::ErrorKind::NotFound)
    }
}
