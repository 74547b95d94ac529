//! Why a run fails.

use std::path::PathBuf;

/// Why a case cannot be read, or a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The case file cannot be read.
    #[error("{}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A key or value of the case is unknown, missing or out of range: the file with its line, and what is wrong.
    #[error("{0}")]
    Case(String),
    /// Another file cannot be read or written.
    #[error(transparent)]
    File(#[from] isobar_io::Error),
    /// The mechanism is wrong.
    #[error(transparent)]
    Mechanism(#[from] isobar_kpp::Error),
    /// The satellite's emissivity tables are wrong.
    #[error(transparent)]
    Tables(#[from] isobar_ega::TableError),
    /// The columns, or a stage, do not do.
    #[error(transparent)]
    Column(#[from] isobar_column::Error),
    /// A device fails.
    #[error(transparent)]
    Device(#[from] isobar_launch::Error),
    /// The satellite's setup does not fit together.
    #[error(transparent)]
    Forward(#[from] isobar_ega::ForwardError),
    /// The run takes more memory than there is.
    #[error(transparent)]
    Memory(#[from] isobar_launch::memory::TooLarge),
    /// There is no memory for the results of a field.
    #[error("{0}: there is no memory for its results")]
    NoRoom(&'static str),
    /// A restart file is not of this run.
    #[error("{}: {problem}", path.display())]
    Restart {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Not every device and process gets a column.
    #[error("{columns} columns are too few for {members} devices and processes")]
    TooFewColumns {
        /// Columns of the case.
        columns: usize,
        /// Devices of all processes.
        members: usize,
    },
    /// The results of a column are wanted that the case does not have.
    #[error("there is no column {column}: the case has {columns}, counted from 0")]
    NoColumn {
        /// Its number.
        column: usize,
        /// Columns of the case.
        columns: usize,
    },
    /// The run was asked to stop; if there is a restart file, it goes on from there.
    #[error("stopped after step {step} of {steps}")]
    Stopped {
        /// Steps that are done.
        step: u64,
        /// Steps of the whole run.
        steps: u64,
        /// The last restart file, and the steps after which it was written, if there is one.
        restart: Option<(PathBuf, u64)>,
        /// Why there is none of this step, if it could not be written.
        problem: Option<String>,
    },
    /// MPI does not start.
    #[error("{0}")]
    Mpi(&'static str),
    /// Another device or process of the run fails: which, and why.
    #[error("{0}")]
    Member(String),
    /// Another device or process of the run fails, and the first process says why.
    #[error("another process of the run fails, and the first one says why")]
    Elsewhere,
}
