//! The kernels of this crate: one ray an item.
#![allow(unsafe_code, reason = "the contract of a kernel is unsafe")]

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};

use crate::air::Atmospheric;
use crate::path::{PathSummary, Paths, air_column_per_cm2, segment_length_km};
use crate::profile::Profile;
use crate::trace::{LineOfSight, StepRules, trace};

/// Counts the points of each path, so that [`TracePaths`] gets storage that fits.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CountPoints<'a, R, A = Profile<'a, R>> {
    /// The atmosphere.
    pub profile: A,
    /// How paths are stepped.
    pub rules: StepRules<R>,
    /// The rays.
    pub rays: Column<'a, LineOfSight<R>>,
    /// The result, `(0, ray)`.
    pub summaries: FieldMut<'a, PathSummary<R>>,
}

// SAFETY: an item writes to its own summary only.
unsafe impl<R: Real, A: Atmospheric<R>> Kernel for CountPoints<'_, R, A> {
    const NAME: &'static str = A::COUNT_POINTS;
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    #[inline(always)]
    fn items(&self) -> usize {
        self.rays.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, ray: usize, _: Lanes<W>) -> Status {
        self.count(ray)
    }
}

impl<R: Real, A: Atmospheric<R>> CountPoints<'_, R, A> {
    /// Counts the points of one path.
    #[inline(always)]
    pub(crate) fn count(&self, ray: usize) -> Status {
        let (summary, status) = trace(&self.profile, &self.rules, &self.rays.at(ray), |_, _, _, _| {}, |_, _| {});
        self.summaries.set(0, ray, summary);
        status
    }
}

/// Traces each ray and stores its points.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TracePaths<'a, R, A = Profile<'a, R>> {
    /// The atmosphere.
    pub profile: A,
    /// How paths are stepped; no path may have more points than `paths` has levels.
    pub rules: StepRules<R>,
    /// The rays.
    pub rays: Column<'a, LineOfSight<R>>,
    /// The points.
    pub paths: Paths<'a, R>,
    /// The summaries, `(0, ray)`.
    pub summaries: FieldMut<'a, PathSummary<R>>,
}

// SAFETY: an item writes to the columns of its own ray only.
unsafe impl<R: Real, A: Atmospheric<R>> Kernel for TracePaths<'_, R, A> {
    const NAME: &'static str = A::TRACE_PATHS;
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    #[inline(always)]
    fn items(&self) -> usize {
        self.rays.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, ray: usize, _: Lanes<W>) -> Status {
        self.trace(ray)
    }
}

impl<R: Real, A: Atmospheric<R>> TracePaths<'_, R, A> {
    /// Traces one ray.
    #[inline(always)]
    pub(crate) fn trace(&self, ray: usize) -> Status {
        let (paths, rays) = (&self.paths, self.rays.len());
        let (gases, windows) = (self.profile.gas_count(), self.profile.window_count());
        let mut rules = self.rules;
        rules.max_points = rules.max_points.min(paths.height_km.levels() as u32);
        let (summary, status) = trace(
            &self.profile,
            &rules,
            &self.rays.at(ray),
            |i, point, _, level| {
                paths.height_km.set(i, ray, point.height_km);
                paths.pressure_hpa.set(i, ray, point.pressure_hpa);
                paths.temperature_k.set(i, ray, point.temperature_k);
                paths.length_km.set(i, ray, point.step_km);
                for gas in 0..gases {
                    paths.mixing_ratio.set(i, gas * rays + ray, self.profile.mixing_ratio_there(level, gas));
                }
                for window in 0..windows {
                    let extinction = self.profile.extinction_there(level, window);
                    paths.extinction_per_km.set(i, window * rays + ray, extinction);
                }
                if paths.position_km.levels() > 0 {
                    for axis in 0..3 {
                        paths.position_km.set(i, axis * rays + ray, point.position_km[axis]);
                    }
                }
            },
            |i, step| paths.length_km.set(i, ray, step),
        );
        if status.is_ok() {
            weigh(paths, ray, summary.points as usize);
        }
        self.summaries.set(0, ray, summary);
        status
    }
}

/// Turns the steps between points into the trapezoidal weights of the points, and into the air that they hold.
#[inline(always)]
fn weigh<R: Real>(paths: &Paths<'_, R>, ray: usize, points: usize) {
    let mut arriving = R::ZERO;
    for i in 0..points {
        let leaving = paths.length_km.at(i, ray);
        let length = segment_length_km(arriving, leaving);
        let air = air_column_per_cm2(paths.pressure_hpa.at(i, ray), paths.temperature_k.at(i, ray), length);
        paths.length_km.set(i, ray, length);
        paths.air_column_per_cm2.set(i, ray, air);
        arriving = leaving;
    }
}
