//! The atmospheres of a batch, of one profile each or of profiles along a track: the kernels of paths are compiled for
//! both.

use isobar_raytrace::profile::Profile;
use isobar_raytrace::sensitivity::{Differentiable, Legs, StepLevels};

use super::batch::{Batch, Case};
use super::work::{NextProfile, Work};

/// The atmospheres of a batch.
pub trait BatchAir<'a>: Differentiable {
    /// The kernel's name of [`super::path::CountSteps`].
    const COUNT: &'static str;
    /// The kernel's name of [`super::path::TraceSteps`].
    const TRACE: &'static str;
    /// The kernel's name of [`super::path::DifferentiateSteps`].
    const STEPS: &'static str;
    /// The kernel's name of [`super::ratios::GatherRatios`].
    const RATIOS: &'static str;
    /// The kernel's name of [`super::rows::GatherRows`].
    const ROWS: &'static str;
    /// Which levels the variables of steps are.
    type Levels: StepLevels;

    /// One of them: heights, pressures and temperatures.
    fn of(batch: &Batch<'a>, case: &Case, number: usize) -> Self;
    /// The number of a level in the order of the atmosphere.
    fn in_atmosphere(batch: &Batch<'a>, case: &Case, number: usize, level: usize) -> usize;
    /// Keeps what a step has read.
    fn keep(work: &Work<'a>, point: usize, ray: usize, read: Self::Read);
    /// The levels of the steps of a ray, for a row of the Jacobian.
    fn levels(work: &Work<'a>, row: usize) -> Self::Levels;
    /// What a point has in the next profile of a track.
    fn next_profile(work: &Work<'a>, point: usize, ray: usize) -> Option<NextProfile>;
}

impl<'a> BatchAir<'a> for Profile<'a, f64> {
    const COUNT: &'static str = "jacobian_count";
    const TRACE: &'static str = "jacobian_trace";
    const STEPS: &'static str = "jacobian_steps";
    const RATIOS: &'static str = "jacobian_ratios";
    const ROWS: &'static str = "jacobian_rows";
    type Levels = Legs<'a>;

    #[inline(always)]
    fn of(batch: &Batch<'a>, _: &Case, number: usize) -> Self {
        batch.profile(number)
    }

    #[inline(always)]
    fn in_atmosphere(batch: &Batch<'a>, case: &Case, _: usize, level: usize) -> usize {
        if case.descends != 0 { batch.elements.levels - 1 - level } else { level }
    }

    #[inline(always)]
    fn keep(work: &Work<'a>, point: usize, ray: usize, first_level: usize) {
        work.legs.first_level.set(point, ray, first_level as u32);
    }

    #[inline(always)]
    fn levels(work: &Work<'a>, _: usize) -> Legs<'a> {
        work.legs
    }

    #[inline(always)]
    fn next_profile(_: &Work<'a>, _: usize, _: usize) -> Option<NextProfile> {
        None
    }
}
