//! Paths whose geometry is known.

use isobar_core::Real;
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, Horizontal, PathOptions, Position, Ray, trace_ray};
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
#[path = "../../examples/01_refraction.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_refraction.txt"));
}

/// Four profiles of different heights, one of them downwards.
fn track() -> Atmosphere {
    let mut all = Atmosphere { horizontal: Horizontal::Track, ..Atmosphere::default() };
    all.mixing_ratio = vec![Vec::new()];
    all.extinction_per_km = vec![Vec::new()];
    for (n, [longitude, latitude]) in [[0.0, -2.0], [1.5, 6.0], [2.0, 15.0], [-1.0, 26.0]].into_iter().enumerate() {
        let number = n as f64;
        for i in 0..if n == 2 { 29 } else { 41 } {
            let z = match n {
                1 => 80.0 - 2.0 * f64::from(i),
                2 => 3.0 * f64::from(i),
                _ => 2.0 * f64::from(i),
            };
            let thinner = (0..z as u32).fold(1.0, |factor, _| factor * 0.875);
            let fall = if z < 12.0 { 6.0 * z } else { 72.0 - 0.25 * (z - 12.0) };
            all.time_s.push(0.0);
            all.height_km.push(z);
            all.longitude_deg.push(longitude);
            all.latitude_deg.push(latitude);
            all.pressure_hpa.push((1000.0 + 8.0 * number) * thinner);
            all.temperature_k.push(290.0 - 4.0 * number - fall + if n == 3 && z > 20.0 { 5.0 } else { 0.0 });
            all.mixing_ratio[0].push(1e-6 * (1.0 + number) + 1e-7 * z);
            all.extinction_per_km[0].push(1e-4 * number);
        }
    }
    all
}

fn from_to([z, longitude, latitude, to_z, to_longitude, to_latitude]: [f64; 6]) -> Ray {
    let position = |height_km, longitude_deg, latitude_deg| Position { height_km, longitude_deg, latitude_deg };
    Ray {
        time_s: 0.0,
        observer: position(z, longitude, latitude),
        view_point: position(to_z, to_longitude, to_latitude),
    }
}

/// JURASSIC of 2026 with the two-dimensional interpolation of its predecessors: points, tangent point, length and
/// column of the path, and height, latitude, pressure, temperature and mixing ratio of the point in the middle.
#[test]
fn paths_along_a_track_are_those_of_jurassic() {
    let rays = [
        [780.0, 0.0, 0.0, 8.0, 0.0, 26.8],
        [780.0, 0.0, 0.0, 25.0, 3.0, 26.3],
        [700.0, 2.0, 4.0, 0.0, 1.0, 7.0],
        [0.5, 0.0, 5.0, 60.0, 0.0, 5.5],
        [15.0, -1.0, 14.0, 14.0, -1.0, 16.0],
    ];
    let expected = [
        (
            343,
            [7.170325911752442, -3.1781800386911645e-7, 27.132845498872744],
            [2031.9791306070829, 3.705087767841993e21],
            [7.172195961858051, 27.08686049067309, 392.9799098690728, 234.9668242288517, 4.717219596185805e-6],
        ),
        (
            270,
            [24.902995319554673, 3.018706833684683, 26.441607714517517],
            [1747.4626424948312, 4.627947545244341e20],
            [24.903197163745062, 26.45598885949269, 36.81151277243756, 214.1870769321481, 6.4515973575863355e-6],
        ),
        (
            170,
            [-3.824425220955163e-9, 1.00000500991006, 6.999985058199407],
            [96.29422318119359, 7.399519715928667e19],
            [41.49981214999298, 6.801171845480647, 3.954597252656913, 221.03059084849218, 6.236071762250808e-6],
        ),
        (
            168,
            [83.99999990805372, 1.3281898332096596e-8, 5.698243160320081],
            [114.33917617076631, 7.735343142653672e19],
            [42.50139860185027, 5.354475182469959, 3.4541150243676775, 222.07180862578778, 6.138525116353724e-6],
        ),
        (
            174,
            [13.385757270315487, -0.9999999771103973, 15.323466646625517],
            [1111.7240674474513, 1.1545301405992295e21],
            [41.30603633097235, 20.770627975645713, 4.105530146455961, 217.88128590563247, 7.685380455986587e-6],
        ),
    ];
    let options = PathOptions { step_height_km: 0.5, ..PathOptions::default() };
    for (ray, (points, tangent, sums, middle)) in rays.into_iter().zip(expected) {
        let path = trace_ray(&track(), &from_to(ray), &options).unwrap();
        assert_eq!(path.summary.points, points);
        let summary = path.summary;
        let found = [summary.tangent_height_km, summary.tangent_longitude_deg, summary.tangent_latitude_deg];
        // A nanometre of the Earth's radius, and some hundred steps: JURASSIC goes through longitude and latitude.
        for (found, wanted) in found.into_iter().zip(tangent) {
            assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
        }
        let point = &path.points[points as usize / 2];
        let length: f64 = path.points.iter().map(|point| point.length_km).sum();
        let column: f64 = path.points.iter().map(|point| point.gases[0].column_per_cm2).sum();
        let gas = point.gases[0].mixing_ratio;
        let here = [point.height_km, point.latitude_deg, point.pressure_hpa, point.temperature_k, gas];
        for (found, wanted) in [length, column].into_iter().chain(here).zip(sums.into_iter().chain(middle)) {
            assert!((found / wanted - 1.0).abs() < 1e-10, "{found} is not {wanted}");
        }
    }
}

#[test]
fn a_track_of_equal_profiles_is_one_profile() {
    let one = atmosphere();
    let mut other = one.clone();
    other.longitude_deg.fill(10.0);
    let track = Atmosphere::join(&[one.clone(), other]);
    assert!(track.varies() && track.split()[0] == one);
    let ray = limb(12.0);
    let (plain, along) = (
        trace_ray(&one, &ray, &PathOptions::default()).unwrap(),
        trace_ray(&track, &ray, &PathOptions::default()).unwrap(),
    );
    assert_eq!(plain.points.len(), along.points.len());
    for (plain, along) in plain.points.iter().zip(&along.points) {
        // (1 - r) p + r p is p but for its last bit, on some hundred steps.
        assert!((plain.pressure_hpa / along.pressure_hpa - 1.0).abs() < 1e-11);
        assert!((plain.height_km - along.height_km).abs() < 1e-9);
    }
    // Far from all profiles the nearest counts alone.
    let mut far = track;
    far.temperature_k[..91].fill(300.0);
    let ray = from_to([10.0, -50.0, 0.0, 12.0, -50.1, 0.0]);
    let path = trace_ray(&far, &ray, &PathOptions::default()).unwrap();
    assert!(path.points.iter().all(|point| (point.temperature_k - 300.0).abs() < 1e-12));
}

#[test]
fn bad_tracks_are_refused_with_their_place() {
    let refused = |change: &dyn Fn(&mut Atmosphere)| {
        let mut atmosphere = track();
        change(&mut atmosphere);
        atmosphere.validate().unwrap_err().to_string()
    };
    assert!(
        refused(&|a| a.latitude_deg[41] = 7.0).starts_with("profile 1 (from level 41, at 1.5 E, 7 N) has a single")
    );
    let again = |a: &mut Atmosphere| {
        a.longitude_deg[111..].fill(0.0);
        a.latitude_deg[111..].fill(-2.0);
    };
    assert_eq!(refused(&again), "profile 3 (from level 111, at 0 E, -2 N) stands where an earlier one does");
    // A meridian has several numbers, a pole all.
    let other_turn = |a: &mut Atmosphere| {
        let (longitude, latitude) = (a.longitude_deg[0], a.latitude_deg[0]);
        a.longitude_deg[111..].fill(longitude + 360.0);
        a.latitude_deg[111..].fill(latitude);
    };
    assert!(refused(&other_turn).contains("profile 3 (from level 111, at 36"), "{}", refused(&other_turn));
    let poles = |a: &mut Atmosphere| {
        a.latitude_deg[41..82].fill(90.0);
        a.latitude_deg[111..].fill(90.0);
    };
    assert!(refused(&poles).contains("stands where an earlier one does"), "{}", refused(&poles));
    assert!(refused(&|a| a.latitude_deg[150] = 91.0).contains("latitude [deg] 91 at level 150"));
    assert!(refused(&|a| a.height_km[112] = -1.0).contains("at level 113"));
}
