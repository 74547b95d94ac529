//! How far results lie from a reference code's: counts for the guide's figure.

use std::path::PathBuf;

use serde_json::json;

/// Half decades, from 1e-18 to 1.
const BINS: usize = 36;
/// The exponent of ten where the first begins; smaller differences count there.
const FIRST_EXPONENT: i32 = -18;

/// Differences of one comparison, by their size.
#[derive(Debug)]
pub struct Agreement {
    equal: u64,
    counts: [u64; BINS],
}

impl Default for Agreement {
    fn default() -> Self {
        Self { equal: 0, counts: [0; BINS] }
    }
}

impl Agreement {
    /// Counts a difference of two numbers, in the unit of the comparison. What is not finite, both have not, and it is
    /// left out.
    pub fn add(&mut self, difference: f64) {
        let difference = difference.abs();
        if difference == 0.0 {
            self.equal += 1;
        } else if difference.is_finite() {
            let exponent = isobar_core::Real::ln(difference) / std::f64::consts::LN_10;
            let half_decades = 2.0 * (exponent - f64::from(FIRST_EXPONENT));
            self.counts[(half_decades.max(0.0) as usize).min(BINS - 1)] += 1;
        }
    }

    /// Writes the counts where `cargo xtask agreement` looks for them, if it runs this: `key` orders the comparisons,
    /// `panel` is the part of the figure that they are in, `name` their curve.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn write(&self, key: &str, panel: &str, name: &str, unit: &str) {
        let Some(folder) = std::env::var_os("ISOBAR_AGREEMENT") else { return };
        let file = PathBuf::from(folder).join(format!("{key}.json"));
        let counts = json!({
            "panel": panel,
            "name": name,
            "unit": unit,
            "equal": self.equal,
            "first_exponent": FIRST_EXPONENT,
            "counts": self.counts.to_vec(),
        });
        std::fs::write(&file, counts.to_string()).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}
