//! Adding of clear layers.
//!
//! PTX of isobar-adding.

use isobar_adding::clear_sky::block::Block;
use isobar_adding::clear_sky::deep::Deep;
use isobar_adding::clear_sky::sequential::Sequential;
use isobar_adding::clear_sky::sequential_levels::SequentialLevels;
use isobar_adding::clear_sky::surface::SurfaceSource;
use isobar_adding::clear_sky::warp::Warp;
use isobar_adding::clear_sky::{EMISSION, LEVELS, REFLECTION};

use isobar_core::entry;

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
