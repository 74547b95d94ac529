//! The options of `isobar chem explain`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::choices::Choices;
use super::super::setting;
use crate::commands::mechanism_file::Reading;
use crate::program::options::{Printing, positive};
use crate::program::output::PlotFile;

/// The options of `isobar chem explain`.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The cell: files of cells as --cells of isobar chem has them, or one that it wrote of a cell that failed
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    pub(super) cells: Vec<PathBuf>,
    /// An input of the rates, TEMP in K or PRESS in Pa, whatever the cell's file has
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub(super) set: Vec<(String, f64)>,
    /// Mechanism, as isobar chem reads it
    #[arg(long, value_name = "FILE")]
    pub(super) mechanism: PathBuf,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Which cell of the files, counted from 0
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

impl Explain {
    /// The first file, after which the cell is called.
    pub(super) fn first(&self) -> &Path {
        &self.cells[0]
    }
}
