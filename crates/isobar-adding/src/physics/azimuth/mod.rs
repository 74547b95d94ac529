//! Layers that scatter, component by component in azimuth.

#![allow(clippy::needless_range_loop, reason = "indices are those of equations, of several arrays")]

#[cfg(not(target_arch = "nvptx64"))]
pub mod adjoint;
pub mod impedance;
pub mod layer;
pub mod medium;
pub mod operator;
pub mod optics;
#[cfg(feature = "std")]
pub mod quadrature;
pub mod single;
pub mod spherical;
pub mod square;
pub mod surface;
