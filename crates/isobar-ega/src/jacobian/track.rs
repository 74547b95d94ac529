//! What paths along a track have beside those through one profile: each point lies between two profiles, and what the
//! next one counts follows the position of the point.

use isobar_raytrace::sensitivity::{Differentiable, StepLevels};
use isobar_raytrace::track::Track;
use isobar_raytrace::varied_track::{MOST_INTERVALS, TrackRead};

use super::air::BatchAir;
use super::batch::{Batch, Case};
use super::work::{NextProfile, TrackWork, Work};

/// The level that stands where a step reads no more intervals: no atmosphere has as many.
const NO_LEVEL: u32 = u32::MAX / 2;

/// The levels of the steps of a ray, for a row of the Jacobian.
#[derive(Clone, Copy, Debug)]
pub struct TrackLevels<'a> {
    work: TrackWork<'a>,
    row: usize,
}

impl StepLevels for TrackLevels<'_> {
    /// Point and ray.
    type Step = (usize, usize);

    #[inline(always)]
    fn step(&self, ray: usize, point: usize) -> (usize, usize) {
        (point, ray)
    }

    #[inline(always)]
    fn lower(&self, (point, ray): (usize, usize), block: usize) -> usize {
        self.work.lower.at(block, point * self.work.next.items() + ray) as usize
    }

    #[inline(always)]
    fn by_position(&self, (point, ray): (usize, usize)) -> Option<[f64; 3]> {
        let (by_share, [x, y, z]) = (self.work.by_share.at(point, self.row), self.work.share_per_km.at(point, ray));
        Some([by_share * x, by_share * y, by_share * z])
    }
}

impl<'a> BatchAir<'a> for Track<'a, f64> {
    const COUNT: &'static str = "jacobian_count_track";
    const TRACE: &'static str = "jacobian_trace_track";
    const STEPS: &'static str = "jacobian_steps_track";
    const RATIOS: &'static str = "jacobian_ratios_track";
    const ROWS: &'static str = "jacobian_rows_track";
    type Levels = TrackLevels<'a>;

    #[inline(always)]
    fn of(batch: &Batch<'a>, case: &Case, number: usize) -> Self {
        let [lowest_km, highest_km] = case.ends_km;
        Track { levels: batch.profile(number), feet: batch.feet.column(number), lowest_km, highest_km }
    }

    #[inline(always)]
    fn in_atmosphere(batch: &Batch<'a>, _: &Case, number: usize, level: usize) -> usize {
        batch.in_atmosphere.at(level, number) as usize
    }

    #[inline(always)]
    fn keep(work: &Work<'a>, point: usize, ray: usize, read: <Self as Differentiable>::Read) {
        let TrackRead { intervals, share_per_km } = read;
        let (of_track, item) = (&work.track, point * work.track.next.items() + ray);
        for number in 0..of_track.lower.levels() {
            of_track.lower.set(number, item, NO_LEVEL);
        }
        for number in 0..MOST_INTERVALS {
            if number < intervals.count as usize {
                of_track.lower.set(number, item, intervals.lower[number]);
            }
        }
        of_track.share_per_km.set(point, ray, share_per_km);
    }

    #[inline(always)]
    fn levels(work: &Work<'a>, row: usize) -> TrackLevels<'a> {
        TrackLevels { work: work.track, row }
    }

    #[inline(always)]
    fn next_profile(work: &Work<'a>, point: usize, ray: usize) -> Option<NextProfile> {
        Some(work.track.next.at(point, ray))
    }
}
