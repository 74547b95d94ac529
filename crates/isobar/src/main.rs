//! The `isobar` command.

mod bench_case;
mod commands;

use clap::{Parser, Subcommand};

/// Radiative transfer and atmospheric column physics, the same bits on CPU and GPU
#[derive(Parser, Debug)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// How fast, and how far from the machine's limit
    #[command(subcommand)]
    Bench(commands::bench::Bench),
}

fn main() -> std::process::ExitCode {
    let outcome = match Cli::parse().command {
        Command::Bench(bench) => commands::bench::run(&bench),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("isobar: {failure}");
            std::process::ExitCode::FAILURE
        }
    }
}
