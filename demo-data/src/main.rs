//! `cargo xtask demo-data`: makes the cases in `data/`, or compares them with the committed ones.

mod cases;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let data = root().join("data");
    let outcome = match arguments.as_slice() {
        ["demo-data"] => cases::run(&data, false),
        ["demo-data", "--check"] => cases::run(&data, true),
        _ => Err("demo-data, and perhaps --check".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("demo-data: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's root. Cargo names the folder of this crate to the running program; a build folder can be shared by
/// two checkouts.
fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("demo-data is a folder of the repository").to_owned()
}
