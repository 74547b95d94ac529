//! Numbers in text: shortest digits that read back equal, and accepted ranges.

use std::fmt;

/// Displays a float so that nothing is lost and C's `scanf("%lg")` reads it.
pub(crate) struct Number<T>(pub(crate) T);

impl<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp> fmt::Display for Number<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.into().abs();
        // Plain notation would spell 1e25 out.
        if magnitude.is_finite() && magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// An interval of accepted values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    low: f64,
    low_counts: bool,
    high: f64,
    high_counts: bool,
}

impl Range {
    pub(crate) const FINITE: Self = Self::open(f64::NEG_INFINITY, f64::INFINITY);
    pub(crate) const POSITIVE: Self = Self::open(0.0, f64::INFINITY);
    /// Pressures in hPa: JURASSIC's own limit, which a profile in Pa breaks at the ground.
    pub(crate) const PRESSURE: Self = Self::above_to(0.0, 5e4);
    pub(crate) const NOT_NEGATIVE: Self = Self { low_counts: true, ..Self::POSITIVE };
    /// Degrees north.
    pub(crate) const LATITUDE: Self = Self::closed(-90.0, 90.0);
    pub(crate) const FRACTION: Self = Self::closed(0.0, 1.0);

    pub(crate) const fn open(low: f64, high: f64) -> Self {
        Self { low, low_counts: false, high, high_counts: false }
    }

    pub(crate) const fn closed(low: f64, high: f64) -> Self {
        Self { low, low_counts: true, high, high_counts: true }
    }

    pub(crate) const fn above_to(low: f64, high: f64) -> Self {
        Self { low_counts: false, ..Self::closed(low, high) }
    }

    /// NaN lies in no range.
    pub(crate) fn contains(&self, value: f64) -> bool {
        (value > self.low || (self.low_counts && value == self.low))
            && (value < self.high || (self.high_counts && value == self.high))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, right) = (if self.low_counts { '[' } else { '(' }, if self.high_counts { ']' } else { ')' });
        write!(f, "{left}{}, {}{right}", Number(self.low), Number(self.high))
    }
}
