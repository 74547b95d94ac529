//! `isobar data fetch`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use isobar_io::netcdf::file_hash;
use isobar_longwave::{PublishedFile, RRTMG_FILES};

use super::download::download;
use crate::commands::Failure;
use crate::data_folder;

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
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
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

/// Its k-distributions of 128 and 112 g-points are not among them: their SHA-256 is not known here.
const RRTMGP_FILES: [PublishedFile; 6] = [
    PublishedFile {
        name: "rrtmgp-gas-lw-g256.nc",
        bytes: 20_816_477,
        sha256: "4048360199d1917ed8f2ccaae2ec097d0f990da3bbad9830337b739b4fa01be7",
    },
    PublishedFile {
        name: "rrtmgp-gas-sw-g224.nc",
        bytes: 11_083_642,
        sha256: "584f1dd41ea9fc07d4ee3754eb1dafbd46ad3161cd6fd20fa06b6922b6f0702e",
    },
    PublishedFile {
        name: "rrtmgp-clouds-lw-bnd.nc",
        bytes: 49_919,
        sha256: "09d6704c5b863b4c3ceb417d20bb3076ec492e6bf2dfbcc9f3c5996a3706f0b0",
    },
    PublishedFile {
        name: "rrtmgp-clouds-sw-bnd.nc",
        bytes: 47_659,
        sha256: "7671835992a45afe66244b591a02c0b3df73d7d59ecb746bbffd9763497651cd",
    },
    PublishedFile {
        name: "rrtmgp-clouds-lw-g256.nc",
        bytes: 179_896,
        sha256: "3b501d79109ab16ae4fee8b6ce83bfbfd59e158c4d246092b358a44b78722d49",
    },
    PublishedFile {
        name: "rrtmgp-clouds-sw-g224.nc",
        bytes: 145_777,
        sha256: "969a983bec885cdb5d6879660a214f374a1bd763ce8f2c5045dec444303946ec",
    },
];

pub(crate) fn run(options: &Fetch) -> Result<(), Failure> {
    let (url, files) = match options.set {
        Set::RrtmgLw => (WRF, &RRTMG_FILES[..]),
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
            download(&format!("{url}/{}", file.name), &path, (file.bytes, file.sha256), options.quiet)?;
            "fetched"
        };
        if !options.quiet {
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
