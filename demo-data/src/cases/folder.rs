//! A folder in which the command runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own, gone when dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("isobar-demo-data-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }

    /// A folder with a copy of a file.
    pub(super) fn with(file: &Path) -> Result<Self, String> {
        let folder = Self::new()?;
        folder.add(file)?;
        Ok(folder)
    }

    /// Copies another file into it.
    pub(super) fn add(&self, file: &Path) -> Result<(), String> {
        let name = file.file_name().unwrap_or_default();
        std::fs::copy(file, self.0.join(name)).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(())
    }

    /// Copies another file into it, below folders.
    pub(super) fn add_as(&self, file: &Path, name: &str) -> Result<(), String> {
        let path = self.0.join(name);
        let parent = path.parent().unwrap_or(&self.0);
        let copied = std::fs::create_dir_all(parent).and_then(|()| std::fs::copy(file, &path));
        copied.map(|_| ()).map_err(|error| format!("{}: {error}", file.display()))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.path(name);
        std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Runs the `isobar` command in the folder.
    pub(super) fn isobar(&self, arguments: &[&str]) -> Result<(), String> {
        let output =
            isobar().args(arguments).current_dir(&self.0).output().map_err(|error| format!("isobar: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!("{}: {}", arguments[0], String::from_utf8_lossy(&output.stderr).trim())),
        }
    }
}

/// The command: the one that `ISOBAR_PROGRAM` names, or what cargo builds.
pub(super) fn isobar() -> Command {
    if let Some(program) = std::env::var_os("ISOBAR_PROGRAM") {
        return Command::new(program);
    }
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--package", "isobar", "--manifest-path"]);
    command.arg(crate::root().join("Cargo.toml")).arg("--");
    command
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
