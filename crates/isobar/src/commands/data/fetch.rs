//! `isobar data fetch`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use isobar_io::netcdf::file_hash;
use isobar_io::{PublishedFile, RRTMG_LW_FILES, RRTMGP_FILES};

use super::download::download;
use crate::data_folder;
use crate::program::failure::Failure;
use crate::program::options::Quiet;

/// The options of `isobar data fetch`.
#[derive(Args, Debug)]
pub(crate) struct Fetch {
    /// Which
    #[arg(value_enum)]
    set: Set,
    /// Folder for the files; without it ISOBAR_DATA, or the platform's folder of data
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Another place with the same files
    #[arg(long, hide = true)]
    url: Option<String>,
    #[command(flatten)]
    print: Quiet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Set {
    /// RRTMG_LW's coefficients, from WRF's repository: RRTMG_LW_DATA (0.8 MB) and RRTMG_LW_DATA_DBL (1.7 MB); AER's
    /// terms (3-clause BSD) hold
    RrtmgLw,
    /// RRTMGP's k-distributions of 256 and 224 g-points (32 MB) and its tables of clouds (0.4 MB), from its repository;
    /// 3-clause BSD
    Rrtmgp,
}

/// WRF's files of this release; the same since long before.
const WRF: &str = "https://raw.githubusercontent.com/wrf-model/WRF/v4.7.1/run";

/// RRTMGP's files of this release.
const RRTMGP: &str = "https://raw.githubusercontent.com/earth-system-radiation/rrtmgp-data/v1.9";

pub(crate) fn run(options: &Fetch) -> Result<(), Failure> {
    let (url, files) = match options.set {
        Set::RrtmgLw => (WRF, &RRTMG_LW_FILES[..]),
        Set::Rrtmgp => (RRTMGP, &RRTMGP_FILES[..]),
    };
    let url = options.url.as_deref().unwrap_or(url);
    let folder = match &options.dir {
        Some(folder) => folder.clone(),
        None => data_folder::all().into_iter().next().ok_or_else(|| {
            Failure::new(format!("there is no folder for data: give one with --dir, or set {}", data_folder::VARIABLE))
        })?,
    };
    std::fs::create_dir_all(&folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    for file in files {
        let path = folder.join(file.name);
        let said = if is_good(&path, file)? {
            "is there"
        } else {
            download(&format!("{url}/{}", file.name), &path, (file.bytes, file.sha256), options.print.quiet)?;
            "fetched"
        };
        if !options.print.quiet {
            tell!("{} {said}", path.display());
        }
    }
    Ok(())
}

/// Whether the file is there already. One of another content is not overwritten.
fn is_good(path: &Path, file: &PublishedFile) -> Result<bool, Failure> {
    if !path.exists() {
        return Ok(false);
    }
    let hash = file_hash(path)?;
    if hash == file.sha256 {
        return Ok(true);
    }
    let (name, expected) = (path.display(), file.sha256);
    Err(Failure::new(format!("{name} is there, but has SHA-256 {hash} instead of {expected}: move it away first")))
}
