//! Layers that scatter: reflection and transmission matrices of streams, made by doubling and composed by adding.
//!
//! The sky is divided into directions, as many as the *order* in each hemisphere, the *streams*: `n` double-Gauss nodes
//! and, if wanted, a viewing angle of weight 0. A layer is then two matrices and a source, all of them non-negative:
//! - reflection `R` and transmission `T`, `[row = outgoing, column = incoming stream]`,
//! - emission `S`, upward and downward alike.
//!
//! # From optical depths to radiances
//! 1. [`operator::LayerOperators`]: every layer's `R`, `T`, `S`; all layers and profiles at once.
//! 2. One layer after the other from the surface up ([`add::AddLayers`]), or a tree over the layers ([`scan`]:
//!    [`scan::StarPairs`], [`scan::CloseTree`], [`scan::OpenTree`]), which has more work and more parallelism. For all
//!    levels both give radiances in both directions.
//!
//! With the Sun, [`sun::Beam`] goes first.
//!
//! # Layout
//! Kernels have room for matrices of an order up to `N`: on a GPU 4, 8, 16 or 18, on a CPU always 18. A kernel's item
//! is a warp: 4, 8, 16 or 32 lanes share a matrix, a column each ([`streams::width`]); a warp has as many matrices as
//! fit, of neighbouring profiles. In memory, a row of a matrix lies side by side, and beside it the same row of the
//! next profile: a [`isobar_core::Field`] has the matrix elements of `(index * order + row, profile * order + column)`,
//! and the elements of a vector at `(index, profile * order + stream)`. What a user sees, radiances and emissivities,
//! is `(level * order + stream, profile)` as in a clear sky.
//!
//! # Same bits
//! Products are sums over `k` from 0 up, with a fused multiply-add each; sums over streams pair lanes at distance 1, 2,
//! 4 and so on. No result depends on which profiles share a warp.

#[cfg(feature = "std")]
mod options;

pub use crate::fields::scattering::{ProfileViews, RadianceViews, STREAM};
#[cfg(feature = "std")]
pub use crate::fields::scattering::{Profiles, Radiances};
#[cfg(feature = "std")]
pub use crate::physics::scattering::quadrature;
pub use crate::physics::scattering::{
    below, directions, doubling, matrix, operator, phase, solve, star, sun, surface, thin,
};
pub use crate::schedule::scattering::{add, scan, slab, streams, unroll};
#[cfg(feature = "std")]
pub use options::{MOST_NODES, Options, Reflection, Schedule};
