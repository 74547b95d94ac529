//! Partition sums from the user's files: HITRAN's `q1.txt` (TIPS) and ExoMol's `.pf`, two columns, temperature \[K\]
//! and Q.

use std::path::Path;

use isobar_core::{Column, Real};

use super::{number_of, read_lines};
use crate::SpectraError;
use crate::constants::REFERENCE_K;
use crate::physics::partition::partition_sum;

/// A partition sum against temperature.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionSum {
    name: String,
    temperatures_k: Vec<f64>,
    ln_temperatures: Vec<f64>,
    ln_sums: Vec<f64>,
}

impl PartitionSum {
    /// A table of temperatures \[K\], ascending, and sums; `name` is for messages.
    ///
    /// # Errors
    /// Fewer than two rows, temperatures that do not ascend, values that are not positive, a table without 296 K.
    pub fn new(name: &str, rows: &[(f64, f64)]) -> Result<Self, SpectraError> {
        if rows.len() < 2 {
            return Err(SpectraError::value(format!("the number of rows of {name}"), rows.len(), "2 or more"));
        }
        let mut before = 0.0;
        for &(temperature, sum) in rows {
            if !(temperature > before && temperature.is_finite()) {
                let accepted = format!("a finite number above {before}");
                return Err(SpectraError::value(format!("a temperature of {name} [K]"), temperature, accepted));
            }
            if !(sum > 0.0 && sum.is_finite()) {
                let what = format!("the partition sum of {name} at {temperature} K");
                return Err(SpectraError::value(what, sum, "a positive number"));
            }
            before = temperature;
        }
        let table = Self {
            name: name.to_owned(),
            temperatures_k: rows.iter().map(|row| row.0).collect(),
            ln_temperatures: rows.iter().map(|row| Real::ln(row.0)).collect(),
            ln_sums: rows.iter().map(|row| Real::ln(row.1)).collect(),
        };
        table.at(REFERENCE_K)?;
        Ok(table)
    }

    /// Reads a file; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// A file that cannot be read, a line without two numbers, and as [`PartitionSum::new`].
    pub fn read(path: &Path) -> Result<Self, SpectraError> {
        let mut rows = Vec::new();
        read_lines(path, |number, text| {
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                return Ok(());
            }
            let mut words = text.split_ascii_whitespace();
            let (Some(temperature), Some(sum)) = (words.next(), words.next()) else {
                return Err(SpectraError::record(path, number, "two numbers are needed: temperature [K] and Q"));
            };
            // ExoMol's files begin at 0 K in some cases, where nothing is computed.
            let row = (
                number_of(temperature, "the temperature [K]", path, number)?,
                number_of(sum, "the partition sum", path, number)?,
            );
            let before = rows.last().map_or(0.0, |row: &(f64, f64)| row.0);
            if row.0 > 0.0 && row.0 <= before {
                let why = format!("the temperature {} K comes after {before} K; rows have to ascend", row.0);
                return Err(SpectraError::record(path, number, why));
            }
            if row.0 > 0.0 {
                if row.1 <= 0.0 {
                    let why = format!("the partition sum is {}; accepted is more than 0", row.1);
                    return Err(SpectraError::record(path, number, why));
                }
                rows.push(row);
            }
            Ok(())
        })?;
        Self::new(&path.display().to_string(), &rows)
    }

    /// The first and the last temperature \[K\].
    #[must_use]
    pub fn range_k(&self) -> (f64, f64) {
        (self.temperatures_k[0], self.temperatures_k[self.temperatures_k.len() - 1])
    }

    /// Q at a temperature.
    ///
    /// # Errors
    /// A temperature outside of the table.
    pub fn at(&self, temperature_k: f64) -> Result<f64, SpectraError> {
        let (low, high) = self.range_k();
        if !(low..=high).contains(&temperature_k) {
            let what = format!("the temperature for the partition sum of {} [K]", self.name);
            return Err(SpectraError::value(what, temperature_k, format!("{low} to {high}")));
        }
        Ok(partition_sum(
            Column::from(self.ln_temperatures.as_slice()),
            Column::from(self.ln_sums.as_slice()),
            temperature_k,
        ))
    }

    /// Q(296 K)/Q(T).
    ///
    /// # Errors
    /// As [`PartitionSum::at`].
    pub fn ratio(&self, temperature_k: f64) -> Result<f64, SpectraError> {
        Ok(self.at(REFERENCE_K)? / self.at(temperature_k)?)
    }
}
