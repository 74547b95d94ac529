//! Our own file of reduced coefficients, little endian: 8 bytes `ISOBARKD`, a version and the number of bands (u32
//! each); for each band its number of g-points and of values (u32 each) and the values (f64) in the order of
//! [`crate::TableKind::of`]; and the SHA-256 of everything before it.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::band::Band;
use crate::host::file_error::FileError;
use crate::host::k_distribution::{KDistribution, Table, TableKind};
use crate::host::plausible;
use crate::rrtmg;

pub(super) const MAGIC: &[u8; 8] = b"ISOBARKD";
const VERSION: u32 = 1;
const CHECKSUM_BYTES: usize = 32;

impl KDistribution {
    /// Writes the coefficients: beside the place first, so that no half-written file is left there.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        let failed = |source| FileError::Write { path: path.into(), source };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        std::fs::write(&beside, self.to_bytes()).map_err(failed)?;
        std::fs::rename(&beside, path).map_err(|source| {
            let _ = std::fs::remove_file(&beside);
            failed(source)
        })
    }

    /// Reads coefficients whatever their kind: RRTMG_LW's file, or our own of its bands.
    ///
    /// # Errors
    /// As [`KDistribution::from_rrtmg_file`] and [`KDistribution::read`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let bytes =
            isobar_core::text::read_file(path).map_err(|source| FileError::Read { path: path.into(), source })?;
        if !bytes.starts_with(MAGIC) {
            return Self::from_rrtmg_bytes(&bytes, path);
        }
        Self::from_bytes(&bytes, &rrtmg::BANDS).map_err(|message| FileError::Format { path: path.into(), message })
    }

    /// Reads coefficients of these bands.
    ///
    /// # Errors
    /// A file that cannot be read, of another kind or version, damaged, or of other bands.
    pub fn read(path: impl AsRef<Path>, bands: &'static [Band]) -> Result<Self, FileError> {
        let path = path.as_ref();
        let bytes =
            isobar_core::text::read_file(path).map_err(|source| FileError::Read { path: path.into(), source })?;
        Self::from_bytes(&bytes, bands).map_err(|message| FileError::Format { path: path.into(), message })
    }

    /// The content of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let word = |bytes: &mut Vec<u8>, value: usize| bytes.extend((value as u32).to_le_bytes());
        word(&mut bytes, VERSION as usize);
        word(&mut bytes, self.bands.len());
        for (band, tables) in self.bands.iter().zip(&self.tables) {
            word(&mut bytes, band.points());
            word(&mut bytes, tables.iter().map(|table| table.values.len()).sum());
            bytes.extend(tables.iter().flat_map(|table| &table.values).flat_map(|value| value.to_le_bytes()));
        }
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes
    }

    fn from_bytes(bytes: &[u8], bands: &'static [Band]) -> Result<Self, String> {
        if !bytes.starts_with(MAGIC) {
            return Err("no file of reduced coefficients: it does not begin with ISOBARKD".to_owned());
        }
        if bytes.len() < MAGIC.len() + 8 + CHECKSUM_BYTES {
            return Err(format!("the file is cut short: {} bytes", bytes.len()));
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        let mut rest = &content[MAGIC.len()..];
        let version = word(&mut rest)?;
        if version != VERSION {
            return Err(format!("version {version} instead of {VERSION}"));
        }
        if Sha256::digest(content)[..] != *checksum {
            return Err("the checksum does not fit: the file is damaged or cut short".to_owned());
        }
        let found = word(&mut rest)? as usize;
        if found != bands.len() {
            return Err(format!("{found} bands instead of {}", bands.len()));
        }
        let mut tables = Vec::with_capacity(bands.len());
        for (band_number, band) in (1..).zip(bands) {
            let kinds = TableKind::of(band);
            let expected = kinds.iter().map(|kind| kind.rows(band)).sum::<usize>() * band.points();
            let (points, values) = (word(&mut rest)? as usize, word(&mut rest)? as usize);
            if (points, values) != (band.points(), expected) {
                let wanted = format!("{} g-points and {expected} values", band.points());
                return Err(format!("band {band_number}: {points} g-points and {values} values instead of {wanted}"));
            }
            let mut of_band = Vec::new();
            for kind in kinds {
                let count = kind.rows(band) * band.points();
                let (these, others) =
                    rest.split_at_checked(8 * count).ok_or_else(|| format!("band {band_number} is cut short"))?;
                let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
                let table = Table { kind, values: these.chunks_exact(8).map(number).collect() };
                if let Some(problem) = plausible::problem(&table, band.points()) {
                    return Err(format!("band {band_number}: {problem}"));
                }
                of_band.push(table);
                rest = others;
            }
            tables.push(of_band);
        }
        if rest.is_empty() { Ok(Self { bands, tables }) } else { Err(format!("{} bytes too many", rest.len())) }
    }
}

fn word(rest: &mut &[u8]) -> Result<u32, String> {
    let (first, others) = rest.split_first_chunk::<4>().ok_or("the file is cut short")?;
    *rest = others;
    Ok(u32::from_le_bytes(*first))
}
