//! A gas: its lines and isotopologues.

use super::{ParRecord, PartitionSum, isotopologue, molecule_name};
use crate::limits::MASSES_U;
use crate::physics::line::{Line, doppler_width_per_cm};
use crate::{Constants, Grid, SpectraError};

/// An isotopologue that a list has lines of.
#[derive(Clone, Debug, PartialEq)]
pub struct Isotopologue {
    /// A name, for messages.
    pub name: String,
    /// The mass \[u\].
    pub mass_u: f64,
    /// The partition sum.
    pub partition: PartitionSum,
}

/// A gas.
#[derive(Clone, Debug, PartialEq)]
pub struct Gas {
    name: String,
    lines: Vec<Line<f64>>,
    isotopologue_of: Vec<u32>,
    isotopologues: Vec<Isotopologue>,
    before: usize,
}

impl Gas {
    /// Lines, each with the number of its isotopologue, in any order: they are sorted by their positions, those of one
    /// position in the order given. A width by the gas itself that is unknown (0) is that by air.
    ///
    /// # Errors
    /// Lines whose values no line has, or whose isotopologue is not there.
    pub fn new(
        name: &str,
        lines: Vec<(Line<f64>, u32)>,
        isotopologues: Vec<Isotopologue>,
    ) -> Result<Self, SpectraError> {
        let mut lines = lines;
        for (number, (line, isotopologue)) in lines.iter_mut().enumerate() {
            let wrong = |why| SpectraError::Options(format!("line {} of {name}: {why}", number + 1));
            super::record::check(line).map_err(|(_, why)| wrong(why))?;
            if *isotopologue as usize >= isotopologues.len() {
                return Err(wrong(format!("isotopologue {isotopologue} is not among the {}", isotopologues.len())));
            }
            if line.self_width_per_cm_atm == 0.0 {
                line.self_width_per_cm_atm = line.air_width_per_cm_atm;
            }
        }
        for Isotopologue { name, mass_u, .. } in &isotopologues {
            if !MASSES_U.contains(mass_u) {
                return Err(SpectraError::value(format!("the mass of {name} [u]"), mass_u, "from 1e-3 to 1e20"));
            }
        }
        lines.sort_by(|a, b| a.0.wavenumber_per_cm.total_cmp(&b.0.wavenumber_per_cm));
        let (lines, isotopologue_of) = lines.into_iter().unzip();
        Ok(Self { name: name.to_owned(), lines, isotopologue_of, isotopologues, before: 0 })
    }

    /// The lines of one molecule among HITRAN's records; `partition` gives the partition sum of an isotopologue by
    /// HITRAN's numbers of molecule and isotopologue.
    ///
    /// # Errors
    /// No line of the molecule, an isotopologue that HITRAN does not number so, and what `partition` answers.
    pub fn from_records(
        records: &[ParRecord],
        molecule: u32,
        mut partition: impl FnMut(u32, u32) -> Result<PartitionSum, SpectraError>,
    ) -> Result<Self, SpectraError> {
        let mut numbers: Vec<u32> = Vec::new();
        let mut isotopologues = Vec::new();
        let mut lines = Vec::new();
        for record in records.iter().filter(|record| record.molecule == molecule) {
            let known = numbers.iter().position(|&number| number == record.isotopologue);
            let place = if let Some(place) = known {
                place
            } else {
                let known = isotopologue(molecule, record.isotopologue)?;
                let partition = partition(molecule, record.isotopologue)?;
                isotopologues.push(Isotopologue { name: known.name(), mass_u: known.mass_u, partition });
                numbers.push(record.isotopologue);
                numbers.len() - 1
            };
            lines.push((record.line, place as u32));
        }
        let name = molecule_name(molecule)?;
        if lines.is_empty() {
            return Err(SpectraError::value(format!("the number of lines of {name}"), 0, "1 or more"));
        }
        Self::new(name, lines, isotopologues)
    }

    /// This gas with the lines of another's isotopologues in addition.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let count = self.isotopologues.len() as u32;
        let numbers = self.isotopologue_of.into_iter().chain(other.isotopologue_of.iter().map(|of| of + count));
        let mut lines: Vec<(Line<f64>, u32)> = self.lines.into_iter().chain(other.lines).zip(numbers).collect();
        lines.sort_by(|a, b| a.0.wavenumber_per_cm.total_cmp(&b.0.wavenumber_per_cm));
        let (lines, isotopologue_of) = lines.into_iter().unzip();
        let isotopologues = self.isotopologues.into_iter().chain(other.isotopologues).collect();
        Self { name: self.name, lines, isotopologue_of, isotopologues, before: self.before + other.before }
    }

    /// This gas without its lines.
    #[cfg(feature = "launch")]
    pub(crate) fn without_lines(&self) -> Self {
        Self {
            name: self.name.clone(),
            lines: Vec::new(),
            isotopologue_of: Vec::new(),
            isotopologues: self.isotopologues.clone(),
            before: 0,
        }
    }

    /// The lines as those that come after `lines` others in a longer list: spectra then have the bits of the whole
    /// list, whose lines are summed in groups by their numbers.
    #[must_use]
    pub fn after(self, lines: usize) -> Self {
        Self { before: lines, ..self }
    }

    /// See [`Gas::after`].
    #[must_use]
    pub fn lines_before(&self) -> usize {
        self.before
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The lines, ascending by position.
    #[must_use]
    pub fn lines(&self) -> &[Line<f64>] {
        &self.lines
    }

    /// The number of each line's isotopologue in [`Gas::isotopologues`].
    #[must_use]
    pub fn isotopologue_of(&self) -> &[u32] {
        &self.isotopologue_of
    }

    /// The isotopologues.
    #[must_use]
    pub fn isotopologues(&self) -> &[Isotopologue] {
        &self.isotopologues
    }

    /// The smallest Doppler half width \[cm^-1\] of the gas within a grid at a temperature, if the grid's points are
    /// farther apart: lines may then fall between them.
    #[must_use]
    pub fn too_coarse(&self, grid: &Grid, temperature_k: f64, constants: &Constants) -> Option<f64> {
        let heaviest = self.isotopologues.iter().map(|one| one.mass_u).fold(0.0, f64::max);
        let width = doppler_width_per_cm(grid.ends_per_cm().0, temperature_k, heaviest, constants);
        (grid.largest_step_per_cm() > width).then_some(width)
    }

    /// Q(296 K)/Q(T) of each isotopologue.
    ///
    /// # Errors
    /// A temperature outside of a table.
    pub fn partition_ratios(&self, temperature_k: f64) -> Result<Vec<f64>, SpectraError> {
        self.isotopologues.iter().map(|one| one.partition.ratio(temperature_k)).collect()
    }
}
