//! Values that rounding left a hair out of their range.

use std::fmt;

use netcdf_reader::{NcType, NcVariable};

use super::Conversion;

/// How far beyond an end of its range a value may lie for rounding alone, as a share of the range.
///
/// Eight units in the last place of a float of 24 bits, for a few operations each round. Doubles have no more: as often
/// as not a tool has widened what a model computed in singles, and their type does not say so.
const SHARE: f64 = 1e-6;

/// Values of a variable that rounding left out of their range: they are its ends now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clamped {
    /// What the file calls the variable.
    pub variable: String,
    /// How many there are.
    pub count: usize,
    /// The first with its index, and the end of the range for which it is taken.
    pub first: String,
}

impl fmt::Display for Clamped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, count, first } = self;
        let plural = if *count == 1 { "" } else { "s" };
        write!(f, "{variable} ({count} value{plural}, the first {first})")
    }
}

/// How far beyond its range a value of a variable may lie, where the range is this wide, or without an end and the
/// largest value so large. Packed values are known to half a step; whole numbers are exact.
pub(super) fn tolerance(
    variable: &NcVariable,
    conversion: Conversion,
    scale_factor: Option<f64>,
    (width, largest): (f64, f64),
) -> f64 {
    let half_step = scale_factor.map_or(0.0, |step| 0.5 * (conversion.apply(step) - conversion.apply(0.0)).abs());
    let of_range = SHARE * if width.is_finite() { width } else { largest };
    match variable.dtype {
        NcType::Float | NcType::Double => of_range.max(half_step),
        // Unpacked in singles or not.
        _ if half_step > 0.0 => half_step.max(of_range),
        _ => 0.0,
    }
}
