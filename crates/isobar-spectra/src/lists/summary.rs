//! What a list holds, in one pass over it: memory does not grow with its length.

use std::collections::BTreeMap;
use std::path::Path;

use isobar_core::Real;

use super::files::unpacked_name;
use super::{
    ExoMol, KnownIsotopologue, Oddities, ParOptions, ParRecord, for_each_exomol, for_each_par, isotopologue,
    molecule_number,
};
use crate::SpectraError;
use crate::physics::line::Line;

/// The lines of one isotopologue.
#[derive(Clone, Debug, PartialEq)]
pub struct OfIsotopologue {
    /// Which.
    pub isotopologue: KnownIsotopologue,
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
    /// What was odd; lines without known lower energies are not counted elsewhere.
    pub odd: Oddities,
    /// For each molecule's number (0 without one) the sum of intensities within each whole number of cm^-1: that
    /// number, and the sum.
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
        summary.odd = for_each_par(path, options, &mut |ParRecord { molecule, isotopologue: number, line }| {
            summary.add(
                &line,
                || Ok(isotopologue(molecule, number)?.clone()),
                |of| (of.molecule, of.number) == (molecule, number),
            )
        })?;
        summary.of_some_lines(path)
    }

    /// Reads a list of ExoMol.
    ///
    /// # Errors
    /// As [`super::read_exomol`]; a list without any line.
    pub fn read_exomol(list: &ExoMol) -> Result<Self, SpectraError> {
        let name = list.states.file_name().unwrap_or_default().to_string_lossy();
        let name = unpacked_name(&name);
        let stem = name.strip_suffix(".states").unwrap_or(name).to_owned();
        let one = KnownIsotopologue {
            molecule: molecule_number(&list.name).unwrap_or(0),
            number: 0,
            molecule_name: list.name.clone().into(),
            atoms: stem.into(),
            mass_u: list.mass_u,
        };
        let mut summary = Self::default();
        let mut wrong = None;
        let odd = for_each_exomol(list, &mut |line| {
            if let Err(error) = summary.add(&line, || Ok(one.clone()), |_| true) {
                wrong.get_or_insert(error);
            }
        })?;
        wrong.map_or(Ok(()), Err)?;
        summary.odd = odd;
        summary.of_some_lines(&list.states)
    }

    fn of_some_lines(mut self, path: &Path) -> Result<Self, SpectraError> {
        if self.lines() == 0 {
            return Err(SpectraError::file(path, "no line is in it, or in the range that was asked for"));
        }
        self.isotopologues.sort_by_key(|of| (of.isotopologue.molecule, of.isotopologue.number));
        Ok(self)
    }

    /// Lines of all isotopologues.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.isotopologues.iter().map(|of| of.lines).sum()
    }

    fn add(
        &mut self,
        line: &Line<f64>,
        which: impl FnOnce() -> Result<KnownIsotopologue, SpectraError>,
        is: impl Fn(&KnownIsotopologue) -> bool,
    ) -> Result<(), SpectraError> {
        let (nu, intensity) = (line.wavenumber_per_cm, line.intensity);
        let place = match self.isotopologues.iter().position(|of| is(&of.isotopologue)) {
            Some(place) => place,
            None => {
                self.isotopologues.push(OfIsotopologue {
                    isotopologue: which()?,
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
        // ExoMol's lines have no order.
        of.ends_per_cm = (of.ends_per_cm.0.min(nu), of.ends_per_cm.1.max(nu));
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
        let molecule = of.isotopologue.molecule;
        *self.by_wavenumber.entry(molecule).or_default().entry(nu as u32).or_default() += intensity;
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
