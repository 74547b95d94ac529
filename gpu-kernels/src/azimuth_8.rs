//! Layers that scatter, seen from any direction: kernels with room for 8 nodes a hemisphere.
//!
//! PTX of isobar-adding.

use isobar_adding::azimuth::add::AddLayers;
use isobar_adding::azimuth::layers::LayerOperators;

use isobar_core::entry;

entry!(azimuth_operators_8_f32: LayerOperators<'_, f32, 8>);
entry!(azimuth_add_8_f32: AddLayers<'_, f32, 8>);
entry!(azimuth_operators_8_f64: LayerOperators<'_, f64, 8>);
entry!(azimuth_add_8_f64: AddLayers<'_, f64, 8>);
