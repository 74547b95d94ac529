//! Photolysis: slant paths, actinic flux, rates.
//!
//! PTX of isobar-photolysis.

use isobar_photolysis::{Flux, Paths, Rate};

use isobar_core::entry;

entry!(photolysis_paths_f32: Paths<'_, f32>);
entry!(photolysis_paths_f64: Paths<'_, f64>);
entry!(photolysis_flux_f32: Flux<'_, f32>);
entry!(photolysis_flux_f64: Flux<'_, f64>);
entry!(photolysis_rates_f32: Rate<'_, f32>);
entry!(photolysis_rates_f64: Rate<'_, f64>);
