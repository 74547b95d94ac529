//! Boundary-layer diffusion.
//!
//! PTX of isobar-ysu.

use isobar_ysu::{MixTracers, ShinHongKernel, UrbanKernel, YsuKernel};

use isobar_core::entry;

entry!(ysu_f32: YsuKernel<'_, f32, false>);
entry!(ysu_f64: YsuKernel<'_, f64, false>);
entry!(ysu_options_f32: YsuKernel<'_, f32, true>);
entry!(ysu_options_f64: YsuKernel<'_, f64, true>);
entry!(ysu_urban_f32: UrbanKernel<'_, f32>);
entry!(ysu_urban_f64: UrbanKernel<'_, f64>);
entry!(shin_hong_f32: ShinHongKernel<'_, f32>);
entry!(shin_hong_f64: ShinHongKernel<'_, f64>);
entry!(ysu_tracers_f32: MixTracers<'_, f32>);
entry!(ysu_tracers_f64: MixTracers<'_, f64>);
