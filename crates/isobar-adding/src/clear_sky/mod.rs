//! Clear sky: every angle for itself, each layer an affine map of the radiance.

pub mod batch;
pub mod block;
mod climb;
pub mod deep;
pub mod element;
pub mod order;
mod place;
#[cfg(feature = "std")]
pub(crate) mod profiles;
mod segment;
pub mod sequential;
pub mod sequential_levels;
mod shelf;
pub mod slant;
pub mod surface;
pub mod warp;

pub use batch::{ClearSky, EMISSION, LEVELS, REFLECTION};
pub use element::Element;
#[cfg(feature = "std")]
pub use profiles::{Absorption, Profiles, Reflection, Source, Sun};
pub use slant::Slant;
