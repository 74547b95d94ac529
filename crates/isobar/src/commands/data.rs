//! `isobar data`: data that are not part of the program.

mod download;
mod fetch;

use clap::Subcommand;

use crate::program::failure::Failure;

/// The subcommands of `isobar data`.
#[derive(Subcommand, Debug)]
pub(crate) enum Data {
    /// Download a data set
    Fetch(fetch::Fetch),
}

pub(crate) fn run(data: &Data) -> Result<(), Failure> {
    match data {
        Data::Fetch(options) => fetch::run(options),
    }
}
