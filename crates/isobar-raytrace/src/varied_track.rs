//! Profiles along a track in which the levels that a step reads are variables, without a copy of them.
//!
//! A point lies in an interval between levels of two profiles, and a step reads the air at five points: where it
//! begins, and where the gradient of refractivity is taken. So it reads up to ten intervals, mostly two to four. Each
//! has a block of variables by itself, in the order in which the step reads them first: pressure and temperature of its
//! lower level, then of its upper one. A level of two intervals is a variable of both, and its derivative their sum.

use core::cell::Cell;

use isobar_core::Dual;
use nalgebra::Vector3;

use crate::air::Air;
use crate::constants::EARTH_RADIUS_KM;
use crate::geodesy::unit;
use crate::path::Point;
use crate::profile::{Level, Levels};
use crate::sensitivity::{BLOCK, Differentiable, FIXED, RESULTS, Role, TracedPoint, leg};
use crate::trace::StepRules;
use crate::track::{Between, Track, share, vector};
use crate::varied::Varied;

/// The most intervals that a step reads: of two profiles at each of five points.
pub const MOST_INTERVALS: usize = 10;

/// The intervals that a step reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intervals {
    /// The lower level of each.
    pub lower: [u32; MOST_INTERVALS],
    /// Their number.
    pub count: u32,
}

impl Intervals {
    /// The number of an interval, which is a new one where it has not been read before.
    #[inline(always)]
    fn number(&mut self, interval: usize) -> usize {
        // No index that changes: a GPU keeps the array in registers.
        for (number, lower) in self.lower.iter_mut().enumerate() {
            if number == self.count as usize {
                *lower = interval as u32;
                self.count += 1;
            }
            if *lower == interval as u32 {
                return number;
            }
        }
        unreachable_interval()
    }
}

/// There are no more: see [`MOST_INTERVALS`].
#[inline(always)]
fn unreachable_interval() -> usize {
    debug_assert!(false, "a step reads ten intervals at most");
    MOST_INTERVALS
}

/// What a step along a track reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackRead {
    /// Intervals of the levels.
    pub intervals: Intervals,
    /// The derivatives of the next profile's share where the step begins by its position \[1/km\], if they are among
    /// the variables.
    pub share_per_km: [f64; 3],
}

/// Profiles of plain numbers, seen with `N` variables.
pub(crate) struct VariedTrack<'a, const N: usize> {
    track: Track<'a, f64>,
    /// The number of the first of the variables.
    first: usize,
    /// What has been read so far.
    intervals: Cell<Intervals>,
}

/// A place between two profiles.
#[derive(Clone, Copy)]
pub(crate) struct VariedBetween<const N: usize> {
    between: Between<Dual<f64, N>>,
    /// The numbers of the two intervals among those that the step reads.
    numbers: [usize; 2],
}

impl<'a, const N: usize> VariedTrack<'a, N> {
    /// One profile, with the levels of an interval as variables.
    #[inline(always)]
    fn varied(&self, interval: usize, number: usize) -> Varied<'a, N> {
        let pressure = FIXED + BLOCK * number;
        Varied { profile: self.track.levels, first_level: interval, pressure, first: self.first }
    }

    /// The profiles at both sides of a place, with their variables.
    #[inline(always)]
    fn both(&self, place: &VariedBetween<N>) -> [Varied<'a, N>; 2] {
        let ([here, there], [first, second]) = (&place.between.levels, place.numbers);
        [self.varied(here.interval, first), self.varied(there.interval, second)]
    }
}

impl<const N: usize> Air<Dual<f64, N>> for VariedTrack<'_, N> {
    type Place = VariedBetween<N>;

    #[inline(always)]
    fn place(&self, x: Vector3<Dual<f64, N>>, height_km: Dual<f64, N>, guess: usize) -> VariedBetween<N> {
        let surface = unit(x) * Dual::constant(EARTH_RADIUS_KM);
        let plain = Vector3::new(surface[0].value, surface[1].value, surface[2].value);
        let neighbours = self.track.neighbours(plain);
        let constant = |x: Vector3<f64>| Vector3::new(Dual::constant(x[0]), Dual::constant(x[1]), Dual::constant(x[2]));
        let share = share(surface, [constant(vector(&neighbours[0])), constant(vector(&neighbours[1]))]);
        let [here, there] = self.track.intervals(&neighbours, height_km.value, guess);
        let mut intervals = self.intervals.get();
        let numbers = [intervals.number(here), intervals.number(there)];
        self.intervals.set(intervals);
        let levels = [
            self.varied(here, numbers[0]).level(here, height_km),
            self.varied(there, numbers[1]).level(there, height_km),
        ];
        VariedBetween { between: Between { levels, share }, numbers }
    }

    #[inline(always)]
    fn interval(place: &VariedBetween<N>) -> usize {
        place.between.levels[0].interval
    }

    #[inline(always)]
    fn pressure_there(&self, place: &VariedBetween<N>) -> Dual<f64, N> {
        let ([near, next], [here, there]) = (self.both(place), &place.between.levels);
        place.between.mix(near.pressure_at(here), next.pressure_at(there))
    }

    #[inline(always)]
    fn temperature_there(&self, place: &VariedBetween<N>) -> Dual<f64, N> {
        let ([near, next], [here, there]) = (self.both(place), &place.between.levels);
        place.between.mix(near.temperature_at(here), next.temperature_at(there))
    }
}

impl Differentiable for Track<'_, f64> {
    type Read = TrackRead;

    #[inline(always)]
    fn touched(
        &self,
        rules: &StepRules<f64>,
        point: &Point<f64>,
        direction: Vector3<f64>,
        interval: usize,
        role: Role,
    ) -> usize {
        let here = TracedPoint::new(point, direction, interval);
        // The step itself, without derivatives.
        let (_, read) = self.leg::<0>(rules, &here, role, 0);
        2 * read.intervals.count as usize
    }

    #[inline(always)]
    fn leg<const N: usize>(
        &self,
        rules: &StepRules<f64>,
        here: &TracedPoint,
        role: Role,
        first: usize,
    ) -> ([[f64; N]; RESULTS], TrackRead) {
        let varied = VariedTrack::<N> { track: *self, first, intervals: Cell::default() };
        let (results, place) = leg(self, &varied, rules, here, role, first);
        let mut share_per_km = [0.0; 3];
        for (by_axis, derivative) in share_per_km.iter_mut().zip(&place.between.share.derivative) {
            *by_axis = *derivative;
        }
        (results, TrackRead { intervals: varied.intervals.get(), share_per_km })
    }

    #[inline(always)]
    fn nearest(place: &Between<f64>) -> Level<f64> {
        place.levels[0]
    }

    #[inline(always)]
    fn between(place: &Between<f64>) -> Option<Between<f64>> {
        Some(*place)
    }
}
