//! HITRAN's files of measured cross-sections (`.xsc`): blocks of a header and values \[cm^2/molecule\] at equal
//! distances, ten a line.
//!
//! A header has the molecule (20 columns), first and last wavenumber (10 each), the number of values (7), the
//! temperature \[K\] (7), the pressure \[Torr\] (6), and what is not read. Negative values, which noise makes, stay.

use std::path::Path;

use isobar_core::Column;

use super::held::{Held, gaps, held};
use super::{number_of, read_lines};
use crate::SpectraError;
use crate::constants::{ATMOSPHERE_HPA, TORR_PER_ATMOSPHERE};
use crate::physics::cross_section::at;

/// A measurement at one pressure and temperature.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossSection {
    /// The molecule.
    pub name: String,
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Pressure \[hPa\].
    pub pressure_hpa: f64,
    ends_per_cm: (f64, f64),
    values: Vec<f64>,
}

impl CrossSection {
    /// All measurements of a file.
    ///
    /// # Errors
    /// A file that cannot be read, a header or a value that is none, a block with fewer values than its header says.
    pub fn read(path: &Path) -> Result<Vec<Self>, SpectraError> {
        let mut blocks: Vec<(Self, usize, usize)> = Vec::new();
        read_lines(path, |number, text| {
            if text.trim().is_empty() {
                return Ok(());
            }
            let wrong = |why: String| SpectraError::record(path, number, why);
            match blocks.last_mut().filter(|(block, values, _)| block.values.len() < *values) {
                Some((block, values, _)) => {
                    // Ten columns each: a negative value touches the one before.
                    let mut rest = text.trim_end();
                    while !rest.is_empty() && block.values.len() < *values {
                        let (word, after) = rest.split_at_checked(10.min(rest.len())).unwrap_or((rest, ""));
                        block.values.push(number_of(word, "the cross-section [cm^2/molecule]", path, number)?);
                        rest = after;
                    }
                }
                None => {
                    let field = |from: usize, to: usize, what: &str| {
                        let text = text.get(from..to).ok_or_else(|| wrong(format!("the header ends before {what}")))?;
                        number_of(text, what, path, number)
                    };
                    let ends = (field(20, 30, "the first wavenumber")?, field(30, 40, "the last wavenumber")?);
                    let values = field(40, 47, "the number of values")?;
                    let temperature_k = field(47, 54, "the temperature [K]")?;
                    let torr = field(54, 60, "the pressure [Torr]")?;
                    if values < 2.0 || values.fract() != 0.0 || ends.1 <= ends.0 || temperature_k <= 0.0 || torr < 0.0 {
                        let why = format!(
                            "the header has {values} values from {} to {} cm^-1 at {temperature_k} K and {torr} Torr",
                            ends.0, ends.1
                        );
                        return Err(wrong(why));
                    }
                    let block = Self {
                        name: text.get(..20).unwrap_or_default().trim().to_owned(),
                        temperature_k,
                        pressure_hpa: torr / TORR_PER_ATMOSPHERE * ATMOSPHERE_HPA,
                        ends_per_cm: ends,
                        values: Vec::new(),
                    };
                    blocks.push((block, values as usize, number));
                }
            }
            Ok(())
        })?;
        if let Some((block, values, line)) = blocks.iter().find(|(block, values, _)| block.values.len() < *values) {
            let why = format!("the header says {values} values, and {} follow", block.values.len());
            return Err(SpectraError::record(path, *line, why));
        }
        if blocks.is_empty() {
            return Err(SpectraError::file(path, "it has no block"));
        }
        Ok(blocks.into_iter().map(|(block, _, _)| block).collect())
    }

    /// First and last wavenumber \[cm^-1\].
    #[must_use]
    pub fn ends_per_cm(&self) -> (f64, f64) {
        self.ends_per_cm
    }

    /// The cross-section \[cm^2/molecule\], linear between the values; 0 outside of them.
    #[must_use]
    pub fn at(&self, wavenumber_per_cm: f64) -> f64 {
        at(self.ends_per_cm.0, self.ends_per_cm.1, Column::from(self.values.as_slice()), wavenumber_per_cm)
    }
}

/// The measurements of a molecule at several pressures and temperatures.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossSections {
    blocks: Vec<CrossSection>,
}

impl CrossSections {
    /// All measurements of some files.
    ///
    /// # Errors
    /// As [`CrossSection::read`], and no file.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Self, SpectraError> {
        let mut blocks = Vec::new();
        for path in paths {
            blocks.extend(CrossSection::read(path.as_ref())?);
        }
        Self::new(blocks)
    }

    /// These measurements.
    ///
    /// # Errors
    /// There is none.
    pub fn new(blocks: Vec<CrossSection>) -> Result<Self, SpectraError> {
        if blocks.is_empty() {
            return Err(SpectraError::value("the number of files of cross-sections", 0, "1 or more"));
        }
        Ok(Self { blocks })
    }

    /// The measurements.
    #[must_use]
    pub fn blocks(&self) -> &[CrossSection] {
        &self.blocks
    }

    /// Which of these temperatures lie outside of what was measured, in the part of a range \[cm^-1\] where most do.
    #[must_use]
    pub fn held(&self, range_per_cm: (f64, f64), temperatures_k: &[f64]) -> Option<Held> {
        let blocks = self.blocks.iter().map(|block| (block.ends_per_cm.0, block.ends_per_cm.1, block.temperature_k));
        held(blocks, range_per_cm, temperatures_k)
    }

    /// The parts of a range \[cm^-1\] in which nothing was measured: [`Self::at`] is 0 there.
    #[must_use]
    pub fn gaps(&self, range_per_cm: (f64, f64)) -> Vec<(f64, f64)> {
        gaps(self.blocks.iter().map(|block| block.ends_per_cm), range_per_cm)
    }

    /// The cross-section \[cm^2/molecule\]: linear between the next lower and the next higher temperature, of each the
    /// measurement at the nearest pressure; beyond all temperatures that of the nearest one. Only measurements that
    /// have the wavenumber count; 0 where none has it. Negative values, which noise makes, are 0.
    #[must_use]
    pub fn at(&self, wavenumber_per_cm: f64, pressure_hpa: f64, temperature_k: f64) -> f64 {
        let has = |block: &&CrossSection| (block.ends_per_cm.0..=block.ends_per_cm.1).contains(&wavenumber_per_cm);
        // The distance in temperature first, then that in pressure.
        let nearest = |colder: bool| {
            let side = |block: &&CrossSection| {
                if colder { block.temperature_k <= temperature_k } else { block.temperature_k >= temperature_k }
            };
            let distance = |block: &CrossSection| {
                ((block.temperature_k - temperature_k).abs(), (block.pressure_hpa - pressure_hpa).abs())
            };
            let closer = |a: &&CrossSection, b: &&CrossSection| {
                let ((t, p), (u, q)) = (distance(a), distance(b));
                t.total_cmp(&u).then(p.total_cmp(&q))
            };
            self.blocks.iter().filter(has).filter(side).min_by(closer)
        };
        let value = |block: &CrossSection| block.at(wavenumber_per_cm);
        let found = match (nearest(true), nearest(false)) {
            (Some(cold), Some(warm)) if warm.temperature_k > cold.temperature_k => {
                let share = (temperature_k - cold.temperature_k) / (warm.temperature_k - cold.temperature_k);
                value(cold) + share * (value(warm) - value(cold))
            }
            (Some(one), _) | (None, Some(one)) => value(one),
            (None, None) => 0.0,
        };
        found.max(0.0)
    }
}
