//! The command `isobar`, as chores run it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that `ISOBAR_PROGRAM` names, or that of a build: without optimisation, or of the profile `release`.
pub(crate) fn program(root: &Path, release: &[&str]) -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os("ISOBAR_PROGRAM") {
        return Ok(program.into());
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["build", "--quiet", "--package", "isobar"])
        .args(release)
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !status.success() {
        return Err("the command is not built".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let profile = if release.is_empty() { "debug" } else { "release" };
    Ok(target.join(profile).join(format!("isobar{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs the command from the repository's root, and returns what it writes to standard output.
pub(crate) fn output(program: &Path, root: &Path, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new(program)
        .current_dir(root)
        .args(arguments)
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !done.status.success() {
        return Err(format!("isobar {}: {}", arguments.join(" "), String::from_utf8_lossy(&done.stderr)));
    }
    String::from_utf8(done.stdout).map_err(|error| format!("isobar {}: {error}", arguments.join(" ")))
}
