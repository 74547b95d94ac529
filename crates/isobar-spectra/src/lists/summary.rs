//! What a list holds, in one pass over it: memory does not grow with its length.

use std::collections::BTreeMap;
use std::path::Path;

use isobar_core::Real;

use super::{KnownIsotopologue, ParOptions, ParRecord, for_each_par, isotopologue};
use crate::SpectraError;

/// The lines of one isotopologue.
#[derive(Clone, Debug, PartialEq)]
pub struct OfIsotopologue {
    /// Which.
    pub isotopologue: &'static KnownIsotopologue,
    /// How many.
    pub lines: usize,
    /// First and last position \[cm^-1\].
    pub ends_per_cm: (f64, f64),
    /// The sum of intensities at 296 K \[cm^-1 / (molecule cm^-2)\].
    pub intensity: f64,
    /// The strongest line: position \[cm^-1\] and intensity.
    pub strongest: (f64, f64),
    /// Half widths by air, the smallest and the largest \[cm^-1/atm\].
    pub air_widths_per_cm_atm: (f64, f64),
    /// Largest energy of a lower state \[cm^-1\].
    pub highest_energy_per_cm: f64,
    /// Lines by the power of ten of their intensity, ascending: -21 has those from 1e-21 to below 1e-20. Lines of
    /// intensity 0 are not among them.
    pub decades: BTreeMap<i32, usize>,
}

/// What a list holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListSummary {
    /// Each isotopologue, by HITRAN's numbers.
    pub isotopologues: Vec<OfIsotopologue>,
    /// Lines that were left out for their lower energy is unknown.
    pub without_energy: usize,
    /// For each molecule's number the sum of intensities within each whole number of cm^-1: that number, and the sum.
    pub by_wavenumber: BTreeMap<u32, BTreeMap<u32, f64>>,
}

impl ListSummary {
    /// Reads a list of 160 columns. Lines without known lower energies are counted apart.
    ///
    /// # Errors
    /// As [`super::read_par`]; a list without any line.
    pub fn read(path: &Path, range_per_cm: Option<(f64, f64)>) -> Result<Self, SpectraError> {
        let mut summary = Self::default();
        let options = ParOptions { skip_unknown_energies: true, range_per_cm };
        summary.without_energy = for_each_par(path, options, &mut |record| summary.add(&record))?;
        if summary.lines() == 0 {
            return Err(SpectraError::file(path, "no line is in it, or in the range that was asked for"));
        }
        summary.isotopologues.sort_by_key(|of| (of.isotopologue.molecule, of.isotopologue.number));
        Ok(summary)
    }

    /// Lines of all isotopologues.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.isotopologues.iter().map(|of| of.lines).sum()
    }

    fn add(&mut self, record: &ParRecord) -> Result<(), SpectraError> {
        let ParRecord { molecule, isotopologue: number, line } = record;
        let (nu, intensity) = (line.wavenumber_per_cm, line.intensity);
        let is = |of: &OfIsotopologue| of.isotopologue.molecule == *molecule && of.isotopologue.number == *number;
        let place = match self.isotopologues.iter().position(is) {
            Some(place) => place,
            None => {
                self.isotopologues.push(OfIsotopologue {
                    isotopologue: isotopologue(*molecule, *number)?,
                    lines: 0,
                    ends_per_cm: (nu, nu),
                    intensity: 0.0,
                    strongest: (nu, intensity),
                    air_widths_per_cm_atm: (f64::INFINITY, 0.0),
                    highest_energy_per_cm: 0.0,
                    decades: BTreeMap::new(),
                });
                self.isotopologues.len() - 1
            }
        };
        let of = &mut self.isotopologues[place];
        of.lines += 1;
        of.ends_per_cm.1 = nu;
        of.intensity += intensity;
        if intensity > of.strongest.1 {
            of.strongest = (nu, intensity);
        }
        let width = line.air_width_per_cm_atm;
        of.air_widths_per_cm_atm = (of.air_widths_per_cm_atm.0.min(width), of.air_widths_per_cm_atm.1.max(width));
        of.highest_energy_per_cm = of.highest_energy_per_cm.max(line.lower_energy_per_cm);
        if intensity > 0.0 {
            *of.decades.entry(decade(intensity)).or_default() += 1;
        }
        *self.by_wavenumber.entry(*molecule).or_default().entry(nu as u32).or_default() += intensity;
        Ok(())
    }
}

/// The power of ten at or below a number.
fn decade(x: f64) -> i32 {
    let near = (Real::ln(x) / core::f64::consts::LN_10).floor() as i32;
    // The logarithm of a power of ten may lie on either side of the whole number; a parsed number does not.
    let power = |exponent: i32| format!("1e{exponent}").parse::<f64>().unwrap_or(f64::NAN);
    if power(near) > x {
        near - 1
    } else if power(near + 1) <= x {
        near + 1
    } else {
        near
    }
}

#[cfg(test)]
mod tests {
    use super::decade;

    #[test]
    fn powers_of_ten_begin_their_decades() {
        for exponent in -40..5 {
            let power: f64 = format!("1e{exponent}").parse().unwrap();
            assert_eq!(decade(power), exponent);
            assert_eq!(decade(power * (1.0 - f64::EPSILON)), exponent - 1);
            assert_eq!(decade(9.99 * power), exponent);
        }
    }
}
