//! Derivatives of infrared radiances.
//!
//! PTX of isobar-ega.

use isobar_core::Dual;
use isobar_ega::growth::Growth;
use isobar_ega::jacobian::absorption::{FollowGases, GROWTH, MEANS, PullGases};
use isobar_ega::jacobian::emission::EmitSegments;
use isobar_ega::jacobian::path::{CountSteps, DifferentiateSteps, SunShares, TraceSteps};
use isobar_ega::jacobian::ratios::GatherRatios;
use isobar_ega::jacobian::rows::GatherRows;
use isobar_ega::jacobian::sums::{SumEnds, SumPoints};
use isobar_ega::jacobian::transfer::TransferBack;
use isobar_ega::jurassic::{JurassicGrowth, JurassicMeanPath};
use isobar_ega::law::Logarithmic;
use isobar_ega::log_growth::LogGrowth;
use isobar_ega::mean_path::MeanPath;
use isobar_raytrace::sensitivity::BLOCK;
use isobar_raytrace::track::Track;

use isobar_core::entry;

entry!(jacobian_count_f64: CountSteps<'_>);
entry!(jacobian_trace_f64: TraceSteps<'_>);
entry!(jacobian_steps_f64: DifferentiateSteps<'_, BLOCK>);
entry!(jacobian_count_track_f64: CountSteps<'_, Track<'_, f64>>);
entry!(jacobian_trace_track_f64: TraceSteps<'_, Track<'_, f64>>);
entry!(jacobian_steps_track_f64: DifferentiateSteps<'_, BLOCK, Track<'_, f64>>);
entry!(jacobian_sun_f64: SunShares<'_>);
entry!(jacobian_grow_ega_f64: FollowGases<'_, GROWTH, Growth<Dual<f64, GROWTH>>>);
entry!(jacobian_grow_cga_f64: FollowGases<'_, MEANS, MeanPath<Dual<f64, MEANS>>>);
entry!(jacobian_grow_ega_jurassic_f64: FollowGases<'_, GROWTH, JurassicGrowth<Dual<f64, GROWTH>>>);
entry!(jacobian_grow_cga_jurassic_f64: FollowGases<'_, MEANS, JurassicMeanPath<Dual<f64, MEANS>>>);
entry!(jacobian_grow_ega_log_f64: FollowGases<'_, GROWTH, LogGrowth<Dual<f64, GROWTH>>>);
entry!(jacobian_grow_cga_log_f64: FollowGases<'_, MEANS, MeanPath<Dual<f64, MEANS>, Logarithmic>>);
entry!(jacobian_grow_ega_log_jurassic_f64: FollowGases<'_, GROWTH, JurassicGrowth<Dual<f64, GROWTH>, Logarithmic>>);
entry!(jacobian_grow_cga_log_jurassic_f64: FollowGases<'_, MEANS, JurassicMeanPath<Dual<f64, MEANS>, Logarithmic>>);
entry!(jacobian_emission_f64: EmitSegments<'_>);
entry!(jacobian_transfer_f64: TransferBack<'_>);
entry!(jacobian_pull_growth_f64: PullGases<'_, GROWTH>);
entry!(jacobian_pull_means_f64: PullGases<'_, MEANS>);
entry!(jacobian_sum_points_f64: SumPoints<'_>);
entry!(jacobian_sum_ends_f64: SumEnds<'_>);
entry!(jacobian_ratios_f64: GatherRatios<'_>);
entry!(jacobian_ratios_track_f64: GatherRatios<'_, Track<'_, f64>>);
entry!(jacobian_rows_f64: GatherRows<'_>);
entry!(jacobian_rows_track_f64: GatherRows<'_, Track<'_, f64>>);
