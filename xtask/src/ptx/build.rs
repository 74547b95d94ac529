//! Runs the compiler for the target nvptx64.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What every crate of the build, `core` too, is compiled with.
///
/// There is nothing to link, for the PTX is the assembly; a panic's location would carry the paths of the machine.
const FLAGS: [&str; 3] = ["-Ctarget-cpu=sm_80", "-Clinker=true", "-Zlocation-detail=none"];

/// The assembly of `gpu-kernels`, as the compiler wrote it, and the compiler's version; `locked` forbids changes of its
/// lock file.
pub(super) fn assembly(locked: bool) -> Result<(String, String), String> {
    let compiler = rustc(&["--version"])?;
    let version = compiler.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    need_rust_src()?;
    let target = target_folder();
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(crate::root().join("gpu-kernels"))
        // Features of the compiler that it does not call stable: the ABI and the intrinsics of the target.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        // An incremental build splits crates otherwise, and what is inlined differs.
        .env("CARGO_INCREMENTAL", "0")
        .args(["rustc", "--quiet", "--release", "--target", "nvptx64-nvidia-cuda", "-Zbuild-std=core"])
        .args(locked.then_some("--locked"))
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "--emit=asm"])
        .status()
        .map_err(|e| format!("cargo does not start: {e}"))?;
    if !status.success() {
        return Err("gpu-kernels does not compile for nvptx64-nvidia-cuda".to_owned());
    }
    let file = target.join("nvptx64-nvidia-cuda/release/deps/isobar_gpu_kernels.s");
    let assembly = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok((assembly, version))
}

/// A build folder of its own, so that the flags of other builds do not undo this one.
fn target_folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    std::path::absolute(&target).unwrap_or(target).join("ptx")
}

/// `-Zbuild-std` compiles `core` from its source, which is a component of the toolchain.
fn need_rust_src() -> Result<(), String> {
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?.trim());
    if sysroot.join("lib/rustlib/src/rust/library/core/Cargo.toml").is_file() {
        return Ok(());
    }
    Err("the sources of `core` are missing: `rustup component add rust-src` brings them".to_owned())
}

fn rustc(arguments: &[&str]) -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .current_dir(crate::root())
        .args(arguments)
        .output()
        .map_err(|e| format!("rustc does not start: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "rustc {} failed: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
