//! Bad input: one clear error each.

use isobar_adding::azimuth::phase_function::{henyey_greenstein, rayleigh};
use isobar_adding::azimuth::{AdjointViews, Cotangents, Options, ProfileViews, Profiles, Surface};
use isobar_adding::{Adding, AddingAdjoint, Device};
use isobar_core::fields::{OwnedInputs, OwnedOutputs};
use isobar_launch::Scheme;

fn good() -> Profiles<f64> {
    Profiles {
        viewing_cosine: vec![0.8],
        relative_azimuth: vec![30.0],
        optical_depth: vec![0.2, 0.3],
        single_scattering_albedo: vec![0.9; 2],
        phase_moments: vec![1.0, 0.5, 0.2, 1.0, 0.1, 0.1],
        surface_planck_radiance: vec![0.0],
        surface_parameters: vec![0.1],
        cosmic_background: vec![0.0],
        sun_cosine: vec![0.5],
        sun_irradiance: vec![1.0],
        ..Profiles::default()
    }
}

fn error(profiles: &Profiles<f64>, options: &Options) -> String {
    Adding::<f64>::on(&[Device::Thread]).run(profiles, options).expect_err("bad input").to_string()
}

#[test]
fn errors_name_what_is_wrong() {
    let options = Options::new(4);
    assert!(Adding::<f64>::on(&[Device::Thread]).run(&good(), &options).is_ok());
    for (profiles, options, words) in [
        (Profiles { phase_moments: vec![1.0, 0.5, 0.2, 1.0, 1.1, 0.1], ..good() }, options.clone(), "phase_moments"),
        (Profiles { phase_moments: vec![0.9, 0.5, 0.2, 1.0, 0.1, 0.1], ..good() }, options.clone(), "normalised"),
        (Profiles { phase_moments: vec![1.0; 5], ..good() }, options.clone(), "phase_moments"),
        (
            Profiles { sun_cosine: Vec::new(), sun_irradiance: Vec::new(), ..good() },
            options.clone(),
            "without a Sun no light depends on azimuth",
        ),
        (Profiles { sun_irradiance: Vec::new(), ..good() }, options.clone(), "a cosine and an irradiance"),
        (Profiles { asymmetry: vec![0.5; 2], ..good() }, options.clone(), "either an asymmetry or moments"),
        (
            Profiles { planck_radiance: vec![1.0; 2], planck_radiance_level: vec![1.0; 3], ..good() },
            options.clone(),
            "either of each layer or of each level",
        ),
        (Profiles { surface_parameters: vec![1.5], ..good() }, options.clone(), "surface_parameters"),
        (
            Profiles { surface_parameters: vec![0.1, 0.5, 1.2, 1.0], ..good() },
            Options { surface: Surface::Rpv, ..options.clone() },
            "Theta",
        ),
        (
            Profiles { sun_cosine: vec![0.5; 5], sun_irradiance: vec![1.0; 5], ..good() },
            options.clone(),
            "at most 4 suns",
        ),
        (good(), Options { nodes: 33, ..options.clone() }, "1 to 32 nodes"),
        (good(), Options { components: 0, ..options.clone() }, "components"),
    ] {
        let text = error(&profiles, &options);
        assert!(text.contains(words), "{text}: {words}");
    }
}

/// Moments beyond the streams are cut where nothing scales them away, which is said with what is lost.
#[test]
fn cut_moments_are_told() {
    let options = Options { delta_scaling: false, ..Options::new(1) };
    let (model, profiles) = (Adding::<f64>::on(&[Device::Thread]), good());
    let views = ProfileViews::try_from(&profiles).expect("sizes that fit");
    let [doubt] = &model.scheme().doubts(&views, &options)[..] else { panic!("one doubt") };
    assert!(
        doubt.contains("from number 2 on are cut off, of which the largest is 0.2 (number 2 of layer 0"),
        "{doubt}"
    );
    assert!(model.scheme().doubts(&views, &Options::new(1)).is_empty(), "delta-M scales it away");

    // But what is scattered once has the whole phase function, or what is given of it.
    let layers = profiles.optical_depth.len();
    let peaked = Profiles { phase_moments: henyey_greenstein(0.9, 11).repeat(layers), ..profiles };
    let views = ProfileViews::try_from(&peaked).expect("sizes that fit");
    let [doubt] = &model.scheme().doubts(&views, &Options::new(4))[..] else { panic!("one doubt") };
    assert!(doubt.contains("phase moments end at number 10, which is 0.34867844"), "{doubt}");
    // The adjoint, too, is that of what is wrong near the peaks.
    let (adjoint, cotangents) = (AddingAdjoint::<f64>::on(&[Device::Thread]), Cotangents::default());
    let both = AdjointViews::try_from((&peaked, &cotangents)).expect("sizes that fit");
    assert_eq!(adjoint.scheme().doubts(&both, &Options::new(4)), std::slice::from_ref(doubt));
    let uncorrected = Options { corrections: false, ..Options::new(4) };
    assert!(model.scheme().doubts(&views, &uncorrected).is_empty(), "no corrections");
}

/// Where the moments end within the streams, nothing is there that delta scaling could take off: the radiance of
/// Henyey and Greenstein's phase function by 16 moments is less than half of that by its asymmetry.
#[test]
fn moments_that_end_within_the_streams_are_told() {
    let model = Adding::<f64>::on(&[Device::Thread]);
    let run = |moments: Vec<f64>| {
        let profiles = Profiles {
            viewing_cosine: vec![0.6],
            relative_azimuth: vec![180.0],
            optical_depth: vec![1.0],
            single_scattering_albedo: vec![1.0],
            asymmetry: if moments.is_empty() { vec![0.85] } else { Vec::new() },
            phase_moments: moments,
            ..good()
        };
        let views = ProfileViews::try_from(&profiles).expect("sizes that fit");
        let radiance = model.run(&profiles, &Options::new(8)).expect("a valid batch").top_radiance[0];
        (radiance, model.scheme().doubts(&views, &Options::new(8)))
    };
    let (exact, none) = run(Vec::new());
    assert!(none.is_empty());
    let (wrong, doubts) = run(henyey_greenstein(0.85, 16));
    assert!(wrong < 0.5 * exact, "{wrong} {exact}");
    let [doubt] = &doubts[..] else { panic!("one doubt") };
    assert!(doubt.starts_with("phase moments end at number 15, which is 0.0873542") && doubt.contains("number 16"));
    // Enough of them, whole phase functions of a few, and those that end with zeros.
    let (right, none) = run(henyey_greenstein(0.85, 64));
    assert!((right / exact - 1.0).abs() < 1e-3 && none.is_empty(), "{right} {exact} {none:?}");
    let ends = [henyey_greenstein(0.3, 6), vec![0.0]].concat();
    for whole in [vec![1.0], vec![1.0, 0.3], rayleigh(0.0).to_vec(), vec![1.0, 0.2, 0.2], ends] {
        let (_, doubts) = run(whole.clone());
        assert!(doubts.is_empty(), "{whole:?}: {doubts:?}");
    }
    // But a few of a peak are none.
    for few in [2, 3, 4, 8] {
        assert_eq!(run(henyey_greenstein(0.85, few)).1.len(), 1, "{few}");
    }
}

/// A result that is no number is named whatever it is: 3e38 W/m2 fit into f32, but not the actinic flux over white
/// ground, three times as much with the Sun in the zenith.
#[test]
fn every_result_is_looked_at() {
    let bright = |irradiance: f32| Profiles {
        relative_azimuth: Vec::new(),
        optical_depth: vec![0.0; 2],
        surface_parameters: vec![1.0],
        sun_cosine: vec![1.0],
        sun_irradiance: vec![irradiance],
        ..good().rounded::<f32>()
    };
    let options = Options { fluxes: true, ..Options::new(4) };
    let model = Adding::<f32>::on(&[Device::Thread]);
    let found = model.run(&bright(1e38), &options).expect("numbers");
    assert!(found.actinic_flux.iter().all(|flux| (flux / 3e38 - 1.0).abs() < 1e-5), "{:?}", found.actinic_flux);
    let error = model.run(&bright(3e38), &options).expect_err("no number").to_string();
    assert_eq!(error, "actinic_flux at profile 0, level 0, sun 0 is inf, which is not in the range of f32");
}

/// With the Sun ever closer to the horizon a reflectance has a limit, which it has at 90 degrees by f64's cosine; less
/// is refused, as are views, and night is none.
#[test]
fn cosines_of_the_horizon_are_bounded() {
    let model = Adding::<f64>::on(&[Device::Thread]);
    let run = |sun: f64, view: f64| {
        let profiles = Profiles { viewing_cosine: vec![view], sun_cosine: vec![sun], ..good() };
        model.run(&profiles, &Options::new(8)).map(|found| found.top_radiance[0])
    };
    let of_sun = |sun: f64| run(sun, 0.8).expect("a valid batch") / sun;
    let limit = of_sun(1e-9);
    let horizon = isobar_core::math::double::cos(std::f64::consts::FRAC_PI_2);
    assert!(horizon > 0.0 && limit > 0.0);
    for sun in [1e-12, horizon, 1e-17] {
        assert!((of_sun(sun) / limit - 1.0).abs() < 1e-7, "{sun:e}: {} {limit}", of_sun(sun));
    }
    assert_eq!(run(0.0, 0.8).expect("night"), 0.0);
    let (sun, view) = (run(1e-50, 0.8).expect_err("too low"), run(0.5, 1e-50).expect_err("too flat"));
    assert!(sun.to_string().contains("which is not 1e-17 to 1, nor 0 or less"), "{sun}");
    assert!(view.to_string().starts_with("viewing_cosine at profile 0, view 0 is "), "{view}");
}

/// Moments with the factor 2 l + 1 look as if they were too few.
#[test]
fn moments_with_a_factor_are_told() {
    let profiles = Profiles { phase_moments: [1.0, 0.0, 0.5].repeat(2), ..good() };
    let views = ProfileViews::try_from(&profiles).expect("sizes that fit");
    let model = Adding::<f64>::on(&[Device::Thread]);
    let [doubt] = &model.scheme().doubts(&views, &Options::new(8))[..] else { panic!("one doubt") };
    assert!(doubt.ends_with("; or divide by 2 l + 1 what has that factor: this phase function is negative somewhere"));
}

/// Ross and Li's kernels may be below zero, which all callers hear of.
#[test]
fn radiances_below_zero_are_told() {
    let model = Adding::<f64>::on(&[Device::Thread]);
    let doubts = |parameters: [f64; 3]| {
        let profiles = Profiles {
            viewing_cosine: vec![1.0, 0.34],
            optical_depth: vec![0.0; 2],
            surface_parameters: parameters.to_vec(),
            sun_cosine: vec![0.766],
            ..good()
        };
        let options = Options { surface: Surface::RossLi, ..Options::new(8) };
        let mut found = model.run(&profiles, &options).expect("a valid batch");
        let least = found.top_radiance.iter().copied().fold(f64::INFINITY, f64::min);
        (least, model.scheme().result_doubts(&found.views(1)))
    };
    let (least, said) = doubts([0.02, 0.0, 0.1]);
    let [said] = &said[..] else { panic!("one doubt") };
    assert!(least < 0.0 && said.contains(&format!("to {least:.4} (upward at the top, profile 0)")), "{said}");
    let (least, said) = doubts([0.2, 0.0, 0.01]);
    assert!(least > 0.0 && said.is_empty(), "{said:?}");
}

/// The ends of ranges are accepted in single precision, where they are other numbers.
#[test]
fn ends_of_ranges_are_accepted_in_single_precision() {
    let model = Adding::<f32>::on(&[Device::Thread]);
    let single = || good().rounded::<f32>();
    let run = |profiles: &Profiles<f32>, surface: Surface| {
        model.run(profiles, &Options { surface, ..Options::new(4) }).map(|found| found.top_radiance[0])
    };
    for (surface, parameters) in [
        (Surface::Rpv, vec![0.1, 0.8, -0.999, 0.1]),
        (Surface::Rpv, vec![0.1, 0.8, 0.999, 0.1]),
        (Surface::Hapke, vec![1.0, 1e-6, 0.6]),
    ] {
        let profiles = Profiles { surface_parameters: parameters, ..single() };
        assert!(run(&profiles, surface).expect("the end of the range").is_finite());
    }
    let depth = |depth: f32| Profiles { optical_depth: vec![0.2, depth], ..single() };
    assert!(run(&depth(1e30), Surface::Lambertian).expect("the end of the range").is_finite());
    assert!(run(&depth(1.0001e30), Surface::Lambertian).is_err());
    let beyond = Profiles { surface_parameters: vec![0.1, 0.8, -0.9991, 0.1], ..single() };
    assert!(run(&beyond, Surface::Rpv).is_err());
}
