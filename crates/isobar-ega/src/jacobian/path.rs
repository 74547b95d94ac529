//! What all channels of a ray share: its path, and how every point of it follows the state.

use core::marker::PhantomData;

use isobar_core::{Dual, FieldMut, Status};
use isobar_raytrace::geodesy::from_cartesian;
use isobar_raytrace::path::{PathSummary, air_column_per_cm2, segment_length_km};
use isobar_raytrace::profile::Profile;
use isobar_raytrace::sensitivity::{BLOCK, Role, TracedPoint};
use isobar_raytrace::trace::{cos_incidence, trace};

use super::air::BatchAir;
use super::batch::Batch;
use super::work::{NextProfile, PathSegment, Work};
use crate::physics::sun;

/// Counts the points of each path and the levels that its steps touch, so that there is memory for all: one ray an
/// item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CountSteps<'a, A = Profile<'a, f64>> {
    /// The rays.
    pub batch: Batch<'a>,
    /// The result, `(0, ray)`.
    pub summaries: FieldMut<'a, PathSummary<f64>>,
    /// The most levels that a step touches, `(0, ray)`.
    pub touched: FieldMut<'a, u32>,
    /// What the atmospheres are.
    pub air: PhantomData<A>,
}

impl<'a, A: BatchAir<'a>> CountSteps<'a, A> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.rays.len()
    }

    /// Computes one ray, and writes to that ray only.
    #[inline(always)]
    pub(super) fn compute(&self, ray: usize) -> Status {
        let (case, number) = self.batch.case(ray);
        let air = A::of(&self.batch, &case, number);
        // The end of a path touches no more than what comes before it.
        let role = if self.batch.frozen != 0 { Role::Last } else { Role::Inner };
        let mut most = 2;
        let (summary, status) = trace(
            &air,
            &case.rules,
            &self.batch.rays.at(ray).sight,
            |_, point, direction, place| {
                most = most.max(air.touched(&case.rules, point, direction, A::interval(place), role));
            },
            |_, _| {},
        );
        self.summaries.set(0, ray, summary);
        self.touched.set(0, ray, most as u32);
        status
    }
}

/// Traces each ray and stores its points and segments: one ray an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TraceSteps<'a, A = Profile<'a, f64>> {
    /// The rays; no path has more points than there is memory for.
    pub batch: Batch<'a>,
    /// The results.
    pub work: Work<'a>,
    /// What the atmospheres are.
    pub air: PhantomData<A>,
}

impl<'a, A: BatchAir<'a>> TraceSteps<'a, A> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.rays.len()
    }

    /// Computes one ray, and writes to that ray only.
    #[inline(always)]
    pub(super) fn compute(&self, ray: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let (gases, windows, rays) = (batch.elements.gases, batch.elements.windows, batch.rays.len());
        let (case, number) = batch.case(ray);
        let mut rules = case.rules;
        rules.max_points = rules.max_points.min(work.points.levels() as u32);
        let (summary, status) = trace(
            &A::of(batch, &case, number),
            &rules,
            &batch.rays.at(ray).sight,
            |i, point, direction, place| {
                let (level, between) = (A::nearest(place), A::between(place));
                work.points.set(i, ray, TracedPoint::new(point, direction, level.interval));
                let mut weights = level.weights();
                if let Some(between) = between {
                    let next = between.levels[1];
                    let ([below, above], [next_below, next_above]) = (weights, next.weights());
                    weights = [between.mix(below, 0.0), between.mix(above, 0.0)];
                    let of_next = [between.mix(0.0, next_below), between.mix(0.0, next_above)];
                    let next = NextProfile { weights: of_next, interval: next.interval as u32, unused: 0 };
                    work.track.next.set(i, ray, next);
                }
                work.segments.set(i, ray, PathSegment { weights, ..PathSegment::default() });
                macro_rules! linear {
                    ($from:expr, $to:expr, $items:expr, $before:expr) => {
                        for item in 0..$items {
                            let low = $from.at(level.interval, item * batch.cases.len() + number);
                            let high = $from.at(level.interval + 1, item * batch.cases.len() + number);
                            let mut values = [level.between(low, high), (high - low) / level.thickness_km()];
                            if let Some(between) = between {
                                let next = between.levels[1];
                                let low = $from.at(next.interval, item * batch.cases.len() + number);
                                let high = $from.at(next.interval + 1, item * batch.cases.len() + number);
                                let there = [next.between(low, high), (high - low) / next.thickness_km()];
                                let place = ($before + item) * rays + ray;
                                work.track.more.set(i, place, there[0] - values[0]);
                                values = [between.mix(values[0], there[0]), between.mix(values[1], there[1])];
                            }
                            $to.set(i, item * rays + ray, values);
                        }
                    };
                }
                linear!(batch.mixing_ratio, work.mixing_ratio, gases, 0);
                linear!(batch.extinction_per_km, work.extinction_per_km, windows, gases);
            },
            |i, step_km| work.points.set(i, ray, TracedPoint { step_km, ..work.points.at(i, ray) }),
        );
        let mut summary = summary;
        if !status.is_ok() {
            summary.points = 0;
        }
        work.summaries.set(0, ray, summary);
        let mut arriving = 0.0;
        for i in 0..summary.points as usize {
            let here = work.points.at(i, ray);
            let length_km = segment_length_km(arriving, here.step_km);
            arriving = here.step_km;
            let air = air_column_per_cm2(
                Dual::variable(here.pressure_hpa, 0),
                Dual::variable(here.temperature_k, 1),
                Dual::variable(length_km, 2),
            );
            let weights = work.segments.at(i, ray).weights;
            let segment = PathSegment { length_km, air_per_cm2: air.value, air_by: air.derivative, weights };
            work.segments.set(i, ray, segment);
        }
        status
    }
}

/// Differentiates the steps of paths, `N` variables at a time: one ray, point and such group of variables an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DifferentiateSteps<'a, const N: usize, A = Profile<'a, f64>> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Their points, and the results.
    pub work: Work<'a>,
    /// What the atmospheres are.
    pub air: PhantomData<A>,
}

impl<'a, const N: usize, A: BatchAir<'a>> DifferentiateSteps<'a, N, A> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        let work = &self.work;
        work.points.items() * work.points.levels() * (work.legs.blocks() * BLOCK / N)
    }

    /// Computes one group of variables of a point, and writes those only; the first group also writes the point's
    /// levels.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let (rays, points) = (work.points.items() as u32, work.points.levels() as u32);
        // An item's number has 31 bits, and a GPU divides those faster.
        let (rest, ray) = (item as u32 / rays, (item as u32 % rays) as usize);
        let (point, first) = ((rest % points) as usize, (rest / points) as usize * N);
        let summary = work.summaries.at(0, ray);
        let points = summary.points as usize;
        if point >= points {
            return Status::OK;
        }
        let (case, number) = batch.case(ray);
        let role = Role::of(point, points, summary.hits_ground != 0, batch.frozen != 0);
        let here = work.points.at(point, ray);
        let (results, read) = A::of(batch, &case, number).leg::<N>(&case.rules, &here, role, first);
        work.legs.store(ray, point, first, &results);
        if first == 0 {
            A::keep(work, point, ray, read);
        }
        Status::OK
    }
}

/// The Sun's share by the position of the last point: one ray an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SunShares<'a> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Their points, and the results.
    pub work: Work<'a>,
}

impl SunShares<'_> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.rays.len()
    }

    /// Computes one ray, and writes to that ray only.
    #[inline(always)]
    pub(super) fn compute(&self, ray: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let points = work.summaries.at(0, ray).points as usize;
        let mut share = Dual::<f64, 3>::default();
        if points > 0 && batch.case(ray).0.ground.kind >= 3 {
            let first = work.points.at(0, ray).position(|x, _| Dual::constant(x));
            let last = work.points.at(points - 1, ray).position(Dual::variable);
            let (_, longitude, latitude) = from_cartesian(last);
            let zenith = Dual::constant(batch.solar_zenith_deg);
            let time = Dual::constant(batch.rays.at(ray).time_s);
            let jurassic = batch.transmittances_given != 0;
            share = sun::share(zenith, time, (longitude, latitude), cos_incidence(first, last), jurassic);
        }
        let [x, y, z] = share.derivative;
        work.sun.set(0, ray, [share.value, x, y, z]);
        Status::OK
    }
}
