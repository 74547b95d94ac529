//! `isobar tables`: what emissivity tables hold, the same tables in another format, and with fewer nodes.

mod convert;
pub(super) mod format;
mod info;
mod thin;
mod whole;

use clap::Subcommand;

use crate::program::failure::Failure;

/// What to do with tables.
#[derive(Subcommand, Debug)]
pub(crate) enum Tables {
    /// Axes, ranges and dropped rows of tables: those of a control file, or files
    Info(info::Info),
    /// Write tables in another format: one, or all of a control file
    Convert(convert::Convert),
    /// Write the tables of a control file with fewer nodes, and say what that does to radiances
    Thin(thin::Thin),
}

pub(crate) fn run(tables: &Tables) -> Result<(), Failure> {
    match tables {
        Tables::Info(options) => info::info(options),
        Tables::Convert(options) => convert::run(options),
        Tables::Thin(options) => thin::thin(options),
    }
}
