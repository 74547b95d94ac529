//! Chores of the repository: `cargo xtask help` lists them.

mod agreement;
mod bench;
mod book;
mod c_install;
mod cross;
mod documents;
mod figures;
mod fuzz;
mod oracles;
mod program;
mod ptx;
mod runs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <chore>

  ptx                    compile gpu-kernels and write crates/*/ptx/*.ptx
  ptx --check            compile gpu-kernels and fail where the committed PTX is another
  ptx ... --ptxas PATH   also assemble the result with NVIDIA's ptxas; print registers and spills
  demo-data              make the cases in data/
  demo-data --check      make them and fail where the committed ones are others
  bench [--device core|cuda] [--turns N] [SCHEME ...]
                         measure ratios of speed (ISOBAR_PROGRAM, or it is built) and fail where one is below that of
                         bench/baseline/SCHEME.json by more than its noise
  bench ... --write      make what is measured the baseline
  bench ... --curves     measure the rates of bench/speed.json again, which `figures` draws
  agreement              count how far results lie from the reference codes' (ISOBAR_REFERENCE) into
                         bench/agreement.json, which `figures` draws
  book                   build the guide as a book into target/book, by mdBook 0.4 (MDBOOK)
  documents              fail where a document links to a heading that is not there, Markdown changes a formula, or the
                         table of outputs in docs/validation.md names a test that is not there
  figures                draw the guide's figures, docs/figures/*.svg, with the command (ISOBAR_PROGRAM, or it is built)
  figures --check        draw them and fail where the committed ones are others
  fuzz [--seconds N] [--seed S] [TARGET ...]
                         build the fuzz targets, or some, and run each for N seconds (60); needs a C++ compiler
  c-header               write crates/isobar-c/include/isobar.h by cbindgen
  c-header --check       fail where the committed header is another
  c-install --prefix FOLDER [--profile NAME] [--cuda] [--built FOLDER]
                         build the C library (release), or take a built one, and install it with its header, files for
                         pkg-config and CMake, and Fortran's modules
  cross [aarch64|windows|macos ...]
                         build the command and the C library for other machines, run the cases in data/ by their
                         programs (qemu-aarch64, wine), and fail where a byte is another than this machine's
  cross ... --check      type-check alone, without their tools
  cross aarch64 --smoke  isobar-core's tests and the README's first command there, without optimisation
  help                   this text";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["ptx", options @ ..] => ptx::Options::parse(options).and_then(|options| ptx::run(&options)),
        ["demo-data", ..] => demo_data(&arguments),
        ["documents", options @ ..] => documents::run(options),
        ["figures", options @ ..] => figures::run(options),
        ["agreement", options @ ..] => agreement::run(options),
        ["book", options @ ..] => book::run(options),
        ["bench", options @ ..] => bench::Options::parse(options).and_then(|options| bench::run(&options)),
        ["fuzz", options @ ..] => fuzz::Options::parse(options).and_then(|options| fuzz::run(&options)),
        ["cross", options @ ..] => cross::Options::parse(options).and_then(|options| cross::run(&options)),
        ["c-header", options @ ..] => c_header(options),
        ["c-install", options @ ..] => c_install::Options::parse(options).and_then(|options| c_install::run(&options)),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        [] => Err(HELP.to_owned()),
        [other, ..] => Err(format!("there is no chore '{other}'\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the program that makes the cases in `data/`: a crate of its own, for it needs many of the others, and the
/// chores do not wait for them to be compiled.
fn demo_data(arguments: &[&str]) -> Result<(), String> {
    let status = std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root())
        .args(["run", "--quiet", "--package", "demo-data", "--"])
        .args(arguments)
        .status()
        .map_err(|e| format!("cargo does not start: {e}"))?;
    if status.success() { Ok(()) } else { Err("demo-data failed".to_owned()) }
}

/// Runs the program that makes the header of the C library, a workspace of its own.
fn c_header(options: &[&str]) -> Result<(), String> {
    if !matches!(options, [] | ["--check"]) {
        return Err(format!("c-header: there is no option '{}'", options.join(" ")));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let status = std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root().join("crates/isobar-c/header"))
        .args(["run", "--quiet", "--locked", "--target-dir"])
        .arg(target.join("c-header"))
        .arg("--")
        .args(options)
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if status.success() { Ok(()) } else { Err("c-header failed".to_owned()) }
}

/// The repository's root. Cargo names the folder of this crate to the running program; a build folder can be shared by
/// two checkouts.
fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("xtask is a folder of the repository").to_owned()
}
