//! Guards and cut-offs of a path, each with its reason. But for the last, they are JURASSIC's, whose paths they repeat.

/// Above this height refraction is left out \[km\]: there it lowers a tangent point by less than 0.5 m, the Earth's
/// radius times the refractivity.
pub const REFRACTION_TOP_KM: f64 = 60.0;

/// Displacement for the gradient of the refractive index \[km\]: small against the scale of 7 km, and large enough that
/// a difference of refractivities keeps digits at the Earth's radius.
pub const GRADIENT_STEP_KM: f64 = 0.02;

/// Points in a layer at which its weight is averaged, for hydrostatic balance.
pub(crate) const SAMPLES_OF_LAYER: i32 = 20;

/// A path from above the atmosphere begins at most this far below its top \[km\].
pub(crate) const ENTRY_TOLERANCE_KM: f64 = 1e-3;

/// A point this far below the top \[km\] or farther is too far in: half of [`ENTRY_TOLERANCE_KM`], so that the search
/// ends within it.
pub(crate) const ENTRY_MARGIN_KM: f64 = 5e-4;

/// Halvings of the way to the top: more than a distance has bits.
pub(crate) const MOST_HALVINGS: usize = 64;
