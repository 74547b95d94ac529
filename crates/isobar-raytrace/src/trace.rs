//! One refracted path, from the observer or the top of the atmosphere to the ground or to space.

use isobar_core::{Real, Status};
use nalgebra::Vector3;

use crate::air::{Air, Atmospheric};
use crate::geodesy::{dot, from_cartesian, height_km, norm, to_cartesian, unit};
use crate::limits::{ENTRY_MARGIN_KM, ENTRY_TOLERANCE_KM, MOST_HALVINGS, REFRACTION_TOP_KM};
use crate::path::{PathSummary, Point};
use crate::refraction::{gradient, refractivity};
use crate::status;
use crate::tangent::Lowest;

/// How a path is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct StepRules<R> {
    /// The longest step \[km\].
    pub length_km: R,
    /// The largest change of height in a step \[km\]; zero or less: no such limit.
    pub height_km: R,
    /// The height of the surface \[km\]; paths end there, or at the lowest level if that is higher.
    pub surface_height_km: R,
    /// 1: rays bend; 0: they are straight.
    pub refraction: u32,
    /// A path of more points is given up with [`status::TOO_MANY_POINTS`].
    pub max_points: u32,
}

/// The two end points of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct LineOfSight<R> {
    /// The observer: height \[km\], longitude, latitude \[deg\].
    pub observer_km_deg: [R; 3],
    /// The view point, in the same coordinates.
    pub view_point_km_deg: [R; 3],
}

/// Follows one ray and hands each point to `visit(index, point, direction, place among the levels)`; a later call
/// `shorten(index, step)` corrects the step of the point before the last.
///
/// Integration by the midpoint rule of Hase and Hoepfner (1999), as JURASSIC does it.
#[inline(always)]
pub fn trace<R: Real, A: Atmospheric<R>>(
    air: &A,
    rules: &StepRules<R>,
    sight: &LineOfSight<R>,
    mut visit: impl FnMut(usize, &Point<R>, Vector3<R>, &A::Place),
    mut shorten: impl FnMut(usize, R),
) -> (PathSummary<R>, Status) {
    let bottom = air.lowest_km().max(rules.surface_height_km);
    let top = air.highest_km();

    let [observer_height, longitude, latitude] = sight.observer_km_deg;
    let observer = to_cartesian(observer_height, longitude, latitude);
    let [view_height, longitude, latitude] = sight.view_point_km_deg;
    let view_point = to_cartesian(view_height, longitude, latitude);
    let mut summary = PathSummary {
        tangent_height_km: view_height,
        tangent_longitude_deg: longitude,
        tangent_latitude_deg: latitude,
        ..PathSummary::default()
    };
    if observer_height < bottom {
        return (summary, status::OBSERVER_BELOW_GROUND);
    }
    if view_height > top {
        return (summary, Status::OK);
    }

    let mut direction = unit(view_point - observer);
    if !(direction[0] + direction[1] + direction[2]).is_finite() {
        return (summary, status::NO_DIRECTION);
    }
    let mut x = if observer_height > top { entry(observer, view_point, direction, top) } else { observer };

    let mut lowest = Lowest::new();
    let first = x;
    let mut before = (x, R::ZERO); // position and height of the point before
    let mut interval = usize::MAX;
    let mut index = 0;
    loop {
        if index >= rules.max_points as usize {
            return (summary, status::TOO_MANY_POINTS);
        }
        let mut step = step_length_km(rules, x, direction);

        // The path ends where it crosses the ground or the top: cut the last step there.
        let mut height = height_km(x);
        let mut end = false;
        if index > 0 && (height < bottom || height > top) {
            end = true;
            let bound = if height < bottom { bottom } else { top };
            summary.hits_ground = u32::from(height < bottom);
            let shortened;
            (x, shortened) = cut(before, x, bound, step);
            height = height_km(x);
            shorten(index - 1, shortened);
            lowest.shorten_step(index - 1, shortened);
            step = R::ZERO;
        }

        let place = air.place(x, height, interval);
        interval = A::interval(&place);
        let pressure = air.pressure_there(&place);
        let temperature = air.temperature_there(&place);
        let point = Point {
            position_km: x,
            height_km: height,
            pressure_hpa: pressure,
            temperature_k: temperature,
            step_km: step,
        };
        visit(index, &point, direction, &place);
        lowest.add(index, x, height, step);
        index += 1;
        if end {
            let (_, longitude, latitude) = from_cartesian(x);
            summary.last_temperature_k = temperature;
            summary.last_longitude_deg = longitude;
            summary.last_latitude_deg = latitude;
            summary.cos_incidence = cos_incidence(first, x);
            break;
        }

        before = (x, height);
        (x, direction) = advance(air, rules, &point, direction, interval);
    }

    let (height, longitude, latitude) = lowest.tangent_point(index);
    summary.points = index as u32;
    summary.tangent_height_km = height;
    summary.tangent_longitude_deg = longitude;
    summary.tangent_latitude_deg = latitude;
    (summary, Status::OK)
}

/// The length of the step that leaves a point \[km\].
#[inline(always)]
pub(crate) fn step_length_km<R: Real>(rules: &StepRules<R>, x: Vector3<R>, direction: Vector3<R>) -> R {
    let mut step = rules.length_km;
    if rules.height_km > R::ZERO {
        let cosine = dot(direction, x) / norm(x);
        if cosine != R::ZERO {
            step = step.min(rules.height_km / cosine.abs());
        }
    }
    step
}

/// Position and direction one step beyond a point. `interval` is the point's in the profile.
#[inline(always)]
pub(crate) fn advance<R: Real>(
    air: &impl Air<R>,
    rules: &StepRules<R>,
    point: &Point<R>,
    direction: Vector3<R>,
    interval: usize,
) -> (Vector3<R>, Vector3<R>) {
    let half_step = R::from_f64(0.5) * point.step_km;
    let next = if bends(rules, point.height_km) {
        let n = R::ONE + refractivity(point.pressure_hpa, point.temperature_k);
        let slope = gradient(air, point.position_km + direction * half_step, interval);
        unit(direction * n + slope * point.step_km)
    } else {
        direction
    };
    (point.position_km + (direction + next) * half_step, next)
}

/// Does a ray bend at a height?
#[inline(always)]
pub(crate) fn bends<R: Real>(rules: &StepRules<R>, height_km: R) -> bool {
    rules.refraction != 0 && height_km <= R::from_f64(REFRACTION_TOP_KM)
}

/// Cuts the step from `before`, a position and its height, to `x` beyond the height `bound`: where it ends, and its
/// length. `step` is the one that would leave `x`.
#[inline(always)]
pub(crate) fn cut<R: Real>(before: (Vector3<R>, R), x: Vector3<R>, bound: R, step: R) -> (Vector3<R>, R) {
    let fraction = (bound - before.1) / (height_km(x) - before.1);
    // JURASSIC scales the step computed here, beyond the boundary, not the one that was taken.
    (before.0 + (x - before.0) * fraction, step * fraction)
}

/// Cosine of the angle between the local vertical at the end of a path and the straight line to its beginning.
#[inline(always)]
#[must_use]
pub fn cos_incidence<R: Real>(first: Vector3<R>, last: Vector3<R>) -> R {
    dot(unit(first - last), unit(last))
}

/// Where the straight line from an observer above the atmosphere enters it: at most 1 m below the top.
#[inline(always)]
fn entry<R: Real>(observer: Vector3<R>, view_point: Vector3<R>, direction: Vector3<R>, top: R) -> Vector3<R> {
    let tolerance = R::from_f64(ENTRY_TOLERANCE_KM);
    let (mut near, mut far) = (R::ZERO, norm(view_point - observer));
    let mut x = observer;
    for _ in 0..MOST_HALVINGS {
        if far - near < tolerance {
            break;
        }
        let distance = R::from_f64(0.5) * (near + far);
        x = observer + direction * distance;
        let height = height_km(x);
        if height <= top && height > top - tolerance {
            break;
        }
        if height < top - R::from_f64(ENTRY_MARGIN_KM) {
            far = distance;
        } else {
            near = distance;
        }
    }
    x
}
