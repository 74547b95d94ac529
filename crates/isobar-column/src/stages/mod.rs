//! The stages of the column model, in the order of a step: [`Sun`], [`Diagnose`], [`Radiation`] of the long wave and of
//! the short wave, [`Ground`], [`Soil`] if there is some, [`SurfaceFlux`] or [`RevisedSurface`], boundary-layer mixing
//! ([`OfScheme`]), [`Forcing`] if something is prescribed, [`Advance`], [`SoilStep`], [`Condensation`], [`Chemistry`];
//! and [`Budget`] when it is wanted.

#[macro_use]
mod kernel_fields;

mod advance;
mod budget;
mod chemistry;
mod condensation;
mod diagnose;
mod forcing;
mod ground;
mod light;
mod of_scheme;
pub mod quantity;
mod radiation;
mod revised_surface;
mod soil;
mod sun;
mod surface_flux;

pub use advance::Advance;
pub use budget::Budget;
pub use chemistry::{Chemistry, ChemistryOptions, part_of_density};
pub use condensation::Condensation;
pub use diagnose::Diagnose;
pub use forcing::{Forced, Forcing};
pub use ground::{Ground, GroundKind, Sunlight};
pub use light::PhotolysisOptions;
pub use of_scheme::OfScheme;
pub use radiation::{Above, LongwaveOptions, Ozone, Radiation, RadiationOptions};
pub use revised_surface::RevisedSurface;
pub use soil::{Soil, SoilLayers, SoilStep};
pub use sun::{SolarTime, Sun, equation_of_time};
pub use surface_flux::{PrescribedFlux, SurfaceFlux};
