//! A small case of `isobar run`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{data, printed, said};

/// A small case: the demonstration's files, three columns, an hour and a half of the morning.
pub(crate) const CASE: &str = r#"
columns = 3
hours = 1.5
step_s = 300.0
start_hour = 7.0

[output]
minutes = 30
restart_hours = 0.5

[grid]
layers = 10
top_m = 16_000.0

[initial]
kind = "us76"

[site]
latitude_deg = [20.0, 50.0]

[ground]
mean_k = 291.0
amplitude_k = 8.0

[longwave]
kdist = "longwave.nc"
every = 4

[chemistry]
mechanism = "ozone_nox.kpp"
every = 2

[chemistry.emission_per_cm2_s]
NO = 5e10

[shortwave]
kdist = "shortwave.nc"
every = 3
albedo = [0.1, 0.3]
"#;

/// The files of a case, and what they are called beside it.
pub(crate) const FILES: [(&str, &str); 5] = [
    ("radiation/ecckd-longwave-32.nc", "longwave.nc"),
    ("radiation/ecckd-longwave-32-clouds.nc", "longwave-clouds.nc"),
    ("radiation/ecckd-shortwave-32.nc", "shortwave.nc"),
    ("radiation/ecckd-shortwave-32-clouds.nc", "shortwave-clouds.nc"),
    ("column/ozone_nox.kpp", "ozone_nox.kpp"),
];

/// A folder with a case and its files.
pub(crate) struct Case(TempDir);

impl Case {
    pub(crate) fn new(text: &str) -> Self {
        let case = Self(tempfile::tempdir().unwrap());
        fs::write(case.path("case.toml"), text).unwrap();
        for (file, name) in FILES {
            fs::copy(data().join(file), case.path(name)).unwrap();
        }
        case
    }

    /// The case with a line in the place of another.
    pub(crate) fn changed(from: &str, to: &str) -> Self {
        assert!(CASE.contains(from), "{from}");
        Self::new(&CASE.replacen(from, to, 1))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn command(&self, out: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(["run", "case.toml", "-o", out, "--device", "cpu", "--quiet"]).args(more);
        command.current_dir(self.0.path());
        command
    }

    pub(crate) fn run(&self, out: &str, more: &[&str]) -> Output {
        self.command(out, more).output().expect("the command starts")
    }

    /// Runs the command, which has to succeed without a word.
    pub(crate) fn done(&self, out: &str, more: &[&str]) -> String {
        let output = self.run(out, more);
        assert!(output.status.success() && said(&output).is_empty(), "{more:?}: {}", said(&output));
        printed(&output)
    }

    /// The one line with which the command fails, and no output.
    pub(crate) fn fails(&self, more: &[&str]) -> String {
        let output = self.run("out.nc", more);
        assert!(!output.status.success() && !self.path("out.nc").exists());
        let said = said(&output);
        assert_eq!(said.lines().count(), 1, "{said}");
        said.trim_end().to_owned()
    }

    /// What a run says that is not told to be quiet.
    pub(crate) fn told(&self) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(["run", "case.toml", "-o", "out.nc", "--device", "cpu"]).current_dir(self.path(""));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// By one device or three that take turns, stopped and resumed, the bytes are the same.
    pub(crate) fn goes_on_after_a_restart(&self) {
        self.done("whole.nc", &["--threads", "1", "--restart", "half.nc"]);
        self.done("turns.nc", &["--at-once", "2", "--restart", "other.nc"]);
        self.done("resumed.nc", &["--resume", "half.nc"]);
        let whole = fs::read(self.path("whole.nc")).unwrap();
        for name in ["turns.nc", "resumed.nc"] {
            assert!(fs::read(self.path(name)).unwrap() == whole, "{name}");
        }
    }
}
