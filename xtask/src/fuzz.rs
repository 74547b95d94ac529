//! Builds the fuzz targets of `fuzz` with libFuzzer, and runs them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../fuzz/src/list.rs"]
// Public in the library, whose file it is.
#[allow(unreachable_pub)]
mod list;

use list::{TARGETS, Target};

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
    let program = build()?;
    let mut failed = Vec::new();
    for target in options.targets() {
        if let Err(problem) = fuzz(target, &program, options) {
            eprintln!("{}: {problem}", target.name);
            failed.push(target.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("fuzz targets that failed: {}", failed.join(", "))) }
}

/// Where everything goes, which no commit has: `fuzz` in the folder of builds.
fn output_folder() -> PathBuf {
    let builds = env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let builds = if builds.is_absolute() { builds } else { crate::root().join(builds) };
    builds.join("fuzz")
}

/// Builds the program of all targets.
fn build() -> Result<PathBuf, String> {
    let root = crate::root();
    // What is fuzzed has the versions that the repository has.
    let folder = root.join("fuzz/libfuzzer");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))
        .map_err(|e| format!("fuzz/libfuzzer/Cargo.lock: {e}"))?;
    let triple = host()?;
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(folder)
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        // A target that is named keeps these flags from build scripts and macros.
        .args(["build", "--quiet", "--release", "--target", &triple, "--target-dir"])
        .arg(output_folder())
        .status()
        .map_err(|e| format!("cargo does not start: {e}"))?;
    if status.success() {
        Ok(output_folder().join(triple).join("release/isobar-libfuzzer"))
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
fn fuzz(target: &Target, program: &Path, options: &Options) -> Result<(), String> {
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
    let output = Command::new(program)
        .env("ISOBAR_FUZZ", name)
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
    let files = list::seeds(target, &crate::root()).map_err(|e| format!("{}: {e}", target.name))?;
    for file in files {
        let copy = folder.join(file.file_name().expect("a file has a name"));
        fs::copy(&file, &copy).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}
