//! Builds for other machines, and shows that they compute the same bits: the runs of [`crate::runs`] by the program of
//! this machine and by that of the other, in an emulator, and every byte of what both write.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::figures::Scratch;
use crate::runs::{DRAWN, FURTHER, Run};

/// A machine that is not this one.
struct Machine {
    /// As the chore is asked for it.
    name: &'static str,
    /// Rust's name of it.
    target: &'static str,
    /// Rust's name of it where types alone are checked, for which no tool of that machine is needed: the standard
    /// library for `windows-gnu` wants MinGW's `dlltool`, that for `windows-msvc` nothing.
    checked: &'static str,
    /// Environment variables of a build: what links.
    linker: &'static [(&'static str, &'static str)],
    /// The subcommand of cargo that builds, where it is not `build`.
    build: &'static str,
    /// What runs its programs here.
    emulator: Option<Emulator>,
    /// What programs are called.
    suffix: &'static str,
}

/// What runs the programs of another machine.
struct Emulator {
    command: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// What tells its version.
    version: &'static [&'static str],
}

const MACHINES: [Machine; 3] = [
    Machine {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        checked: "aarch64-unknown-linux-gnu",
        linker: &[("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")],
        build: "build",
        emulator: Some(Emulator {
            command: &["qemu-aarch64", "-cpu", "max"],
            environment: &[("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu")],
            version: &["qemu-aarch64", "--version"],
        }),
        suffix: "",
    },
    Machine {
        name: "windows",
        target: "x86_64-pc-windows-gnu",
        checked: "x86_64-pc-windows-msvc",
        linker: &[("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")],
        build: "build",
        emulator: Some(Emulator {
            command: &["wine"],
            environment: &[("WINEDEBUG", "-all")],
            version: &["wine", "--version"],
        }),
        suffix: ".exe",
    },
    // Apple's linker is nowhere else: `cargo zigbuild` (PyPI's `cargo-zigbuild` and `ziglang`) brings one.
    Machine {
        name: "macos",
        target: "aarch64-apple-darwin",
        checked: "aarch64-apple-darwin",
        linker: &[],
        build: "zigbuild",
        emulator: None,
        suffix: "",
    },
];

/// What the chore is asked for.
pub(crate) struct Options {
    machines: Vec<&'static Machine>,
    task: Task,
}

#[derive(Clone, Copy, PartialEq)]
enum Task {
    /// Types alone: nothing is linked, no tool is needed.
    Check,
    /// A build without optimisation, the tests of `isobar-core`, and the first command of the README.
    Smoke,
    /// Builds of the command and the C library, and all runs.
    All,
}

impl Options {
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, String> {
        let (mut machines, mut task) = (Vec::new(), Task::All);
        for &argument in arguments {
            match argument {
                "--check" => task = Task::Check,
                "--smoke" => task = Task::Smoke,
                name => machines.push(MACHINES.iter().find(|machine| machine.name == name).ok_or_else(|| {
                    format!("cross: there is no machine or option '{name}'; aarch64, windows, macos, --check, --smoke")
                })?),
            }
        }
        if machines.is_empty() {
            machines.extend(&MACHINES);
        }
        Ok(Self { machines, task })
    }
}

pub(crate) fn run(options: &Options) -> Result<(), String> {
    if options.task == Task::Check {
        return check(&options.machines);
    }
    for machine in &options.machines {
        match options.task {
            Task::Smoke => smoke(machine)?,
            _ => compare(machine)?,
        }
    }
    Ok(())
}

/// Type-checks the command and the C library, with CUDA where there is a driver.
fn check(machines: &[&Machine]) -> Result<(), String> {
    let names: Vec<&str> = machines.iter().map(|machine| machine.checked).collect();
    let mut cargo = cargo(&names, "check")?;
    cargo.args(["--quiet", "--package", "isobar", "--package", "isobar-c", "--features", "isobar/cuda,isobar-c/cuda"]);
    finish(&mut cargo, "type-checking")?;
    println!("isobar and isobar-c type-check for {}", names.join(", "));
    Ok(())
}

/// The tests of `isobar-core`, and the README's first command, without optimisation.
fn smoke(machine: &'static Machine) -> Result<(), String> {
    let emulator = emulator(machine)?;
    let mut tests = cargo_of(machine, "test")?;
    let runner = format!("CARGO_TARGET_{}_RUNNER", machine.target.to_uppercase().replace('-', "_"));
    tests.env(runner, emulator.command.join(" ")).envs(emulator.environment.iter().copied());
    tests.args(["--quiet", "--package", "isobar-core", "--lib", "--test", "main"]);
    finish(&mut tests, "isobar-core's tests")?;
    let mut build = cargo_of(machine, machine.build)?;
    build.args(["--quiet", "--package", "isobar"]);
    // Optimised, they take longer to compile than they then save.
    for scheme in ["adding", "ega", "optics", "radiation", "rosenbrock", "spectra"] {
        build.args(["--config", &format!("profile.dev.package.isobar-{scheme}.opt-level=0")]);
    }
    finish(&mut build, "the command's build")?;
    let scratch = Scratch::new("smoke")?;
    let limb = DRAWN.iter().find(|run| run.name == "limb").ok_or("there is no run 'limb'")?;
    let written = scratch.0.join("rad.tab");
    foreign(machine, emulator, "debug", limb, &written)?;
    match differing(&written, &crate::root().join("data/limb/rad.tab"))? {
        0 => Ok(()),
        bytes => Err(format!("{}: {bytes} bytes of data/limb/rad.tab are others", machine.name)),
    }
}

/// Builds for the machine, and compares what its command writes with what the command of this one writes.
fn compare(machine: &Machine) -> Result<(), String> {
    let mut build = cargo_of(machine, machine.build)?;
    build.args(["--quiet", "--release", "--package", "isobar", "--package", "isobar-c"]);
    finish(&mut build, "the release build")?;
    let Some(emulator) = &machine.emulator else {
        println!("| {} | built and linked | nothing runs its programs here | - |", machine.target);
        return Ok(());
    };
    if machine.name == "windows" {
        random_numbers_for_wine(&folder(machine, "release"))?;
    }
    let here = crate::program::isobar(&crate::root(), &["--release"])?;
    let (mut files, mut bytes, mut wrong) = (0, 0, Vec::new());
    for run in DRAWN.iter().chain(FURTHER) {
        // One name for both, for outputs hold the command that made them.
        let scratch = Scratch::new("cross")?;
        let written = scratch.0.join(format!("{}.{}", run.name, run.output.1));
        native(&here, run, &written)?;
        let kept = scratch.0.join("here");
        fs::rename(&written, &kept).map_err(|error| format!("{}: {error}", written.display()))?;
        foreign(machine, emulator, "release", run, &written)?;
        for (ours, theirs) in pairs(&kept, &written)? {
            files += 1;
            bytes += fs::metadata(&ours).map_err(|error| format!("{}: {error}", ours.display()))?.len();
            match differing(&ours, &theirs)? {
                0 => {}
                count => wrong.push(format!("{}: {count} bytes", run.name)),
            }
        }
    }
    let version = first_line(emulator.version)?;
    println!("| {} | {version} | {files} files, {bytes} bytes | {} differ |", machine.target, wrong.len());
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {}", machine.name, wrong.join(", "))) }
}

/// Cargo for a machine's programs.
fn cargo_of(machine: &Machine, subcommand: &str) -> Result<Command, String> {
    let mut cargo = cargo(&[machine.target], subcommand)?;
    cargo.envs(machine.linker.iter().copied());
    Ok(cargo)
}

/// Cargo for other targets. Where the standard library of one is not installed, it is built of its sources.
fn cargo(targets: &[&str], subcommand: &str) -> Result<Command, String> {
    let sysroot = PathBuf::from(first_line(&["rustc", "--print", "sysroot"])?);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(crate::root()).arg(subcommand).arg("--target-dir").arg(build_folder());
    let installed = |target: &&str| sysroot.join("lib/rustlib").join(target).join("lib").is_dir();
    if !targets.iter().all(installed) {
        if !sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file() {
            return Err(format!("needs `rustup target add {}`, or rust-src", targets.join(" ")));
        }
        cargo.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro");
    }
    for target in targets {
        cargo.args(["--target", target]);
    }
    Ok(cargo)
}

/// Builds of other machines have a folder of their own, so that they do not wait for those of this one.
fn build_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    target.join("cross")
}

fn folder(machine: &Machine, profile: &str) -> PathBuf {
    build_folder().join(machine.target).join(profile)
}

fn emulator(machine: &'static Machine) -> Result<&'static Emulator, String> {
    machine.emulator.as_ref().ok_or_else(|| format!("{}: nothing runs its programs here", machine.name))
}

fn finish(command: &mut Command, what: &str) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed")) }
}

fn first_line(command: &[&str]) -> Result<String, String> {
    let done =
        Command::new(command[0]).args(&command[1..]).output().map_err(|error| format!("{}: {error}", command[0]))?;
    Ok(String::from_utf8_lossy(&done.stdout).lines().next().unwrap_or_default().to_owned())
}

fn arguments(run: &Run, written: &Path) -> Vec<OsString> {
    let mut all: Vec<OsString> = run.arguments.iter().map(OsString::from).collect();
    all.extend([run.output.0.into(), written.into(), "--quiet".into()]);
    all.extend(run.device().iter().map(OsString::from));
    all
}

fn native(program: &Path, run: &Run, written: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    finish(command.current_dir(crate::root()).args(arguments(run, written)), run.name)
}

fn foreign(machine: &Machine, emulator: &Emulator, profile: &str, run: &Run, written: &Path) -> Result<(), String> {
    let mut command = Command::new(emulator.command[0]);
    command.args(&emulator.command[1..]).envs(emulator.environment.iter().copied());
    command.arg(folder(machine, profile).join(format!("isobar{}", machine.suffix)));
    finish(command.current_dir(crate::root()).args(arguments(run, written)), run.name)
}

/// The files of two outputs, of which each is a file or a folder.
fn pairs(ours: &Path, theirs: &Path) -> Result<Vec<(PathBuf, PathBuf)>, String> {
    if !ours.is_dir() {
        return Ok(vec![(ours.to_owned(), theirs.to_owned())]);
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(ours).map_err(|error| format!("{}: {error}", ours.display()))? {
        let ours = entry.map_err(|error| error.to_string())?.path();
        let name = ours.file_name().expect("an entry has a name").to_owned();
        all.extend(pairs(&ours, &theirs.join(name))?);
    }
    Ok(all)
}

/// The number of bytes that are not the same in two files; the longer one's rest counts.
fn differing(ours: &Path, theirs: &Path) -> Result<usize, String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (ours, theirs) = (read(ours)?, read(theirs)?);
    let unequal = ours.iter().zip(&theirs).filter(|(a, b)| a != b).count();
    Ok(unequal + ours.len().abs_diff(theirs.len()))
}

/// Wine before version 9 has no `bcryptprimitives.dll`, from which Rust's standard library takes random numbers for its
/// hash maps: one beside the program, of what Wine has.
fn random_numbers_for_wine(folder: &Path) -> Result<(), String> {
    const SOURCE: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{ return SystemFunction036(bytes, (ULONG)count); }
";
    let source = folder.join("random_numbers.c");
    fs::write(&source, SOURCE).map_err(|error| format!("{}: {error}", source.display()))?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler.arg("-shared").arg(&source).arg("-o").arg(folder.join("bcryptprimitives.dll")).arg("-ladvapi32");
    finish(&mut compiler, "bcryptprimitives.dll")
}
