//! Longwave radiation.

use isobar_longwave::transfer::{CLEAR, MAXIMUM_RANDOM, RANDOM, SUBCOLUMNS};
use isobar_longwave::{CloudMask, Layers, OpticalDepths, Transfer};

use crate::entry;

entry!(longwave_layers_f32: Layers<'_, f32>);
entry!(longwave_layers_f64: Layers<'_, f64>);
entry!(longwave_cloud_mask_f32: CloudMask<'_, f32>);
entry!(longwave_cloud_mask_f64: CloudMask<'_, f64>);
entry!(longwave_optical_depths_f32: OpticalDepths<'_, f32>);
entry!(longwave_optical_depths_f64: OpticalDepths<'_, f64>);
entry!(longwave_clear_f32: Transfer<'_, f32, CLEAR, false>);
entry!(longwave_clear_f64: Transfer<'_, f64, CLEAR, false>);
entry!(longwave_clear_table_f32: Transfer<'_, f32, CLEAR, true>);
entry!(longwave_clear_table_f64: Transfer<'_, f64, CLEAR, true>);
entry!(longwave_cloudy_f32: Transfer<'_, f32, SUBCOLUMNS, false>);
entry!(longwave_cloudy_f64: Transfer<'_, f64, SUBCOLUMNS, false>);
entry!(longwave_cloudy_table_f32: Transfer<'_, f32, SUBCOLUMNS, true>);
entry!(longwave_cloudy_table_f64: Transfer<'_, f64, SUBCOLUMNS, true>);
entry!(longwave_random_f32: Transfer<'_, f32, RANDOM, false>);
entry!(longwave_random_f64: Transfer<'_, f64, RANDOM, false>);
entry!(longwave_random_table_f32: Transfer<'_, f32, RANDOM, true>);
entry!(longwave_random_table_f64: Transfer<'_, f64, RANDOM, true>);
entry!(longwave_maximum_random_f32: Transfer<'_, f32, MAXIMUM_RANDOM, false>);
entry!(longwave_maximum_random_f64: Transfer<'_, f64, MAXIMUM_RANDOM, false>);
entry!(longwave_maximum_random_table_f32: Transfer<'_, f32, MAXIMUM_RANDOM, true>);
entry!(longwave_maximum_random_table_f64: Transfer<'_, f64, MAXIMUM_RANDOM, true>);
