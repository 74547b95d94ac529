//! Vertical profiles along a track: an atmosphere that varies horizontally, as JURASSIC's two-dimensional one.
//!
//! Each point of a path lies between the two profiles that are nearest to it at the Earth's surface. Both are
//! interpolated in height, then linearly between them by the point's projection on the line that joins them; beyond
//! either end the nearer one counts alone.

use isobar_core::{Column, Real, bracket};
use nalgebra::Vector3;

use crate::air::{Air, Atmospheric};
use crate::constants::EARTH_RADIUS_KM;
use crate::geodesy::{dot, unit};
use crate::profile::{Level, Levels, Profile};

/// Where a profile of a track stands, and which levels are its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Foot<R> {
    /// Cartesian position at the Earth's surface \[km\].
    pub position_km: [R; 3],
    /// The first of its levels.
    pub first: u32,
    /// Their number, at least 2.
    pub levels: u32,
}

/// A view of the profiles of a track.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Track<'a, R> {
    /// The levels of all profiles, one profile after the other, each with heights ascending.
    pub levels: Profile<'a, R>,
    /// The profiles, at least 2.
    pub feet: Column<'a, Foot<R>>,
    /// The lowest of all levels \[km\].
    pub lowest_km: R,
    /// The highest of all levels \[km\].
    pub highest_km: R,
}

/// A place between two profiles.
#[derive(Clone, Copy, Debug)]
pub struct Between<R> {
    /// In the nearest profile and in the next.
    pub levels: [Level<R>; 2],
    /// What the next one counts.
    pub share: R,
}

impl<R: Real> Between<R> {
    /// What is `here` in the nearest profile and `there` in the next.
    #[inline(always)]
    #[must_use]
    pub fn mix(&self, here: R, there: R) -> R {
        (R::ONE - self.share) * here + self.share * there
    }
}

impl<R: Real> Track<'_, R> {
    /// The nearest profile and the next; of two as near, the later one.
    #[inline(always)]
    pub(crate) fn neighbours(&self, surface: Vector3<R>) -> [Foot<R>; 2] {
        let distance = |foot: &Foot<R>| {
            let away = surface - vector(foot);
            dot(away, away)
        };
        let (mut near, mut next) = (self.feet.at(0), self.feet.at(1));
        let (mut to_near, mut to_next) = (distance(&near), distance(&next));
        if to_next <= to_near {
            (near, next, to_near, to_next) = (next, near, to_next, to_near);
        }
        for i in 2..self.feet.len() {
            let foot = self.feet.at(i);
            let to_foot = distance(&foot);
            if to_foot <= to_near {
                (next, to_next) = (near, to_near);
                (near, to_near) = (foot, to_foot);
            } else if to_foot <= to_next {
                (next, to_next) = (foot, to_foot);
            }
        }
        [near, next]
    }

    /// The intervals of the nearest profile and of the next that hold a height.
    #[inline(always)]
    pub(crate) fn intervals(&self, [near, next]: &[Foot<R>; 2], height_km: R, guess: usize) -> [usize; 2] {
        let here = self.interval_of(near, height_km, guess);
        // Profiles of a track mostly have the same heights.
        [here, self.interval_of(next, height_km, here - near.first as usize + next.first as usize)]
    }

    #[inline(always)]
    fn interval_of(&self, foot: &Foot<R>, height_km: R, guess: usize) -> usize {
        let (first, count) = (foot.first as usize, foot.levels as usize);
        first + bracket::walk(count, |i| self.levels.height_km.at(first + i), height_km, guess.saturating_sub(first))
    }
}

/// What the next profile counts at a place of the Earth's surface, by the positions of the nearest and the next.
#[inline(always)]
pub(crate) fn share<R: Real>(surface: Vector3<R>, [near, next]: [Vector3<R>; 2]) -> R {
    let apart = next - near;
    (dot(surface - near, apart) / dot(apart, apart)).max(R::ZERO).min(R::ONE)
}

#[inline(always)]
pub(crate) fn vector<R: Real>(foot: &Foot<R>) -> Vector3<R> {
    let [x, y, z] = foot.position_km;
    Vector3::new(x, y, z)
}

impl<R: Real> Air<R> for Track<'_, R> {
    type Place = Between<R>;

    #[inline(always)]
    fn place(&self, x: Vector3<R>, height_km: R, guess: usize) -> Between<R> {
        let surface = unit(x) * R::from_f64(EARTH_RADIUS_KM);
        let neighbours = self.neighbours(surface);
        let share = share(surface, [vector(&neighbours[0]), vector(&neighbours[1])]);
        let [here, there] = self.intervals(&neighbours, height_km, guess);
        Between { levels: [self.levels.level(here, height_km), self.levels.level(there, height_km)], share }
    }

    #[inline(always)]
    fn interval(place: &Between<R>) -> usize {
        place.levels[0].interval
    }

    #[inline(always)]
    fn pressure_there(&self, place: &Between<R>) -> R {
        let [here, there] = &place.levels;
        place.mix(self.levels.pressure_at(here), self.levels.pressure_at(there))
    }

    #[inline(always)]
    fn temperature_there(&self, place: &Between<R>) -> R {
        let [here, there] = &place.levels;
        place.mix(self.levels.temperature_at(here), self.levels.temperature_at(there))
    }
}

impl<R: Real> Atmospheric<R> for Track<'_, R> {
    const COUNT_POINTS: &'static str = "count_points_track";
    const TRACE_PATHS: &'static str = "trace_paths_track";

    #[inline(always)]
    fn lowest_km(&self) -> R {
        self.lowest_km
    }

    #[inline(always)]
    fn highest_km(&self) -> R {
        self.highest_km
    }

    #[inline(always)]
    fn gas_count(&self) -> usize {
        self.levels.gases()
    }

    #[inline(always)]
    fn window_count(&self) -> usize {
        self.levels.windows()
    }

    #[inline(always)]
    fn mixing_ratio_there(&self, place: &Between<R>, gas: usize) -> R {
        let [here, there] = &place.levels;
        place.mix(self.levels.mixing_ratio(here, gas), self.levels.mixing_ratio(there, gas))
    }

    #[inline(always)]
    fn extinction_there(&self, place: &Between<R>, window: usize) -> R {
        let [here, there] = &place.levels;
        place.mix(self.levels.extinction_per_km(here, window), self.levels.extinction_per_km(there, window))
    }
}
