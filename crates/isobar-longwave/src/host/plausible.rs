//! What coefficients of absorption can be.

use crate::host::k_distribution::{Table, TableKind};

/// No gas absorbs more \[1e-20 cm^2\]: RRTMG_LW's largest coefficient is 1.2e7, the middle of a line of carbon dioxide
/// in the stratosphere; a bit of the exponent that is wrong multiplies by 16 and more.
const MOST: f64 = 1e8;
/// Planck fractions of a band add up to 1; the published ones do to 2e-5, for they have six digits.
const SUM: f64 = 1e-4;

/// What is wrong with a table whose rows have so many points, if anything is: values are counted from 1.
pub(super) fn problem(table: &Table, points: usize) -> Option<String> {
    let kind = table.kind;
    let fractions = matches!(kind, TableKind::Fractions(_));
    let (most, range) = if fractions { (1.0, "[0, 1]") } else { (MOST, "[0, 1e8]") };
    if let Some(i) = table.values.iter().position(|value| !(0.0..=most).contains(value)) {
        return Some(format!("value {} of {kind:?} is {:e}, outside {range}", i + 1, table.values[i]));
    }
    let sums = table.values.chunks_exact(points).map(|row| row.iter().sum::<f64>());
    let wrong = sums.enumerate().find(|(_, sum)| fractions && (sum - 1.0).abs() > SUM);
    wrong.map(|(row, sum)| format!("row {} of {kind:?} adds up to {sum} instead of 1", row + 1))
}
