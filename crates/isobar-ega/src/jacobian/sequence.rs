//! The kernels of a Jacobian, in their order.

use core::marker::PhantomData;

use isobar_core::{Dual, Kernel};

use super::absorption::{FollowGases, PullGases};
use super::batch::Batch;
use super::emission::EmitSegments;
use super::path::{DifferentiateSteps, SunShares, TraceSteps};
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

/// Radiances, transmittances and derivatives of a batch whose points have been counted; no derivatives where there is
/// no memory for them. `N` variables of a step are computed at a time: those for which there is memory.
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
    let derivatives = work.derivative.levels() > 0;
    launcher.launch(&TraceSteps { batch, work })?;
    if derivatives {
        launcher.launch(&DifferentiateSteps::<N> { batch, work })?;
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
    launcher.launch(&GatherRows { batch, work })
}
