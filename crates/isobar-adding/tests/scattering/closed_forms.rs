//! Closed forms and invariants: H functions, single scattering, diffusion, superposition, reciprocity, parts of a
//! layer.

use std::f64::consts::PI;

use isobar_adding::Precision;
use isobar_adding::azimuth::quadrature::Quadrature;
use isobar_adding::scattering::Reflection::{Lambertian, Specular};
use isobar_core::math::double;

use crate::case::{Case, Radiances, Scatter, Sun};

/// One profile in the Sun, of the irradiance pi, seen under an angle, over black ground of 0 K.
fn sunny(nodes: usize, depth: &[f64], albedo: &[f64], asymmetry: &[f64], sun: f64, view: f64) -> Case {
    let mut case = Case::new(nodes, depth, albedo, asymmetry);
    case.view = vec![view];
    case.emissivity = vec![1.0; nodes + 1];
    case.sun = Some(Sun { cosine: vec![sun], irradiance: vec![PI], reflectivity: vec![0.0; nodes + 1] });
    case
}

/// Chandrasekhar's H function of isotropic scattering as an integral (Stibbs and Weir 1959,
/// doi:10.1093/mnras/119.5.512):
///
/// ```text
/// ln H = -mu/pi int_0^(pi/2) ln(1 - omega theta cot(theta)) / (cos^2(theta) + mu^2 sin^2(theta)) d theta
/// ```
fn h_function(albedo: f64, mu: f64) -> f64 {
    // Simpson's rule, whose error is 1e-12 here; the integrand is smooth.
    const PARTS: usize = 20_000;
    let integrand = |i: usize| {
        let theta = 0.5 * PI * i as f64 / PARTS as f64;
        let (sine, cosine) = (double::sin(theta), double::cos(theta));
        let scattered = if i == 0 { 1.0 } else { theta * cosine / sine };
        double::ln(1.0 - albedo * scattered) / (cosine * cosine + mu * mu * sine * sine)
    };
    let sum: f64 = (0..=PARTS)
        .map(|i| {
            let weight = [2.0, 4.0][i % 2] - if i == 0 || i == PARTS { 1.0 } else { 0.0 };
            weight * integrand(i)
        })
        .sum();
    double::exp(-mu / PI * sum * 0.5 * PI / PARTS as f64 / 3.0)
}

/// `I = omega/4 mu0/(mu + mu0) H(mu) H(mu0)` for the irradiance pi. What 32 streams leave of it is below 5e-8.
#[test]
fn h_functions_of_chandrasekhar() {
    for (albedo, sun) in [(0.9, 0.8), (0.5, 0.1), (0.99, 0.5)] {
        for view in [1.0, 0.55, 0.2] {
            let expected = albedo / 4.0 * sun / (view + sun) * h_function(albedo, view) * h_function(albedo, sun);
            let case = sunny(16, &[1e4], &[albedo], &[0.0], sun, view);
            let top = case.radiances().top[16];
            assert!((top - expected).abs() < 5e-8, "{albedo} {sun} {view}: {top} not {expected}");
        }
    }
    // As printed for the first of them.
    let printed = |view: f64| 0.9 / 4.0 * 0.8 / (view + 0.8) * h_function(0.9, view) * h_function(0.9, 0.8);
    for (view, expected) in [(1.0, 0.323_287), (0.55, 0.370_875), (0.2, 0.406_198)] {
        assert!((printed(view) - expected).abs() < 5e-7);
    }
}

/// The H function of the nodes, found by iteration, and from them that of any direction: this the discrete problem
/// obeys exactly.
#[test]
fn h_functions_of_the_streams() {
    for (nodes, albedo, sun, view) in
        [(2, 0.9_f64, 0.8, 0.55), (5, 0.999, 0.3, 1.0), (8, 0.6, 0.05, 0.02), (6, 1.0 - 1e-7, 0.5, 0.3)]
    {
        let streams = Quadrature::double_gauss(nodes);
        let h = |mu: f64, known: &[f64]| {
            let of_node = |j: usize| streams.weight[j] * streams.cosine[j] * known[j] / (mu + streams.cosine[j]);
            1.0 / ((1.0 - albedo).sqrt() + 0.5 * albedo * (0..nodes).map(of_node).sum::<f64>())
        };
        let mut known = vec![1.0; nodes];
        for _ in 0..100_000 {
            known = (0..nodes).map(|i| 0.5 * (known[i] + h(streams.cosine[i], &known))).collect();
        }
        let expected = albedo / 4.0 * sun / (view + sun) * h(view, &known) * h(sun, &known);
        let top = sunny(nodes, &[1e6], &[albedo], &[0.0], sun, view).radiances().top[nodes];
        assert!((top / expected - 1.0).abs() < 1e-12, "{nodes}: {top}");
    }
}

/// A thin or weakly scattering layer sends the beam straight into the view:
/// `I = omega P/4 mu0/(mu + mu0) (1 - exp(-tau (1/mu + 1/mu0)))` upward. The next order of scattering is smaller by
/// some times the albedo.
#[test]
fn the_beam_is_scattered_into_the_view() {
    for (albedo, tolerance) in [(1e-6, 1e-5), (1e-13, 1e-12)] {
        for (depth, sun, view) in [(0.1, 0.8, 1.0), (3.0, 0.4, 0.3), (1e-7, 0.9, 0.05)] {
            let paths = depth * (1.0 / view + 1.0 / sun);
            let up = albedo / 4.0 * sun / (view + sun) * -double::exp_m1(-paths);
            let along = depth * (1.0 / view - 1.0 / sun);
            let down = albedo / 4.0 * sun / (sun - view) * double::exp(-depth / sun) * -double::exp_m1(-along);
            let case = sunny(3, &[depth], &[albedo], &[0.0], sun, view);
            let radiances = case.radiances();
            let (got_up, got_down) = (radiances.top[3], radiances.down[4 + 3]);
            assert!((got_up / up - 1.0).abs() < tolerance, "{albedo} {depth}: {got_up} not {up}");
            assert!((got_down / down - 1.0).abs() < tolerance, "{albedo} {depth}: {got_down} not {down}");
        }
    }
}

/// Clouds, haze and air between; the second layer absorbs nothing, the third has negative elements of phase matrices.
fn sky(sun: f64, view: f64) -> Case {
    let (depth, albedo, asymmetry) = ([0.05, 3.0, 20.0, 0.5], [0.4, 1.0, 0.99, 0.0], [-0.3, 0.8, 0.95, 0.0]);
    let mut case = sunny(4, &depth, &albedo, &asymmetry, sun, view);
    case.emissivity = vec![0.7; 5];
    case.sun.as_mut().unwrap().reflectivity = vec![0.3; 5];
    case
}

#[test]
fn light_of_two_sources_is_the_sum_of_both() {
    for surface in [Specular, Lambertian] {
        for delta in [false, true] {
            let sun = Case { surface, delta, ..sky(0.35, 0.6) };
            let mut both = sun.clone();
            both.planck = vec![0.2, 0.5, 0.6, 0.8];
            both.surface_planck = vec![1.0];
            both.cosmic = vec![0.1];
            let heat = Case { sun: None, ..both.clone() };
            let all = |case: &Case| {
                let Radiances { top, up, down } = case.radiances();
                [top, up, down].concat()
            };
            for ((sun, heat), both) in all(&sun).iter().zip(all(&heat)).zip(all(&both)) {
                assert!((sun + heat - both).abs() < 1e-13, "{sun} + {heat} = {both}");
            }
        }
    }
}

/// The radiance at `mu` with the Sun at `mu0` over `mu0` is that with both exchanged.
#[test]
fn the_view_and_the_sun_may_be_exchanged() {
    for (one, other) in [(0.35, 0.6), (0.05, 1.0), (0.5, 0.51)] {
        for delta in [false, true] {
            let top = |sun: f64, view: f64| {
                let mut case = Case { delta, ..sky(sun, view) };
                case.sun.as_mut().unwrap().reflectivity.fill(0.0);
                case.emissivity.fill(1.0);
                case.radiances().top[4] / sun
            };
            let (there, back) = (top(one, other), top(other, one));
            assert!((there / back - 1.0).abs() < 1e-12, "{one} {other}: {there} {back}");
        }
    }
}

/// With a viewing angle, sunlight, heat, and layers that absorb nothing.
#[test]
fn a_layer_is_its_parts() {
    for (part, count) in [(0, 2), (1, 7), (2, 3)] {
        let mut whole = sky(0.35, 0.6);
        whole.planck = vec![0.2, 0.5, 0.6, 0.8];
        whole.surface_planck = vec![1.0];
        let mut parts = whole.clone();
        parts.layers += count - 1;
        parts.optical_depth[part] /= count as f64;
        let Scatter::Asymmetry(asymmetry) = &mut parts.scatter else { unreachable!() };
        for values in [&mut parts.optical_depth, &mut parts.albedo, &mut parts.planck, asymmetry] {
            let value = values[part];
            values.splice(part..part, vec![value; count - 1]);
        }
        let (expected, got) = (whole.radiances(), parts.radiances());
        let bottom = |radiances: &Radiances| radiances.down[radiances.down.len() - 5..].to_vec();
        for (a, b) in got.top.iter().zip(&expected.top).chain(bottom(&got).iter().zip(&bottom(&expected))) {
            assert!((a / b - 1.0).abs() < 1e-12, "{part}: {a} {b}");
        }
    }
}

/// What a layer lets through of light that is the same from all directions.
fn let_through<R: Precision>(nodes: usize, depth: f64, asymmetry: f64) -> f64 {
    let mut case = Case::new(nodes, &[depth], &[1.0], &[asymmetry]);
    case.delta = false;
    case.cosmic = vec![1.0];
    let down = case.radiances_in::<R>().down;
    let Quadrature { cosine, weight, .. } = Quadrature::double_gauss(nodes);
    2.0 * (0..nodes).map(|i| cosine[i] * weight[i] * down[nodes + i]).sum::<f64>()
}

/// Where nothing is absorbed light diffuses: beyond some layers near its sides, a layer is a resistance,
/// `1/T = 3/4 ((1 - g) tau + 2 q)`, and q is Hopf's constant for isotropic scattering. The rounding of an albedo of 1
/// would end that at an optical depth of 1e8 (f32: 3000).
#[test]
fn a_thick_layer_without_absorption_diffuses() {
    let hopf = 0.710_446_09;
    for depth in [50.0, 1e4] {
        let q = 0.5 * (4.0 / 3.0 / let_through::<f64>(16, depth, 0.0) - depth);
        // The quadrature has the constant to 2e-5; the rest is the rounding of the depth.
        assert!((q - hopf).abs() < 3e-5, "{depth}: {q}");
    }
    // With two nodes the quadrature has the terms of isotropic scattering alone exactly.
    for (nodes, asymmetry) in [(2, 0.0), (8, 0.0), (16, -0.4), (16, 0.6)] {
        for depth in [100.0, 1e4, 1e8, 1e12, 1e16] {
            let of = |[thin, thick]: [f64; 2]| (1.0 / thick - 1.0 / thin) / depth / (0.75 * (1.0 - asymmetry)) - 1.0;
            let double = of([depth, 2.0 * depth].map(|depth| let_through::<f64>(nodes, depth, asymmetry)));
            let single = of([depth, 2.0 * depth].map(|depth| let_through::<f32>(nodes, depth, asymmetry)));
            println!("{nodes} {asymmetry} {depth:e}: {double:.1e} {single:.1e}");
            // Some roundings each of up to 60 doublings.
            assert!(double.abs() < 1e-13, "{nodes} {asymmetry} {depth:e}: {double:e}");
            assert!(single.abs() < 1e-4, "{nodes} {asymmetry} {depth:e}: {single:e}");
        }
    }
}

/// Light that neither layers nor ground absorb goes out again: at every level as much goes up as down, the beam
/// included.
#[test]
fn nothing_absorbs_and_all_light_comes_back() {
    for depths in [vec![10.0], vec![100.0], vec![1e3], vec![1e4], vec![1e6], vec![0.3, 1e4, 2.0, 1e3]] {
        let sun = 0.6;
        let mut case = sunny(8, &depths, &vec![1.0; depths.len()], &vec![0.5; depths.len()], sun, 0.4);
        case.surface = Lambertian;
        case.emissivity = vec![0.0; 9];
        case.sun.as_mut().unwrap().reflectivity = vec![1.0; 9];
        let (radiances, Quadrature { cosine, weight, .. }) = (case.radiances(), Quadrature::double_gauss(8));
        let mut depth = 0.0;
        for level in 0..=depths.len() {
            let flux = |radiances: &[f64]| -> f64 {
                (0..8).map(|i| 2.0 * PI * cosine[i] * weight[i] * radiances[level * 9 + i]).sum()
            };
            // delta-M shortens the path of the beam.
            let beam = sun * PI * double::exp(-depth * (1.0 - double::powi(0.5, 16)) / sun);
            let net = flux(&radiances.up) - flux(&radiances.down) - beam;
            println!("{depths:?} level {level}: {net:.1e}");
            depth += depths.get(level).copied().unwrap_or(0.0);
            assert!(net.abs() < 1e-13, "{depths:?} level {level}: {net:e}");
        }
    }
}

/// Light between layers and ground that both let nothing out, in either precision: no number is lost, none is
/// negative but by a rounding of what enters.
#[test]
fn light_between_two_mirrors_stays_finite() {
    fn check<R: Precision>() {
        for depth in [1e5, 1e9, 1e18, 9e29] {
            for surface in [Specular, Lambertian] {
                let mut case = Case::new(4, &[depth; 3], &[1.0; 3], &[0.3; 3]);
                case.surface = surface;
                case.emissivity = vec![0.0; 4];
                case.cosmic = vec![1.0];
                let radiances = case.radiances_in::<R>();
                for x in radiances.up.iter().chain(&radiances.down) {
                    assert!((-R::EPSILON.value()..1.1).contains(x), "{} {depth:e}: {x:?}", R::NAME);
                }
                let top = radiances.top.iter().fold(0.0_f64, |worst, x| worst.max((x - 1.0).abs()));
                assert!(top < 100.0 * R::EPSILON.value(), "{} {depth:e}: {top:e}", R::NAME);
            }
        }
    }
    check::<f64>();
    check::<f32>();
}
