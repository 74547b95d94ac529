//! What must hold whatever the numbers: conservation, reciprocity, superposition, layers cut in two, H functions.

use std::f64::consts::PI;

use isobar_adding::azimuth::quadrature::Quadrature;
use isobar_adding::azimuth::{Options, Profiles, Radiances, Surface, compute, phase_function};
use isobar_adding::{Adding, AddingAdjoint, ClearSky, Device, clear_sky};
use isobar_core::fields::OwnedInputs;

fn run(profiles: &Profiles<f64>, options: &Options) -> Radiances<f64> {
    Adding::<f64>::on(&[Device::Thread]).run(profiles, options).expect("a valid batch")
}

fn all(nodes: usize) -> Options {
    Options { levels: true, fluxes: true, ..Options::new(nodes) }
}

/// Layers of Henyey and Greenstein's phase function under the Sun.
fn sunlit(depth: &[f64], albedo: f64, asymmetry: f64, ground: f64) -> Profiles<f64> {
    Profiles {
        viewing_cosine: vec![0.2, 0.7, 1.0],
        relative_azimuth: vec![0.0, 50.0, 180.0],
        optical_depth: depth.to_vec(),
        single_scattering_albedo: vec![albedo; depth.len()],
        asymmetry: vec![asymmetry; depth.len()],
        surface_planck_radiance: vec![0.0],
        surface_parameters: vec![ground],
        cosmic_background: vec![0.0],
        sun_cosine: vec![0.6],
        sun_irradiance: vec![PI],
        ..Profiles::default()
    }
}

fn assert_near(got: &[f64], expected: &[f64], tolerance: f64) {
    let scale = expected.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= tolerance * scale, "{got} for {expected}");
    }
}

/// Haze over an absorber that lets nothing pass: how deep it is does not matter, neither to light that is corrected nor
/// to its derivatives. In f32 the sums of some dozens of terms have an error of 1e-5.
#[test]
fn nothing_comes_from_an_opaque_absorber() {
    let over = |depth: f64| Profiles {
        viewing_cosine: vec![0.9, 0.4, 0.1],
        single_scattering_albedo: vec![1.0, 0.0],
        sun_cosine: vec![0.2],
        ..sunlit(&[0.05, depth], 1.0, 0.9, 0.0)
    };
    let slopes = |depth: f64| {
        let model = AddingAdjoint::<f64>::on(&[Device::Thread]);
        let rows = AddingAdjoint::jacobian(&model, &over(depth), "top_radiance", &all(8)).expect("a valid batch");
        rows.iter().flat_map(|row| [row.optical_depth[0], row.sun_irradiance[0]]).collect::<Vec<f64>>()
    };
    let (expected, expected_slopes) = (run(&over(100.0), &all(8)), slopes(100.0));
    for depth in [1e3, 1e7, 1e15] {
        let found = run(&over(depth), &all(8));
        assert_near(&found.top_radiance, &expected.top_radiance, 1e-14);
        assert_near(&found.upward_radiance[..18], &expected.upward_radiance[..18], 1e-14);
        assert_near(&slopes(depth), &expected_slopes, 1e-13);
        let single = compute(&over(depth).rounded::<f32>(), &all(8)).expect("a valid batch");
        let single: Vec<f64> = single.top_radiance.iter().map(|&radiance| f64::from(radiance)).collect();
        for (single, double) in single.iter().zip(&expected.top_radiance) {
            assert!((single - double).abs() <= 2e-5 * double, "{depth}: {single} for {double}");
        }
    }
}

/// Nothing is absorbed: the net flux is the same at all levels. What is left of it below an optical depth of 10,000 is
/// 1e-4 of the sunlight, and loses as many digits.
#[test]
fn no_light_is_lost() {
    for depth in [1.0, 100.0, 1e4, 1e6] {
        for ground in [0.0, 1.0] {
            let profiles = sunlit(&[0.1 * depth, 0.5 * depth, 0.4 * depth], 1.0, 0.8, ground);
            let fluxes = run(&profiles, &all(8));
            let net =
                |level: usize| fluxes.downward_flux[level] + fluxes.direct_flux[level] - fluxes.upward_flux[level];
            let expected = if ground == 1.0 { 0.0 } else { net(3) };
            assert!(ground == 1.0 || expected > 0.0);
            for level in 0..=3 {
                assert!((net(level) - expected).abs() < 2e-12, "{depth} over {ground}: {} {expected}", net(level));
            }
        }
    }
}

/// A thick layer without absorption lets through what diffusion does, a constant over `1.42 + 3/4 (1 - g) tau`: half as
/// much at twice the depth.
#[test]
fn thick_layers_diffuse() {
    let through = |depth: f64| run(&sunlit(&[depth], 1.0, 0.5, 0.0), &all(8)).downward_flux[1];
    for depth in [1e3, 1e4, 1e5, 1e6] {
        let ratio = through(depth) / through(2.0 * depth);
        // 1 + tau (1 - g)/(q + tau (1 - g)) with q of 1.42.
        let expected = (1.42 + 2.0 * 0.5 * depth * 0.75) / (1.42 + 0.5 * depth * 0.75);
        assert!((ratio / expected - 1.0).abs() < 1e-3, "{depth}: {ratio} {expected}");
    }
}

/// Over black ground `I(mu; mu_0) / mu_0` is symmetric, azimuth by azimuth.
#[test]
fn sunlight_is_reciprocal() {
    let seen = |view: f64, sun: f64| {
        let mut profiles = sunlit(&[0.7], 0.95, 0.6, 0.0);
        (profiles.viewing_cosine, profiles.sun_cosine) = (vec![view], vec![sun]);
        run(&profiles, &Options::new(8)).top_radiance.iter().map(|x| x / sun).collect::<Vec<_>>()
    };
    for (view, sun) in [(0.3, 0.8), (0.9, 0.05), (1.0, 0.5)] {
        assert_near(&seen(view, sun), &seen(sun, view), 1e-13);
    }
}

/// Sun and emission together are their sum; so are several suns, each as if it were alone.
#[test]
fn light_adds_up() {
    let both = Profiles {
        planck_radiance_level: vec![1.0, 2.0, 3.0],
        surface_planck_radiance: vec![4.0],
        cosmic_background: vec![0.5],
        ..sunlit(&[0.3, 2.0], 0.9, 0.7, 0.2)
    };
    let sun = Profiles {
        planck_radiance_level: Vec::new(),
        surface_planck_radiance: vec![0.0],
        cosmic_background: vec![0.0],
        ..both.clone()
    };
    let emission = Profiles { sun_irradiance: vec![0.0], ..both.clone() };
    let [together, sunlight, emitted] = [&both, &sun, &emission].map(|profiles| run(profiles, &all(4)));
    let sums: Vec<f64> = sunlight.upward_radiance.iter().zip(&emitted.upward_radiance).map(|(a, b)| a + b).collect();
    assert_near(&together.upward_radiance, &sums, 1e-14);
    assert!(together.upward_radiance[0] > sunlight.upward_radiance[0]);

    let suns = Profiles { sun_cosine: vec![0.6, 0.1, -0.2], sun_irradiance: vec![PI, 1.0, 1.0], ..sun.clone() };
    let suns = run(&suns, &Options::new(4));
    let second = Profiles { sun_cosine: vec![0.1], sun_irradiance: vec![1.0], ..sun.clone() };
    let second = run(&second, &Options::new(4)).top_radiance;
    assert_near(&suns.top_radiance[..9], &run(&sun, &Options::new(4)).top_radiance, 1e-14);
    assert_near(&suns.top_radiance[9..18], &second, 1e-14);
    assert!(suns.top_radiance[18..].iter().all(|&x| x == 0.0), "at night");
}

/// A layer cut in two is the layer; a view has the same bits whatever the others.
#[test]
fn layers_and_views_are_independent() {
    let whole = run(&sunlit(&[3.0], 0.97, 0.8, 0.3), &Options::new(8));
    let cut = run(&sunlit(&[1.25, 1.75], 0.97, 0.8, 0.3), &Options::new(8));
    assert_near(&cut.top_radiance, &whole.top_radiance, 1e-13);
    assert_near(&cut.surface_downward_radiance, &whole.surface_downward_radiance, 1e-13);

    let many = Profiles { viewing_cosine: vec![0.9, 0.3, 0.2, 0.5, 0.6, 0.7, 0.1], ..sunlit(&[3.0], 0.97, 0.8, 0.3) };
    let many = run(&many, &Options::new(8)).top_radiance;
    // The views 0.2 and 0.7 are among others there.
    assert_near(&many[6..9], &whole.top_radiance[..3], 1e-14);
    assert_near(&many[15..18], &whole.top_radiance[3..6], 1e-14);
}

/// A half space that scatters isotropically and absorbs nothing reflects by Chandrasekhar's H functions (1960,
/// Radiative Transfer, Sect. 33), `I = mu_0/(4 (mu + mu_0)) H(mu) H(mu_0) F/pi`, which of the nodes' light are
/// `1/H(mu) = 1/2 sum_j w_j mu_j H_j/(mu + mu_j)`.
#[test]
fn h_functions_of_chandrasekhar() {
    for nodes in [8, 32] {
        let Quadrature { cosine, weight, .. } = Quadrature::double_gauss(nodes);
        let h = |of_nodes: &[f64], mu: f64| {
            let parts = (0..nodes).map(|j| weight[j] * cosine[j] * of_nodes[j] / (mu + cosine[j]));
            2.0 / parts.sum::<f64>()
        };
        let mut of_nodes = vec![1.0; nodes];
        for _ in 0..200 {
            of_nodes = (0..nodes).map(|i| 0.5 * (of_nodes[i] + h(&of_nodes, cosine[i]))).collect();
        }
        let profiles = Profiles {
            phase_moments: vec![1.0],
            asymmetry: Vec::new(),
            viewing_cosine: vec![0.5, 1.0, 0.03],
            relative_azimuth: vec![30.0],
            sun_cosine: vec![0.4],
            ..sunlit(&[1e12], 1.0, 0.0, 0.0)
        };
        let seen = run(&profiles, &Options::new(nodes)).top_radiance;
        for (seen, view) in seen.iter().zip([0.5, 1.0, 0.03]) {
            let expected = 0.4 / (4.0 * (view + 0.4)) * h(&of_nodes, view) * h(&of_nodes, 0.4);
            assert!((seen / expected - 1.0).abs() < 1e-10, "{nodes} nodes: {seen} {expected}");
        }
        // Those of the integral: 2.01277877 and 2.90781053.
        let tolerance = 20.0 / (nodes * nodes) as f64;
        assert!((h(&of_nodes, 0.5) - 2.012_778_77).abs() < tolerance * 2e-2, "{}", h(&of_nodes, 0.5));
    }
}

/// A surface that sends light up as a Lambertian one is one, whatever law says it.
#[test]
fn surfaces_agree_where_they_are_lambertian() {
    let with = |surface: Surface, parameters: &[f64]| {
        let profiles = Profiles {
            surface_parameters: parameters.to_vec(),
            surface_planck_radiance: vec![2.0],
            ..sunlit(&[0.2, 0.5], 0.9, 0.6, 0.0)
        };
        run(&profiles, &Options { surface, ..Options::new(8) }).top_radiance
    };
    let expected = with(Surface::Lambertian, &[0.3]);
    assert_near(&with(Surface::RossLi, &[0.3, 0.0, 0.0]), &expected, 1e-13);
    assert_near(&with(Surface::Rpv, &[0.3, 1.0, 0.0, 1.0]), &expected, 1e-13);
    for (surface, parameters) in [
        (Surface::RossLi, &[0.3, 0.1, 0.0][..]),
        (Surface::RossLi, &[0.3, 0.0, 0.05]),
        (Surface::Rpv, &[0.3, 0.9, 0.0, 1.0]),
        (Surface::Rpv, &[0.3, 1.0, -0.1, 1.0]),
        (Surface::Rpv, &[0.3, 1.0, 0.0, 0.5]),
    ] {
        let other = with(surface, parameters);
        assert!((other[4] / expected[4] - 1.0).abs() > 1e-3, "{surface:?}: {parameters:?} change nothing");
    }
}

/// Sunglint: Cox and Munk's waves send most where a mirror would, more widely in stronger wind, and none without a
/// difference of indices.
#[test]
fn waves_glint() {
    let glint = |wind: f64, index: f64, view: f64, azimuth: f64| {
        let profiles = Profiles {
            viewing_cosine: vec![view],
            relative_azimuth: vec![azimuth],
            surface_parameters: vec![wind, index],
            ..sunlit(&[1e-3], 0.0, 0.0, 0.0)
        };
        run(&profiles, &Options { surface: Surface::CoxMunk, ..Options::new(16) }).top_radiance[0]
    };
    assert!(glint(5.0, 1.34, 0.6, 0.0) > 5.0 * glint(5.0, 1.34, 0.6, 90.0).abs());
    assert!(glint(2.0, 1.34, 0.6, 0.0) > 1.5 * glint(10.0, 1.34, 0.6, 0.0));
    assert!(glint(5.0, 1.0, 0.6, 0.0).abs() < 1e-12);
}

/// The actinic flux of isotropic light from above and below is `4 pi` times its radiance.
#[test]
fn equilibrium_is_isotropic() {
    let profiles = Profiles {
        viewing_cosine: vec![0.4],
        optical_depth: vec![0.3, 40.0],
        single_scattering_albedo: vec![0.5, 0.999],
        asymmetry: vec![0.2, 0.85],
        planck_radiance: vec![80.0; 2],
        surface_planck_radiance: vec![80.0],
        surface_parameters: vec![0.4],
        cosmic_background: vec![80.0],
        ..Profiles::default()
    };
    let found = run(&profiles, &all(6));
    assert_near(&found.upward_radiance, &[80.0; 3], 1e-13);
    assert_near(&found.downward_radiance, &[80.0; 3], 1e-13);
    assert_near(&found.actinic_flux, &[320.0 * PI; 3], 1e-13);
    assert_near(&found.upward_flux, &[80.0 * PI; 3], 1e-13);
}

/// A layer whose light all goes on straight scatters nothing: it is one that only absorbs, of what it absorbs.
#[test]
fn light_that_goes_on_straight_is_not_scattered() {
    let nodes = 4;
    let count = 2 * nodes + 1;
    let aerosol: Vec<f64> = phase_function::henyey_greenstein(0.7, count);
    let with = |peaks: &[f64], albedo: f64, depth: f64| Profiles {
        optical_depth: vec![0.3, depth, 0.2],
        single_scattering_albedo: vec![0.9, albedo, 1.0],
        asymmetry: Vec::new(),
        phase_moments: [&aerosol[..], peaks, &aerosol].concat(),
        planck_radiance: vec![1.0, 2.0, 3.0],
        ..sunlit(&[0.0; 3], 0.0, 0.0, 0.3)
    };
    let (straight, mut isotropic) = (vec![1.0; count], vec![0.0; count]);
    isotropic[0] = 1.0;
    for albedo in [0.25, 1.0] {
        let got = run(&with(&straight, albedo, 0.8), &all(nodes));
        let expected = run(&with(&isotropic, 0.0, 0.8 * (1.0 - albedo)), &all(nodes));
        assert_near(&got.upward_radiance, &expected.upward_radiance, 1e-14);
        assert_near(&got.downward_radiance, &expected.downward_radiance, 1e-14);
        assert_near(&got.upward_flux, &expected.upward_flux, 1e-14);
        assert!(got.status == [0] && got.top_radiance.iter().all(|&x| x > 0.0));

        let single = with(&straight, albedo, 0.8).rounded::<f32>();
        let single = Adding::<f32>::on(&[Device::Thread]).run(&single, &all(nodes)).expect("finite");
        let single: Vec<f64> = single.top_radiance.iter().map(|&x| f64::from(x)).collect();
        assert_near(&single, &expected.top_radiance, 1e-5);
    }
    // So is one whose light nearly all goes on straight, but for a billionth.
    let near = vec![1.0 - 1e-9; count - 1];
    let near = run(&with(&[&[1.0][..], &near].concat(), 0.5, 0.8), &all(nodes));
    let clear = run(&with(&isotropic, 0.0, 0.4), &all(nodes));
    assert_near(&near.upward_flux, &clear.upward_flux, 1e-8);
}

/// Layers that do not scatter, which go a way of their own, are those of a clear sky, with a source that is linear in
/// optical depth, too; among others they are what the long way makes of them, which numbers with derivatives go.
#[test]
fn layers_that_do_not_scatter_are_taken_apart() {
    let clear = Profiles {
        viewing_cosine: vec![0.2, 0.7, 1.0],
        optical_depth: vec![0.3, 1e-6, 0.0, 4.0, 700.0, 0.6],
        single_scattering_albedo: vec![0.0; 6],
        asymmetry: vec![0.4; 6],
        planck_radiance_level: vec![20.0, 30.0, 35.0, 37.0, 50.0, 80.0, 90.0],
        surface_planck_radiance: vec![100.0],
        surface_parameters: vec![0.0],
        cosmic_background: vec![3.0],
        ..Profiles::default()
    };
    let found = run(&clear, &all(5));
    let profiles = clear_sky::Profiles {
        optical_depth: clear.optical_depth.clone(),
        planck_radiance_level: clear.planck_radiance_level.clone(),
        surface_planck_radiance: vec![100.0],
        emissivity: vec![1.0],
        cosmic_background: vec![3.0],
        ..clear_sky::Profiles::default()
    };
    let options = clear_sky::Options { output: clear_sky::Output::Levels, ..clear_sky::Options::new(&[0.2, 0.7, 1.0]) };
    let expected = ClearSky::<f64>::on(&[Device::Thread]).run(&profiles, &options).expect("a valid batch");
    assert_near(&found.upward_radiance, &expected.upward_radiance, 1e-14);
    assert_near(&found.downward_radiance, &expected.downward_radiance, 1e-14);

    let some = Profiles {
        single_scattering_albedo: vec![0.0, 0.9, 1.0, 0.0, 0.0, 0.99],
        surface_parameters: vec![0.3],
        sun_cosine: vec![0.6],
        sun_irradiance: vec![PI],
        relative_azimuth: vec![40.0],
        ..clear
    };
    let (short, long) = (run(&some, &all(5)), compute(&some, &all(5)).expect("a valid batch"));
    for (short, long) in [
        (&short.upward_radiance, &long.upward_radiance),
        (&short.downward_radiance, &long.downward_radiance),
        (&short.upward_flux, &long.upward_flux),
        (&short.downward_flux, &long.downward_flux),
        (&short.actinic_flux, &long.actinic_flux),
    ] {
        assert_near(short, long, 1e-13);
    }
}
