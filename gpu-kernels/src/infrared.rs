//! Paths, and emissivity growth along them.
//!
//! PTX of isobar-ega.

use isobar_ega::cell::LocateCells;
use isobar_ega::coverage::CheckCoverage;
use isobar_ega::grow::Grow;
use isobar_ega::growth::Growth;
use isobar_ega::jurassic::{JurassicGrowth, JurassicMeanPath};
use isobar_ega::law::Logarithmic;
use isobar_ega::log_growth::LogGrowth;
use isobar_ega::mean_path::MeanPath;
use isobar_ega::radiance::{BrightnessTemperature, Integrate};
use isobar_ega::sun::SunOnGround;
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_raytrace::track::Track;

use isobar_core::entry;

entry!(count_points_f32: CountPoints<'_, f32>);
entry!(count_points_f64: CountPoints<'_, f64>);
entry!(trace_paths_f32: TracePaths<'_, f32>);
entry!(trace_paths_f64: TracePaths<'_, f64>);
entry!(count_points_track_f64: CountPoints<'_, f64, Track<'_, f64>>);
entry!(trace_paths_track_f64: TracePaths<'_, f64, Track<'_, f64>>);
entry!(check_coverage_f64: CheckCoverage<'_>);
entry!(locate_cells_f32: LocateCells<'_, f32>);
entry!(locate_cells_f64: LocateCells<'_, f64>);
entry!(grow_ega_f32: Grow<'_, f32, Growth<f32>>);
entry!(grow_ega_f64: Grow<'_, f64, Growth<f64>>);
entry!(grow_cga_f32: Grow<'_, f32, MeanPath<f32>>);
entry!(grow_cga_f64: Grow<'_, f64, MeanPath<f64>>);
entry!(grow_ega_jurassic_f64: Grow<'_, f64, JurassicGrowth<f64>>);
entry!(grow_cga_jurassic_f64: Grow<'_, f64, JurassicMeanPath<f64>>);
entry!(grow_ega_log_f32: Grow<'_, f32, LogGrowth<f32>>);
entry!(grow_ega_log_f64: Grow<'_, f64, LogGrowth<f64>>);
entry!(grow_cga_log_f32: Grow<'_, f32, MeanPath<f32, Logarithmic>>);
entry!(grow_cga_log_f64: Grow<'_, f64, MeanPath<f64, Logarithmic>>);
entry!(grow_ega_log_jurassic_f64: Grow<'_, f64, JurassicGrowth<f64, Logarithmic>>);
entry!(grow_cga_log_jurassic_f64: Grow<'_, f64, JurassicMeanPath<f64, Logarithmic>>);
entry!(sun_on_ground_f32: SunOnGround<'_, f32>);
entry!(sun_on_ground_f64: SunOnGround<'_, f64>);
entry!(integrate_f32: Integrate<'_, f32>);
entry!(integrate_f64: Integrate<'_, f64>);
entry!(brightness_temperature_f32: BrightnessTemperature<'_, f32>);
entry!(brightness_temperature_f64: BrightnessTemperature<'_, f64>);
