//! `isobar spectra`: spectroscopy line by line.

mod absorption;
mod info;
mod kdist;
mod tables;

use clap::Subcommand;

use crate::program::failure::Failure;

/// What to do with line lists.
#[derive(Subcommand, Debug)]
pub(crate) enum Spectra {
    /// What line lists hold: isotopologues, ranges, intensities
    Info(info::Info),
    /// Absorption of gases in some air over a grid of wavenumbers, into a NetCDF file
    Absorption(Box<absorption::Absorption>),
    /// k-distributions of the long wave, for isobar longwave and radiation
    Kdist(Box<kdist::MakeKDistribution>),
    /// Emissivity tables of a gas for JURASSIC and `isobar forward`
    Tables(Box<tables::MakeTables>),
}

pub(crate) fn run(spectra: &Spectra) -> Result<(), Failure> {
    match spectra {
        Spectra::Info(options) => info::run(options),
        Spectra::Absorption(options) => absorption::run(options),
        Spectra::Kdist(options) => kdist::run(options),
        Spectra::Tables(options) => tables::run(options),
    }
}
