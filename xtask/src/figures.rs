//! The figures of the guide: what the command draws of the cases in `data/`, in `docs/figures`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A run of the command, from the repository's root, and which of its figures the guide has.
struct Run {
    /// What comes before the output.
    arguments: &'static [&'static str],
    /// The option that names the output, and the ending of its name.
    output: (&'static str, &'static str),
    /// What the figures' names begin with.
    name: &'static str,
    /// What the command adds to that, for each figure that is kept.
    kept: &'static [&'static str],
}

const RUNS: &[Run] = &[
    Run {
        arguments: &["radiation", "data/radiation/columns.nc"],
        output: ("-o", "nc"),
        name: "radiation",
        kept: &[""],
    },
    // Two columns: the 64 of case.toml take a minute without optimisation.
    Run {
        arguments: &["run", "data/column/cloudy.toml"],
        output: ("-o", "nc"),
        name: "column",
        kept: &["-profiles", "-day", "-chemistry"],
    },
    Run {
        arguments: &["pbl", "data/pbl/columns.nc", "--dt", "60", "--steps", "60"],
        output: ("-o", "nc"),
        name: "boundary-layer",
        kept: &[""],
    },
    Run { arguments: CHEMISTRY, output: ("-o", "nc"), name: "chemistry", kept: &[""] },
    Run {
        arguments: &["adding", "data/adding/profiles.nc", "--levels"],
        output: ("-o", "nc"),
        name: "adding",
        kept: &[""],
    },
    Run { arguments: PATHS, output: ("--out", "tab"), name: "path", kept: &[""] },
    Run { arguments: LIMB, output: ("--out", "tab"), name: "limb", kept: &[""] },
    Run { arguments: KERNEL, output: ("--out", "tab"), name: "jacobian", kept: &[""] },
    Run { arguments: RETRIEVAL, output: ("--out", "files"), name: "retrieval", kept: &[""] },
];

const CHEMISTRY: &[&str] = &[
    "chem",
    "--mechanism",
    "data/mechanisms/chapman_nox.kpp",
    "--cells",
    "data/chemistry/cells.nc",
    "--hours",
    "24",
    "--dt",
    "600",
    "--method",
    "ros3",
];
const PATHS: &[&str] =
    &["raytrace", "--ctl", "data/limb/limb.ctl", "--atm", "data/limb/atm.tab", "--obs", "data/limb/obs.tab"];
const LIMB: &[&str] =
    &["forward", "--ctl", "data/limb/limb.ctl", "--atm", "data/limb/atm.tab", "--obs", "data/limb/obs.tab"];
const KERNEL: &[&str] = &[
    "kernel",
    "--ctl",
    "data/retrieval/retrieval.ctl",
    "--atm",
    "data/retrieval/atm_apr.tab",
    "--obs",
    "data/retrieval/obs_meas.tab",
];

const RETRIEVAL: &[&str] = &["retrieve", "--ctl", "data/retrieval/retrieval.ctl", "--dir", "data/retrieval"];

/// Makes the figures, or checks that the committed ones are what would be made.
///
/// The program is the one that `ISOBAR_PROGRAM` names, or is built.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let check = match options {
        [] => false,
        ["--check"] => true,
        _ => return Err(format!("figures: there is no option '{}'", options.join(" "))),
    };
    let root = crate::root();
    let program = program(&root)?;
    let folder = root.join("docs/figures");
    let made = Scratch::new()?;
    let mut names = Vec::new();
    for run in RUNS {
        names.extend(draw(run, &program, &root, &made.0)?);
    }
    if check {
        return compare(&names, &made.0, &folder);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in &names {
        fs::copy(made.0.join(name), folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{} figures in {}", names.len(), folder.display());
    Ok(())
}

/// Runs the command, and returns the names of its figures.
fn draw(run: &Run, program: &Path, root: &Path, into: &Path) -> Result<Vec<String>, String> {
    let (option, ending) = run.output;
    let figure = into.join(format!("{}.svg", run.name));
    // Paths have no device: they are always traced on the CPU.
    let device: &[&str] = if run.arguments[0] == "raytrace" { &[] } else { &["--device", "cpu"] };
    let done = Command::new(program)
        .current_dir(root)
        .args(run.arguments)
        .arg(option)
        .arg(into.join(format!("{}.{ending}", run.name)))
        .arg("--plot")
        .arg(&figure)
        .args(device)
        .arg("--quiet")
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !done.status.success() {
        let message = String::from_utf8_lossy(&done.stderr);
        return Err(format!("isobar {}: {message}", run.arguments.join(" ")));
    }
    let names: Vec<String> = run.kept.iter().map(|part| format!("{}{part}.svg", run.name)).collect();
    match names.iter().find(|name| !into.join(name).is_file()) {
        Some(missing) => Err(format!("isobar {}: no {missing} was drawn", run.arguments.join(" "))),
        None => Ok(names),
    }
}

/// Fails where a committed figure is another, is missing, or is not made by any run.
fn compare(names: &[String], made: &Path, committed: &Path) -> Result<(), String> {
    let stale = |name: &&String| fs::read(made.join(name)).ok() != fs::read(committed.join(name)).ok();
    let mut wrong: Vec<String> = names.iter().filter(stale).cloned().collect();
    let entries = fs::read_dir(committed).map_err(|error| format!("{}: {error}", committed.display()))?;
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned();
        if !names.contains(&name) {
            wrong.push(format!("{name} (no run makes it)"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("docs/figures is not what `cargo xtask figures` makes: {}", wrong.join(", ")))
}

/// The command: the one that `ISOBAR_PROGRAM` names, or that of a build without optimisation.
fn program(root: &Path) -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os("ISOBAR_PROGRAM") {
        return Ok(program.into());
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["build", "--quiet", "--package", "isobar"])
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !status.success() {
        return Err("the command is not built".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("debug").join(format!("isobar{}", std::env::consts::EXE_SUFFIX)))
}

/// A folder that goes when it is no longer needed.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("isobar-figures-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is in the system's folder of temporary files.
        drop(fs::remove_dir_all(&self.0));
    }
}
