//! Whole atmospheres: a closed cavity, layers that do not scatter, split layers, the surface, many profiles.

use isobar_adding::Precision;
use isobar_adding::clear_sky::{Element, Slant};
use isobar_adding::scattering::Reflection::{Lambertian, Specular};

use crate::case::{Case, Scatter};

fn cloudy() -> Case {
    let depth = [0.1, 0.5, 8.0, 0.0, 1e-6, 2.0, 30.0];
    let albedo = [0.0, 0.9, 1.0, 0.5, 0.9, 0.3, 0.999];
    let mut case = Case::new(4, &depth, &albedo, &[0.0, 0.3, 0.86, 0.0, 0.5, -0.2, 0.7]);
    case.view = vec![0.6];
    case.planck = vec![20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0];
    case.surface_planck = vec![100.0];
    case.emissivity = vec![0.7, 0.75, 0.8, 0.85, 0.9];
    case.cosmic = vec![3.0];
    case
}

#[test]
fn a_closed_cavity_is_full_of_its_planck_radiance() {
    fn check<R: Precision>(tolerance: f64) {
        for surface in [Specular, Lambertian] {
            let mut case = cloudy();
            case.surface = surface;
            case.planck.fill(50.0);
            case.surface_planck.fill(50.0);
            case.cosmic.fill(50.0);
            if surface == Lambertian {
                // A gray one, for else emissivity and reflectivity do not add to 1 for each stream.
                case.emissivity.fill(0.7);
            }
            let radiances = case.radiances_in::<R>();
            for radiance in radiances.up.iter().chain(&radiances.down) {
                let difference = (radiance / 50.0 - 1.0).abs();
                assert!(difference < tolerance, "{} {difference:e}", R::NAME);
            }
        }
    }
    check::<f64>(5e-14);
    check::<f32>(2e-5);
}

#[test]
fn layers_that_do_not_scatter_are_those_of_a_clear_sky() {
    let mut case = cloudy();
    case.albedo.fill(0.0);
    let mut total = [Element::<f64>::IDENTITY; 5];
    for layer in 0..case.layers {
        for (cosine, total) in case.cosines().into_iter().zip(&mut total) {
            let loss = Slant::new(cosine).loss(case.optical_depth[layer]);
            let source = -loss * case.planck[layer];
            *total = total.over(&Element { transmittance: 1.0 + loss, up: source, down: source });
        }
    }
    let radiances = case.radiances();
    for (stream, total) in total.iter().enumerate() {
        let down = total.downward(3.0);
        let emissivity = case.emissivity[stream];
        let up = total.upward(emissivity * 100.0 + (1.0 - emissivity) * down);
        assert!((radiances.top[stream] / up - 1.0).abs() < 1e-14, "{stream}");
        assert!((radiances.down[case.layers * 5 + stream] / down - 1.0).abs() < 1e-14, "{stream}");
    }
}

#[test]
fn a_split_layer_is_the_whole_one() {
    let whole = cloudy();
    let mut split = whole.clone();
    split.layers += 1;
    split.optical_depth[2] = 3.0;
    split.optical_depth.insert(2, 5.0);
    split.albedo.insert(2, 1.0);
    split.planck.insert(2, 40.0);
    let Scatter::Asymmetry(asymmetry) = &mut split.scatter else { unreachable!() };
    asymmetry.insert(2, 0.86);
    // Optical depths are scaled with the peak, the same for both parts.
    for (a, b) in whole.radiances().top.iter().zip(&split.radiances().top) {
        assert!((a / b - 1.0).abs() < 1e-13, "{a} {b}");
    }
}

/// The same bits, whichever profiles share a warp.
#[test]
fn profiles_do_not_know_each_other() {
    let one = cloudy();
    let profiles = 7;
    let each = |values: &[f64]| values.iter().flat_map(|&x| vec![x; profiles]).collect::<Vec<_>>();
    let mut many = one.clone();
    let Scatter::Asymmetry(asymmetry) = &mut many.scatter else { unreachable!() };
    for values in [
        &mut many.view,
        &mut many.optical_depth,
        &mut many.albedo,
        &mut many.planck,
        &mut many.emissivity,
        &mut many.surface_planck,
        &mut many.cosmic,
        asymmetry,
    ] {
        *values = each(values);
    }
    // The others are thicker, so that they are doubled more often than this one.
    for (i, depth) in many.optical_depth.iter_mut().enumerate() {
        *depth *= if i % profiles == 3 { 1.0 } else { 1.0 + (i % profiles) as f64 * 5.0 };
    }
    let (alone, shared) = (one.radiances(), many.radiances());
    let third = |values: &[f64]| values[3..].iter().step_by(profiles).copied().collect::<Vec<_>>();
    assert_eq!(alone.up, third(&shared.up));
    assert_eq!(alone.down, third(&shared.down));
    assert_eq!(alone.top, third(&shared.top));
}
