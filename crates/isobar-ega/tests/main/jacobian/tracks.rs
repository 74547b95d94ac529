//! Derivatives by every element of every profile of a track.

use isobar_core::Real;
use isobar_ega::GroundKind;
use isobar_ega::jacobian::{Elements, Geometry};
use isobar_raytrace::{Atmosphere, Position, Ray};

use super::case::Case;
use super::differences::check;

/// The case's atmosphere at a place: every second level, moved, and changed by a few per cent.
fn profile(case: &Case, latitude_deg: f64, longitude_deg: f64, change: f64) -> Atmosphere {
    let mut one = case.atmosphere.clone();
    let a = &mut one;
    let common = [&mut a.time_s, &mut a.height_km, &mut a.longitude_deg, &mut a.latitude_deg];
    let state = [&mut a.pressure_hpa, &mut a.temperature_k];
    let lists = a.mixing_ratio.iter_mut().chain(&mut a.extinction_per_km);
    for values in common.into_iter().chain(state).chain(lists) {
        *values = values.iter().copied().step_by(2).collect();
    }
    one.longitude_deg.fill(longitude_deg);
    one.latitude_deg.fill(latitude_deg);
    for level in 0..one.levels() {
        let wave = 1.0 + change * Real::cos(level as f64 + 40.0 * change);
        one.height_km[level] *= 1.0 + 0.3 * change;
        one.temperature_k[level] *= wave;
        one.pressure_hpa[level] *= wave;
        one.mixing_ratio.iter_mut().for_each(|values| values[level] *= 1.0 + 5.0 * change);
        one.extinction_per_km.iter_mut().for_each(|values| values[level] *= 1.0 - 5.0 * change);
    }
    one
}

fn turned(mut one: Atmosphere) -> Atmosphere {
    let profiles = [&mut one.height_km, &mut one.pressure_hpa, &mut one.temperature_k].into_iter();
    let others = one.mixing_ratio.iter_mut().chain(&mut one.extinction_per_km);
    profiles.chain(others).for_each(|profile| profile.reverse());
    one
}

/// Profiles with heights of their own, one of them from the top, along and beside the rays.
pub(crate) fn track(case: &Case) -> Atmosphere {
    Atmosphere::join(&[
        profile(case, 25.1, 2.6, 0.0),
        turned(profile(case, 26.8, 3.3, 0.02)),
        profile(case, 28.5, 2.8, -0.015),
        profile(case, 40.0, 3.0, 0.01),
    ])
}

fn ray(observer: (f64, f64), view_point: (f64, f64)) -> Ray {
    let at = |(height_km, latitude_deg)| Position { height_km, longitude_deg: 3.0, latitude_deg };
    Ray { time_s: 43_000.0, observer: at(observer), view_point: at(view_point) }
}

/// Limb, nadir, slant and upward, all between profiles.
fn rays() -> Vec<(&'static str, Ray)> {
    vec![
        ("limb at 12 km", ray((780.0, 0.0), (12.0, 26.9))),
        ("limb at 31 km", ray((780.0, 0.0), (31.0, 26.6))),
        ("nadir", ray((700.0, 26.0), (0.0, 26.1))),
        ("slant to the ground", ray((700.0, 23.0), (0.0, 27.2))),
        ("upward", ray((1.23, 26.5), (20.0, 26.9))),
    ]
}

#[test]
fn follow_each_profile() {
    let mut case = Case::new();
    case.atmosphere = track(&case);
    assert_eq!(case.atmosphere.profiles().len(), 4);
    check(&case, "a track", &rays());
}

/// A step that reads many profiles: they stand closer together than steps are long.
#[test]
fn of_steps_over_several_profiles() {
    let mut case = Case::new();
    let places = [26.0, 26.2, 26.4, 26.6, 26.8].map(|latitude_deg| profile(&case, latitude_deg, 3.0, 0.0));
    let mut atmosphere = Atmosphere::join(&places);
    for (i, value) in atmosphere.temperature_k.iter_mut().enumerate() {
        *value += Real::sin(1.3 * i as f64);
    }
    case.atmosphere = atmosphere;
    (case.setup.path.step_height_km, case.setup.path.step_length_km) = (0.0, 61.0);
    check(&case, "many profiles a step", &rays()[1..2]);
}

/// Nothing moves a straight path that leaves into space, so that differences are those of a frozen one.
#[test]
fn of_frozen_paths() {
    let mut case = Case::new();
    case.setup.ground = GroundKind::None;
    case.atmosphere = track(&case);
    case.setup.path.refraction = false;
    case.atmosphere.surface = None;
    case.geometry = Geometry::Frozen;
    check(&case, "a frozen path", &rays()[..3]);
    // One that would bend stays where it is, and where it is no share of a profile changes.
    case.setup.path.refraction = true;
    let (_, ray) = rays()[0];
    let at = |geometry| case.model(&case.atmosphere, geometry).ray(&ray).expect("a ray");
    let (frozen, moving) = (at(Geometry::Frozen), at(Geometry::Moving));
    assert_eq!(frozen.radiance, moving.radiance);
    assert!(frozen.derivative.iter().zip(&moving.derivative).any(|(frozen, moving)| frozen != moving));
}

/// All profiles are one, so that what a profile has more than another is nothing, and moves by the elements of all add
/// up to a move of the one. Values that are mixed of two equal ones are rounded once more, and the path's points are
/// known to 1e-12 of their distance from the centre of the Earth, 1e-8 km: of a scale height of 7 km that is 1e-9.
#[test]
fn of_equal_profiles_add_up_to_those_of_one() {
    let case = Case::new();
    let same = |latitude_deg: f64| profile(&case, latitude_deg, 3.0, 0.0);
    let (one, all) = (same(25.1), Atmosphere::join(&[same(25.1), turned(same(26.8)), same(28.5)]));
    let (elements, of_all) = (Elements::of(&one), Elements::of(&all));
    let levels = elements.levels;
    for (name, ray) in rays() {
        for geometry in [Geometry::Moving, Geometry::Frozen] {
            let at = |atmosphere: &Atmosphere| case.model(atmosphere, geometry).ray(&ray).expect("a ray");
            let (expected, found) = (at(&one), at(&all));
            for channel in 0..expected.radiance.len() {
                let row = |of: &isobar_ega::jacobian::RayJacobian, count: usize| {
                    of.derivative[channel * count..(channel + 1) * count].to_vec()
                };
                let (expected, found) = (row(&expected, elements.count()), row(&found, of_all.count()));
                let (profiles, other) = expected.split_at(elements.cloud_height());
                let (all_profiles, all_other) = found.split_at(of_all.cloud_height());
                let compare = |what: String, got: f64, expected: f64, largest: f64| {
                    let error = (got - expected).abs();
                    assert!(error <= 1e-9 * largest, "{name}, {geometry:?}, {what}: {got:e}, not {expected:e}");
                };
                for (kind, values) in profiles.chunks(levels).enumerate() {
                    let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
                    for (level, &expected) in values.iter().enumerate() {
                        let by_profile = [level, 2 * levels - 1 - level, 2 * levels + level]
                            .map(|of_profile| all_profiles[kind * 3 * levels + of_profile]);
                        compare(format!("kind {kind}, level {level}"), by_profile.iter().sum(), expected, largest);
                    }
                }
                for (i, (&got, &expected)) in all_other.iter().zip(other).enumerate() {
                    compare(format!("cloud or surface, {i}"), got, expected, expected.abs());
                }
            }
        }
    }
}
