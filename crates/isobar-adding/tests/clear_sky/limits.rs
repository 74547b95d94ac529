//! Answers that are known: isothermal atmospheres, opaque and empty layers, split layers, sources linear in optical
//! depth.

use isobar_adding::clear_sky::{EMISSION, LEVELS, REFLECTION};
use proptest::prelude::*;

use crate::case::{Case, SCHEDULES, Schedule};
use crate::golden::same_bits;

/// A batch of one profile over a black surface.
fn one(optical_depth: &[f64], planck: &[f64], surface: f64, cosine: &[f64]) -> Case<f64> {
    Case {
        profiles: 1,
        layers: optical_depth.len(),
        cosine: cosine.to_vec(),
        optical_depth: optical_depth.to_vec(),
        transmittance: Vec::new(),
        planck: planck.to_vec(),
        linear: planck.len() > optical_depth.len(),
        specular: true,
        surface_planck: vec![surface],
        emissivity: vec![1.0; cosine.len()],
        cosmic: vec![0.0],
    }
}

#[test]
fn an_isothermal_cavity_is_black() {
    // Walls and air of one temperature: its Planck radiance everywhere, whatever reflects and absorbs.
    let depths: Vec<f64> = (0..77).map(|i| 0.02 * f64::from(i % 9)).collect();
    let mut case = one(&depths, &[80.0; 77], 80.0, &[1.0, 0.3]);
    case.emissivity = vec![0.4, 0.0];
    case.cosmic = vec![80.0];
    let radiances = case.run(Schedule::Sequential, LEVELS);
    for radiance in radiances.level_up.iter().chain(&radiances.level_down) {
        // 200 roundings of a convex combination of equal numbers.
        assert!((radiance - 80.0).abs() <= 80.0 * 1e-14, "{radiance}");
    }
}

#[test]
fn an_opaque_layer_hides_what_is_below() {
    let mut depths = vec![0.1; 30];
    depths[12] = 1e9;
    let planck: Vec<f64> = (0..30).map(|i| 50.0 + f64::from(i)).collect();
    let case = one(&depths, &planck, 300.0, &[0.7]);
    let mut other = case.clone();
    other.planck[13..].fill(7.0);
    other.surface_planck = vec![1.0];
    for schedule in SCHEDULES {
        assert_eq!(case.run(schedule, EMISSION).top, other.run(schedule, EMISSION).top, "{schedule:?}");
    }
}

#[test]
fn layers_of_no_optical_depth_change_no_bit() {
    let with = one(&[0.3, 0.0, 0.7], &[40.0, 99.0, 60.0], 80.0, &[0.5]);
    let without = one(&[0.3, 0.7], &[40.0, 60.0], 80.0, &[0.5]);
    assert_eq!(with.run(Schedule::Sequential, REFLECTION).top, without.run(Schedule::Sequential, REFLECTION).top);
}

#[test]
fn a_thin_atmosphere_keeps_its_digits_in_single_precision() {
    // Over a surface that does not emit only the air is seen: tau B / mu, to the digits of f32.
    let case = Case::<f32> {
        profiles: 1,
        layers: 40,
        cosine: vec![0.8],
        optical_depth: vec![2.5e-6; 40],
        transmittance: Vec::new(),
        planck: vec![100.0; 40],
        linear: false,
        specular: false,
        surface_planck: vec![300.0],
        emissivity: vec![0.0],
        cosmic: vec![0.0],
    };
    let top = f64::from(case.run(Schedule::Sequential, EMISSION).top[0]);
    let exact = -libm_expm1(-1e-4 / 0.8) * 100.0;
    // Forty roundings of f32, half a unit of 6e-8 each, and those of the inputs.
    assert!((top / exact - 1.0).abs() < 2e-6, "{top} instead of {exact}");
}

fn libm_expm1(x: f64) -> f64 {
    isobar_core::Real::exp_m1(x)
}

#[test]
fn a_linear_source_is_exact_for_a_source_that_is_linear() {
    // B = 20 + 30 tau down to tau = 4 over a black surface of the same radiance:
    // up at the top: 20 + 30 mu (1 - e^(-x)) with x = 4 / mu.
    for mu in [1.0, 0.4, 0.05] {
        for layers in [1_usize, 7, 100] {
            let depth = 4.0 / layers as f64;
            let planck: Vec<f64> = (0..=layers).map(|i| 20.0 + 30.0 * depth * i as f64).collect();
            let case = one(&vec![depth; layers], &planck, 140.0, &[mu]);
            let exact = 20.0 - 30.0 * mu * libm_expm1(-4.0 / mu);
            for schedule in SCHEDULES {
                let top = case.run(schedule, REFLECTION).top[0];
                assert!((top / exact - 1.0).abs() < 1e-13, "{layers} layers, mu = {mu}: {top} instead of {exact}");
            }
        }
    }
}

#[test]
fn an_opaque_layer_with_a_linear_source_shows_its_boundary() {
    let case = one(&[1e12], &[33.0, 99.0], 1.0, &[1.0]);
    let radiances = case.run(Schedule::Sequential, REFLECTION);
    assert!((radiances.top[0] - 33.0).abs() < 1e-9 && (radiances.surface_down[0] - 99.0).abs() < 1e-9);
}

proptest! {
    // Each case runs every schedule, of which some do a warp's work for one profile.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_layer_can_be_split(depth in 0.0..20.0_f64, share in 0.0..1.0_f64, mu in 0.05..1.0_f64) {
        let whole = one(&[0.2, depth, 0.4], &[40.0, 70.0, 90.0], 100.0, &[mu]);
        let parts = [0.2, depth * share, depth * (1.0 - share), 0.4];
        let split = one(&parts, &[40.0, 70.0, 70.0, 90.0], 100.0, &[mu]);
        let (a, b) = (whole.run(Schedule::Sequential, REFLECTION), split.run(Schedule::Sequential, REFLECTION));
        // A few roundings of each.
        prop_assert!((a.top[0] - b.top[0]).abs() < 100.0 * 2e-15);
        prop_assert!((a.surface_down[0] - b.surface_down[0]).abs() < 100.0 * 2e-15);
    }

    #[test]
    fn schedules_agree_for_any_shape(
        profiles in 1_usize..40,
        layers in 1_usize..200,
        angles in 1_usize..9,
        linear: bool,
        specular: bool,
        seed in 0_u32..1000,
    ) {
        let mut state = u64::from(seed) * 2 + 1;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f32 / (1_u64 << 31) as f32
        };
        let mut values = |count: usize, range: f32| (0..count).map(|_| random() * range).collect::<Vec<f32>>();
        same_bits(&Case {
            profiles,
            layers,
            cosine: (0..angles).map(|i| 1.0 / (1.0 + i as f64)).collect(),
            optical_depth: values(layers * profiles, 2.0),
            transmittance: Vec::new(),
            planck: values((layers + usize::from(linear)) * profiles, 200.0),
            linear,
            specular,
            surface_planck: values(profiles, 300.0),
            emissivity: values(angles * profiles, 1.0),
            cosmic: values(profiles, 3.0),
        });
    }
}
