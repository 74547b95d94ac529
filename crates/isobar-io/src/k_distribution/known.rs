//! Files whose bytes are known: a file under such a name that has others is damaged, or another one.

use std::path::Path;

use crate::error::Error;
use crate::netcdf::file_hash;

/// A file that others publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedFile {
    /// Its name.
    pub name: &'static str,
    /// Its size \[bytes\].
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: &'static str,
}

/// RRTMG_LW's coefficients as they stand in the releases of WRF, of single and of double precision.
pub const RRTMG_LW_FILES: [PublishedFile; 2] = [
    PublishedFile {
        name: "RRTMG_LW_DATA",
        bytes: 847_552,
        sha256: "bcfdee24b63a4c909522a329b8e16c539f0173c7e5aea2caf933ab4fe28c5c97",
    },
    PublishedFile {
        name: "RRTMG_LW_DATA_DBL",
        bytes: 1_694_976,
        sha256: "c93ec6190e16ecbb5bb4fe31e1b1ea4924c3b88a741779749f6eaec1acf989fc",
    },
];

/// RRTMGP's files as `isobar data fetch` brings them. Its k-distributions of 128 and 112 g-points are not among them:
/// their SHA-256 is not known here.
pub const RRTMGP_FILES: [PublishedFile; 6] = [
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

/// ecCKD's models and their clouds in `data/radiation`.
const SHIPPED: [PublishedFile; 4] = [
    PublishedFile {
        name: "ecckd-longwave-32.nc",
        bytes: 856_108,
        sha256: "2279a872afd5f3d9cf2e0a3a8528b588c418f35925b64be659bd0444abd9887a",
    },
    PublishedFile {
        name: "ecckd-shortwave-32.nc",
        bytes: 838_760,
        sha256: "2208ebffa0190fa59477e82936be08fd85a476ee357c0b17bb157ffb147a67a0",
    },
    PublishedFile {
        name: "ecckd-longwave-32-clouds.nc",
        bytes: 153_196,
        sha256: "2479a376be8c5c9aed22eb205d1543caac8f28db399ddcbff032a36802eedfba",
    },
    PublishedFile {
        name: "ecckd-shortwave-32-clouds.nc",
        bytes: 153_228,
        sha256: "7c051348e3d7a38cc09a4c6f8de9cab6fe1ade98ee16a03a9a7ca4579b04908a",
    },
];

/// A sentence about a file of coefficients that has the name of a known one, and other bytes: single numbers that have
/// changed are seen by nothing else.
///
/// # Errors
/// The file cannot be read.
pub fn coefficient_doubt(path: &Path) -> Result<Option<String>, Error> {
    let named = |file: &&PublishedFile| path.file_name().is_some_and(|name| name == file.name);
    let Some(known) = SHIPPED.iter().chain(&RRTMGP_FILES).find(named) else { return Ok(None) };
    let found = file_hash(path)?;
    Ok((found != known.sha256).then(|| {
        format!(
            "{}: SHA-256 {found} is not {}, that of the published file of this name: it is damaged, or another one",
            path.display(),
            known.sha256
        )
    }))
}

/// What is doubtful about a file of RRTMG_LW, whatever its name: all that have a meaning are known.
///
/// # Errors
/// The file cannot be read.
pub fn rrtmg_lw_doubt(path: &Path) -> Result<Option<String>, Error> {
    let found = file_hash(path)?;
    let names = RRTMG_LW_FILES.map(|file| file.name).join(" nor ");
    Ok(RRTMG_LW_FILES.iter().all(|file| file.sha256 != found).then(|| {
        format!("{}: by its SHA-256 it is neither {names} as WRF has them: made otherwise, or damaged", path.display())
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A bit of a coefficient that flips leaves a number like others.
    #[test]
    fn files_under_known_names_are_compared_with_them() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation");
        let folder = tempfile::tempdir().unwrap();
        for file in &SHIPPED {
            let path = data.join(file.name);
            assert_eq!(coefficient_doubt(&path).unwrap(), None);
            let mut bytes = fs::read(&path).unwrap();
            assert_eq!(bytes.len() as u64, file.bytes);
            let last = bytes.len() - 2;
            bytes[last] ^= 1;
            let damaged = folder.path().join(file.name);
            fs::write(&damaged, &bytes).unwrap();
            let text = coefficient_doubt(&damaged).unwrap().unwrap();
            assert!(text.contains(file.name) && text.contains(file.sha256), "{text}");
            // Other names are nobody's.
            let other = folder.path().join("own.nc");
            fs::write(&other, &bytes).unwrap();
            assert_eq!(coefficient_doubt(&other).unwrap(), None);
        }
    }
}
