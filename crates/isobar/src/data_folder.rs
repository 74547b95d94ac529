//! Where data lie that are not part of the program.

use std::path::PathBuf;

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
