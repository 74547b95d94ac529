//! Longwave radiation.
//!
//! PTX of isobar-longwave.

use isobar_longwave::spread::{ListTerms, Sweeps, Totals};
use isobar_longwave::transfer::{ANY, CLEAR, SUBCOLUMNS};
use isobar_longwave::{AddSlant, CloudEntries, CloudMask, Layers, Slants, Transfer};

use isobar_core::entry;

entry!(longwave_layers_f32: Layers<'_, f32>);
entry!(longwave_layers_f64: Layers<'_, f64>);
entry!(longwave_slants_f32: Slants<'_, f32>);
entry!(longwave_slants_f64: Slants<'_, f64>);
entry!(longwave_cloud_mask_f32: CloudMask<'_, f32>);
entry!(longwave_cloud_mask_f64: CloudMask<'_, f64>);
entry!(longwave_cloud_entries_f32: CloudEntries<'_, f32>);
entry!(longwave_cloud_entries_f64: CloudEntries<'_, f64>);
entry!(longwave_lists_f32: ListTerms<'_, f32>);
entry!(longwave_lists_f64: ListTerms<'_, f64>);
entry!(longwave_sweeps_clear_f32: Sweeps<'_, f32, CLEAR>);
entry!(longwave_sweeps_clear_f64: Sweeps<'_, f64, CLEAR>);
entry!(longwave_sweeps_cloudy_f32: Sweeps<'_, f32, SUBCOLUMNS>);
entry!(longwave_sweeps_cloudy_f64: Sweeps<'_, f64, SUBCOLUMNS>);
entry!(longwave_totals_f32: Totals<'_, f32>);
entry!(longwave_totals_f64: Totals<'_, f64>);
entry!(longwave_any_f32: Transfer<'_, f32, ANY>);
entry!(longwave_any_f64: Transfer<'_, f64, ANY>);
entry!(longwave_add_slant_f32: AddSlant<'_, f32>);
entry!(longwave_add_slant_f64: AddSlant<'_, f64>);
