//! How a path follows the state of the atmosphere: derivatives of every point with respect to pressure and temperature at the levels.
//!
//! A path is a recursion: each step takes a position and a direction to the next, and asks the profile on the way. So a step is computed with
//! dual numbers whose variables are its position, its direction and the few levels that it touches, and derivatives of whatever
//! depends on the path are pulled back from its end to its beginning ([`PathSensitivity::pull_back`]). The cost of both
//! grows with the points of the path, not with the levels of the profile.

use isobar_core::{Column, Dual, Real};
use nalgebra::Vector3;

use crate::atmosphere::{ProfileData, log_pressure_slope};
use crate::geodesy::{height_km, to_cartesian, unit};
use crate::path::Point;
use crate::profile::Profile;
use crate::trace::{LineOfSight, StepRules, advance, bends, cut, step_length_km};

/// Levels that a leg has variables for; a step across more of them takes several legs.
const LEVELS: usize = 4;
/// Variables of a leg: position (3), direction (3), pressure and temperature of the levels, and the height of the surface.
const VARIABLES: usize = 16;
const PRESSURE: usize = 6;
const TEMPERATURE: usize = PRESSURE + LEVELS;
const SURFACE: usize = TEMPERATURE + LEVELS;
/// Results of a leg: height, pressure, temperature, step, and position and direction at the next point.
const RESULTS: usize = 10;

type Number = Dual<f64, VARIABLES>;

/// A step, differentiated.
#[derive(Clone, Debug)]
struct Leg {
    /// The point that it leaves.
    point: usize,
    /// The first level that it has variables for.
    first_level: usize,
    /// Does it stand for position and direction, too? Of several legs of a step, the first does.
    leads: bool,
    derivatives: [[f64; VARIABLES]; RESULTS],
}

/// Derivatives of a number by what a path has at its points.
#[derive(Clone, Debug, Default)]
pub struct AtPoints {
    /// By the height of each point \[1/km\], where pressure and temperature are those of before.
    pub height_km: Vec<f64>,
    /// By pressure \[1/hPa\].
    pub pressure_hpa: Vec<f64>,
    /// By temperature \[1/K\].
    pub temperature_k: Vec<f64>,
    /// By the length of the segment \[1/km\].
    pub length_km: Vec<f64>,
    /// By the Cartesian position of the last point \[1/km\].
    pub last_position_km: [f64; 3],
}

impl AtPoints {
    /// Zeros for so many points, in the room that is there.
    pub fn clear(&mut self, points: usize) {
        for values in [&mut self.height_km, &mut self.pressure_hpa, &mut self.temperature_k, &mut self.length_km] {
            values.clear();
            values.resize(points, 0.0);
        }
        self.last_position_km = [0.0; 3];
    }
}

/// Does the path follow the state?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Geometry {
    /// It does, as for finite differences of a model.
    #[default]
    Moving,
    /// It stays where it is.
    Frozen,
}

/// The derivatives of a path.
#[derive(Clone, Debug, Default)]
pub struct PathSensitivity {
    legs: Vec<Leg>,
}

impl PathSensitivity {
    /// Differentiates a path that [`crate::trace::trace`] found: all its points, of which there are at least 2. Of a frozen path, only what lies at
    /// the points is differentiated, not where they are.
    #[must_use]
    #[inline(always)]
    pub fn along(
        data: &ProfileData<f64>,
        rules: &StepRules<f64>,
        sight: &LineOfSight<f64>,
        points: &[Point<f64>],
        hits_ground: bool,
        geometry: Geometry,
    ) -> Self {
        let profile = data.view();
        let mut window = Window::new(data);
        let place = |[height, longitude, latitude]: [f64; 3]| to_cartesian(height, longitude, latitude);
        let mut direction = unit(place(sight.view_point) - place(sight.observer));
        let bottom = profile.bottom_km();
        let mut bound = Number::constant(profile.top_km());
        if hits_ground {
            bound = Number::constant(bottom).max(Number::variable(rules.surface_height_km, SURFACE));
        }
        let rules_of_numbers = StepRules {
            length_km: Number::constant(rules.length_km),
            height_km: Number::constant(rules.height_km),
            surface_height_km: Number::constant(rules.surface_height_km),
            refraction: rules.refraction,
            max_points: rules.max_points,
        };
        let mut legs = Vec::with_capacity(points.len());
        let mut interval = 0;
        for (index, point) in points.iter().enumerate() {
            let is_last = index + 1 == points.len() || geometry == Geometry::Frozen;
            interval = profile.locate(point.height_km, interval).interval;
            let touched = touched(&profile, rules, point, direction, interval, is_last);
            let mut first = window.first_for(touched);
            let mut leads = true;
            direction = loop {
                window.open(data, first);
                let leg = differentiate(&window.profile(), &rules_of_numbers, point, direction, interval, is_last);
                let (mut next, mut step) = (leg.next, leg.step);
                if index + 2 == points.len() && !is_last {
                    // The step that leaves the point beyond the boundary scales the last one.
                    let beyond = step_length_km(&rules_of_numbers, next.0, next.1);
                    (next.0, step) = cut((leg.position, leg.height), next.0, bound, beyond);
                }
                let results = [
                    leg.height,
                    leg.pressure,
                    leg.temperature,
                    step,
                    next.0[0],
                    next.0[1],
                    next.0[2],
                    next.1[0],
                    next.1[1],
                    next.1[2],
                ];
                legs.push(Leg {
                    point: index,
                    first_level: first,
                    leads,
                    derivatives: results.map(|result| result.derivative),
                });
                if first + LEVELS > touched.1 || first + LEVELS >= window.levels {
                    break next.1.map(|x| x.value);
                }
                first += LEVELS;
                leads = false;
            };
        }
        Self { legs }
    }

    /// Adds derivatives by pressure and temperature at the levels, heights ascending, and returns that by the height of the surface \[1/km\].
    #[must_use]
    #[inline(always)]
    pub fn pull_back(
        &self,
        at: &AtPoints,
        geometry: Geometry,
        pressure_hpa: &mut [f64],
        temperature_k: &mut [f64],
    ) -> f64 {
        let last = at.length_km.len().wrapping_sub(1);
        let mut surface = 0.0;
        // By position and direction of the point that a leg leads to.
        let mut next = [0.0; 6];
        let mut here = [0.0; 6];
        for leg in self.legs.iter().rev() {
            let i = leg.point;
            let mut weights = [0.0; RESULTS];
            weights[1] = at.pressure_hpa[i];
            weights[2] = at.temperature_k[i];
            if geometry == Geometry::Moving {
                weights[0] = at.height_km[i];
                if i < last {
                    // A step is half of the segments that it joins.
                    weights[3] = 0.5 * (at.length_km[i] + at.length_km[i + 1]);
                    weights[4..].copy_from_slice(&next);
                }
            }
            let mut sums = [0.0; VARIABLES];
            for (weight, derivatives) in weights.iter().zip(&leg.derivatives) {
                for (sum, derivative) in sums.iter_mut().zip(derivatives) {
                    *sum += weight * derivative;
                }
            }
            for level in 0..LEVELS.min(pressure_hpa.len() - leg.first_level) {
                pressure_hpa[leg.first_level + level] += sums[PRESSURE + level];
                temperature_k[leg.first_level + level] += sums[TEMPERATURE + level];
            }
            if leg.leads {
                here.copy_from_slice(&sums[..6]);
                if i == last {
                    (0..3).for_each(|axis| here[axis] += at.last_position_km[axis]);
                }
                surface += sums[SURFACE];
                next = here;
            }
        }
        surface
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
    is_last: bool,
) -> (usize, usize) {
    let (mut low, mut high) = (interval, interval);
    if !is_last && bends(rules, point.height_km) {
        // The gradient is taken half a step ahead, by differences over less than this.
        let ahead =
            height_km(point.position_km + direction * (0.5 * step_length_km(rules, point.position_km, direction)));
        for height in [ahead - 0.03, ahead + 0.03] {
            let interval = profile.locate(height, interval).interval;
            (low, high) = (low.min(interval), high.max(interval));
        }
    }
    (low, high + 1)
}

/// A step in dual numbers.
struct Step {
    position: Vector3<Number>,
    height: Number,
    pressure: Number,
    temperature: Number,
    step: Number,
    next: (Vector3<Number>, Vector3<Number>),
}

#[inline(always)]
fn differentiate(
    profile: &Profile<'_, Number>,
    rules: &StepRules<Number>,
    point: &Point<f64>,
    direction: Vector3<f64>,
    interval: usize,
    is_last: bool,
) -> Step {
    let variables = |values: Vector3<f64>, first: usize| {
        Vector3::new(
            Number::variable(values[0], first),
            Number::variable(values[1], first + 1),
            Number::variable(values[2], first + 2),
        )
    };
    let (position, direction) = (variables(point.position_km, 0), variables(direction, 3));
    let height = height_km(position);
    let level = profile.locate(height, interval);
    let (pressure, temperature) = (profile.pressure_hpa(&level), profile.temperature_k(&level));
    let mut step = Number::ZERO;
    let mut next = (position, direction);
    if !is_last {
        step = step_length_km(rules, position, direction);
        let point = Point {
            position_km: position,
            height_km: height,
            pressure_hpa: pressure,
            temperature_k: temperature,
            step_km: step,
        };
        next = advance(profile, rules, &point, direction, level.interval);
    }
    Step { position, height, pressure, temperature, step, next }
}

/// A profile of dual numbers in which some neighbouring levels are variables.
struct Window {
    levels: usize,
    first: Option<usize>,
    height_km: Vec<Number>,
    pressure_hpa: Vec<Number>,
    log_pressure_slope_per_km: Vec<Number>,
    temperature_k: Vec<Number>,
}

impl Window {
    fn new(data: &ProfileData<f64>) -> Self {
        let constants = |values: &[f64]| values.iter().map(|&x| Number::constant(x)).collect();
        Self {
            levels: data.height_km.len(),
            first: None,
            height_km: constants(&data.height_km),
            pressure_hpa: constants(&data.pressure_hpa),
            log_pressure_slope_per_km: constants(&data.log_pressure_slope_per_km),
            temperature_k: constants(&data.temperature_k),
        }
    }

    /// Where a window begins that shows the levels from `low` to `high`, or the first of them: the open one if it does.
    fn first_for(&self, (low, high): (usize, usize)) -> usize {
        if let Some(first) = self.first
            && first <= low
            && high < first + LEVELS
        {
            return first;
        }
        // Room on both sides, for a ray goes on up or down.
        let spare = (LEVELS - 1).saturating_sub(high - low);
        low.saturating_sub(spare / 2).min(self.levels.saturating_sub(LEVELS))
    }

    fn open(&mut self, data: &ProfileData<f64>, first: usize) {
        if self.first == Some(first) {
            return;
        }
        if let Some(before) = self.first {
            self.fill(data, before, |value, _| Number::constant(value));
        }
        self.fill(data, first, Number::variable);
        self.first = Some(first);
    }

    /// Makes numbers of the levels from `first` on, and of the slopes that they take part in.
    fn fill(&mut self, data: &ProfileData<f64>, first: usize, number: impl Fn(f64, usize) -> Number) {
        let end = self.levels.min(first + LEVELS);
        for level in first..end {
            self.pressure_hpa[level] = number(data.pressure_hpa[level], PRESSURE + level - first);
            self.temperature_k[level] = number(data.temperature_k[level], TEMPERATURE + level - first);
        }
        for i in first.saturating_sub(1)..end.min(self.levels - 1) {
            let (p, z) = (&self.pressure_hpa, &self.height_km);
            self.log_pressure_slope_per_km[i] = log_pressure_slope([p[i], p[i + 1]], [z[i], z[i + 1]]);
        }
    }

    fn profile(&self) -> Profile<'_, Number> {
        Profile {
            height_km: Column::from(self.height_km.as_slice()),
            pressure_hpa: Column::from(self.pressure_hpa.as_slice()),
            log_pressure_slope_per_km: Column::from(self.log_pressure_slope_per_km.as_slice()),
            temperature_k: Column::from(self.temperature_k.as_slice()),
            mixing_ratio: isobar_core::Field::empty(),
            extinction_per_km: isobar_core::Field::empty(),
        }
    }
}
