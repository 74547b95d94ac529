//! The kernels of a Jacobian, in their order.

use core::marker::PhantomData;

use isobar_core::{Column, Dual, FieldMut, Kernel};
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
use super::sums::{SumEnds, SumPoints};
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
/// alone where [`super::WorkSize::elements`] is 0.
///
/// With `weights`, `ray * channels + channel`, derivatives are those of the weighted sum of each ray's radiances
/// ([`super::WorkSize::summed`]). `N` variables of a step are computed at a time, and `tile` channels: those for which
/// there is memory.
///
/// # Errors
/// Those of the launcher. What became of rays has been seen when they were counted.
#[inline(always)]
pub fn compute<const N: usize, L: Launcher>(
    batch: &Batch<'_>,
    work: &Work<'_>,
    (approximation, tile): (Approximation, usize),
    weights: Option<Column<'_, f64>>,
    launcher: &mut L,
) -> Result<(), L::Error> {
    let (whole, work) = (*batch, *work);
    let derivatives = work.sums.levels() > 0;
    // One of two kernels: for profiles, and for tracks.
    macro_rules! of_air {
        ($kernel:ident $(<$variables:ident>)?, $batch:expr, $work:expr) => {
            if whole.tracks() {
                let air = PhantomData::<Track<'_, f64>>;
                launcher.launch(&$kernel $(::<$variables, _>)? { batch: $batch, work: $work, air })?
            } else {
                let air = PhantomData::<Profile<'_, f64>>;
                launcher.launch(&$kernel $(::<$variables, _>)? { batch: $batch, work: $work, air })?
            }
        };
    }
    of_air!(TraceSteps, whole, work);
    if derivatives {
        of_air!(DifferentiateSteps<N>, whole, work);
    }
    launcher.launch(&SunShares { batch: whole, work })?;
    let channels = whole.channel_count();
    for first in (0..channels).step_by(tile.max(1)) {
        let batch = whole.tile(first, tile.min(channels - first));
        follow_gases(&batch, &work, approximation, launcher)?;
        launcher.launch(&EmitSegments { batch, work })?;
        launcher.launch(&TransferBack { batch, work })?;
        if !derivatives {
            continue;
        }
        match approximation {
            Approximation::EmissivityGrowth => launcher.launch(&PullGases::<GROWTH> { batch, work })?,
            Approximation::CurtisGodson => launcher.launch(&PullGases::<MEANS> { batch, work })?,
        }
        if let Some(weights) = weights {
            launcher.launch(&SumPoints { batch, work, weights })?;
            launcher.launch(&SumEnds { batch, work, weights })?;
        } else {
            of_air!(GatherRatios, batch, work);
            of_air!(GatherRows, batch, work);
        }
    }
    if derivatives && weights.is_some() {
        let (batch, work) = (whole.summed(), work.summed());
        of_air!(GatherRatios, batch, work);
        of_air!(GatherRows, batch, work);
    }
    Ok(())
}

/// The growth of each gas along each ray in the channels of a tile.
#[inline(always)]
fn follow_gases<L: Launcher>(
    batch: &Batch<'_>,
    work: &Work<'_>,
    approximation: Approximation,
    launcher: &mut L,
) -> Result<(), L::Error> {
    let (batch, work) = (*batch, *work);
    macro_rules! follow {
        ($variables:expr, $rule:ident $(, $law:ident)?) => {
            launcher.launch(&FollowGases {
                batch,
                work,
                rule: PhantomData::<$rule<Dual<f64, { $variables }> $(, $law)?>>,
            })
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
}
