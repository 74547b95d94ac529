//! The end of the series in azimuth: what is left out is within its bound.

use isobar_adding::azimuth::{Options, ProfileViews, Profiles, Surface, component_bounds, components_needed};
use isobar_adding::{Adding, Device};
use isobar_core::fields::OwnedInputs;

use crate::case::Case;

/// Sunlit cases over Lambertian surfaces.
fn cases() -> Vec<Case> {
    let Some(dir) = isobar_golden::find("scattering") else { return Vec::new() };
    let mut paths = Vec::new();
    for folder in ["disort", "random"] {
        let files = std::fs::read_dir(dir.join(folder)).expect("a folder of the reference");
        let files = files.map(|file| file.expect("a file").path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|e| e == "npy")));
    }
    paths.sort();
    let all = paths.iter().map(|path| Case::read(path));
    all.filter(|case| case.number("mu0") > 0.0 && case.options().surface == Surface::Lambertian).collect()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

/// Each component of the reference, which has them at the top and the surface, is within its bound.
#[test]
fn components_of_the_reference_are_within_their_bounds() {
    let (mut checked, mut tight) = (0, 0);
    for case in cases() {
        let Some(up) = case.array("component_up_top") else { continue };
        let (up, down) = (up, case.array("component_down_bottom").expect("components"));
        let profiles = case.profiles();
        let views = ProfileViews::try_from(&profiles).expect("sizes that fit");
        let options = Options { delta_scaling: case.delta(), ..case.options() };
        let bounds = &component_bounds(&views, &options)[0];
        let seen = case.array("mu").expect("views").len();
        let unit = case.number("mu0") * case.number("beam_flux") / std::f64::consts::PI;
        for m in 1..up.len() / seen {
            let found = largest(&up[m * seen..][..seen]).max(largest(&down[m * seen..][..seen])) / unit;
            assert!(found <= bounds[m] * (1.0 + 1e-9) + 1e-16, "{} {m}: {found:e} {:e}", case.name, bounds[m]);
            checked += 1;
            tight += usize::from(found > 0.01 * bounds[m] && found > 0.0);
        }
    }
    if isobar_golden::find("scattering").is_some() {
        // Of use as well: many bounds are within a hundred times what they bound.
        println!("{checked} components, {tight} at least a hundredth of their bound");
        assert!(checked > 300 && tight > checked / 4, "{checked} {tight}");
    }
}

/// Radiances of all levels, views and azimuths with fewer components differ by less than was allowed; and fewer are
/// enough.
#[test]
fn what_is_left_out_is_less_than_allowed() {
    let (mut all, mut kept) = (0, 0);
    for case in cases() {
        let profiles = case.profiles();
        let views = ProfileViews::try_from(&profiles).expect("sizes that fit");
        let options = Options { delta_scaling: case.delta(), ..case.options() };
        let run = |components: usize| {
            let options = Options { components, ..options.clone() };
            Adding::<f64>::on(&[Device::Thread]).run(&profiles, &options).expect("a valid batch")
        };
        let whole = run(options.components);
        let (mut components, mut less) = (options.components, whole.clone());
        let unit = case.number("mu0") * case.number("beam_flux") / std::f64::consts::PI;
        for share in [0.0, 1e-6, 1e-3] {
            let needed = components_needed(&views, &options, share);
            if needed != components {
                (components, less) = (needed, run(needed));
            }
            let pairs =
                [(&whole.upward_radiance, &less.upward_radiance), (&whole.downward_radiance, &less.downward_radiance)];
            for (whole, less) in pairs {
                let difference: Vec<f64> = whole.iter().zip(less).map(|(a, b)| a - b).collect();
                // Components that are left out because they are 0 change no bit.
                let rounding = if share == 0.0 { 0.0 } else { 1e-13 * largest(whole) };
                assert!(largest(&difference) <= share * unit + rounding, "{} {share} {needed}", case.name);
            }
            if share == 1e-3 {
                (all, kept) = (all + 2 * options.nodes, kept + needed);
            }
        }
    }
    if isobar_golden::find("scattering").is_some() {
        println!("{kept} of {all} components for 1e-3");
        assert!(kept < all * 3 / 4, "{kept} of {all}");
    }
}

/// What is exactly 0 is left out: Rayleigh's phase function ends after three components, the night before the first.
#[test]
fn components_that_are_zero_are_not_needed() {
    let mut profiles = isobar_adding::azimuth::Profiles {
        viewing_cosine: vec![0.3],
        relative_azimuth: vec![20.0],
        optical_depth: vec![0.2, 5.0],
        single_scattering_albedo: vec![1.0, 0.5],
        phase_moments: vec![1.0, 0.0, 0.1, 1.0, 0.0, 0.0],
        surface_planck_radiance: vec![0.0],
        surface_parameters: vec![0.1],
        cosmic_background: vec![0.0],
        sun_cosine: vec![0.6],
        sun_irradiance: vec![1.0],
        ..Default::default()
    };
    let needed = |profiles: &isobar_adding::azimuth::Profiles<f64>, options: &Options| {
        components_needed(&ProfileViews::try_from(profiles).expect("sizes that fit"), options, 0.0)
    };
    let options = Options::new(8);
    assert_eq!(needed(&profiles, &options), 3);
    let single = profiles.rounded::<f32>();
    assert_eq!(components_needed(&ProfileViews::try_from(&single).expect("sizes"), &options, 0.0), 3);
    assert_eq!(needed(&profiles, &Options { components: 2, ..options.clone() }), 2);
    profiles.sun_cosine = vec![1.0];
    assert_eq!(needed(&profiles, &options), 1);
    profiles.sun_cosine = vec![-0.2];
    assert_eq!(needed(&profiles, &options), 1);
    profiles.sun_cosine = vec![0.6];
    profiles.surface_parameters = vec![5.0, 1.34];
    // Waves send light into all azimuths.
    assert_eq!(needed(&profiles, &Options { surface: Surface::CoxMunk, ..options }), 16);
}

/// What is left out of thin air is 0 as well: its light is that of single scattering, forward and backward, down to
/// depths that are nothing beside 1.
#[test]
fn thin_layers_keep_their_components() {
    for depth in [1e-8, 1e-17, 1e-100] {
        let profiles = Profiles {
            viewing_cosine: vec![0.6],
            relative_azimuth: vec![0.0, 180.0],
            optical_depth: vec![depth],
            single_scattering_albedo: vec![1.0],
            asymmetry: vec![0.6],
            surface_planck_radiance: vec![0.0],
            surface_parameters: vec![0.0],
            cosmic_background: vec![0.0],
            sun_cosine: vec![0.5],
            sun_irradiance: vec![1.0],
            ..Profiles::default()
        };
        let views = ProfileViews::try_from(&profiles).expect("sizes that fit");
        let options = Options::new(8);
        let options = Options { components: components_needed(&views, &options, 0.0), ..options };
        let found = Adding::<f64>::on(&[Device::Thread]).run(&profiles, &options).expect("a valid batch");
        for (radiance, azimuth) in found.top_radiance.iter().zip([1.0, -1.0]) {
            let angle = -0.6 * 0.5 + 0.8 * isobar_core::math::double::sqrt(0.75) * azimuth;
            let phase = 0.64 / isobar_core::math::double::powf(1.36 - 1.2 * angle, 1.5);
            let expected = phase * depth / (4.0 * std::f64::consts::PI * 0.6);
            assert!((radiance / expected - 1.0).abs() < 1e-7, "{depth:e}: {radiance:e} {expected:e}");
        }
    }
}
