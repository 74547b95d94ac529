//! Where data lie that are not part of the program.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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

/// What comes with the program, where it is a part of a package: searched last, and never written to.
static PACKAGE: OnceLock<PathBuf> = OnceLock::new();

/// k-distributions that come with the program are in this folder.
#[cfg(feature = "cli")]
pub(crate) fn comes_with(folder: PathBuf) {
    let _ = PACKAGE.set(folder);
}

/// The folder of k-distributions in a folder of data.
const RADIATION: &str = "radiation";

/// ecCKD's k-distributions of `data/radiation`, of the long wave and of the short wave.
pub(crate) const K_DISTRIBUTIONS: [&str; 2] = ["ecckd-longwave-32.nc", "ecckd-shortwave-32.nc"];

/// The folders, and of each that of k-distributions before it.
fn with_radiation() -> Vec<PathBuf> {
    let own = all().into_iter().flat_map(|folder| [folder.join(RADIATION), folder]);
    own.chain(PACKAGE.get().cloned()).collect()
}

/// A file of this name in the folders of data.
pub(crate) fn find(name: &Path) -> Option<PathBuf> {
    with_radiation().into_iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The file of a path; where that is a name alone and no file here, the one in the folders of data.
pub(crate) fn named(path: &Path) -> PathBuf {
    let found = || find(path).unwrap_or_else(|| path.to_owned());
    if path.exists() || path.components().count() > 1 { path.to_owned() } else { found() }
}

/// The first file of a name in the folders of data, beside this file, or in the folder `data` of a clone. Where there
/// is none: its name and the folders, in words.
pub(crate) fn search(name: &str, beside: &Path) -> Result<PathBuf, String> {
    let mut folders = with_radiation();
    folders.push(beside.parent().unwrap_or(Path::new("")).to_owned());
    folders.push(Path::new("data").join(RADIATION));
    folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()).ok_or_else(|| {
        let shown =
            |folder: &PathBuf| if folder.as_os_str().is_empty() { ".".into() } else { folder.display().to_string() };
        format!("{name} in {}", folders.iter().map(shown).collect::<Vec<_>>().join(" or "))
    })
}

/// The tables of clouds that stand beside a k-distribution, if they do.
pub(crate) fn clouds_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let (stem, ending) = name.rsplit_once('.')?;
    Some(path.with_file_name(format!("{stem}-clouds.{ending}"))).filter(|path| path.is_file())
}
