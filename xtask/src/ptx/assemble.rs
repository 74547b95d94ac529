//! Shows what NVIDIA's assembler makes of the entries.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The GPUs for which the PTX has to assemble: the oldest that it is compiled for, and the one it is tuned on.
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

/// Assembles the PTX and prints each entry's registers, stack and spills.
pub(super) fn report(ptxas: &Path, ptx: &str) -> Result<(), String> {
    let file = env::temp_dir().join(format!("isobar-{}.ptx", std::process::id()));
    fs::write(&file, ptx).map_err(|e| format!("{}: {e}", file.display()))?;
    let outcome = ARCHITECTURES.iter().try_for_each(|architecture| assemble(ptxas, &file, architecture));
    fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    outcome
}

fn assemble(ptxas: &Path, file: &Path, architecture: &str) -> Result<(), String> {
    let output = Command::new(ptxas)
        .args(["-v", "-arch", architecture, "-o", "/dev/null"])
        .arg(file)
        .output()
        .map_err(|e| format!("{} does not start: {e}", ptxas.display()))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("the PTX does not assemble for {architecture}:\n{log}"));
    }
    println!("{architecture}:");
    let mut entry = "";
    let mut frame = "";
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            entry = rest.split('\'').next().unwrap_or_default();
        } else if line.contains("bytes stack frame") {
            frame = line.trim();
        } else if let Some((_, used)) = line.split_once("Used ") {
            println!("  {entry:<28} {}; {frame}", used.split(',').next().unwrap_or_default());
        }
    }
    Ok(())
}
