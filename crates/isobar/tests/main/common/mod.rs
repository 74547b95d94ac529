//! What the tests of the command share: running it, and a case to run it on.
#![allow(dead_code, reason = "the test of MPI, a program of its own, uses a part")]

pub(crate) mod classic;
pub(crate) mod flux_file;
pub(crate) mod longwave;
pub(crate) mod radiation_file;
pub(crate) mod run_case;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs the command.
pub(crate) fn isobar<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isobar")).args(arguments).output().expect("the command starts")
}

/// What a program said on standard error.
pub(crate) fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// What a program printed.
pub(crate) fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The repository's demonstration data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

/// A copy of the limb case, to be changed.
pub(crate) struct Case {
    folder: TempDir,
}

impl Case {
    pub(crate) fn limb() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["limb", "tables"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            for entry in fs::read_dir(data().join(name)).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), folder.path().join(name).join(entry.file_name())).unwrap();
            }
        }
        fs::remove_file(folder.path().join("limb/rad.tab")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.path("limb/rad.tab")
    }

    /// A file's content through a function.
    pub(crate) fn edit(&self, name: &str, change: impl FnOnce(String) -> String) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        let changed = change(text.clone());
        assert_ne!(text, changed, "{name} is to be changed");
        fs::write(self.path(name), changed).unwrap();
    }

    /// One number of a text table; rows and columns from 0.
    pub(crate) fn set(&self, name: &str, row: usize, column: usize, value: &str) {
        self.edit(name, |text| {
            let mut number = 0;
            let mut lines = Vec::new();
            for line in text.lines() {
                let is_row = !line.starts_with('#') && !line.trim().is_empty();
                let mut words: Vec<&str> = line.split(' ').collect();
                if is_row && number == row {
                    words[column] = value;
                }
                number += usize::from(is_row);
                lines.push(words.join(" "));
            }
            lines.join("\n") + "\n"
        });
    }

    /// The rows of a text table in another order; comments and blank lines stay.
    pub(crate) fn reorder(&self, name: &str, order: impl FnOnce(&mut Vec<String>)) {
        self.edit(name, |text| {
            let (rows, others): (Vec<&str>, Vec<&str>) =
                text.lines().partition(|line| !line.starts_with('#') && !line.trim().is_empty());
            let mut rows: Vec<String> = rows.into_iter().map(str::to_owned).collect();
            order(&mut rows);
            others.join("\n") + "\n" + &rows.join("\n") + "\n"
        });
    }

    /// Runs a command on the files of the case, on the CPU where that matters.
    pub(crate) fn command(&self, name: &str, out: &Path, more: &[&str]) -> Output {
        let wants_device = name == "forward" && !more.contains(&"--device");
        let device: &[&str] = if wants_device { &["--device", "cpu"] } else { &[] };
        Command::new(env!("CARGO_BIN_EXE_isobar"))
            .arg(name)
            .args(["--ctl", "limb.ctl", "--atm", "atm.tab", "--obs", "obs.tab", "--out"])
            .arg(out)
            .args(device)
            .args(more)
            .current_dir(self.path("limb"))
            .output()
            .expect("the command starts")
    }

    /// Runs `isobar forward`, which has to succeed, and returns the output file and what was said.
    pub(crate) fn forward(&self, more: &[&str]) -> (String, String) {
        let output = self.command("forward", &self.out(), more);
        assert!(output.status.success(), "{}", said(&output));
        (fs::read_to_string(self.out()).unwrap(), said(&output))
    }
}

/// The rows of numbers of a text.
pub(crate) fn numbers(text: &str) -> Vec<Vec<f64>> {
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    rows.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
}
