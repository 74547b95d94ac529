//! Ranges of values.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use isobar_core::fields;

/// The values that a variable may have, in the unit of its [`VariableSpec`](super::VariableSpec). Never those that are
/// not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accepted {
    /// The least value.
    pub low: Bound<f64>,
    /// The largest value.
    pub high: Bound<f64>,
}

impl From<fields::Accepted> for Accepted {
    fn from(declared: fields::Accepted) -> Self {
        let between = |low, high| Self { low, high };
        let up_to = |high: f64| if high.is_finite() { Bound::Included(high) } else { Bound::Unbounded };
        match declared {
            fields::Accepted::Within(low, high) => between(Bound::Included(low), up_to(high)),
            fields::Accepted::Above(low, high) => between(Bound::Excluded(low), up_to(high)),
            fields::Accepted::Between(low, high) => between(Bound::Excluded(low), Bound::Excluded(high)),
            fields::Accepted::OneOrWithin(one, low, high) => between(Bound::Included(one.min(low)), up_to(high)),
            fields::Accepted::OneOf(_) => {
                let (low, high) = declared.ends();
                between(Bound::Included(low), Bound::Included(high))
            }
            fields::Accepted::Finite | fields::Accepted::Anything => Self::FINITE,
        }
    }
}

impl Accepted {
    /// Any finite number.
    pub const FINITE: Self = Self { low: Bound::Unbounded, high: Bound::Unbounded };
    /// Zero and more.
    pub const NOT_NEGATIVE: Self = Self { low: Bound::Included(0.0), high: Bound::Unbounded };
    /// More than zero.
    pub const POSITIVE: Self = Self { low: Bound::Excluded(0.0), high: Bound::Unbounded };
    /// From 0 to 1, both included.
    pub const FRACTION: Self = Self { low: Bound::Included(0.0), high: Bound::Included(1.0) };
    /// From 0, excluded, to 1, included: the cosine of an angle against the vertical.
    pub const COSINE: Self = Self { low: Bound::Excluded(0.0), high: Bound::Included(1.0) };

    /// Whether a value is accepted.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        value.is_finite() && (self.low, self.high).contains(&value)
    }

    /// How far apart the ends are; infinite where there is none.
    pub(super) fn width(&self) -> f64 {
        match (self.low, self.high) {
            (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => high - low,
            _ => f64::INFINITY,
        }
    }

    /// The end beyond which a number lies, if it is accepted itself.
    pub(super) fn end_beside(&self, value: f64) -> Option<f64> {
        match (self.low, self.high) {
            (Bound::Included(low), _) if value < low && value.is_finite() => Some(low),
            (_, Bound::Included(high)) if value > high && value.is_finite() => Some(high),
            _ => None,
        }
    }
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::FINITE {
            return f.write_str("the finite numbers");
        }
        match self.low {
            Bound::Included(low) => write!(f, "[{}, ", short(low))?,
            Bound::Excluded(low) => write!(f, "({}, ", short(low))?,
            Bound::Unbounded => f.write_str("(-inf, ")?,
        }
        match self.high {
            Bound::Included(high) => write!(f, "{}]", short(high)),
            Bound::Excluded(high) => write!(f, "{})", short(high)),
            Bound::Unbounded => f.write_str("inf)"),
        }
    }
}

/// A number without a row of zeros.
pub(super) fn short(number: f64) -> String {
    if number.abs() >= 1e15 { format!("{number:e}") } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_as_in_mathematics() {
        assert_eq!(Accepted::COSINE.to_string(), "(0, 1]");
        assert_eq!(Accepted::NOT_NEGATIVE.to_string(), "[0, inf)");
        let densities = Accepted { low: Bound::Excluded(0.0), high: Bound::Included(1e21) };
        assert_eq!(densities.to_string(), "(0, 1e21]");
        assert!(Accepted::COSINE.contains(1.0) && !Accepted::COSINE.contains(0.0));
        assert!(!Accepted::FINITE.contains(f64::NAN) && !Accepted::NOT_NEGATIVE.contains(f64::INFINITY));
    }
}
