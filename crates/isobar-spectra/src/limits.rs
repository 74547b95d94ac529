//! Guards and cut-offs, each with its reason.

use std::ops::Range;

/// The most points that a grid may have: their numbers fit 32 bits on a device.
pub(crate) const MOST_POINTS: f64 = 1e9;

/// A step of which a whole number makes 1 cm^-1 to within this part is taken for the decimal number that is meant: far
/// above a rounding, far below what anybody would write.
pub(crate) const WHOLE_STEPS: f64 = 1e-9;

/// A grid's end this part of a step from a point is that point: far above what 1e9 steps make of roundings.
pub(crate) const ROUNDING_STEPS: f64 = 1e-3;

/// Masses of molecules \[u\]: from far below an atom's to where thermal motion is nothing in double precision.
pub(crate) const MASSES_U: std::ops::RangeInclusive<f64> = 1e-3..=1e20;

/// Energies less than this below 0 are those of the ground state, rounded \[cm^-1\].
pub(crate) const ROUNDING_PER_CM: f64 = 1e-3;

/// A list of which more is left out is wrong \[%\].
pub(crate) const MOST_PERCENT: usize = 1;

/// The number of records after which a list that goes on is judged: fewer would make one bad record too large a part.
pub(crate) const ENOUGH_RECORDS: usize = 1000;

/// The shift that lines have at most, but for lists that have more \[cm^-1/atm\].
#[cfg(feature = "launch")]
pub(crate) const MOST_SHIFT_PER_CM_ATM: f64 = 0.1;

/// The largest cells are at most this part of the cut: larger ones would hardly be within any line's reach.
#[cfg(feature = "launch")]
pub(crate) const CELLS_PER_CUT: f64 = 6.0;

/// Intensities of the strongest line of a list \[cm^-1 / (molecule cm^-2)\] that gases have: all such lists are scaled
/// alike.
#[cfg(feature = "launch")]
pub(crate) const STRONGEST_LINES: Range<f64> = 1e-32..1e-14;
