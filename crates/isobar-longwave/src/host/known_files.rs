//! The coefficient files of RRTMG_LW that are known.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::host::file_error::FileError;
use crate::host::k_distribution::KDistribution;
use crate::host::k_file;

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
pub const RRTMG_FILES: [PublishedFile; 2] = [
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

/// Where coefficients come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file that others publish, to the last bit.
    Published(PublishedFile),
    /// A file of our own, which has a checksum.
    Own,
    /// Any other: it may be right, or damaged.
    Unknown,
}

impl KDistribution {
    /// Whether a file is one of those that are known, by its SHA-256.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn origin(path: impl AsRef<Path>) -> Result<Origin, FileError> {
        let path = path.as_ref();
        let bytes =
            isobar_core::text::read_file(path).map_err(|source| FileError::Read { path: path.into(), source })?;
        if bytes.starts_with(k_file::MAGIC) {
            return Ok(Origin::Own);
        }
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let known = RRTMG_FILES.into_iter().find(|file| file.sha256 == hash);
        Ok(known.map_or(Origin::Unknown, Origin::Published))
    }

    /// What a user should know of a file that is not known, in a line.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn doubt(path: impl AsRef<Path>) -> Result<Option<String>, FileError> {
        let path = path.as_ref();
        let names = RRTMG_FILES.map(|file| file.name).join(" nor ");
        Ok((Self::origin(path)? == Origin::Unknown).then(|| {
            format!(
                "{}: by its SHA-256 it is neither {names} as WRF has them: made otherwise, or damaged",
                path.display()
            )
        }))
    }
}
