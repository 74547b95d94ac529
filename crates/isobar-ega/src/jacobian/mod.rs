//! Exact derivatives of radiances by everything that they depend on: the Jacobian of the forward model.
//!
//! Nothing of the physics is written again. Each step of it (a step of a path, the growth of one gas over one segment,
//! the emissivity of a segment) is computed with [`isobar_core::Dual`] numbers whose variables are its own few inputs;
//! then the derivatives of a radiance are pulled back through the steps, from the end of the path to its beginning, and
//! land on the levels that each step read. The cost is that of some forward runs, however many levels, gases and
//! windows there are, and the radiance has the bits of the plain run.
//!
//! All of it is kernels, for rays through many atmospheres of one shape: a thread of a GPU has a point, a gas or a
//! channel.
//!
//! | file | what |
//! |---|---|
//! | `elements` | the numbers by which radiances are differentiated |
//! | [`batch`] | what the steps read |
//! | [`air`], [`track`] | atmospheres of one profile, and what those along tracks have beside |
//! | `slopes`, [`work`] | the variables of a segment, and the workspace of the steps |
//! | [`path`] | paths, and how their points follow the state |
//! | [`absorption`] | the growth of one gas along a path, and back |
//! | [`emission`] | what a segment emits |
//! | [`transfer`] | emission along a path and the ground, and back |
//! | [`sums`] | weighted sums over the channels of a ray, for the derivatives of one number |
//! | [`ratios`], [`rows`] | from points to elements |
//! | `kernels`, `sequence` | the steps as kernels, and their order |
//! | `atmospheres`, `model` | atmospheres as a host prepares them, and rays one after the other |
//!
//! # Kinks
//! Tables, source functions and profiles are piecewise linear or exponential: at a node the derivative is that of the
//! piece that the forward model takes. What the forward model decides (the number of points of a path, the segment in
//! which a gas becomes opaque) counts as fixed.
//!
//! # Accuracy
//! Against differences of fourth order: `tests/main/jacobian`; against JURASSIC's kernels: `tests/main/golden.rs` of
//! the crate `isobar-retrieval`.

pub mod absorption;
pub mod air;
#[cfg(feature = "std")]
mod atmospheres;
pub mod batch;
mod elements;
pub mod emission;
mod kernels;
#[cfg(feature = "std")]
mod model;
pub mod path;
pub mod ratios;
pub mod rows;
#[cfg(feature = "std")]
mod sequence;
mod slopes;
pub mod sums;
pub mod track;
pub mod transfer;
pub mod work;

#[cfg(feature = "std")]
pub use atmospheres::{Prepared, case_ray, node_weights};
pub use batch::{Batch, Case, CaseRay};
pub use elements::Elements;
pub use isobar_raytrace::sensitivity::Geometry;
#[cfg(feature = "std")]
pub use model::{Model, RayJacobian};
#[cfg(feature = "std")]
pub use sequence::{Launcher, compute, count_steps};
pub use work::{Work, WorkSize};
