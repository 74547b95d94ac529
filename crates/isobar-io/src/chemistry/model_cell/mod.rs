//! A cell of GEOS-Chem as text, for KPP-Standalone: what the model handed to KPP's integrator.
//!
//! Both forms begin with lines `label: value` among others, of which these are read, whatever their order, with or
//! without the unit in brackets:
//!
//! | label | what | range |
//! |---|---|---|
//! | `Temperature`, `Pressure` | K, hPa | 100 to 400, above 0 to 1e4 |
//! | `Air number density`, `Dry air density` | molecule cm-3 | above 0 to 1e21 |
//! | `Longitude`, `Latitude`, `Level`, `GEOS-Chem Vertical Level` | degrees, 1 | finite |
//! | `cos(SZA)`, `Cosine of solar zenith angle` | 1 | -1 to 1 |
//! | `KPP H val`, `Init KPP Timestep` | the first step \[s\] | 0 to infinity |
//! | `Chemistry operator timestep` | the interval \[s\] | above 0 |
//! | `ICNTRL integrator options used` | 20 whole numbers in the lines behind | |
//! | `RCNTRL integrator options used` | 20 numbers in the lines behind | finite |
//!
//! The form of 2023 goes on with ` C( i ) = value` of each species in KPP's order, ` R( i ) = value` of each reaction
//! and ` A( i ) = value`, the rates at the start. The later one has a line that begins with `Name,`, then `NAME, value`
//! of each species, GEOS-Chem 14.7 with its absolute tolerance as a third column, and `Ri, value` and `Ai, value`. The
//! number in its first line, of lines before that, is not read: it is wrong in some versions. What GEOS-Chem does not
//! transport it may name `Ci`, by its number.
//!
//! Numbers are Fortran's: `1.0D-3`, and `1.0-103` where the exponent has no room for its letter.

mod gather;
mod header;
mod lines;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{Error, Place};
use crate::text::{read_bytes, to_text};

pub(super) use gather::gather;
use header::Header;
use lines::Body;

/// As much of a file as it takes to see what it is.
const BEGIN: u64 = 8192;

/// Does a file look like such a cell? One that cannot be read does not.
#[must_use]
pub fn is_model_cell(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGIN).read_to_end(&mut bytes));
    let is_one = |line: &str| {
        let line = line.trim_ascii();
        ["Meteorological Fields", "KPP Standalone", "KPP H val", "Name,", "C("]
            .iter()
            .any(|part| line.starts_with(part))
    };
    read.is_ok() && !bytes.contains(&0) && to_text(&bytes).lines().any(is_one)
}

/// A cell as its file has it.
#[derive(Clone, Debug)]
struct ModelCell {
    path: PathBuf,
    header: Header,
    body: Body,
}

impl ModelCell {
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = read_bytes(path)?;
        if !is_model_cell(path) {
            let problem = "no cell as text, which several files have to be: one has to begin with lines `label: value`";
            return Err(Error::invalid(Place::File(path.to_owned()), problem));
        }
        let text = to_text(&bytes);
        let (header, body) = lines::read(path, &text)?;
        Ok(Self { path: path.to_owned(), header, body })
    }
}
