//! Who computes what of the adjoint, from radiances back to what goes in.
//!
//! Light at all levels is the solution of linear equations, so that matrices of layers need no adjoint of their adding:
//! their derivatives are products of light and of the light of the transposed equations.

pub mod add;
pub mod beams;
pub mod corrections;
pub mod gather;
pub mod layers;
pub mod sum;
pub mod surface;
