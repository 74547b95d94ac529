//! The beam that a surface reflects into a view at once: that of the whole reflectance, where corrections are made.

use std::f64::consts::PI;

use isobar_adding::azimuth::{Options, Profiles, Surface, compute};
use isobar_core::Real;
use isobar_core::math::double;

/// Azimuths between 0 and 180 degrees over which the reference takes the means of a reflectance (its manifest).
const AZIMUTHS: usize = 512;

fn square<R: Real>(x: R) -> R {
    x * x
}

/// Rahman, Pinty and Verstraete's reflectance as the reference's manifest has it.
fn rpv<R: Real>([rho, k, theta, hot]: [R; 4], up: R, down: R, azimuth: f64) -> R {
    let sine = |cosine: R| (R::ONE - square(cosine)).sqrt();
    // cos(pi - phi).
    let behind = R::from_f64(-double::cos(azimuth));
    let phase = (up * down) + sine(up) * sine(down) * behind;
    let forward = R::ONE + square(theta) + (theta + theta) * phase;
    let tangents = [up, down].map(|cosine| sine(cosine) / cosine);
    let product = tangents[0] * tangents[1] * behind;
    let distance = square(tangents[0]) + square(tangents[1]) - product - product;
    let spot = R::ONE + (R::ONE - hot) / (R::ONE + distance.at_least(R::ZERO).sqrt());
    rho * (up * down * (up + down)).powf(k - R::ONE) * (R::ONE - square(theta)) / (forward * forward.sqrt()) * spot
}

/// What the reference's corrected radiances, whose surface has components alone, are short of at each level, view and
/// azimuth: nothing over Lambertian ground.
pub(crate) fn missing<R: Real>(profiles: &Profiles<R>, options: &Options) -> Vec<R> {
    let (layers, terms) = (profiles.optical_depth.len(), 2 * options.nodes);
    let moments = profiles.phase_moments.len() / layers;
    let depths: Vec<R> = (0..layers)
        .map(|k| {
            let peaked = options.delta_scaling && moments > terms;
            let peak = if peaked { profiles.phase_moments[k * moments + terms] } else { R::ZERO };
            profiles.optical_depth[k] * (R::ONE - peak * profiles.single_scattering_albedo[k])
        })
        .collect();
    let sum = |from: usize| depths[from..].iter().fold(R::ZERO, |sum, &depth| sum + depth);
    let sun = profiles.sun_cosine[0];
    let mut all = Vec::new();
    for level in 0..=layers {
        for &view in &profiles.viewing_cosine {
            let passed = (-(sum(0) / sun) - sum(level) / view).exp();
            let beam = profiles.sun_irradiance[0] * sun * R::from_f64(1.0 / PI) * passed;
            for &azimuth in &profiles.relative_azimuth {
                let degrees = azimuth.value();
                let short = if options.surface == Surface::Rpv {
                    let parameters = core::array::from_fn(|i| profiles.surface_parameters[i]);
                    let rho = |azimuth: f64| rpv(parameters, view, sun, azimuth);
                    rho(degrees.to_radians()) - series(&rho, degrees.to_radians(), options.computed_components(true))
                } else {
                    assert_eq!(options.surface, Surface::Lambertian);
                    R::ZERO
                };
                all.push(beam * short);
            }
        }
    }
    all
}

/// The sum of the first components of a function of the azimuth.
fn series<R: Real>(rho: &dyn Fn(f64) -> R, azimuth: f64, components: usize) -> R {
    let cosine = |m: usize, azimuth: f64| double::cos(m as f64 * azimuth);
    let mut sum = R::ZERO;
    for i in 0..AZIMUTHS {
        let other = (i as f64 + 0.5) / AZIMUTHS as f64 * PI;
        let kernel = |m: usize| if m == 0 { 1.0 } else { 2.0 * cosine(m, azimuth) * cosine(m, other) };
        let weight = (0..components).map(kernel).sum::<f64>() / AZIMUTHS as f64;
        sum += rho(other) * R::from_f64(weight);
    }
    sum
}

/// Cox and Munk's reflectance (1954, doi:10.1364/JOSA.44.000838) by vectors: the facet that mirrors the Sun into the
/// view, how many have its slope, and Fresnel's reflectance of it by the angles.
fn cox_munk(wind: f64, index: f64, view: f64, sun: f64, azimuth: f64) -> f64 {
    let vector = |cosine: f64, azimuth: f64| {
        let sine = (1.0 - cosine * cosine).sqrt();
        [sine * double::cos(azimuth), sine * double::sin(azimuth), cosine]
    };
    // Azimuths of 0 are forward: the view is where the light goes to.
    let (to_view, to_sun) = (vector(view, azimuth), vector(sun, PI));
    let middle: [f64; 3] = core::array::from_fn(|i| to_view[i] + to_sun[i]);
    let length = middle.iter().map(|x| x * x).sum::<f64>().sqrt();
    let normal = middle.map(|x| x / length);
    let incidence = double::acos((0..3).map(|i| normal[i] * to_sun[i]).sum());
    let refraction = double::asin(double::sin(incidence) / index);
    let (minus, plus) = (incidence - refraction, incidence + refraction);
    let sine = double::sin;
    let tangent = |x: f64| sine(x) / double::cos(x);
    let fresnel = 0.5 * (square(sine(minus) / sine(plus)) + square(tangent(minus) / tangent(plus)));
    let variance = 0.003 + 0.00512 * wind;
    let slope = (normal[0] * normal[0] + normal[1] * normal[1]) / (normal[2] * normal[2]);
    let facets = double::exp(-slope / variance) / (PI * variance);
    // Of the irradiance `mu_0 F` it sends up the radiance `rho mu_0 F/pi`.
    PI * facets * fresnel / (4.0 * view * sun * square(square(normal[2])))
}

/// Without air the sea's reflectance is Cox and Munk's, whatever the streams; with few of these the components alone
/// are far from it.
#[test]
fn without_air_the_glint_is_the_formula() {
    let (views, azimuths) = ([0.35, 0.51, 0.62, 0.9], [0.0, 5.0, 30.0, 90.0, 180.0]);
    let mut profiles = Profiles {
        viewing_cosine: views.to_vec(),
        relative_azimuth: azimuths.to_vec(),
        optical_depth: vec![0.0],
        single_scattering_albedo: vec![0.0],
        asymmetry: vec![0.0],
        surface_planck_radiance: vec![0.0],
        surface_parameters: vec![3.0, 1.34],
        cosmic_background: vec![0.0],
        sun_cosine: vec![0.5],
        sun_irradiance: vec![PI],
        ..Profiles::default()
    };
    for wind in [1.0, 3.0, 12.0] {
        profiles.surface_parameters[0] = wind;
        let options = Options { surface: Surface::CoxMunk, levels: true, ..Options::new(4) };
        let found = compute(&profiles, &options).expect("a valid batch");
        let short = Options { corrections: false, ..options };
        let short = compute(&profiles, &short).expect("a valid batch").top_radiance;
        let mut worst: f64 = 0.0;
        for (i, view) in views.into_iter().enumerate() {
            for (j, azimuth) in azimuths.into_iter().enumerate() {
                let row = i * azimuths.len() + j;
                let expected = 0.5 * cox_munk(wind, 1.34, view, 0.5, azimuth.to_radians());
                for radiances in [&found.top_radiance[row..], &found.upward_radiance[row + 20..]] {
                    let error = (radiances[0] - expected).abs();
                    assert!(error < 1e-13 * (1.0 + expected), "{wind} m/s: {} {expected}", radiances[0]);
                }
                worst = worst.max((short[row] - expected).abs());
            }
        }
        assert!(worst > 0.02, "{wind} m/s: components are {worst} off");
    }
}

/// A peak as sharp as this has thousands of moments: with all of them its radiances are those of its asymmetry, of
/// which light that is scattered once is in closed form.
#[test]
fn sharp_peaks_have_all_of_their_moments() {
    let asymmetry = Profiles {
        viewing_cosine: vec![0.3, 0.8],
        relative_azimuth: vec![0.0, 60.0, 180.0],
        optical_depth: vec![0.3, 1.0],
        single_scattering_albedo: vec![0.9, 1.0],
        asymmetry: vec![0.99; 2],
        surface_planck_radiance: vec![0.0],
        surface_parameters: vec![0.1],
        cosmic_background: vec![0.0],
        sun_cosine: vec![0.6],
        sun_irradiance: vec![PI],
        ..Profiles::default()
    };
    let moments = isobar_adding::azimuth::phase_function::henyey_greenstein(0.99, 3000);
    let all = Profiles { asymmetry: Vec::new(), phase_moments: moments.repeat(2), ..asymmetry.clone() };
    let [found, expected] =
        [&all, &asymmetry].map(|profiles| compute(profiles, &Options::new(8)).expect("a valid batch"));
    let pairs = |found: &[f64], expected: &[f64]| -> f64 {
        found.iter().zip(expected).map(|(found, expected)| (found / expected - 1.0).abs()).fold(0.0, f64::max)
    };
    // Moment 3000 is 8e-14, times 6001 and all that follow 5e-8 of the mean phase function straight on.
    assert!(pairs(&found.top_radiance, &expected.top_radiance) < 1e-6);
    assert!(pairs(&found.surface_downward_radiance, &expected.surface_downward_radiance) < 1e-6);
    assert!(expected.top_radiance.iter().all(|&radiance| radiance > 0.0));
}
