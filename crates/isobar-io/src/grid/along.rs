//! Places below rays.

use isobar_core::Real;
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Ray, geodesy};

use super::GridPlace;

/// Where the air ends, if nothing says so \[km\].
pub(super) const TOP_KM: f64 = 80.0;

/// Places at the surface below the straight lines of sight of rays, from where each is lowest outwards in steps of
/// `spacing_km` and up to where it leaves the air at `top_km`. A place that lies within half a step of an earlier one
/// is left out, so that a scan gives one track. Times are those of the rays.
#[must_use]
pub fn places_along(rays: &[Ray], spacing_km: f64, top_km: f64) -> Vec<GridPlace> {
    places_and_delay(rays, spacing_km, top_km).0
}

/// The same, and the longest time \[s\] between a ray and the earlier one that has given the place for it.
pub(super) fn places_and_delay(rays: &[Ray], spacing_km: f64, top_km: f64) -> (Vec<GridPlace>, f64) {
    let mut feet: Vec<([f64; 3], f64)> = Vec::new();
    let mut places = Vec::new();
    let mut delay_s: f64 = 0.0;
    for ray in rays {
        let cartesian =
            |p: &isobar_raytrace::Position| geodesy::to_cartesian(p.height_km, p.longitude_deg, p.latitude_deg);
        let (observer, view_point) = (cartesian(&ray.observer), cartesian(&ray.view_point));
        let direction = geodesy::unit(view_point - observer);
        // The point nearest to the Earth's centre, and how far from it the line meets the top and the surface.
        let nearest = -geodesy::dot(observer, direction);
        let foot = observer + direction * nearest;
        let square = geodesy::dot(foot, foot);
        let chord = |radius: f64| (radius * radius > square).then(|| (radius * radius - square).sqrt());
        let (mut first, mut last) = match chord(EARTH_RADIUS_KM + top_km) {
            Some(half) => (nearest - half, nearest + half),
            None => (nearest, nearest),
        };
        first = first.max(0.0);
        if let Some(half) = chord(EARTH_RADIUS_KM)
            && nearest - half >= 0.0
        {
            last = nearest - half;
        }
        if last < first {
            continue;
        }
        let lowest = nearest.max(first).min(last);
        // Angles at the Earth's centre from the nearest point.
        let distance = square.sqrt();
        let angle = |along: f64| Real::atan2(along - nearest, distance);
        let step = spacing_km / EARTH_RADIUS_KM;
        let start = angle(lowest);
        let mut add = |along: f64| {
            let surface = geodesy::unit(observer + direction * along) * EARTH_RADIUS_KM;
            let foot = [surface[0], surface[1], surface[2]];
            let apart = |other: &[f64; 3]| (0..3).map(|i| (foot[i] - other[i]) * (foot[i] - other[i])).sum::<f64>();
            if let Some((_, time_s)) = feet.iter().find(|(other, _)| apart(other) < 0.25 * spacing_km * spacing_km) {
                delay_s = delay_s.max((ray.time_s - time_s).abs());
            } else {
                feet.push((foot, ray.time_s));
                let (_, longitude_deg, latitude_deg) = geodesy::from_cartesian(surface);
                places.push(GridPlace { longitude_deg, latitude_deg, time_s: Some(ray.time_s) });
            }
        };
        add(lowest);
        for end in [first, last] {
            let whole = ((angle(end) - start) / step).abs().floor() as usize;
            let sign = if end < lowest { -1.0 } else { 1.0 };
            for i in 1..=whole {
                add(nearest + distance * Real::tan(start + sign * step * i as f64));
            }
            add(end);
        }
    }
    (places, delay_s)
}
