//! The stages of the column model, in the order of a step: [`Sun`], [`Ground`], [`Diagnose`], [`SurfaceFlux`],
//! [`Longwave`], boundary-layer mixing ([`OfScheme`]), [`Advance`], [`Chemistry`]; and [`Budget`] when it is wanted.

#[macro_use]
mod kernel_fields;

mod advance;
mod budget;
mod chemistry;
mod diagnose;
mod ground;
mod longwave;
mod of_scheme;
pub mod quantity;
mod sun;
mod surface_flux;

pub use advance::Advance;
pub use budget::Budget;
pub use chemistry::{Chemistry, ChemistryOptions};
pub use diagnose::Diagnose;
pub use ground::{Ground, GroundKind};
pub use longwave::{Longwave, LongwaveOptions, Ozone};
pub use of_scheme::OfScheme;
pub use sun::Sun;
pub use surface_flux::SurfaceFlux;
