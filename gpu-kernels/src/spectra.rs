//! Absorption spectra line by line.
//!
//! PTX of isobar-spectra.

use isobar_spectra::kernel::{FillNodes, PrepareLines, PushDown, SumExact, SumTiles};

use isobar_core::entry;

entry!(spectra_prepare_f32: PrepareLines<'_, f32>);
entry!(spectra_prepare_f64: PrepareLines<'_, f64>);
entry!(spectra_nodes_f32: FillNodes<'_, f32, false>);
entry!(spectra_nodes_f64: FillNodes<'_, f64, false>);
entry!(spectra_nodes_extra_f32: FillNodes<'_, f32, true>);
entry!(spectra_nodes_extra_f64: FillNodes<'_, f64, true>);
entry!(spectra_push_f64: PushDown<'_>);
entry!(spectra_exact_f32: SumExact<'_, f32>);
entry!(spectra_exact_f64: SumExact<'_, f64>);
entry!(spectra_sum_f32: SumTiles<'_, f32, false>);
entry!(spectra_sum_f64: SumTiles<'_, f64, false>);
entry!(spectra_sum_extra_f32: SumTiles<'_, f32, true>);
entry!(spectra_sum_extra_f64: SumTiles<'_, f64, true>);
