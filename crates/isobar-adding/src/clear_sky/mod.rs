//! Clear sky: every angle for itself, each layer an affine map of the radiance.

#[cfg(feature = "std")]
mod options;

pub use crate::fields::clear_sky::{ProfileViews, RadianceViews};
#[cfg(feature = "std")]
pub use crate::fields::clear_sky::{Profiles, Radiances};
pub use crate::physics::clear_sky::{element, slant, surface};
pub use crate::schedule::Schedule;
pub use crate::schedule::clear_sky::{batch, block, deep, order, sequential, sequential_levels, warp};

pub use batch::{Batch, EMISSION, LEVELS, REFLECTION};
pub use element::Element;
#[cfg(feature = "std")]
pub use options::{Options, Output, Reflection};
pub use slant::Slant;
