//! Values that rounding left a hair out of their range.

use std::fmt;

use netcdf_reader::{NcType, NcVariable};

use super::Conversion;

/// How far beyond an end of its range a value may lie for rounding alone, as a share of that end; beyond 0, of the
/// largest value in the file, which says how large an error of that size is: the range of ozone ends at 1, and a
/// millionth of it is more than all ozone that there is.
///
/// Eight units in the last place of a float of 24 bits, for a few operations each round. Doubles have no more: as often
/// as not a tool has widened what a model computed in singles, and their type does not say so.
const SHARE: f64 = 1e-6;
/// What rounding leaves of the difference of two doubles near 1, a few operations each.
const LEAST: f64 = 1e-14;

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

/// What values of a variable are known to.
pub(super) struct Rounding {
    /// What 0 is compared with.
    scale: f64,
    /// Half a step of packed values; else 0.
    half_step: f64,
    is_exact: bool,
}

impl Rounding {
    /// The rounding of a variable by the width of its range, which may be infinite, and its largest value. Packed
    /// values are known to half a step; whole numbers are exact.
    pub(super) fn of(
        variable: &NcVariable,
        conversion: Conversion,
        scale_factor: Option<f64>,
        (width, largest): (f64, f64),
    ) -> Self {
        let step = |step: f64| 0.5 * (conversion.apply(step) - conversion.apply(0.0)).abs();
        let half_step = scale_factor.map_or(0.0, step);
        // Of differences of parts of 1, as of 1 and a clear part, this is left where there is nothing.
        let scale = largest.max(LEAST / SHARE * width.min(1.0)).min(width);
        let is_float = matches!(variable.dtype, NcType::Float | NcType::Double);
        Self { scale, half_step, is_exact: !is_float && half_step == 0.0 }
    }

    /// Whether a value beyond this end of its range may be that end.
    pub(super) fn may_be(&self, value: f64, end: f64) -> bool {
        let scale = if end == 0.0 { self.scale } else { end.abs() };
        !self.is_exact && (value - end).abs() <= self.half_step.max(SHARE * scale)
    }
}
