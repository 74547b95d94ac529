//! The command line, as the program `isobar` and other languages' packages have it.

use std::ffi::OsString;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::program::examples::with_examples;
use crate::program::failure::{EXIT_CODES, Failure};
use crate::{commands, program};

/// What `isobar --help` says of commands that this build does not have.
const LEFT_OUT: &str = if cfg!(feature = "cli") {
    ""
} else {
    "\n\nThis is a build for cases of JURASSIC (feature infrared). `cargo install --path crates/isobar` builds all \
     commands: radiation, adding, pbl, chem, run, spectra and others."
};

/// Radiative transfer and atmospheric column physics, the same bits on CPU and GPU
#[derive(Parser, Debug)]
#[command(version, after_help = format!("{EXIT_CODES}{LEFT_OUT}"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[command(flatten)]
    Infrared(Box<Infrared>),
    #[cfg(feature = "cli")]
    #[command(flatten)]
    Columns(Box<Columns>),
    /// The processors that can compute
    Devices(commands::devices::Devices),
    /// A script with which a shell completes words of this command
    Completions(commands::shell::Completions),
    /// Pages for `man`, one a command
    Man(commands::shell::Man),
}

/// Cases of JURASSIC.
#[derive(Subcommand, Debug)]
enum Infrared {
    /// Infrared radiances of a JURASSIC case
    Forward(commands::forward::Forward),
    /// Jacobians of a JURASSIC case: derivatives of its radiances by the state of the atmosphere
    Kernel(commands::kernel::Kernel),
    /// Retrieve atmospheres from measured radiances by optimal estimation, as JURASSIC does
    Retrieve(commands::retrieve::Retrieve),
    /// Paths of the rays of a JURASSIC case, point by point
    Raytrace(commands::raytrace::Raytrace),
    /// Look into emissivity tables, or convert them
    #[command(subcommand)]
    Tables(commands::tables::Tables),
    /// Small tools that users of JURASSIC know: atmfmt, obsfmt, interpolate, limb, nadir, zenith, planck, brightness
    #[command(subcommand)]
    Jurassic(commands::jurassic::Jurassic),
}

/// Spectra, and columns and cells of air.
#[cfg(feature = "cli")]
#[derive(Subcommand, Debug)]
enum Columns {
    /// Infrared radiances of a JURASSIC case line by line, along the same paths as those of forward
    Lbl(commands::lbl::Lbl),
    /// Spectroscopy line by line, from lists of HITRAN, HITEMP and ExoMol: what a list holds, absorption spectra,
    /// emissivity tables, k-distributions
    #[command(subcommand)]
    Spectra(commands::spectra::Spectra),
    /// Radiances of layered profiles by the adding method
    Adding(commands::adding::Adding),
    /// Boundary-layer tendencies of columns of air by the YSU or the Shin-Hong scheme
    Pbl(commands::pbl::Pbl),
    /// Long-wave fluxes and heating rates of columns of air, by k-distributions of RRTMGP, ecCKD or RRTMG_LW
    Longwave(commands::longwave::Longwave),
    /// Short-wave fluxes and heating rates of columns of air, by k-distributions of RRTMGP and ecCKD
    Shortwave(commands::radiation::Shortwave),
    /// Long-wave and short-wave fluxes and heating rates of columns of air, by k-distributions of RRTMGP, ecCKD and
    /// RRTMG_LW
    Radiation(commands::radiation::Radiation),
    /// What radiation or pbl would read of a file of columns, and as what: names, units, ranges, what is derived,
    /// missing and not read
    Check(commands::check::Check),
    /// Chemistry in cells of air, by any mechanism in KPP's language
    Chem(commands::chem::Chem),
    /// Look into a mechanism in KPP's language
    #[command(subcommand)]
    Kpp(commands::kpp::Kpp),
    /// A column model from a case file: radiation, boundary layers and chemistry through the day
    Run(commands::run::Run),
    /// Data that are not part of the program
    #[command(subcommand)]
    Data(commands::data::Data),
}

/// k-distributions that come with the program are in this folder: looked for after the folders of data.
#[cfg(feature = "cli")]
pub fn comes_with(folder: std::path::PathBuf) {
    crate::data_folder::comes_with(folder);
}

/// Does what a command line says, the program's name its first word, and gives the exit status. For a process that does
/// nothing else: it sets what becomes of signals, and what a first call was given holds for all of them.
#[must_use]
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    program::run(words, command(), |cli: Cli| match cli.command {
        Command::Infrared(command) => infrared(&command),
        #[cfg(feature = "cli")]
        Command::Columns(command) => columns(&command),
        Command::Devices(devices) => commands::devices::run(&devices),
        Command::Completions(completions) => commands::shell::completions(&completions, command()),
        Command::Man(man) => commands::shell::man(&man, command()),
    })
}

fn infrared(command: &Infrared) -> Result<(), Failure> {
    match command {
        Infrared::Forward(forward) => commands::forward::run(forward),
        Infrared::Kernel(kernel) => commands::kernel::run(kernel),
        Infrared::Retrieve(retrieve) => commands::retrieve::run(retrieve),
        Infrared::Raytrace(raytrace) => commands::raytrace::run(raytrace),
        Infrared::Tables(tables) => commands::tables::run(tables),
        Infrared::Jurassic(tool) => commands::jurassic::run(tool),
    }
}

#[cfg(feature = "cli")]
fn columns(command: &Columns) -> Result<(), Failure> {
    match command {
        Columns::Lbl(lbl) => commands::lbl::run(lbl),
        Columns::Spectra(spectra) => commands::spectra::run(spectra),
        Columns::Adding(adding) => commands::adding::run(adding),
        Columns::Pbl(pbl) => commands::pbl::run(pbl),
        Columns::Longwave(longwave) => commands::longwave::run(longwave),
        Columns::Shortwave(shortwave) => commands::radiation::run_shortwave(shortwave),
        Columns::Radiation(radiation) => commands::radiation::run(radiation),
        Columns::Check(check) => commands::check::run(check),
        Columns::Chem(chem) => commands::chem::run(chem),
        Columns::Kpp(kpp) => commands::kpp::run(kpp),
        Columns::Run(run) => commands::run::run(run),
        Columns::Data(data) => commands::data::run(data),
    }
}

/// The command line, with an example of each command.
pub(crate) fn command() -> clap::Command {
    with_examples(Cli::command(), commands::examples::EXAMPLES)
}
