//! The stages of the column model, in the order of a step: [`Sun`], [`Ground`], [`Diagnose`], [`SurfaceFlux`],
//! [`Longwave`], [`Ysu`], [`Advance`], [`Chemistry`]; and [`Budget`] when it is wanted.

mod advance;
mod budget;
mod chemistry;
mod diagnose;
mod ground;
mod longwave;
pub mod quantity;
mod sun;
mod surface_flux;
mod ysu;

pub use advance::Advance;
pub use budget::Budget;
pub use chemistry::{Chemistry, ChemistryOptions};
pub use diagnose::Diagnose;
pub use ground::{Ground, GroundKind};
pub use longwave::{Longwave, LongwaveOptions, Ozone};
pub use sun::Sun;
pub use surface_flux::SurfaceFlux;
pub use ysu::Ysu;
