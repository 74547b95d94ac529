//! The adjoint model on threads.

use isobar_adding::azimuth::{Cotangents, Gradients, Options, Profiles, Surface, pull_back};
use isobar_adding::{AddingAdjoint, Device};
use isobar_core::fields::OwnedInputs;

use crate::adjoint::{Numbers, gradients};

const PROFILES: usize = 7;

/// Profiles with a Sun and emission over Ross and Li's surface, and cotangents of some of their results.
fn batch() -> (Profiles<f64>, Cotangents<f64>, Options) {
    let (numbers, layers) = (&mut Numbers(3), 4);
    let repeated = |values: &[f64]| values.iter().flat_map(|&x| [x; PROFILES]).collect::<Vec<f64>>();
    let profiles = Profiles {
        viewing_cosine: repeated(&[0.3, 0.9]),
        relative_azimuth: repeated(&[10.0, 120.0]),
        optical_depth: numbers.some(layers * PROFILES, 0.0, 2.0),
        single_scattering_albedo: numbers.some(layers * PROFILES, 0.2, 1.0),
        asymmetry: numbers.some(layers * PROFILES, 0.1, 0.8),
        planck_radiance_level: numbers.some((layers + 1) * PROFILES, 1.0, 2.0),
        surface_planck_radiance: numbers.some(PROFILES, 1.0, 3.0),
        surface_parameters: repeated(&[0.2, 0.1, 0.02]),
        cosmic_background: vec![0.1; PROFILES],
        sun_cosine: numbers.some(PROFILES, 0.2, 1.0),
        sun_irradiance: numbers.some(PROFILES, 1.0, 3.0),
        ..Profiles::default()
    };
    let cotangents = Cotangents {
        top_radiance: numbers.some(4 * PROFILES, -1.0, 1.0),
        downward_radiance: numbers.some(5 * 4 * PROFILES, -1.0, 1.0),
        actinic_flux: numbers.some(5 * PROFILES, -1.0, 1.0),
        ..Cotangents::default()
    };
    (profiles, cotangents, Options { surface: Surface::RossLi, ..Options::new(3) })
}

#[test]
fn any_chunk_and_any_threads_have_the_same_bits() {
    let (profiles, cotangents, options) = batch();
    let expected = pull_back(&profiles, &cotangents, &options).expect("a valid batch");
    for device in [Device::Thread, Device::Cpu] {
        for chunk in [None, Some(1), Some(3)] {
            let model = AddingAdjoint::<f64>::on(&[device]);
            let model = if let Some(items) = chunk { model.items_per_chunk(items) } else { model };
            let found = model.run((&profiles, &cotangents), &options).expect("a valid batch");
            assert!(found == expected, "{device} {chunk:?}");
        }
    }
}

#[test]
fn single_precision_is_near() {
    let (profiles, cotangents, options) = batch();
    let double = pull_back(&profiles, &cotangents, &options).expect("a valid batch");
    let model = AddingAdjoint::<f32>::on(&[Device::Thread]);
    let single = (profiles.rounded::<f32>(), cotangents.rounded::<f32>());
    let single = model.run((&single.0, &single.1), &options).expect("a valid batch");
    let wide = |values: &Vec<f32>| values.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
    let single = Gradients {
        optical_depth: wide(&single.optical_depth),
        single_scattering_albedo: wide(&single.single_scattering_albedo),
        asymmetry: wide(&single.asymmetry),
        phase_moments: wide(&single.phase_moments),
        planck_radiance: wide(&single.planck_radiance),
        planck_radiance_level: wide(&single.planck_radiance_level),
        surface_planck_radiance: wide(&single.surface_planck_radiance),
        surface_parameters: wide(&single.surface_parameters),
        cosmic_background: wide(&single.cosmic_background),
        sun_irradiance: wide(&single.sun_irradiance),
        status: single.status,
    };
    for (field, (double, single)) in gradients(&double).into_iter().zip(gradients(&single)).enumerate() {
        let largest = double.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        for (double, single) in double.iter().zip(single) {
            assert!((double - single).abs() <= 1e-4 * largest, "field {field}: {double} {single}");
        }
    }
}

#[test]
fn a_jacobian_is_rows_of_products() {
    let (profiles, _, options) = batch();
    let model = AddingAdjoint::<f64>::on(&[Device::Thread]);
    let rows = AddingAdjoint::jacobian(&model, &profiles, "top_radiance", &options).expect("a valid batch");
    assert_eq!(rows.len(), 4);
    for (i, row) in rows.iter().enumerate() {
        let mut top_radiance = vec![0.0; 4 * PROFILES];
        top_radiance[i * PROFILES..][..PROFILES].fill(1.0);
        let cotangents = Cotangents { top_radiance, ..Cotangents::default() };
        assert!(*row == pull_back(&profiles, &cotangents, &options).expect("a valid batch"), "row {i}");
    }
    let error = AddingAdjoint::jacobian(&model, &profiles, "heating", &options).expect_err("no such output");
    assert!(error.to_string().contains("heating: there is no such radiance or flux"), "{error}");
}

/// Cotangents of another size than what they are by, and profiles that [`isobar_adding::Adding`] would refuse.
#[test]
fn errors_name_what_is_wrong() {
    let (profiles, cotangents, options) = batch();
    let model = AddingAdjoint::<f64>::on(&[Device::Thread]);
    let short = Cotangents { top_radiance: vec![1.0; 3], ..cotangents.clone() };
    let error = model.run((&profiles, &short), &options).expect_err("too few cotangents");
    assert!(error.to_string().contains("top_radiance"), "{error}");
    let infinite = Cotangents { top_radiance: vec![f64::INFINITY; 4 * PROFILES], ..cotangents.clone() };
    let error = model.run((&profiles, &infinite), &options).expect_err("no number");
    assert!(error.to_string().contains("top_radiance"), "{error}");
    let bright = Profiles { single_scattering_albedo: vec![1.5; 4 * PROFILES], ..profiles };
    let error = model.run((&bright, &cotangents), &options).expect_err("an albedo above 1");
    assert!(error.to_string().contains("single_scattering_albedo"), "{error}");
}
