//! Does this GPU compute the bits of the CPU?
//!
//! PTX of isobar-launch.

use isobar_core::selftest::{CopyValues, ElementaryFunctions, PlainNumbers, TeamSum};

use isobar_core::entry;

entry!(copy_values_f64: CopyValues<'_, f64>);
entry!(elementary_functions_f32: ElementaryFunctions<'_, f32>);
entry!(elementary_functions_f64: ElementaryFunctions<'_, f64>);
entry!(plain_numbers_f32: PlainNumbers<'_, f32>);
entry!(plain_numbers_f64: PlainNumbers<'_, f64>);
entry!(team_sum_f32: TeamSum<'_, f32>);
entry!(team_sum_f64: TeamSum<'_, f64>);
