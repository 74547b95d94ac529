//! Long-wave and short-wave radiation.
//!
//! PTX of isobar-radiation.

use isobar_optics::GasStates;
use isobar_radiation::{
    ANY_SKY, BandTotals, CLEAR, CLOUDY, LongwaveSweeps, LongwaveTwoStream, RESCALED, ShortwaveSweeps, Totals,
    TripleLongwaveSweeps, TripleShortwaveSweeps,
};

use isobar_core::entry;

entry!(optics_gas_states_f32: GasStates<'_, f32>);
entry!(optics_gas_states_f64: GasStates<'_, f64>);
entry!(radiation_longwave_clear_f32: LongwaveSweeps<'_, f32, CLEAR>);
entry!(radiation_longwave_clear_f64: LongwaveSweeps<'_, f64, CLEAR>);
entry!(radiation_longwave_cloudy_f32: LongwaveSweeps<'_, f32, CLOUDY>);
entry!(radiation_longwave_cloudy_f64: LongwaveSweeps<'_, f64, CLOUDY>);
entry!(radiation_longwave_any_f32: LongwaveSweeps<'_, f32, ANY_SKY>);
entry!(radiation_longwave_any_f64: LongwaveSweeps<'_, f64, ANY_SKY>);
entry!(radiation_longwave_rescaled_f32: LongwaveSweeps<'_, f32, { ANY_SKY | RESCALED }>);
entry!(radiation_longwave_rescaled_f64: LongwaveSweeps<'_, f64, { ANY_SKY | RESCALED }>);
entry!(radiation_longwave_triple_f32: TripleLongwaveSweeps<'_, f32>);
entry!(radiation_longwave_triple_f64: TripleLongwaveSweeps<'_, f64>);
entry!(radiation_longwave_two_stream_f32: LongwaveTwoStream<'_, f32>);
entry!(radiation_longwave_two_stream_f64: LongwaveTwoStream<'_, f64>);
entry!(radiation_shortwave_clear_f32: ShortwaveSweeps<'_, f32, CLEAR>);
entry!(radiation_shortwave_clear_f64: ShortwaveSweeps<'_, f64, CLEAR>);
entry!(radiation_shortwave_cloudy_f32: ShortwaveSweeps<'_, f32, CLOUDY>);
entry!(radiation_shortwave_cloudy_f64: ShortwaveSweeps<'_, f64, CLOUDY>);
entry!(radiation_shortwave_any_f32: ShortwaveSweeps<'_, f32, ANY_SKY>);
entry!(radiation_shortwave_any_f64: ShortwaveSweeps<'_, f64, ANY_SKY>);
entry!(radiation_shortwave_triple_f32: TripleShortwaveSweeps<'_, f32>);
entry!(radiation_shortwave_triple_f64: TripleShortwaveSweeps<'_, f64>);
entry!(radiation_totals_f32: Totals<'_, f32>);
entry!(radiation_totals_f64: Totals<'_, f64>);
entry!(radiation_band_totals_f32: BandTotals<'_, f32>);
entry!(radiation_band_totals_f64: BandTotals<'_, f64>);
