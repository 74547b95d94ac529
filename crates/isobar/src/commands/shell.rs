//! `isobar completions` and `isobar man`: what a shell and `man` know of the command.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::program::failure::Failure;

/// The options of `isobar completions`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// The options of `isobar man`.
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The folder, which is made if it is not there; pages of these names in it are written anew
    folder: PathBuf,
}

/// Prints a script that completes words of the command.
pub(crate) fn completions(options: &Completions, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "isobar", &mut script);
    crate::program::print::text(&script);
    Ok(())
}

/// Writes a page a command.
pub(crate) fn man(options: &Man, command: Command) -> Result<(), Failure> {
    let folder = &options.folder;
    let failed = |error| Failure::new(format!("{}: cannot write: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command, folder).map_err(failed)
}
