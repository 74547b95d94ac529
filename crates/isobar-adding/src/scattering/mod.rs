//! Means over the azimuth at the nodes and a viewing angle, over a surface whose emissivity is given by direction.
//!
//! The component `m = 0` of [`crate::azimuth`], by the same kernels. The sky is divided into *streams*: the nodes of
//! the double-Gauss quadrature ([`crate::azimuth::quadrature`]), ascending, and if wanted a viewing angle.

#[cfg(feature = "std")]
mod options;

pub use crate::fields::scattering::{ProfileViews, RadianceViews, STREAM};
#[cfg(feature = "std")]
pub use crate::fields::scattering::{Profiles, Radiances};
#[cfg(feature = "std")]
pub use options::{Options, Reflection};
