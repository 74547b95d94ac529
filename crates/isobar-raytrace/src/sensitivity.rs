//! How a path follows the state of the atmosphere: derivatives of every point with respect to pressure and temperature
//! at the levels.
//!
//! A path is a recursion: each step takes a position and a direction to the next, and asks the profile on the way. So a
//! step is computed with dual numbers whose variables are its position, its direction and the few levels that it
//! touches ([`Differentiable::leg`]), and derivatives of whatever depends on the path are pulled back from its end to
//! its beginning ([`Legs::pull_back`]). The cost of both grows with the points of the path, not with the levels of the
//! profile. Steps are differentiated each by itself, and each by some variables at a time: on a GPU that is work for
//! many threads with few registers each. The bits do not depend on how many.
//!
//! Along a track a step reads levels of some profiles, and what is read depends on the share of the next one, too,
//! which follows the position: [`crate::varied_track`].

use isobar_core::{Dual, FieldMut, Real};
use nalgebra::Vector3;

use crate::air::{Air, Atmospheric};
use crate::geodesy::height_km;
use crate::path::Point;
use crate::profile::{Level, Profile};
use crate::trace::{StepRules, advance, bends, cut, step_length_km};
use crate::track::Between;
pub use crate::varied::FIXED;
use crate::varied::{SURFACE, Varied, number};

/// Variables that stand together in memory.
pub const BLOCK: usize = 4;
/// Results of a leg: height, pressure, temperature, step, and position and direction at the next point.
pub const RESULTS: usize = 10;

/// Does the path follow the state?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Geometry {
    /// It does, as for finite differences of a model.
    #[default]
    Moving,
    /// It stays where it is.
    Frozen,
}

/// A point of a path with the direction in which the path leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct TracedPoint {
    /// Cartesian position \[km\].
    pub position_km: [f64; 3],
    /// Direction, of length 1.
    pub direction: [f64; 3],
    /// Height \[km\].
    pub height_km: f64,
    /// Pressure \[hPa\].
    pub pressure_hpa: f64,
    /// Temperature \[K\].
    pub temperature_k: f64,
    /// Step from this point to the next \[km\].
    pub step_km: f64,
    /// The interval of the profile.
    pub interval: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

impl TracedPoint {
    /// A point of a path, the direction in which the path leaves it, and its interval.
    #[inline(always)]
    #[must_use]
    pub fn new(point: &Point<f64>, direction: Vector3<f64>, interval: usize) -> Self {
        Self {
            position_km: [point.position_km[0], point.position_km[1], point.position_km[2]],
            direction: [direction[0], direction[1], direction[2]],
            height_km: point.height_km,
            pressure_hpa: point.pressure_hpa,
            temperature_k: point.temperature_k,
            step_km: point.step_km,
            interval: interval as u32,
            unused: 0,
        }
    }

    /// Where it is, in numbers that `number` makes of the axes.
    #[inline(always)]
    #[must_use]
    pub fn position<R: Real>(&self, number: impl Fn(f64, usize) -> R) -> Vector3<R> {
        let [x, y, z] = self.position_km;
        Vector3::new(number(x, 0), number(y, 1), number(z, 2))
    }

    #[inline(always)]
    fn point(&self) -> Point<f64> {
        Point {
            position_km: self.position(|x, _| x),
            height_km: self.height_km,
            pressure_hpa: self.pressure_hpa,
            temperature_k: self.temperature_k,
            step_km: self.step_km,
        }
    }
}

/// What a leg has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To take the path from one point to the next.
    Inner,
    /// To take it to its end, which is where it meets the ground (`true`) or the top of the atmosphere.
    Cut(bool),
    /// Nothing: the path ends here, or does not move.
    Last,
}

impl Role {
    /// That of a point, by its number.
    #[inline(always)]
    #[must_use]
    pub fn of(point: usize, points: usize, hits_ground: bool, frozen: bool) -> Self {
        if frozen || point + 1 >= points {
            Self::Last
        } else if point + 2 == points {
            Self::Cut(hits_ground)
        } else {
            Self::Inner
        }
    }
}

/// An atmosphere whose steps can be differentiated.
pub trait Differentiable: Atmospheric<f64> {
    /// What is known of a step beside its derivatives: which levels its variables are.
    type Read: Copy;

    /// The levels that a step reads: two variables each.
    fn touched(
        &self,
        rules: &StepRules<f64>,
        point: &Point<f64>,
        direction: Vector3<f64>,
        interval: usize,
        role: Role,
    ) -> usize;

    /// The derivatives of a step by the `N` variables from `first` on: position, direction and the height of the
    /// surface, then from number [`FIXED`] on pressure and temperature of each level that it reads.
    fn leg<const N: usize>(
        &self,
        rules: &StepRules<f64>,
        here: &TracedPoint,
        role: Role,
        first: usize,
    ) -> ([[f64; N]; RESULTS], Self::Read);

    /// A point in the profile, or in the nearest one of a track.
    fn nearest(place: &Self::Place) -> Level<f64>;

    /// A point between two profiles of a track.
    fn between(place: &Self::Place) -> Option<Between<f64>>;
}

impl Differentiable for Profile<'_, f64> {
    /// The first level; the others follow.
    type Read = usize;

    #[inline(always)]
    fn touched(
        &self,
        rules: &StepRules<f64>,
        point: &Point<f64>,
        direction: Vector3<f64>,
        interval: usize,
        role: Role,
    ) -> usize {
        let (low, high) = touched(self, rules, point, direction, interval, role);
        high - low + 1
    }

    #[inline(always)]
    fn leg<const N: usize>(
        &self,
        rules: &StepRules<f64>,
        here: &TracedPoint,
        role: Role,
        first: usize,
    ) -> ([[f64; N]; RESULTS], usize) {
        let [u, v, w] = here.direction;
        let plain = here.point();
        let (first_level, _) = touched(self, rules, &plain, Vector3::new(u, v, w), here.interval as usize, role);
        let varied = Varied::<N> { profile: *self, first_level, pressure: FIXED, first };
        let (results, _) = leg(self, &varied, rules, here, role, first);
        (results, first_level)
    }

    #[inline(always)]
    fn nearest(place: &Level<f64>) -> Level<f64> {
        *place
    }

    #[inline(always)]
    fn between(_: &Level<f64>) -> Option<Between<f64>> {
        None
    }
}

/// The first and the last level that a step reads.
#[inline(always)]
fn touched(
    profile: &Profile<'_, f64>,
    rules: &StepRules<f64>,
    point: &Point<f64>,
    direction: Vector3<f64>,
    interval: usize,
    role: Role,
) -> (usize, usize) {
    let (mut low, mut high) = (interval, interval);
    if role != Role::Last && bends(rules, point.height_km) {
        // The gradient is taken half a step ahead, by differences over less than this.
        let ahead =
            height_km(point.position_km + direction * (0.5 * step_length_km(rules, point.position_km, direction)));
        let below = profile.locate(ahead - 0.03, interval).interval;
        let above = profile.locate(ahead + 0.03, interval).interval;
        (low, high) = (low.min(below.min(above)), high.max(below.max(above)));
    }
    (low, high + 1)
}

/// The derivatives of a step, as of [`Differentiable::leg`], through air and the same `varied`, whose levels are
/// variables. Also returns where it begins.
#[inline(always)]
pub(crate) fn leg<const N: usize, A: Air<Dual<f64, N>>>(
    air: &impl Atmospheric<f64>,
    varied: &A,
    rules: &StepRules<f64>,
    here: &TracedPoint,
    role: Role,
    first: usize,
) -> ([[f64; N]; RESULTS], A::Place) {
    let constant = Dual::<f64, N>::constant;
    let [u, v, w] = here.direction;
    let rules_of_numbers = StepRules {
        length_km: constant(rules.length_km),
        height_km: constant(rules.height_km),
        surface_height_km: constant(rules.surface_height_km),
        refraction: rules.refraction,
        max_points: rules.max_points,
    };
    let position = here.position(|x, axis| number(first, x, axis));
    let direction = Vector3::new(number(first, u, 3), number(first, v, 4), number(first, w, 5));
    let height = height_km(position);
    let place = varied.place(position, height, here.interval as usize);
    let (pressure, temperature) = (varied.pressure_there(&place), varied.temperature_there(&place));
    let mut step = Dual::ZERO;
    let mut next = (position, direction);
    if role != Role::Last {
        step = step_length_km(&rules_of_numbers, position, direction);
        let point = Point {
            position_km: position,
            height_km: height,
            pressure_hpa: pressure,
            temperature_k: temperature,
            step_km: step,
        };
        next = advance(varied, &rules_of_numbers, &point, direction, A::interval(&place));
    }
    if let Role::Cut(hits_ground) = role {
        let mut bound = constant(air.highest_km());
        if hits_ground {
            bound = constant(air.lowest_km()).max(number(first, rules.surface_height_km, SURFACE));
        }
        // The step that leaves the point beyond the boundary scales the last one.
        let beyond = step_length_km(&rules_of_numbers, next.0, next.1);
        (next.0, step) = cut((position, height), next.0, bound, beyond);
    }
    let (to, then) = next;
    let results = [height, pressure, temperature, step, to[0], to[1], to[2], then[0], then[1], then[2]];
    (results.map(|result| result.derivative), place)
}

/// The derivatives of all steps of some paths.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Legs<'a> {
    /// The derivatives, [`BLOCK`] variables each: `(result * blocks + block, point * rays + ray)`.
    pub derivatives: FieldMut<'a, [f64; BLOCK]>,
    /// The first level that each step touches, `(point, ray)`; not along tracks.
    pub first_level: FieldMut<'a, u32>,
}

/// Which levels the variables of the steps of a path are.
pub trait StepLevels {
    /// What is known of a step.
    type Step: Copy;

    /// That of a point.
    fn step(&self, ray: usize, point: usize) -> Self::Step;
    /// The lower one of the two levels whose pressures and temperatures a block of variables has, the first block after
    /// [`FIXED`] being number 0; no level of the atmosphere where the step needs no such block.
    fn lower(&self, step: Self::Step, block: usize) -> usize;
    /// What else depends on the position of the point: the derivative of the number that is pulled back \[1/km\].
    fn by_position(&self, step: Self::Step) -> Option<[f64; 3]>;
}

impl StepLevels for Legs<'_> {
    /// The first level.
    type Step = usize;

    #[inline(always)]
    fn step(&self, ray: usize, point: usize) -> usize {
        self.first_level.at(point, ray) as usize
    }

    #[inline(always)]
    fn lower(&self, first_level: usize, block: usize) -> usize {
        first_level + 2 * block
    }

    #[inline(always)]
    fn by_position(&self, _: usize) -> Option<[f64; 3]> {
        None
    }
}

/// Derivatives of a number by what a path has at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct AtPoint {
    /// By the height of the point \[1/km\], where pressure and temperature are those of before.
    pub by_height_per_km: f64,
    /// By pressure \[1/hPa\].
    pub by_pressure_per_hpa: f64,
    /// By temperature \[1/K\].
    pub by_temperature_per_k: f64,
    /// By the length of the segment \[1/km\].
    pub by_length_per_km: f64,
}

impl Legs<'_> {
    /// Blocks of variables.
    #[inline(always)]
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.derivatives.levels() / RESULTS
    }

    /// Stores the `N` variables from `first` on of a point.
    #[inline(always)]
    pub fn store<const N: usize>(&self, ray: usize, point: usize, first: usize, results: &[[f64; N]; RESULTS]) {
        let (blocks, item) = (self.blocks(), point * self.first_level.items() + ray);
        for (result, derivatives) in results.iter().enumerate() {
            for (block, values) in derivatives.chunks_exact(BLOCK).enumerate() {
                let values = [values[0], values[1], values[2], values[3]];
                self.derivatives.set(result * blocks + first / BLOCK + block, item, values);
            }
        }
    }

    /// From derivatives of a number by what a path has at each of its points, and by the Cartesian position of the
    /// last, those by pressure and temperature at levels, heights ascending, which go to `add`, and that by the height
    /// of the surface \[1/km\]. `steps` says which levels variables are.
    #[inline(always)]
    #[must_use]
    pub fn pull_back(
        &self,
        steps: &impl StepLevels,
        ray: usize,
        points: usize,
        levels: usize,
        at: impl Fn(usize) -> AtPoint,
        last_position_km: [f64; 3],
        geometry: Geometry,
        mut add: impl FnMut(usize, [f64; 2]),
    ) -> f64 {
        let blocks = self.blocks();
        let mut surface = 0.0;
        // By position and direction of the point that a leg leads to.
        let mut next = [0.0; 6];
        let mut length_beyond = 0.0;
        // Lanes with shorter paths wait, so that all are at the same point.
        for point in (0..self.first_level.levels()).rev() {
            if point >= points {
                continue;
            }
            let here = at(point);
            let mut weights =
                [0.0, here.by_pressure_per_hpa, here.by_temperature_per_k, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            if geometry == Geometry::Moving {
                weights[0] = here.by_height_per_km;
                if point + 1 < points {
                    // A step is half of the segments that it joins.
                    weights[3] = 0.5 * (here.by_length_per_km + length_beyond);
                    [weights[4], weights[5], weights[6], weights[7], weights[8], weights[9]] = next;
                }
            }
            length_beyond = here.by_length_per_km;
            let item = point * self.first_level.items() + ray;
            let step = steps.step(ray, point);
            // Written out, so that a GPU keeps the weights in registers.
            macro_rules! sums {
                ($block:expr) => {
                    sums!($block, 0 1 2 3 4 5 6 7 8 9)
                };
                ($block:expr, $($result:literal)*) => {{
                    let mut sums = [0.0; BLOCK];
                    $(
                        let derivatives = self.derivatives.at($result * blocks + $block, item);
                        for (sum, derivative) in sums.iter_mut().zip(&derivatives) {
                            *sum += weights[$result] * *derivative;
                        }
                    )*
                    sums
                }};
            }
            for block in FIXED / BLOCK..blocks {
                let [pressure, temperature, pressure_above, temperature_above] = sums!(block);
                let level = steps.lower(step, block - FIXED / BLOCK);
                if level < levels {
                    add(level, [pressure, temperature]);
                }
                if level + 1 < levels {
                    add(level + 1, [pressure_above, temperature_above]);
                }
            }
            let [x, y, z, u] = sums!(0);
            let [v, w, by_surface, _] = sums!(1);
            next = [x, y, z, u, v, w];
            if let Some(by_position) = steps.by_position(step) {
                (0..3).for_each(|axis| next[axis] += by_position[axis]);
            }
            if point + 1 == points {
                (0..3).for_each(|axis| next[axis] += last_position_km[axis]);
            }
            surface += by_surface;
        }
        surface
    }
}
