//! The programs `isobar` and `isobar-bench`, as chores run them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The command `isobar`: the program that `ISOBAR_PROGRAM` names, or that of a build without optimisation, or with what
/// options `release` says.
pub(crate) fn isobar(root: &Path, release: &[&str]) -> Result<PathBuf, String> {
    std::env::var_os("ISOBAR_PROGRAM").map_or_else(|| built(root, "isobar", release), |program| Ok(program.into()))
}

/// The program `isobar-bench`: that which `ISOBAR_BENCH` names, or that of a build.
pub(crate) fn bench(root: &Path, release: &[&str]) -> Result<PathBuf, String> {
    std::env::var_os("ISOBAR_BENCH").map_or_else(|| built(root, "isobar-bench", release), |program| Ok(program.into()))
}

/// The program of a package's name.
fn built(root: &Path, package: &str, release: &[&str]) -> Result<PathBuf, String> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["build", "--quiet", "--package", package])
        .args(release)
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !status.success() {
        return Err(format!("{package} is not built"));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let profile = if release.is_empty() { "debug" } else { "release" };
    Ok(target.join(profile).join(format!("{package}{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a program from the repository's root, and returns what it writes to standard output.
pub(crate) fn output(program: &Path, root: &Path, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new(program)
        .current_dir(root)
        .args(arguments)
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !done.status.success() {
        return Err(format!("{}: {}", in_words(program, arguments), String::from_utf8_lossy(&done.stderr)));
    }
    String::from_utf8(done.stdout).map_err(|error| format!("{}: {error}", in_words(program, arguments)))
}

/// A program's name and its arguments.
pub(crate) fn in_words(program: &Path, arguments: &[&str]) -> String {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    format!("{name} {}", arguments.join(" "))
}
