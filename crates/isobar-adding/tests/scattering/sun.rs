//! Sunlight: conservation, reciprocity, and a layer in parts.

use isobar_adding::azimuth::quadrature::Quadrature;

use crate::case::{Case, Scatter, Sun};

fn sunny(depth: &[f64], albedo: f64, cosine: f64, reflectivity: f64) -> Case {
    let layers = depth.len();
    let mut case = Case::new(8, depth, &vec![albedo; layers], &vec![0.75; layers]);
    case.sun =
        Some(Sun { cosine: vec![cosine], irradiance: vec![std::f64::consts::PI], reflectivity: vec![reflectivity; 8] });
    case
}

/// Upward and downward flux over that of the beam, `mu0 F`: `2 pi sum mu w I` with `F = pi`.
fn flux(radiance: &[f64], cosine: f64) -> f64 {
    let streams = Quadrature::double_gauss(8);
    (0..8).map(|i| 2.0 * streams.cosine[i] * streams.weight[i] * radiance[i]).sum::<f64>() / cosine
}

#[test]
fn sunlight_is_conserved() {
    for cosine in [0.013, 0.3, 0.591_717_321_247_825, 1.0] {
        for depth in [1e-4, 0.5, 20.0] {
            let case = sunny(&[depth, 2.0 * depth], 1.0, cosine, 0.0);
            let radiances = case.radiances();
            let up = flux(&radiances.top, cosine);
            let down = flux(&radiances.down[16..], cosine);
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
    let (a, b) = (whole.radiances(), parts.radiances());
    for (a, b) in a.top.iter().zip(&b.top).chain(a.down[8..].iter().zip(&b.down[32..])) {
        assert!((a / b - 1.0).abs() < 1e-13, "{a} {b}");
    }
}

/// The radiance at `mu` with the Sun at `mu0` over `mu0` is that with both exchanged.
#[test]
fn sunlight_is_reciprocal() {
    let nodes = Quadrature::double_gauss(8).cosine;
    let top = |from: usize, to: usize| {
        let mut case = sunny(&[0.7, 3.0], 0.95, nodes[from], 0.0);
        let moments: Vec<f64> = (0..2).flat_map(|_| [1.0, 0.4, 0.2].into_iter().chain([0.0; 13])).collect();
        case.scatter = Scatter::Moments(moments);
        case.delta = false;
        case.radiances().top[to] / nodes[from]
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
    let expected = |cosine: f64| 0.3 * 0.5 * isobar_core::math::double::exp(-0.5 / 0.5 - 0.5 / cosine);
    let nodes = case.cosines();
    for (top, &cosine) in case.radiances().top.iter().zip(&nodes) {
        // At nodes to roundings of the largest of the level.
        assert!((top - expected(cosine)).abs() < 1e-14 * expected(1.0), "{top} {cosine}");
    }
    for cosine in nodes {
        let mut seen = case.clone();
        (seen.view, seen.emissivity) = (vec![cosine], vec![1.0; 9]);
        seen.sun = seen.sun.map(|sun| Sun { reflectivity: vec![0.3; 9], ..sun });
        let top = seen.radiances().top[8];
        assert!((top / expected(cosine) - 1.0).abs() < 1e-14, "{top} {cosine}");
    }
}

#[test]
fn at_night_there_is_none() {
    let case = sunny(&[0.5, 1.0], 0.9, -0.2, 0.3);
    let radiances = case.radiances();
    assert!(radiances.up.iter().chain(&radiances.down).all(|&x| x == 0.0));
}
