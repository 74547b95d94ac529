//! Guards and cut-offs, each with its reason.

/// Halvings after which a layer along an angle counts as opaque: what still passes, 2^-60, is less than half a rounding
/// error of 1 in any precision. Deeper ones would leave the exponential's range.
pub(crate) const OPAQUE_HALVINGS: f64 = 60.0;

/// The slant optical depth below which the weight of a layer's far boundary is a series. Its next term, `x^13/7.5e10`,
/// is 2e-15 there; above, the two parts of the closed form, 2 and 1.5 at most, differ by 0.46 or less and lose two
/// bits.
pub(crate) const SERIES_BELOW: f64 = 0.5;

/// The most doublings: of what enters 2^64 thin layers less than a rounding gets through, and anything thicker counts
/// as these.
pub(crate) const MOST_DOUBLINGS: usize = 64;

/// The largest optical depth that is accepted. Larger ones, which nobody has checked, give no number.
pub(crate) const DEEPEST: f64 = 1e30;

/// The least pivot of an elimination, in spacings of numbers at 1. A pivot is 1 less a sum of up to 32 products, whose
/// roundings alone may be 16 spacings: a smaller one has no digits left. Light that cannot leave in this precision
/// stays finite.
pub(crate) const LEAST_PIVOT_ROUNDINGS: f64 = 32.0;

/// Steps of Newton's method for a node of the quadrature, whose digits double each time, from two on: 4 are enough, and
/// more change nothing.
#[cfg(feature = "std")]
pub(crate) const NEWTON_STEPS: usize = 8;
