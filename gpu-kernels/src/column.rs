//! The column model's own kernels.
//!
//! PTX of isobar-column.

use isobar_column::advance::{Advance, AdvanceTracers};
use isobar_column::budget::Budget;
use isobar_column::cells::{FromCells, ToCells};
use isobar_column::condensation::Condensation;
use isobar_column::diagnose::Diagnose;
use isobar_column::downgradient::Downgradient;
use isobar_column::exchange::Exchange;
use isobar_column::forcing::{Force, Prescribe, Rise};
use isobar_column::ground::Ground;
use isobar_column::light::{FromPhotolysis, ToPhotolysis};
use isobar_column::sky::{FromRadiation, ToRadiation};
use isobar_column::soil::{Conduct, WarmSoil};
use isobar_column::sun::Sun;
use isobar_column::surface_flux::SurfaceFlux;

use isobar_core::entry;

entry!(column_sun_f32: Sun<'_, f32>);
entry!(column_sun_f64: Sun<'_, f64>);
entry!(column_ground_f32: Ground<'_, f32>);
entry!(column_ground_f64: Ground<'_, f64>);
entry!(column_diagnose_f32: Diagnose<'_, f32>);
entry!(column_diagnose_f64: Diagnose<'_, f64>);
entry!(column_surface_flux_f32: SurfaceFlux<'_, f32>);
entry!(column_surface_flux_f64: SurfaceFlux<'_, f64>);
entry!(column_prescribe_f32: Prescribe<'_, f32>);
entry!(column_prescribe_f64: Prescribe<'_, f64>);
entry!(column_rise_f32: Rise<'_, f32>);
entry!(column_rise_f64: Rise<'_, f64>);
entry!(column_force_f32: Force<'_, f32>);
entry!(column_force_f64: Force<'_, f64>);
entry!(column_downgradient_f32: Downgradient<'_, f32>);
entry!(column_downgradient_f64: Downgradient<'_, f64>);
entry!(column_exchange_f32: Exchange<'_, f32>);
entry!(column_exchange_f64: Exchange<'_, f64>);
entry!(column_advance_f32: Advance<'_, f32>);
entry!(column_advance_f64: Advance<'_, f64>);
entry!(column_condensation_f32: Condensation<'_, f32>);
entry!(column_condensation_f64: Condensation<'_, f64>);
entry!(column_advance_tracers_f32: AdvanceTracers<'_, f32>);
entry!(column_advance_tracers_f64: AdvanceTracers<'_, f64>);
entry!(column_budget_f32: Budget<'_, f32>);
entry!(column_budget_f64: Budget<'_, f64>);
entry!(column_to_cells_f32: ToCells<'_, f32>);
entry!(column_to_cells_f64: ToCells<'_, f64>);
entry!(column_from_cells_f32: FromCells<'_, f32>);
entry!(column_from_cells_f64: FromCells<'_, f64>);
entry!(column_to_photolysis_f32: ToPhotolysis<'_, f32>);
entry!(column_to_photolysis_f64: ToPhotolysis<'_, f64>);
entry!(column_from_photolysis_f32: FromPhotolysis<'_, f32>);
entry!(column_from_photolysis_f64: FromPhotolysis<'_, f64>);
entry!(column_to_radiation_f32: ToRadiation<'_, f32>);
entry!(column_to_radiation_f64: ToRadiation<'_, f64>);
entry!(column_from_radiation_f32: FromRadiation<'_, f32>);
entry!(column_from_radiation_f64: FromRadiation<'_, f64>);
entry!(column_conduct_f32: Conduct<'_, f32>);
entry!(column_conduct_f64: Conduct<'_, f64>);
entry!(column_warm_soil_f32: WarmSoil<'_, f32>);
entry!(column_warm_soil_f64: WarmSoil<'_, f64>);
