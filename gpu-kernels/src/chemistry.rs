//! Chemical kinetics: rate constants once, and the integration of cells, with frozen rate constants or changing ones.
//!
//! PTX of isobar-rosenbrock.

use isobar_rosenbrock::{RateConstants, Rosenbrock, RosenbrockByWarps, RosenbrockReduced};

use isobar_core::entry;

entry!(rate_constants_f64: RateConstants<'_, f64>);
entry!(rosenbrock_f64: Rosenbrock<'_, f64, u16, false>);
entry!(rosenbrock_rates_f64: Rosenbrock<'_, f64, u16, true>);
entry!(rosenbrock_wide_f64: Rosenbrock<'_, f64, u32, false>);
entry!(rosenbrock_wide_rates_f64: Rosenbrock<'_, f64, u32, true>);
entry!(rosenbrock_reduced_f64: RosenbrockReduced<'_, f64, u16>);
entry!(rosenbrock_wide_reduced_f64: RosenbrockReduced<'_, f64, u32>);
entry!(rosenbrock_by_warps_f64: RosenbrockByWarps<'_>);
