//! Layers that scatter, seen from any direction: kernels with room for 16 nodes a hemisphere.
//!
//! PTX of isobar-adding.

use isobar_adding::azimuth::add::AddLayers;
use isobar_adding::azimuth::layers::LayerOperators;

use isobar_core::entry;

entry!(azimuth_operators_16_f32: LayerOperators<'_, f32, 16>);
entry!(azimuth_add_16_f32: AddLayers<'_, f32, 16>);
entry!(azimuth_operators_16_f64: LayerOperators<'_, f64, 16>);
entry!(azimuth_add_16_f64: AddLayers<'_, f64, 16>);
