//! Guards and cut-offs, each with its reason.

/// Halvings after which a layer along an angle counts as opaque: what still passes, 2^-60, is less than half a rounding
/// error of 1 in any precision. Deeper ones would leave the exponential's range.
pub(crate) const OPAQUE_HALVINGS: f64 = 60.0;

/// The slant optical depth below which the weight of a layer's far boundary is a series. Its next term, `x^13/7.5e10`,
/// is 2e-15 there; above, the two parts of the closed form, 2 and 1.5 at most, differ by 0.46 or less and lose two
/// bits.
pub(crate) const SERIES_BELOW: f64 = 0.5;

/// The largest optical depth over cosine of a layer by the Pade approximant, where doubling begins: its error
/// `1.7e-13 x^13` is 2e-17 there. Twice as much would spare one doubling of dozens, with an error of 2e-13.
pub const THIN: f64 = 0.5;

/// The most doublings: of what enters 2^64 thin layers less than a rounding gets through, and anything thicker counts
/// as these.
pub(crate) const MOST_DOUBLINGS: usize = 64;

/// The optical depth from which on a layer that hardly absorbs ([`HARDLY`]) reflects so much that its pivots are made
/// of sums. Below, what gets out of the space between two is an eighth and more, and they lose 3 bits.
pub(crate) const THICK: f64 = 4.0;

/// A layer that absorbs less than this of what it scatters or absorbs hardly absorbs: where it is thick, it reflects
/// most of what comes. Where more is absorbed it reflects four fifths at most, and pivots lose two bits.
pub(crate) const HARDLY: f64 = 0.01;

/// The least pivot of an elimination, in spacings of numbers at 1. A pivot is 1 less a sum of up to 18 products, whose
/// roundings alone may be 9 spacings: a smaller one has no digits left. Light that cannot leave in this precision stays
/// finite.
pub(crate) const LEAST_PIVOT_ROUNDINGS: f64 = 32.0;

/// A viewing angle whose cosine is this near to a node's is the node, as in CRTM: radiances at both would agree to this
/// part, and a node has its radiance already.
#[cfg(feature = "std")]
pub(crate) const SAME_COSINE: f64 = 1e-7;

/// Steps of Newton's method for a node of the quadrature, whose digits double each time, from two on: 4 are enough, and
/// more change nothing.
#[cfg(feature = "std")]
pub(crate) const NEWTON_STEPS: usize = 8;

/// What CRTM puts in the place of an element of a phase matrix that is zero or negative, as truncated expansions are in
/// places: the normalisation that follows divides by sums of them.
pub const CRTM_FLOOR: f64 = 1e-7;

/// The single-scattering albedo that layers have at most in CRTM: at 1 an eigenvalue of its method vanishes. It costs
/// layers that absorb nothing 3e-6 at an optical depth of 10, 1.4 % at 1000.
pub const CRTM_LARGEST_ALBEDO: f64 = 0.999_999;

/// Layers with this albedo or less are clear in CRTM: what they scatter is a ten-thousandth of what
/// [`CRTM_LARGEST_ALBEDO`] leaves out.
pub const CRTM_SMALLEST_ALBEDO: f64 = 1e-10;
