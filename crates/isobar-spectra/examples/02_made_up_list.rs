//! A list of made-up lines in HITRAN's format, and their partition sum: the files of `data/spectra`.
//!
//! `cargo run --release -p isobar-spectra --example 02_made_up_list -- data/spectra`

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use isobar_core::Real;
use isobar_spectra::lists::{ParRecord, made_up_gas, write_par};

/// Molecule by HITRAN's number, number of lines, and what intensities are multiplied by. No line is one of HITRAN's.
const GASES: [(u32, usize, f64); 3] = [(1, 60, 0.01), (2, 160, 1.0), (3, 100, 0.3)];

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let mut records = Vec::new();
    for (molecule, lines, factor) in GASES {
        let gas = made_up_gas("X", lines * GASES.len(), (780.0, 804.0))?;
        // Each gas has other lines of the same sequence.
        let own = gas.lines().iter().skip(molecule as usize - 1).step_by(GASES.len());
        records.extend(own.map(|&line| {
            let mut line = line;
            line.intensity *= factor;
            ParRecord { molecule, isotopologue: 1, line }
        }));
    }
    records.sort_by(|a, b| a.line.wavenumber_per_cm.total_cmp(&b.line.wavenumber_per_cm));
    let mut list = Vec::new();
    write_par(&mut list, &records)?;
    std::fs::write(Path::new(&folder).join("made-up.par"), list)?;
    let mut sums = String::new();
    for i in 4..=80 {
        let temperature = 10.0 * f64::from(i);
        writeln!(sums, "{temperature:6.1} {:12.6}", 0.0343 * temperature * Real::sqrt(temperature))?;
    }
    std::fs::write(Path::new(&folder).join("made-up-q.txt"), sums)?;
    Ok(())
}
