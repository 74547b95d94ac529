//! HITRAN's files of collision-induced absorption (Karman et al., 2019, doi:10.1016/j.icarus.2019.02.034): blocks of a
//! header and pairs of wavenumber \[cm^-1\] and coefficient \[cm^5/molecule^2\].
//!
//! A header has the pair of molecules (20 columns), first and last wavenumber (10 each), the number of rows (7), the
//! temperature \[K\] (7), and what is not read.

use std::path::Path;

use isobar_core::Column;

use super::held::{Held, gaps, held};
use super::{number_of, read_lines};
use crate::SpectraError;
use crate::physics::collision_induced::{between, coefficient};

/// A block: one temperature.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    temperature_k: f64,
    rows: usize,
    header_line: usize,
    wavenumbers_per_cm: Vec<f64>,
    coefficients: Vec<f64>,
}

/// Absorption by pairs of molecules.
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionInduced {
    pair: String,
    /// Ascending by temperature.
    blocks: Vec<Block>,
}

impl CollisionInduced {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, a header or a row that is none, a block with fewer rows than its header says.
    pub fn read(path: &Path) -> Result<Self, SpectraError> {
        let (mut pair, mut blocks) = (String::new(), Vec::<Block>::new());
        read_lines(path, |number, text| {
            if text.trim().is_empty() {
                return Ok(());
            }
            let wrong = |why: String| SpectraError::record(path, number, why);
            match blocks.last_mut().filter(|block| block.coefficients.len() < block.rows) {
                Some(block) => {
                    let mut words = text.split_ascii_whitespace();
                    let (Some(nu), Some(value)) = (words.next(), words.next()) else {
                        return Err(wrong("a wavenumber and a coefficient are needed".to_owned()));
                    };
                    let nu = number_of(nu, "the wavenumber [cm^-1]", path, number)?;
                    if block.wavenumbers_per_cm.last().is_some_and(|&before| nu <= before) {
                        return Err(wrong(format!("the wavenumber {nu} cm^-1 does not ascend")));
                    }
                    block.wavenumbers_per_cm.push(nu);
                    block.coefficients.push(number_of(value, "the coefficient", path, number)?);
                }
                None => {
                    let field = |from: usize, to: usize, what: &str| {
                        let text = text.get(from..to).ok_or_else(|| wrong(format!("the header ends before {what}")))?;
                        number_of(text, what, path, number)
                    };
                    let rows = field(40, 47, "the number of rows")?;
                    let temperature_k = field(47, 54, "the temperature [K]")?;
                    if rows < 2.0 || rows.fract() != 0.0 || temperature_k <= 0.0 {
                        let why = format!(
                            "the header has {rows} rows at {temperature_k} K; accepted is 2 or more, above 0 K"
                        );
                        return Err(wrong(why));
                    }
                    let name = text.get(..20).unwrap_or_default().trim().to_owned();
                    if !pair.is_empty() && pair != name {
                        return Err(wrong(format!("the pair is {name}; the blocks before are of {pair}")));
                    }
                    pair = name;
                    let (wavenumbers_per_cm, coefficients) = (Vec::new(), Vec::new());
                    let rows = rows as usize;
                    blocks.push(Block { temperature_k, rows, header_line: number, wavenumbers_per_cm, coefficients });
                }
            }
            Ok(())
        })?;
        let cut = blocks.iter().find(|block| block.coefficients.len() < block.rows);
        if let Some(Block { rows, header_line, coefficients, .. }) = cut {
            let why = format!("the header says {rows} rows, and {} follow", coefficients.len());
            return Err(SpectraError::record(path, *header_line, why));
        }
        if blocks.is_empty() {
            return Err(SpectraError::file(path, "it has no block"));
        }
        blocks.sort_by(|a, b| a.temperature_k.total_cmp(&b.temperature_k));
        Ok(Self { pair, blocks })
    }

    /// The pair of molecules, as `N2-N2`.
    #[must_use]
    pub fn pair(&self) -> &str {
        &self.pair
    }

    /// The first and the last temperature \[K\] of the blocks that have a wavenumber; none, if none has it.
    #[must_use]
    pub fn range_k(&self, wavenumber_per_cm: f64) -> Option<(f64, f64)> {
        let mut there =
            self.blocks.iter().filter(|block| block.has(wavenumber_per_cm)).map(|block| block.temperature_k);
        let first = there.next()?;
        Some((first, there.next_back().unwrap_or(first)))
    }

    /// Which of these temperatures lie outside of what was measured, in the part of a range \[cm^-1\] where most do.
    #[must_use]
    pub fn held(&self, range_per_cm: (f64, f64), temperatures_k: &[f64]) -> Option<Held> {
        let blocks =
            self.blocks.iter().map(|block| (block.ends_per_cm().0, block.ends_per_cm().1, block.temperature_k));
        held(blocks, range_per_cm, temperatures_k)
    }

    /// The parts of a range \[cm^-1\] in which nothing was measured: [`Self::at`] is 0 there.
    #[must_use]
    pub fn gaps(&self, range_per_cm: (f64, f64)) -> Vec<(f64, f64)> {
        gaps(self.blocks.iter().map(Block::ends_per_cm), range_per_cm)
    }

    /// The coefficient \[cm^5/molecule^2\], linear in temperature between the blocks that have the wavenumber; beyond
    /// them the nearest block's ([`CollisionInduced::range_k`]); 0 where none has it. Negative values of a file stay.
    #[must_use]
    pub fn at(&self, wavenumber_per_cm: f64, temperature_k: f64) -> f64 {
        let there: Vec<&Block> = self.blocks.iter().filter(|block| block.has(wavenumber_per_cm)).collect();
        let (Some(first), Some(last)) = (there.first(), there.last()) else { return 0.0 };
        let after = there.iter().find(|block| block.temperature_k >= temperature_k).unwrap_or(last);
        let before = there.iter().rfind(|block| block.temperature_k <= temperature_k).unwrap_or(first);
        let value = |block: &Block| (block.temperature_k, block.at(wavenumber_per_cm));
        between(value(before), value(after), temperature_k)
    }
}

impl Block {
    fn ends_per_cm(&self) -> (f64, f64) {
        (self.wavenumbers_per_cm[0], self.wavenumbers_per_cm[self.rows - 1])
    }

    fn has(&self, wavenumber_per_cm: f64) -> bool {
        let (first, last) = self.ends_per_cm();
        (first..=last).contains(&wavenumber_per_cm)
    }

    fn at(&self, wavenumber_per_cm: f64) -> f64 {
        let columns = (Column::from(self.wavenumbers_per_cm.as_slice()), Column::from(self.coefficients.as_slice()));
        coefficient(columns.0, columns.1, wavenumber_per_cm)
    }
}
