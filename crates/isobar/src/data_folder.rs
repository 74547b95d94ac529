//! Where data lie that are not part of the program.

use std::path::{Path, PathBuf};

/// The folder that the environment names.
pub(crate) const VARIABLE: &str = "ISOBAR_DATA";

/// The folders in the order in which they are searched: `ISOBAR_DATA`, and that of the platform.
pub(crate) fn all() -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let platform = if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library/Application Support"))
    } else if cfg!(windows) {
        set("LOCALAPPDATA")
    } else {
        set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))
    };
    set(VARIABLE).into_iter().chain(platform.map(|folder| folder.join("isobar"))).collect()
}

/// The folder of k-distributions in a folder of data.
pub(crate) const RADIATION: &str = "radiation";

/// The folders, and of each that of k-distributions before it.
pub(crate) fn with_radiation() -> Vec<PathBuf> {
    all().into_iter().flat_map(|folder| [folder.join(RADIATION), folder]).collect()
}

/// The file of a path; where that is a name alone and no file here, the one in the folders of data.
pub(crate) fn named(path: &Path) -> PathBuf {
    let is_name = path.components().count() == 1;
    let found = || with_radiation().into_iter().map(|folder| folder.join(path)).find(|path| path.is_file());
    if path.exists() || !is_name { path.to_owned() } else { found().unwrap_or_else(|| path.to_owned()) }
}
