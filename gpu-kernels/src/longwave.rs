//! Longwave radiation.

use isobar_longwave::{Layers, OpticalDepths, Transfer};

use crate::entry;

entry!(longwave_layers_f32: Layers<'_, f32>);
entry!(longwave_layers_f64: Layers<'_, f64>);
entry!(longwave_optical_depths_f32: OpticalDepths<'_, f32>);
entry!(longwave_optical_depths_f64: OpticalDepths<'_, f64>);
entry!(longwave_clear_f32: Transfer<'_, f32, false, false>);
entry!(longwave_clear_f64: Transfer<'_, f64, false, false>);
entry!(longwave_cloudy_f32: Transfer<'_, f32, true, false>);
entry!(longwave_cloudy_f64: Transfer<'_, f64, true, false>);
entry!(longwave_clear_table_f32: Transfer<'_, f32, false, true>);
entry!(longwave_clear_table_f64: Transfer<'_, f64, false, true>);
entry!(longwave_cloudy_table_f32: Transfer<'_, f32, true, true>);
entry!(longwave_cloudy_table_f64: Transfer<'_, f64, true, true>);
