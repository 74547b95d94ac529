//! Guards and cut-offs, each with its reason.

/// A gas whose transmittance falls below this is opaque, and the rest of its path adds nothing, as in JURASSIC: what it
/// could still add is below the last digit of a table in single precision.
pub const OPAQUE_TRANSMITTANCE: f64 = 1e-9;

/// The transmittance up to a segment above which its emission counts: a channel that ends where more could still be
/// seen is cut short. A millionth of a radiance is less than 0.1 mK from 650 cm^-1 on, at 300 K.
pub(crate) const SEEN_TRANSMITTANCE: f64 = 1e-6;

/// Beyond this zenith angle the Sun does not reach the ground \[deg\]: JURASSIC's, which divides by the cosine.
pub const SUN_LAST_ZENITH_DEG: f64 = 89.999;

/// JURASSIC ignores a table with fewer pressure levels than this.
pub const JURASSIC_LEAST_PRESSURES: usize = 30;

/// A segment that spans more pieces of a curve than this has its end looked up, which takes about as many steps.
pub(crate) const MANY_PIECES: i32 = 8;

/// Steps after which the search on a curve gives up walking and bisects: curves have some hundred nodes, so that a
/// bisection takes about as many.
pub(crate) const MOST_STEPS_OF_SEARCH: i32 = 8;

/// The least difference of logarithms between neighbouring nodes, so that quotients have the same bits on every device.
/// Two nodes are nearer only where they are equal.
pub(crate) const LEAST_LOGARITHM: f64 = 1e-25;

/// Rays before and after one that take part in its field of view, as in JURASSIC.
#[cfg(feature = "std")]
pub(crate) const NEIGHBOURS: usize = 5;

/// The most runs of column densities that are searched for room for a curve; the curves of still more grids get runs of
/// their own, for the search takes time that grows with their number.
#[cfg(feature = "std")]
pub(crate) const MOST_SEARCHED: usize = 64;
