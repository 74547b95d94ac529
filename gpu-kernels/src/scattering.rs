//! Adding of layers that scatter, with kernels for several numbers of streams a hemisphere.
//!
//! PTX of isobar-adding.

use isobar_adding::scattering::add::AddLayers;
use isobar_adding::scattering::operator::LayerOperators;
use isobar_adding::scattering::scan::{CloseTree, OpenTree, StarPairs};
use isobar_adding::scattering::sun::Beam;

use isobar_core::entry;

entry!(beam_f32: Beam<'_, f32>);
entry!(layer_operators_4_f32: LayerOperators<'_, f32, 4>);
entry!(add_layers_4_f32: AddLayers<'_, f32, 4>);
entry!(star_pairs_4_f32: StarPairs<'_, f32, 4>);
entry!(close_tree_4_f32: CloseTree<'_, f32, 4>);
entry!(open_tree_4_f32: OpenTree<'_, f32, 4>);
entry!(layer_operators_8_f32: LayerOperators<'_, f32, 8>);
entry!(add_layers_8_f32: AddLayers<'_, f32, 8>);
entry!(star_pairs_8_f32: StarPairs<'_, f32, 8>);
entry!(close_tree_8_f32: CloseTree<'_, f32, 8>);
entry!(open_tree_8_f32: OpenTree<'_, f32, 8>);
entry!(layer_operators_16_f32: LayerOperators<'_, f32, 16>);
entry!(add_layers_16_f32: AddLayers<'_, f32, 16>);
entry!(star_pairs_16_f32: StarPairs<'_, f32, 16>);
entry!(close_tree_16_f32: CloseTree<'_, f32, 16>);
entry!(open_tree_16_f32: OpenTree<'_, f32, 16>);
entry!(layer_operators_18_f32: LayerOperators<'_, f32, 18>);
entry!(add_layers_18_f32: AddLayers<'_, f32, 18>);
entry!(star_pairs_18_f32: StarPairs<'_, f32, 18>);
entry!(close_tree_18_f32: CloseTree<'_, f32, 18>);
entry!(open_tree_18_f32: OpenTree<'_, f32, 18>);
entry!(beam_f64: Beam<'_, f64>);
entry!(layer_operators_4_f64: LayerOperators<'_, f64, 4>);
entry!(add_layers_4_f64: AddLayers<'_, f64, 4>);
entry!(star_pairs_4_f64: StarPairs<'_, f64, 4>);
entry!(close_tree_4_f64: CloseTree<'_, f64, 4>);
entry!(open_tree_4_f64: OpenTree<'_, f64, 4>);
entry!(layer_operators_8_f64: LayerOperators<'_, f64, 8>);
entry!(add_layers_8_f64: AddLayers<'_, f64, 8>);
entry!(star_pairs_8_f64: StarPairs<'_, f64, 8>);
entry!(close_tree_8_f64: CloseTree<'_, f64, 8>);
entry!(open_tree_8_f64: OpenTree<'_, f64, 8>);
entry!(layer_operators_16_f64: LayerOperators<'_, f64, 16>);
entry!(add_layers_16_f64: AddLayers<'_, f64, 16>);
entry!(star_pairs_16_f64: StarPairs<'_, f64, 16>);
entry!(close_tree_16_f64: CloseTree<'_, f64, 16>);
entry!(open_tree_16_f64: OpenTree<'_, f64, 16>);
entry!(layer_operators_18_f64: LayerOperators<'_, f64, 18>);
entry!(add_layers_18_f64: AddLayers<'_, f64, 18>);
entry!(star_pairs_18_f64: StarPairs<'_, f64, 18>);
entry!(close_tree_18_f64: CloseTree<'_, f64, 18>);
entry!(open_tree_18_f64: OpenTree<'_, f64, 18>);
