//! The GPU entries: find the item, call the core. No physics here.
//!
//! `cargo xtask ptx` compiles this crate to the PTX that `isobar-launch` holds as data. An entry is named after its kernel, as in
//! `team_sum_f64`; its arguments are the kernel itself, by value, and an array with one status an item.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, stdarch_nvptx, asm_experimental_arch))]

mod device;
mod entry;

use isobar_adding::clear_sky::block::Block;
use isobar_adding::clear_sky::deep::Deep;
use isobar_adding::clear_sky::sequential::Sequential;
use isobar_adding::clear_sky::sequential_levels::SequentialLevels;
use isobar_adding::clear_sky::surface::SurfaceSource;
use isobar_adding::clear_sky::warp::Warp;
use isobar_adding::clear_sky::{EMISSION, LEVELS, REFLECTION};
use isobar_core::selftest::{CopyValues, ElementaryFunctions, TeamSum};
use isobar_ega::cell::LocateCells;
use isobar_ega::coverage::CheckCoverage;
use isobar_ega::grow::Grow;
use isobar_ega::growth::Growth;
use isobar_ega::jurassic::{JurassicGrowth, JurassicMeanPath};
use isobar_ega::mean_path::MeanPath;
use isobar_ega::radiance::Integrate;
use isobar_ega::sun::SunOnGround;
use isobar_raytrace::kernel::{CountPoints, TracePaths};
use isobar_ysu::{MixTracers, Ysu};

entry!(copy_values_f64: CopyValues<'_, f64>);
entry!(elementary_functions_f32: ElementaryFunctions<'_, f32>);
entry!(elementary_functions_f64: ElementaryFunctions<'_, f64>);
entry!(team_sum_f32: TeamSum<'_, f32>);
entry!(team_sum_f64: TeamSum<'_, f64>);

entry!(count_points_f32: CountPoints<'_, f32>);
entry!(count_points_f64: CountPoints<'_, f64>);
entry!(trace_paths_f32: TracePaths<'_, f32>);
entry!(trace_paths_f64: TracePaths<'_, f64>);

entry!(check_coverage_f64: CheckCoverage<'_>);
entry!(locate_cells_f32: LocateCells<'_, f32>);
entry!(locate_cells_f64: LocateCells<'_, f64>);
entry!(grow_ega_f32: Grow<'_, f32, Growth<f32>>);
entry!(grow_ega_f64: Grow<'_, f64, Growth<f64>>);
entry!(grow_cga_f32: Grow<'_, f32, MeanPath<f32>>);
entry!(grow_cga_f64: Grow<'_, f64, MeanPath<f64>>);
entry!(grow_ega_jurassic_f64: Grow<'_, f64, JurassicGrowth<f64>>);
entry!(grow_cga_jurassic_f64: Grow<'_, f64, JurassicMeanPath<f64>>);
entry!(sun_on_ground_f32: SunOnGround<'_, f32>);
entry!(sun_on_ground_f64: SunOnGround<'_, f64>);
entry!(integrate_f32: Integrate<'_, f32>);
entry!(integrate_f64: Integrate<'_, f64>);

entry!(sequential_emission_f32: Sequential<'_, f32, EMISSION, 1>);
entry!(sequential_emission_pair_f32: Sequential<'_, f32, EMISSION, 2>);
entry!(sequential_reflection_f32: Sequential<'_, f32, REFLECTION, 1>);
entry!(sequential_reflection_pair_f32: Sequential<'_, f32, REFLECTION, 2>);
entry!(sequential_levels_f32: SequentialLevels<'_, f32>);
entry!(sequential_emission_f64: Sequential<'_, f64, EMISSION, 1>);
entry!(sequential_emission_pair_f64: Sequential<'_, f64, EMISSION, 2>);
entry!(sequential_reflection_f64: Sequential<'_, f64, REFLECTION, 1>);
entry!(sequential_reflection_pair_f64: Sequential<'_, f64, REFLECTION, 2>);
entry!(sequential_levels_f64: SequentialLevels<'_, f64>);
entry!(warp_reflection_f32: Warp<'_, f32, REFLECTION>);
entry!(warp_reflection_f64: Warp<'_, f64, REFLECTION>);
entry!(warp_levels_f32: Warp<'_, f32, LEVELS>);
entry!(warp_levels_f64: Warp<'_, f64, LEVELS>);
entry!(block_emission_f32: Block<'_, f32, EMISSION>);
entry!(block_reflection_f32: Block<'_, f32, REFLECTION>);
entry!(block_emission_f64: Block<'_, f64, EMISSION>);
entry!(block_reflection_f64: Block<'_, f64, REFLECTION>);
entry!(deep_reflection_f32: Deep<'_, f32, REFLECTION>);
entry!(deep_reflection_f64: Deep<'_, f64, REFLECTION>);
entry!(deep_levels_f32: Deep<'_, f32, LEVELS>);
entry!(deep_levels_f64: Deep<'_, f64, LEVELS>);
entry!(surface_source_f32: SurfaceSource<'_, f32>);
entry!(surface_source_f64: SurfaceSource<'_, f64>);

entry!(ysu_f32: Ysu<'_, f32, false>);
entry!(ysu_f64: Ysu<'_, f64, false>);
entry!(ysu_options_f32: Ysu<'_, f32, true>);
entry!(ysu_options_f64: Ysu<'_, f64, true>);
entry!(ysu_tracers_f32: MixTracers<'_, f32>);
entry!(ysu_tracers_f64: MixTracers<'_, f64>);
