//! Derivatives of long-wave and short-wave radiation.
//!
//! PTX of isobar-radiation.

use isobar_optics::GasStatesAdjoint;
use isobar_radiation::{CheckGradients, ClearGradients, LongwaveAdjoint, ShortwaveAdjoint};

use isobar_core::entry;

entry!(optics_gas_states_adjoint_f32: GasStatesAdjoint<'_, f32>);
entry!(optics_gas_states_adjoint_f64: GasStatesAdjoint<'_, f64>);
entry!(radiation_longwave_adjoint_f32: LongwaveAdjoint<'_, f32>);
entry!(radiation_longwave_adjoint_f64: LongwaveAdjoint<'_, f64>);
entry!(radiation_shortwave_adjoint_f32: ShortwaveAdjoint<'_, f32>);
entry!(radiation_shortwave_adjoint_f64: ShortwaveAdjoint<'_, f64>);
entry!(radiation_clear_gradients_f32: ClearGradients<'_, f32>);
entry!(radiation_clear_gradients_f64: ClearGradients<'_, f64>);
entry!(radiation_check_gradients_f32: CheckGradients<'_, f32>);
entry!(radiation_check_gradients_f64: CheckGradients<'_, f64>);
