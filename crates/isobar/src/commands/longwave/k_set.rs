//! Which k-distribution.

use std::path::{Path, PathBuf};

use isobar_longwave::KDistribution;

use crate::commands::Failure;
use crate::data_folder;

/// The names that are looked for in a folder of data, the better first.
const NAMES: [&str; 2] = ["RRTMG_LW_DATA_DBL", "RRTMG_LW_DATA"];
/// The name that is looked for beside the columns.
const DEMONSTRATION: &str = "demonstration.kd";

/// A k-distribution, and the file that it comes from.
pub(super) struct KSet {
    pub(super) path: PathBuf,
    pub(super) coefficients: KDistribution,
}

impl KSet {
    /// The file that was asked for, or the first that there is: in the folders of data, then beside the columns.
    pub(super) fn find(asked: Option<&Path>, columns: &Path) -> Result<Self, Failure> {
        let path = match asked {
            Some(path) => path.to_owned(),
            None => search(columns)?,
        };
        let coefficients = KDistribution::open(&path).map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self { path, coefficients })
    }

    /// The kind, the size, and where it lies.
    pub(super) fn description(&self) -> String {
        let kind = if self.coefficients.is_demonstration() { "demonstration" } else { "RRTMG_LW" };
        format!("{kind}, {} g-points, {}", self.coefficients.points(), self.path.display())
    }
}

fn search(columns: &Path) -> Result<PathBuf, Failure> {
    let folders = data_folder::all();
    let of_folders = folders.iter().flat_map(|folder| NAMES.map(|name| folder.join(name)));
    let beside = columns.with_file_name(DEMONSTRATION);
    of_folders.chain([beside.clone()]).find(|path| path.is_file()).ok_or_else(|| {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        Failure::new(format!(
            "no k-distribution: neither {} in {}, nor {}; give one with --kdist, or run isobar data fetch rrtmg-lw",
            NAMES.join(" nor "),
            folders.join(" or "),
            beside.display()
        ))
    })
}
