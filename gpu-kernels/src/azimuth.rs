//! Layers that scatter, seen from any direction, with kernels for several numbers of nodes a hemisphere.
//!
//! PTX of isobar-adding.

use isobar_adding::azimuth::add::AddLayers;
use isobar_adding::azimuth::beams::SunBeams;
use isobar_adding::azimuth::corrections::Corrections;
use isobar_adding::azimuth::layers::LayerOperators;
use isobar_adding::azimuth::sum::SumComponents;
use isobar_adding::azimuth::surface_components::SurfaceComponents;

use isobar_core::entry;

entry!(sun_beams_f32: SunBeams<'_, f32>);
entry!(azimuth_operators_8_f32: LayerOperators<'_, f32, 8>);
entry!(azimuth_operators_16_f32: LayerOperators<'_, f32, 16>);
entry!(azimuth_operators_32_f32: LayerOperators<'_, f32, 32>);
entry!(surface_components_f32: SurfaceComponents<'_, f32>);
entry!(azimuth_add_8_f32: AddLayers<'_, f32, 8>);
entry!(azimuth_add_16_f32: AddLayers<'_, f32, 16>);
entry!(azimuth_add_32_f32: AddLayers<'_, f32, 32>);
entry!(sum_components_f32: SumComponents<'_, f32>);
entry!(corrections_f32: Corrections<'_, f32>);
entry!(sun_beams_f64: SunBeams<'_, f64>);
entry!(azimuth_operators_8_f64: LayerOperators<'_, f64, 8>);
entry!(azimuth_operators_16_f64: LayerOperators<'_, f64, 16>);
entry!(azimuth_operators_32_f64: LayerOperators<'_, f64, 32>);
entry!(surface_components_f64: SurfaceComponents<'_, f64>);
entry!(azimuth_add_8_f64: AddLayers<'_, f64, 8>);
entry!(azimuth_add_16_f64: AddLayers<'_, f64, 16>);
entry!(azimuth_add_32_f64: AddLayers<'_, f64, 32>);
entry!(sum_components_f64: SumComponents<'_, f64>);
entry!(corrections_f64: Corrections<'_, f64>);
