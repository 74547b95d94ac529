//! A k-distribution and columns for long-wave radiation, and the command's fluxes of them.

pub(crate) mod columns;
mod k_distribution;
mod lines;
mod mixture;

use std::path::Path;

use super::folder::Folder;

/// The coefficients' file, below `data/`.
pub(crate) const K_FILE: &str = "longwave/demonstration.kd";

/// Its content.
pub(crate) fn k_file() -> Vec<u8> {
    k_distribution::demonstration().to_bytes()
}

/// What the command says to the columns. The command line, which the file records, is that of the README.
pub(super) fn fluxes(data: &Path) -> Result<Vec<u8>, String> {
    let folder = Folder::with(&data.join("longwave/columns.nc"))?;
    folder.add(&data.join(K_FILE))?;
    folder.isobar(&["longwave", "columns.nc", "-o", "fluxes.nc", "--kdist", "demonstration.kd", "--device", "cpu"])?;
    folder.read("fluxes.nc")
}
