//! The options of `isobar chem explain`.

use std::path::PathBuf;

use clap::Args;

use super::super::choices::Choices;
use crate::commands::mechanism_file::Reading;
use crate::program::options::{Printing, positive};
use crate::program::output::PlotFile;

/// The options of `isobar chem explain`.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The cell: a file of cells as isobar chem reads it, or one that it wrote of a cell that failed
    #[arg(value_name = "FILE")]
    pub(super) cell: PathBuf,
    /// Mechanism, as isobar chem reads it
    #[arg(long, value_name = "FILE")]
    pub(super) mechanism: PathBuf,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Which cell of the file, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) index: usize,
    /// Seconds of the interval; that of the model, or what is left of it, where the file says it
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub(super) dt: Option<f64>,
    /// The start of the interval in seconds; otherwise as in isobar chem, or where a cell failed
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) start: Option<f64>,
    #[command(flatten)]
    pub(super) choices: Choices,
    #[command(flatten)]
    pub(super) plot: PlotFile,
    #[command(flatten)]
    pub(super) print: Printing,
}
