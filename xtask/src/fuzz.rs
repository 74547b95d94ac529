//! Builds the fuzz targets of `fuzz` with libFuzzer, and runs them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A target, a file of `fuzz/targets`.
struct Target {
    name: &'static str,
    /// The longest input in bytes.
    longest: usize,
    /// Files of `data` that are inputs to begin with, besides those in `fuzz/corpus/NAME`.
    seeds: &'static [&'static str],
}

const TARGETS: [Target; 16] = [
    Target { name: "adding", longest: 1 << 15, seeds: &["adding/profiles.nc", "adding/ocean.nc"] },
    Target { name: "atmosphere", longest: 1 << 13, seeds: &["limb/atm.tab"] },
    Target { name: "boundary_layer", longest: 1 << 15, seeds: &["pbl/columns.nc"] },
    Target { name: "case", longest: 1 << 12, seeds: &["column/case.toml", "column/gabls1.toml", "column/gabls3.toml"] },
    Target { name: "cell_file", longest: 1 << 12, seeds: &[] },
    Target { name: "chemistry", longest: 1 << 15, seeds: &["chemistry/cells.nc"] },
    Target { name: "control", longest: 1 << 13, seeds: &["limb/limb.ctl", "nadir/nadir.ctl"] },
    Target { name: "k_distribution", longest: 1 << 10, seeds: &[] },
    Target { name: "kpp", longest: 1 << 13, seeds: &["mechanisms/chapman_nox.kpp", "column/ozone_nox.kpp"] },
    Target { name: "longwave", longest: 1 << 15, seeds: &["radiation/columns.nc"] },
    Target { name: "netcdf", longest: 1 << 8, seeds: &[] },
    Target { name: "observation", longest: 1 << 13, seeds: &["limb/obs.tab", "limb/rad.tab"] },
    Target { name: "restart", longest: 1 << 7, seeds: &[] },
    Target { name: "shape", longest: 1 << 12, seeds: &["tables/demo_792.0000.filt"] },
    Target { name: "table_ascii", longest: 1 << 13, seeds: &[] },
    Target { name: "table_binary", longest: 1 << 17, seeds: &["tables/demo_792.0000_CO2.bin"] },
];

/// What the compiler adds for libFuzzer: where the program has been, and what it has compared.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// What the chore is asked for.
pub(super) struct Options {
    seconds: u64,
    /// What the inputs are drawn with; without it, others each time.
    seed: Option<u32>,
    targets: Vec<String>,
}

impl Options {
    pub(super) fn parse(arguments: &[&str]) -> Result<Self, String> {
        let mut options = Self { seconds: 60, seed: None, targets: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(&argument) = arguments.next() {
            match argument {
                "--seconds" => {
                    let seconds = arguments.next().and_then(|text| text.parse().ok()).filter(|&seconds| seconds > 0);
                    options.seconds = seconds.ok_or("--seconds needs a whole number above 0")?;
                }
                "--seed" => {
                    let seed = arguments.next().and_then(|text| text.parse().ok()).filter(|&seed| seed > 0);
                    options.seed = Some(seed.ok_or("--seed needs a whole number above 0")?);
                }
                name if TARGETS.iter().any(|target| target.name == name) => options.targets.push(name.to_owned()),
                other => {
                    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                    return Err(format!("there is no fuzz target '{other}'; there are {}", names.join(", ")));
                }
            }
        }
        Ok(options)
    }

    fn targets(&self) -> impl Iterator<Item = &'static Target> {
        TARGETS.iter().filter(|target| self.targets.is_empty() || self.targets.iter().any(|name| name == target.name))
    }
}

/// Builds and runs the targets, all of them also if one fails.
pub(super) fn run(options: &Options) -> Result<(), String> {
    check_targets()?;
    let programs = build(options)?;
    let mut failed = Vec::new();
    for target in options.targets() {
        if let Err(problem) = fuzz(target, &programs, options) {
            eprintln!("{}: {problem}", target.name);
            failed.push(target.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("fuzz targets that failed: {}", failed.join(", "))) }
}

/// Each file of `fuzz/targets` is known here, or it would never run.
fn check_targets() -> Result<(), String> {
    let folder = crate::root().join("fuzz/targets");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if !TARGETS.iter().any(|target| path.file_stem().is_some_and(|name| name == target.name)) {
            return Err(format!("{}: xtask/src/fuzz.rs does not list this target", path.display()));
        }
    }
    Ok(())
}

/// Where everything goes, which no commit has: `fuzz` in the folder of builds.
fn output_folder() -> PathBuf {
    let builds = env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let builds = if builds.is_absolute() { builds } else { crate::root().join(builds) };
    builds.join("fuzz")
}

/// Builds the targets; returns the folder of the programs.
fn build(options: &Options) -> Result<PathBuf, String> {
    let root = crate::root();
    // What is fuzzed has the versions that the repository has.
    fs::copy(root.join("Cargo.lock"), root.join("fuzz/Cargo.lock")).map_err(|e| format!("fuzz/Cargo.lock: {e}"))?;
    let triple = host()?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(root.join("fuzz"))
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        // A target that is named keeps these flags from build scripts and macros.
        .args(["build", "--quiet", "--release", "--target", &triple, "--target-dir"])
        .arg(output_folder());
    for target in options.targets() {
        command.args(["--bin", target.name]);
    }
    let status = command.status().map_err(|e| format!("cargo does not start: {e}"))?;
    if status.success() {
        Ok(output_folder().join(triple).join("release"))
    } else {
        Err("the fuzz targets do not compile; they need a C++ compiler".to_owned())
    }
}

fn host() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc does not start: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let triple = text.lines().find_map(|line| line.strip_prefix("host: "));
    triple.map(str::to_owned).ok_or_else(|| "rustc does not name its host".to_owned())
}

/// Runs a target and tells how many inputs it has tried.
fn fuzz(target: &Target, programs: &Path, options: &Options) -> Result<(), String> {
    let (name, seconds) = (target.name, options.seconds);
    let found = output_folder().join("corpus").join(name);
    let artifacts = output_folder().join("artifacts").join(name);
    // Inputs are files, of which a disk would get too many.
    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
    let scratch = scratch.join(format!("isobar-fuzz-{}-{name}", std::process::id()));
    for folder in [&found, &artifacts, &scratch] {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let begin = scratch.join("begin");
    fs::create_dir_all(&begin).map_err(|e| format!("{}: {e}", begin.display()))?;
    seeds(target, &begin)?;
    let output = Command::new(programs.join(name))
        .env("TMPDIR", &scratch)
        // Small inputs: threads would only wait.
        .env("RAYON_NUM_THREADS", "1")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={}", target.longest))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"])
        .args(options.seed.map(|seed| format!("-seed={seed}")))
        .args([&found, &begin])
        .output();
    let _ = fs::remove_dir_all(&scratch);
    let output = output.map_err(|e| format!("it does not start: {e}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let lines: Vec<&str> = log.lines().collect();
        let last = lines[lines.len().saturating_sub(60)..].join("\n");
        return Err(format!("{last}\nthe input lies in {}", artifacts.display()));
    }
    let number = |what: &str| {
        let line = log.lines().find_map(|line| line.strip_prefix(what));
        line.map_or("?", str::trim).to_owned()
    };
    let (inputs, memory) = (number("stat::number_of_executed_units:"), number("stat::peak_rss_mb:"));
    println!("{name}: {inputs} inputs in {seconds} s, at most {memory} MB, nothing found");
    Ok(())
}

/// Makes a folder of inputs to begin with.
fn seeds(target: &Target, folder: &Path) -> Result<(), String> {
    let root = crate::root();
    let mut files: Vec<PathBuf> = target.seeds.iter().map(|file| root.join("data").join(file)).collect();
    // Not every target has more.
    if let Ok(own) = fs::read_dir(root.join("fuzz/corpus").join(target.name)) {
        files.extend(own.flatten().map(|entry| entry.path()));
    }
    for file in files {
        let copy = folder.join(file.file_name().expect("a file has a name"));
        fs::copy(&file, &copy).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}
