//! The kernels of a Jacobian, in their order.

use core::marker::PhantomData;

use isobar_core::{Dual, FieldMut, Kernel};
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::profile::Profile;
use isobar_raytrace::track::Track;

use super::absorption::{FollowGases, PullGases};
use super::batch::Batch;
use super::emission::EmitSegments;
use super::path::{CountSteps, DifferentiateSteps, SunShares, TraceSteps};
use super::ratios::GatherRatios;
use super::rows::GatherRows;
use super::slopes::{GROWTH, INPUTS, MEANS};
use super::transfer::TransferBack;
use super::work::Work;
use crate::physics::growth::Growth;
use crate::physics::jurassic::{JurassicGrowth, JurassicMeanPath};
use crate::physics::law::Logarithmic;
use crate::physics::log_growth::LogGrowth;
use crate::physics::mean_path::MeanPath;
use crate::setup::Approximation;

/// Whoever computes kernels, one after the other.
pub trait Launcher {
    /// What can go wrong.
    type Error;

    /// Computes all items.
    ///
    /// # Errors
    /// What the launcher cannot do.
    fn launch<K: Kernel>(&mut self, kernel: &K) -> Result<(), Self::Error>;
}

impl Approximation {
    /// The numbers that it remembers along a path.
    #[must_use]
    pub fn memory(self) -> usize {
        match self {
            Self::EmissivityGrowth => GROWTH - INPUTS,
            Self::CurtisGodson => MEANS - INPUTS,
        }
    }
}

/// The points of each path and the levels that its steps touch, `(0, ray)`, by [`CountSteps`] for what the atmospheres
/// are.
///
/// # Errors
/// Those of the launcher.
#[inline(always)]
pub fn count_steps<L: Launcher>(
    batch: &Batch<'_>,
    summaries: FieldMut<'_, PathSummary<f64>>,
    touched: FieldMut<'_, u32>,
    launcher: &mut L,
) -> Result<(), L::Error> {
    let batch = *batch;
    if batch.tracks() {
        launcher.launch(&CountSteps { batch, summaries, touched, air: PhantomData::<Track<'_, f64>> })
    } else {
        launcher.launch(&CountSteps { batch, summaries, touched, air: PhantomData::<Profile<'_, f64>> })
    }
}

/// Radiances, transmittances and derivatives of a batch whose points have been counted; radiances and transmittances
/// alone where [`super::WorkSize::elements`] is 0. `N` variables of a step are computed at a time: those for which
/// there is memory.
///
/// # Errors
/// Those of the launcher. What became of rays has been seen when they were counted.
#[inline(always)]
pub fn compute<const N: usize, L: Launcher>(
    batch: &Batch<'_>,
    work: &Work<'_>,
    approximation: Approximation,
    launcher: &mut L,
) -> Result<(), L::Error> {
    let (batch, work) = (*batch, *work);
    let derivatives = work.sums.levels() > 0;
    // One of two kernels: for profiles, and for tracks.
    macro_rules! of_air {
        ($kernel:ident $(, $variables:ident)?) => {
            if batch.tracks() {
                launcher.launch(&$kernel $(::<$variables, _>)? { batch, work, air: PhantomData::<Track<'_, f64>> })?
            } else {
                launcher.launch(&$kernel $(::<$variables, _>)? { batch, work, air: PhantomData::<Profile<'_, f64>> })?
            }
        };
    }
    of_air!(TraceSteps);
    if derivatives {
        of_air!(DifferentiateSteps, N);
    }
    launcher.launch(&SunShares { batch, work })?;
    macro_rules! follow {
        ($variables:expr, $rule:ident $(, $law:ident)?) => {
            launcher.launch(&FollowGases {
                batch,
                work,
                rule: PhantomData::<$rule<Dual<f64, { $variables }> $(, $law)?>>,
            })?
        };
    }
    match (approximation, batch.transmittances_given != 0, batch.logarithmic != 0) {
        (Approximation::EmissivityGrowth, false, false) => follow!(GROWTH, Growth),
        (Approximation::EmissivityGrowth, false, true) => follow!(GROWTH, LogGrowth),
        (Approximation::EmissivityGrowth, true, false) => follow!(GROWTH, JurassicGrowth),
        (Approximation::EmissivityGrowth, true, true) => follow!(GROWTH, JurassicGrowth, Logarithmic),
        (Approximation::CurtisGodson, false, false) => follow!(MEANS, MeanPath),
        (Approximation::CurtisGodson, false, true) => follow!(MEANS, MeanPath, Logarithmic),
        (Approximation::CurtisGodson, true, false) => follow!(MEANS, JurassicMeanPath),
        (Approximation::CurtisGodson, true, true) => follow!(MEANS, JurassicMeanPath, Logarithmic),
    }
    launcher.launch(&EmitSegments { batch, work })?;
    launcher.launch(&TransferBack { batch, work })?;
    if !derivatives {
        return Ok(());
    }
    match approximation {
        Approximation::EmissivityGrowth => launcher.launch(&PullGases::<GROWTH> { batch, work })?,
        Approximation::CurtisGodson => launcher.launch(&PullGases::<MEANS> { batch, work })?,
    }
    of_air!(GatherRatios);
    of_air!(GatherRows);
    Ok(())
}
