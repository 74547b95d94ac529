//! Layers that scatter, seen from any direction: components in azimuth by the adding method.

#[cfg(feature = "std")]
pub(crate) mod adjoint_steps;
#[cfg(feature = "std")]
mod host;
#[cfg(feature = "std")]
mod nodes;
#[cfg(feature = "std")]
mod options;
#[cfg(feature = "std")]
pub mod phase_function;
#[cfg(feature = "std")]
pub mod series;
#[cfg(feature = "std")]
pub(crate) mod steps;

pub use crate::fields::adjoint::AdjointViews;
pub use crate::fields::azimuth::{
    AZIMUTH, CotangentViews, GradientViews, PARAMETER, ProfileViews, RadianceViews, SUN, VIEW,
};
#[cfg(feature = "std")]
pub use crate::fields::azimuth::{Cotangents, Gradients, Profiles, Radiances};
#[cfg(not(target_arch = "nvptx64"))]
pub use crate::physics::azimuth::adjoint;
#[cfg(feature = "std")]
pub use crate::physics::azimuth::quadrature;
pub use crate::physics::azimuth::{impedance, layer, medium, operator, optics, single, spherical, square, surface};
#[cfg(not(target_arch = "nvptx64"))]
pub use crate::schedule::azimuth::adjoint as adjoint_schedule;
pub use crate::schedule::azimuth::{
    add, batch, beams, corrections, layers, streams, sum, surface as surface_components,
};
#[cfg(feature = "std")]
pub use host::{compute, pull_back};
#[cfg(feature = "std")]
pub use nodes::NodeTables;
#[cfg(feature = "std")]
pub(crate) use nodes::azimuths;
#[cfg(any(feature = "adjoint", feature = "launch"))]
pub(crate) use options::sizes;
#[cfg(feature = "std")]
pub use options::{MOST_NODES, Options, Surface};
#[cfg(feature = "std")]
pub use series::{component_bounds, components_needed};
