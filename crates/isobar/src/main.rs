//! The program `isobar`.

use std::process::ExitCode;

fn main() -> ExitCode {
    isobar::cli::run(std::env::args_os()).into()
}
