//! Guards and cut-offs of the integrator. KPP's, unless another reason is given.

use isobar_core::Real;

/// What is below any step and any difference of times that count \[s\]: the spacing of numbers around 1.
pub(crate) const ROUND_OFF: f64 = f64::EPSILON;

/// A cell whose step is not above this has none \[s\]: a few roundings.
pub(crate) const NO_STEP_S: f64 = 10.0 * ROUND_OFF;

/// The first step of such a cell \[s\].
pub(crate) const LEAST_FIRST_STEP_S: f64 = 1e-5;

/// A step is too small where even this part of it does not change the time.
pub(crate) const PART_OF_STEP: f64 = 0.1;

/// The least error, in units of the tolerance: its power below 0 stays finite, and the largest factor from step to
/// step is reached long before.
pub(crate) const LEAST_ERROR: f64 = 1e-10;

/// A step that is rejected again and again ends the cell here \[s\]; one that is accepted below [`ROUND_OFF`] does so,
/// too. KPP would go on to 0.
pub(crate) const LEAST_RETRY_S: f64 = ROUND_OFF * ROUND_OFF;

/// What a step is multiplied by when its matrix is singular.
pub(crate) const SINGULAR_FACTOR: f64 = 0.5;

/// More singular matrices in a row end the cell.
pub(crate) const MOST_SINGULAR: u32 = 5;

/// df/dt looks ahead by the square root of [`ROUND_OFF`] times the time, but as if the time were at least this \[s\]:
/// an interval may begin at 0.
const EARLY_S: f64 = 1e-6;

/// And as if it were at most this \[s\], 0.15 s ahead: in seconds from 1970 on KPP would look 25 s ahead.
const LATE_S: f64 = 1e7;

/// How far ahead df/dt looks at a time \[s\].
#[inline(always)]
#[allow(clippy::manual_clamp, reason = "what is not a number becomes one")]
pub(crate) fn ahead(time: f64) -> f64 {
    Real::sqrt(ROUND_OFF) * Real::abs(time).max(EARLY_S).min(LATE_S)
}

/// A frequency \[1/s\], or a concentration, that counts as none where slow species relax.
pub(crate) const NONE_AT_ALL: f64 = 1e-30;

/// Products of entries of L and U that a mechanism may take. The tables list each; the largest published mechanisms, of
/// 6,000 species, take some millions.
#[cfg(feature = "std")]
pub(crate) const MOST_PRODUCTS: usize = 50_000_000;
