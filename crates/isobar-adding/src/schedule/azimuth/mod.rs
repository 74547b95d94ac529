//! Who computes what where layers scatter, seen from any direction.

#![allow(clippy::needless_range_loop, reason = "indices are those of equations, of several arrays")]

pub mod add;
#[cfg(not(target_arch = "nvptx64"))]
pub mod adjoint;
pub mod batch;
pub mod beams;
pub mod corrections;
pub mod layers;
pub mod streams;
pub mod sum;
pub mod surface;
