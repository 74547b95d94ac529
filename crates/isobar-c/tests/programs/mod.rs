//! Compilers of other languages, and the library that this test was built with.

#![allow(dead_code, reason = "each test uses some")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler, by a variable of the environment or the usual name, in the crate's folder; none where it is not
/// installed.
pub(crate) fn compiler(variable: &str, usual: &str) -> Option<Command> {
    let name = env::var(variable).unwrap_or_else(|_| usual.to_owned());
    if Command::new(&name).arg("--version").output().is_err() {
        eprintln!("SKIPPED: {name} is not installed ({variable})");
        return None;
    }
    let mut command = Command::new(name);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    Some(command)
}

/// Runs it, and shows what it says if it fails.
pub(crate) fn succeeded(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    said
}

/// Runs a program, which finds the shared library in a folder.
pub(crate) fn run(program: &Path, library: &Path) -> String {
    succeeded(Command::new(program).env("LD_LIBRARY_PATH", library))
}

/// The folder of what Cargo has built.
fn built() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// The static library.
pub(crate) fn static_library() -> PathBuf {
    built().join("libisobar_c.a")
}

/// The shared library under the names by which it is installed: `libisobar.so`, and its own one.
pub(crate) fn shared_library(folder: &Path) -> PathBuf {
    let named = |suffix: &str| folder.join(format!("libisobar.so{suffix}"));
    for name in [named(""), named(&format!(".{}", env!("CARGO_PKG_VERSION_MAJOR")))] {
        if !name.exists() {
            std::os::unix::fs::symlink(built().join("libisobar_c.so"), name).unwrap();
        }
    }
    named("")
}
