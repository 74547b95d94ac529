//! Layers that scatter, seen from any direction: kernels with room for 32 nodes a hemisphere.
//!
//! PTX of isobar-adding.

use isobar_adding::azimuth::add::AddLayers;
use isobar_adding::azimuth::layers::LayerOperators;

use isobar_core::entry;

entry!(azimuth_operators_32_f32: LayerOperators<'_, f32, 32>);
entry!(azimuth_add_32_f32: AddLayers<'_, f32, 32>);
entry!(azimuth_operators_32_f64: LayerOperators<'_, f64, 32>);
entry!(azimuth_add_32_f64: AddLayers<'_, f64, 32>);
