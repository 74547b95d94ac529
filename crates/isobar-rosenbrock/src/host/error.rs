//! What is wrong with a batch of cells.

/// A batch that cannot be computed. Cells, species and reactions count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A variable has the wrong number of values.
    #[error("{variable} has {got} values instead of {expected} = {shape}")]
    Size {
        /// The variable.
        variable: &'static str,
        /// The values found.
        got: usize,
        /// The values wanted.
        expected: usize,
        /// The dimensions that make up the wanted number.
        shape: String,
    },
    /// A value outside its range, or none at all.
    #[error("{variable} {row} at cell {cell} is {value}, which is not {range}")]
    Value {
        /// The variable.
        variable: &'static str,
        /// The species, reaction or input.
        row: usize,
        /// The cell.
        cell: usize,
        /// The value.
        value: f64,
        /// The accepted range.
        range: &'static str,
    },
    /// The mechanism, the options, or the number of cells.
    #[error("{0}")]
    Setup(String),
    /// A file of a cell that cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}
