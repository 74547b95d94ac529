//! Clear sky: every angle for itself, each layer an affine map of the radiance.

#[cfg(feature = "std")]
pub(crate) mod profiles;

pub use crate::physics::clear_sky::{element, order, slant, surface};
pub use crate::schedule::clear_sky::{batch, block, deep, sequential, sequential_levels, warp};

pub use batch::{ClearSky, EMISSION, LEVELS, REFLECTION};
pub use element::Element;
#[cfg(feature = "std")]
pub use profiles::{Absorption, Profiles, Reflection, Source, Sun};
pub use slant::Slant;
