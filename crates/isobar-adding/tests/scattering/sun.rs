//! Sunlight. No reference has it: conservation, reciprocity, and a layer in parts.

use isobar_adding::scattering::quadrature::Quadrature;

use crate::case::{Case, Scatter, Sun};

fn sunny(depth: &[f64], albedo: f64, cosine: f64, reflectivity: f64) -> Case<f64> {
    let layers = depth.len();
    let mut case = Case::<f64>::new(&Quadrature::double_gauss(8), depth, &vec![albedo; layers], &vec![0.75; layers]);
    case.sun =
        Some(Sun { cosine: vec![cosine], irradiance: vec![std::f64::consts::PI], reflectivity: vec![reflectivity; 8] });
    case
}

/// Upward and downward flux over that of the beam, `mu0 F`: `2 pi sum mu w I` with `F = pi`.
fn flux(case: &Case<f64>, radiance: &[f64], cosine: f64) -> f64 {
    (0..8).map(|i| 2.0 * case.cosine[i] * case.weight[i] * radiance[i]).sum::<f64>() / cosine
}

#[test]
fn sunlight_is_conserved() {
    for cosine in [0.013, 0.3, 0.591_717_321_247_825, 1.0] {
        for depth in [1e-4, 0.5, 20.0] {
            let case = sunny(&[depth, 2.0 * depth], 1.0, cosine, 0.0);
            let operators = case.operators();
            let radiances = case.sequential(&operators);
            let up = flux(&case, &radiances.top, cosine);
            let down = flux(&case, &radiances.down[16..], cosine);
            // delta-M shortens the path of the beam.
            let peak = isobar_core::math::double::powi(0.75, 16);
            let beam = isobar_core::math::double::exp(-3.0 * depth * (1.0 - peak) / cosine);
            let lost = 1.0 - up - down - beam;
            assert!(lost.abs() < 1e-12, "{cosine} {depth}: {lost:e}");
        }
    }
}

#[test]
fn a_layer_in_the_sun_is_its_parts() {
    let whole = sunny(&[6.0], 0.9, 0.4, 0.2);
    let parts = sunny(&[0.001, 0.499, 1.5, 4.0], 0.9, 0.4, 0.2);
    let (a, b) = (whole.operators(), parts.operators());
    let a = whole.sequential(&a);
    for b in [parts.sequential(&b), parts.tree(&b)] {
        for (a, b) in a.top.iter().zip(&b.top).chain(a.down[8..].iter().zip(&b.down[32..])) {
            assert!((a / b - 1.0).abs() < 1e-13, "{a} {b}");
        }
    }
}

/// The radiance at `mu` with the Sun at `mu0` over `mu0` is that with both exchanged.
#[test]
fn sunlight_is_reciprocal() {
    let nodes = Quadrature::double_gauss(8).cosine;
    let top = |from: usize, to: usize| {
        let mut case = sunny(&[0.7, 3.0], 0.95, nodes[from], 0.0);
        // Moments that need no scaling of the phase matrices.
        let moments: Vec<f64> = (0..2).flat_map(|_| [1.0, 0.4, 0.2].into_iter().chain([0.0; 13])).collect();
        case.scatter = Scatter::Moments(moments);
        case.delta = false;
        case.sequential(&case.operators()).top[to] / nodes[from]
    };
    for (from, to) in [(0, 7), (2, 5), (3, 4)] {
        let (one, other) = (top(from, to), top(to, from));
        assert!((one / other - 1.0).abs() < 1e-12, "{one} {other}");
    }
}

#[test]
fn the_ground_reflects_the_beam() {
    let mut case = sunny(&[0.5], 0.0, 0.5, 0.3);
    case.delta = false;
    let top = case.sequential(&case.operators()).top;
    for (top, cosine) in top.iter().zip(&case.cosine) {
        let expected = 0.3 * 0.5 * isobar_core::math::double::exp(-0.5 / 0.5 - 0.5 / cosine);
        assert!((top / expected - 1.0).abs() < 1e-14);
    }
}

#[test]
fn at_night_there_is_none() {
    let case = sunny(&[0.5, 1.0], 0.9, -0.2, 0.3);
    let radiances = case.sequential(&case.operators());
    assert!(radiances.up.iter().chain(&radiances.down).all(|&x| x == 0.0));
}
