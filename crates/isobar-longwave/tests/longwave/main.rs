//! The scheme against the reference, its laws, and what it refuses.

mod case;
mod coefficients;
mod fluxes;
mod stages;
mod tolerances;
