//! The scheme against the reference, its laws, and what it refuses.

mod case;
mod cloud_optics;
mod coefficients;
mod derivatives;
mod errors;
mod examples;
mod fluxes;
mod invariance;
mod stages;
mod subcolumns;
mod tolerances;
mod top_layer;
