//! Profiles without azimuths have means over the azimuth.

use std::f64::consts::PI;

use isobar_adding::azimuth::{
    AdjointViews, Cotangents, Options, ProfileViews, Profiles, Radiances, Surface, components_needed, compute,
    pull_back,
};
use isobar_adding::{Adding, AddingAdjoint, Device};
use isobar_launch::Scheme;

/// As many azimuths as give the mean of all components of 8 streams.
const AZIMUTHS: usize = 16;

fn sky(azimuths: Vec<f64>, ground: &[f64]) -> Profiles<f64> {
    Profiles {
        viewing_cosine: vec![0.3, 0.9],
        relative_azimuth: azimuths,
        optical_depth: vec![0.1, 0.3, 0.6],
        single_scattering_albedo: vec![1.0, 0.9, 0.8],
        asymmetry: vec![0.1, 0.6, 0.75],
        surface_planck_radiance: vec![0.0],
        surface_parameters: ground.to_vec(),
        cosmic_background: vec![0.0],
        sun_cosine: vec![0.6, 0.8],
        sun_irradiance: vec![PI, 1.0],
        ..Profiles::default()
    }
}

fn around() -> Vec<f64> {
    (0..AZIMUTHS).map(|i| 360.0 * i as f64 / AZIMUTHS as f64).collect()
}

fn grounds() -> [(Surface, &'static [f64]); 2] {
    [(Surface::Lambertian, &[0.2]), (Surface::RossLi, &[0.2, 0.1, 0.02])]
}

fn assert_near(got: &[f64], expected: &[f64]) {
    assert!(!got.is_empty() && got.len() == expected.len(), "{} for {}", got.len(), expected.len());
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= 1e-12 * expected.abs().max(1e-3), "{got} for {expected}");
    }
}

/// Whatever the options say of components and corrections: these are for a direction.
#[test]
fn without_azimuths_radiances_are_means() {
    for (surface, parameters) in grounds() {
        let options = Options { surface, levels: true, fluxes: true, ..Options::new(4) };
        let plain = Options { corrections: false, ..options.clone() };
        let run = |profiles: &Profiles<f64>, options: &Options| {
            Adding::<f64>::on(&[Device::Thread]).run(profiles, options).expect("a valid batch")
        };
        let expected = run(&sky(around(), parameters), &plain);
        let mean = |values: &[f64]| -> Vec<f64> {
            values.chunks(AZIMUTHS).map(|around| around.iter().sum::<f64>() / AZIMUTHS as f64).collect()
        };
        let profiles = sky(Vec::new(), parameters);
        let few = Options { components: 3, ..options.clone() };
        for found in [run(&profiles, &options), run(&profiles, &few), compute(&profiles, &options).expect("valid")] {
            let Radiances { top_radiance, surface_downward_radiance, upward_radiance, .. } = &found;
            assert_near(top_radiance, &mean(&expected.top_radiance));
            assert_near(surface_downward_radiance, &mean(&expected.surface_downward_radiance));
            assert_near(upward_radiance, &mean(&expected.upward_radiance));
            assert_near(&found.downward_radiance, &mean(&expected.downward_radiance));
            assert_near(&found.upward_flux, &expected.upward_flux);
        }
    }
}

#[test]
fn the_adjoint_is_that_of_means() {
    let (suns, views) = (2, 2);
    for (surface, parameters) in grounds() {
        let options = Options { surface, ..Options::new(4) };
        let cotangents = |azimuths: usize| Cotangents {
            top_radiance: vec![1.0 / azimuths as f64; suns * views * azimuths],
            ..Cotangents::default()
        };
        let (around, none) = (sky(around(), parameters), sky(Vec::new(), parameters));
        let plain = Options { corrections: false, ..options.clone() };
        let expected = pull_back(&around, &cotangents(AZIMUTHS), &plain).expect("a valid batch");
        let model = AddingAdjoint::<f64>::on(&[Device::Thread]);
        let of_means = cotangents(1);
        let kernels = model.run((&none, &of_means), &options).expect("a valid batch");
        for found in [kernels, pull_back(&none, &of_means, &options).expect("a valid batch")] {
            assert_near(&found.optical_depth, &expected.optical_depth);
            assert_near(&found.asymmetry, &expected.asymmetry);
            assert_near(&found.surface_parameters, &expected.surface_parameters);
            assert_near(&found.sun_irradiance, &expected.sun_irradiance);
        }
    }
}

#[test]
fn options_without_effect_are_told() {
    let (none, some, cotangents) = (sky(Vec::new(), &[0.2]), sky(around(), &[0.2]), Cotangents::default());
    let model = Adding::<f64>::on(&[Device::Thread]);
    let doubts = |profiles: &Profiles<f64>, components: usize| {
        let views = ProfileViews::try_from(profiles).expect("sizes that fit");
        model.scheme().doubts(&views, &Options { components, ..Options::new(4) })
    };
    let [doubt] = &doubts(&none, 3)[..] else { panic!("one doubt") };
    assert!(doubt.starts_with("components = 3 has no effect: without relative_azimuth"), "{doubt}");
    let adjoint = AddingAdjoint::<f64>::on(&[Device::Thread]);
    let both = AdjointViews::try_from((&none, &cotangents)).expect("sizes that fit");
    let few = Options { components: 3, ..Options::new(4) };
    assert_eq!(adjoint.scheme().doubts(&both, &few), std::slice::from_ref(doubt));
    for (profiles, components) in [(&none, 1), (&none, Options::new(4).components), (&some, 3)] {
        assert!(doubts(profiles, components).is_empty());
    }
    let views = ProfileViews::try_from(&none).expect("sizes that fit");
    assert_eq!(components_needed(&views, &Options::new(4), 0.0), 1);
}
