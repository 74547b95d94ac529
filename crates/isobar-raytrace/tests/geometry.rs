//! Paths whose geometry is known.

use isobar_core::Real;
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, PathOptions, Position, Ray, trace_ray};
use proptest::prelude::*;

fn atmosphere() -> Atmosphere {
    let height_km: Vec<f64> = (0..=90).map(f64::from).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * Real::exp(-z / 7.0)).collect();
    let temperature_k = height_km.iter().map(|z| 250.0 + 30.0 * Real::cos(z / 12.0)).collect();
    Atmosphere::new(height_km, pressure_hpa, temperature_k).unwrap()
}

/// A ray from 780 km whose straight tangent point is the view point.
fn limb(height_km: f64) -> Ray {
    let angle = Real::acos((EARTH_RADIUS_KM + height_km) / (EARTH_RADIUS_KM + 780.0));
    let position = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
    Ray { time_s: 0.0, observer: position(780.0, 0.0), view_point: position(height_km, angle.to_degrees()) }
}

/// Where a circle of radius `r` is cut by a line whose nearest point to the centre lies at `closest`, half the chord.
fn half_chord(closest_km: f64, radius_km: f64) -> f64 {
    (radius_km * radius_km - closest_km * closest_km).sqrt()
}

#[test]
fn a_zenith_path_is_as_long_as_the_atmosphere_is_high() {
    let position = |height_km| Position { height_km, longitude_deg: 20.0, latitude_deg: 50.0 };
    let ray = Ray { time_s: 0.0, observer: position(2.5), view_point: position(80.0) };
    let path = trace_ray(&atmosphere(), &ray, &PathOptions::default()).unwrap();
    let length: f64 = path.points.iter().map(|point| point.length_km).sum();
    assert!((length - 87.5).abs() < 1e-8, "{length}");
    assert_eq!(path.summary.hits_ground, 0);
}

#[test]
fn refraction_bends_a_low_ray_down_and_leaves_a_high_one() {
    let drop = |height_km| {
        let path = trace_ray(&atmosphere(), &limb(height_km), &PathOptions::default()).unwrap();
        height_km - path.summary.tangent_height_km
    };
    assert!(drop(6.0) > drop(12.0) && drop(12.0) > drop(30.0) && drop(30.0) > 0.0);
    assert!(drop(75.0).abs() < 1e-3);
}

#[test]
fn a_ray_that_misses_has_no_points_and_one_from_below_the_ground_is_refused() {
    let path = trace_ray(&atmosphere(), &limb(95.0), &PathOptions::default()).unwrap();
    assert!(path.points.is_empty());
    assert_eq!(path.summary.tangent_height_km, 95.0);
    let mut ray = limb(10.0);
    ray.observer.height_km = -0.1;
    let error = trace_ray(&atmosphere(), &ray, &PathOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "ray 0: the observer is below the ground");
}

#[test]
fn steps_too_short_for_a_path_are_an_error_and_not_an_endless_run() {
    let options = PathOptions { step_length_km: 1e-3, max_points: 1000, ..PathOptions::default() };
    let error = trace_ray(&atmosphere(), &limb(10.0), &options).unwrap_err();
    assert!(error.to_string().contains("too many points"), "{error}");
}

proptest! {
    /// Without refraction: the tangent point is the view point, and the path the chord through the atmosphere. The
    /// first point may lie 1 m of height below the top, which is `1 m * radius / half chord` along the path at either
    /// end.
    #[test]
    fn a_straight_limb_path_is_a_chord(height_km in 1.0..80.0_f64, step_length_km in 2.0..30.0_f64) {
        // Equal steps: where they vary, JURASSIC's rules for the cut step and the tangent point are not exact.
        let options = PathOptions { step_length_km, step_height_km: 0.0, refraction: false, ..PathOptions::default() };
        let path = trace_ray(&atmosphere(), &limb(height_km), &options).unwrap();
        // The heights along a chord are x^2 / 2R - x^4 / 8R^3: a parabola through points a step apart misses by the
        // second term.
        let tolerance = 1e-9 + Real::powi(step_length_km, 4) / Real::powi(EARTH_RADIUS_KM, 3);
        prop_assert!((path.summary.tangent_height_km - height_km).abs() < tolerance);
        let half = half_chord(EARTH_RADIUS_KM + height_km, EARTH_RADIUS_KM + 90.0);
        let length: f64 = path.points.iter().map(|point| point.length_km).sum();
        // The last step is cut where its height, taken as linear, crosses the top: it is off by at most d^2 / 8R in
        // height.
        let radius = EARTH_RADIUS_KM + 90.0;
        let slack = (1e-3 + step_length_km * step_length_km / (8.0 * radius)) * radius / half;
        prop_assert!((length - 2.0 * half).abs() < slack, "{length} km, the chord has {} km", 2.0 * half);
    }

    /// A profile counts the same from both ends.
    #[test]
    fn a_flipped_profile_gives_the_same_bits(height_km in 1.0..80.0_f64) {
        let upward = atmosphere();
        let mut downward = upward.clone();
        downward.height_km.reverse();
        downward.pressure_hpa.reverse();
        downward.temperature_k.reverse();
        let ray = limb(height_km);
        let options = PathOptions::default();
        let paths = [&upward, &downward].map(|atmosphere| trace_ray(atmosphere, &ray, &options).unwrap());
        prop_assert_eq!(&paths[0].summary, &paths[1].summary);
        prop_assert_eq!(&paths[0].points, &paths[1].points);
    }
}

#[allow(dead_code, reason = "its main is for `cargo run --example 01_refraction`")]
#[path = "../examples/01_refraction.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../examples/01_refraction.txt"));
}
