//! The command line, as the program `isobar` and other languages' packages have it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::program::examples::with_examples;
use crate::program::failure::EXIT_CODES;
use crate::{commands, data_folder, program};

/// Radiative transfer and atmospheric column physics, the same bits on CPU and GPU
#[derive(Parser, Debug)]
#[command(version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Infrared radiances of a JURASSIC case
    Forward(commands::forward::Forward),
    /// Jacobians of a JURASSIC case: derivatives of its radiances by the state of the atmosphere
    Kernel(commands::kernel::Kernel),
    /// Retrieve atmospheres from measured radiances by optimal estimation, as JURASSIC does
    Retrieve(commands::retrieve::Retrieve),
    /// Paths of the rays of a JURASSIC case, point by point
    Raytrace(commands::raytrace::Raytrace),
    /// Radiances of layered profiles by the adding method
    Adding(commands::adding::Adding),
    /// Boundary-layer tendencies of columns of air by the YSU scheme
    Pbl(commands::pbl::Pbl),
    /// Long-wave fluxes and heating rates of columns of air, by k-distributions of RRTMGP, ecCKD or RRTMG_LW
    Longwave(commands::longwave::Longwave),
    /// Short-wave fluxes and heating rates of columns of air, by k-distributions of RRTMGP and ecCKD
    Shortwave(commands::radiation::Shortwave),
    /// Long-wave and short-wave fluxes and heating rates of columns of air, by k-distributions of RRTMGP and ecCKD
    Radiation(commands::radiation::Radiation),
    /// What radiation would read of a file of columns, and as what: names, units, ranges, what is derived, missing and
    /// not read
    Check(commands::check::Check),
    /// Chemistry in cells of air, by any mechanism in KPP's language
    Chem(Box<commands::chem::Chem>),
    /// A column model from a case file: radiation, boundary layers and chemistry through the day
    Run(commands::run::Run),
    /// Look into a mechanism in KPP's language
    #[command(subcommand)]
    Kpp(commands::kpp::Kpp),
    /// Look into emissivity tables, or convert them
    #[command(subcommand)]
    Tables(commands::tables::Tables),
    /// Infrared radiances of a JURASSIC case line by line, along the same paths as those of forward
    Lbl(Box<commands::lbl::Lbl>),
    /// Spectroscopy line by line, from lists of HITRAN, HITEMP and ExoMol: what a list holds, absorption spectra,
    /// emissivity tables, k-distributions
    #[command(subcommand)]
    Spectra(commands::spectra::Spectra),
    /// Small tools that users of JURASSIC know: atmfmt, obsfmt, interpolate, limb, nadir, zenith, planck, brightness
    #[command(subcommand)]
    Jurassic(commands::jurassic::Jurassic),
    /// Data that are not part of the program
    #[command(subcommand)]
    Data(commands::data::Data),
    /// The processors that can compute
    Devices(commands::devices::Devices),
    /// A script with which a shell completes words of this command
    Completions(commands::shell::Completions),
    /// Pages for `man`, one a command
    Man(commands::shell::Man),
}

/// k-distributions that come with the program are in this folder: looked for after the folders of data.
pub fn comes_with(folder: PathBuf) {
    data_folder::comes_with(folder);
}

/// Does what a command line says, the program's name its first word, and gives the exit status. For a process that does
/// nothing else: it sets what becomes of signals, and what a first call was given holds for all of them.
#[must_use]
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    program::run(words, command(), |cli: Cli| match cli.command {
        Command::Forward(forward) => commands::forward::run(&forward),
        Command::Kernel(kernel) => commands::kernel::run(&kernel),
        Command::Retrieve(retrieve) => commands::retrieve::run(&retrieve),
        Command::Raytrace(raytrace) => commands::raytrace::run(&raytrace),
        Command::Adding(adding) => commands::adding::run(&adding),
        Command::Pbl(pbl) => commands::pbl::run(&pbl),
        Command::Longwave(longwave) => commands::longwave::run(&longwave),
        Command::Shortwave(shortwave) => commands::radiation::run_shortwave(&shortwave),
        Command::Radiation(radiation) => commands::radiation::run(&radiation),
        Command::Check(check) => commands::check::run(&check),
        Command::Chem(chem) => commands::chem::run(&chem),
        Command::Run(run) => commands::run::run(&run),
        Command::Kpp(kpp) => commands::kpp::run(&kpp),
        Command::Tables(tables) => commands::tables::run(&tables),
        Command::Lbl(lbl) => commands::lbl::run(&lbl),
        Command::Spectra(spectra) => commands::spectra::run(&spectra),
        Command::Jurassic(tool) => commands::jurassic::run(&tool),
        Command::Data(data) => commands::data::run(&data),
        Command::Devices(devices) => commands::devices::run(&devices),
        Command::Completions(completions) => commands::shell::completions(&completions, command()),
        Command::Man(man) => commands::shell::man(&man, command()),
    })
}

/// The command line, with an example of each command.
pub(crate) fn command() -> clap::Command {
    with_examples(Cli::command(), commands::examples::EXAMPLES)
}
