//! Long-wave radiation as RRTMG_LW computes it.
//!
//! PTX of isobar-radiation.

use isobar_radiation::rrtmg::spread::{ListTerms, Sweeps, Totals};
use isobar_radiation::rrtmg::transfer::{ANY, CLEAR, SUBCOLUMNS};
use isobar_radiation::rrtmg::{AddSlant, CloudEntries, CloudMask, Layers, Slants, Transfer};

use isobar_core::entry;

entry!(rrtmg_layers_f32: Layers<'_, f32>);
entry!(rrtmg_layers_f64: Layers<'_, f64>);
entry!(rrtmg_slants_f32: Slants<'_, f32>);
entry!(rrtmg_slants_f64: Slants<'_, f64>);
entry!(rrtmg_cloud_mask_f32: CloudMask<'_, f32>);
entry!(rrtmg_cloud_mask_f64: CloudMask<'_, f64>);
entry!(rrtmg_cloud_entries_f32: CloudEntries<'_, f32>);
entry!(rrtmg_cloud_entries_f64: CloudEntries<'_, f64>);
entry!(rrtmg_lists_f32: ListTerms<'_, f32>);
entry!(rrtmg_lists_f64: ListTerms<'_, f64>);
entry!(rrtmg_sweeps_clear_f32: Sweeps<'_, f32, CLEAR>);
entry!(rrtmg_sweeps_clear_f64: Sweeps<'_, f64, CLEAR>);
entry!(rrtmg_sweeps_cloudy_f32: Sweeps<'_, f32, SUBCOLUMNS>);
entry!(rrtmg_sweeps_cloudy_f64: Sweeps<'_, f64, SUBCOLUMNS>);
entry!(rrtmg_totals_f32: Totals<'_, f32>);
entry!(rrtmg_totals_f64: Totals<'_, f64>);
entry!(rrtmg_any_f32: Transfer<'_, f32, ANY>);
entry!(rrtmg_any_f64: Transfer<'_, f64, ANY>);
entry!(rrtmg_add_slant_f32: AddSlant<'_, f32>);
entry!(rrtmg_add_slant_f64: AddSlant<'_, f64>);
