//! The adjoint model against the tangent linear one, input by input, and against complex steps of the reference's code.

use isobar_adding::azimuth::{Cotangents, Gradients, Options, Profiles, Radiances, Surface, compute, pull_back};
use isobar_core::{Dual, Real};

use crate::beam::missing;
use crate::case::Case;
use crate::derivatives::{NAMES, Number, TOLERANCE, VARIABLES, Variable, dual};

/// Numbers that look random.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn some(&mut self, count: usize, low: f64, high: f64) -> Vec<f64> {
        let next = |_| {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
        };
        (0..count).map(next).collect()
    }
}

/// Layers with suns that are seen from some directions.
fn sky(numbers: &mut Numbers, layers: usize, views: usize, suns: usize) -> Profiles<f64> {
    Profiles {
        viewing_cosine: numbers.some(views, 0.2, 1.0),
        relative_azimuth: if suns > 0 { vec![0.0, 73.0, 180.0] } else { Vec::new() },
        optical_depth: numbers.some(layers, 0.05, 2.0),
        single_scattering_albedo: numbers.some(layers, 0.3, 1.0),
        asymmetry: numbers.some(layers, -0.3, 0.8),
        surface_planck_radiance: vec![0.0],
        surface_parameters: vec![0.2],
        cosmic_background: vec![0.0],
        sun_cosine: numbers.some(suns, 0.2, 0.95),
        sun_irradiance: numbers.some(suns, 1.0, 4.0),
        ..Profiles::default()
    }
}

/// Henyey and Greenstein's moments, so many, a bit wrong.
fn with_moments(mut profiles: Profiles<f64>, numbers: &mut Numbers, count: usize) -> Profiles<f64> {
    for asymmetry in std::mem::take(&mut profiles.asymmetry) {
        let noise = numbers.some(count, 0.9, 1.0);
        let moment = |l: usize| if l == 0 { 1.0 } else { noise[l] * Real::powi(asymmetry, l as i32) };
        profiles.phase_moments.extend((0..count).map(moment));
    }
    profiles
}

type Given = (&'static str, Profiles<f64>, Options);

fn cases() -> Vec<Given> {
    let numbers = &mut Numbers(1);
    let all = |nodes: usize| Options { levels: true, fluxes: true, ..Options::new(nodes) };
    let plain = |nodes: usize| Options { delta_scaling: false, corrections: false, ..all(nodes) };
    let mut cases: Vec<Given> = vec![
        ("suns and views", sky(numbers, 3, 5, 2), Options { corrections: false, ..all(3) }),
        ("no delta-M", sky(numbers, 3, 2, 1), plain(4)),
        ("corrections", sky(numbers, 3, 2, 2), all(2)),
        ("ends only", sky(numbers, 3, 2, 1), Options::new(2)),
        ("one node", sky(numbers, 2, 1, 1), all(1)),
        ("few components", sky(numbers, 3, 2, 1), Options { components: 2, ..all(3) }),
        ("room for 32", sky(numbers, 2, 2, 1), Options { corrections: false, components: 3, ..all(9) }),
    ];
    let night = Profiles { sun_cosine: vec![0.4, -0.1], ..sky(numbers, 2, 2, 2) };
    cases.push(("night", night, all(2)));
    let given = sky(numbers, 3, 2, 1);
    cases.push(("moments with a peak", with_moments(given, numbers, 12), all(3)));
    let given = sky(numbers, 3, 2, 1);
    cases.push(("moments without delta-M", with_moments(given, numbers, 8), plain(4)));
    let given = sky(numbers, 2, 2, 1);
    cases.push(("few moments: clear components", with_moments(given, numbers, 3), all(4)));
    let given = sky(numbers, 2, 1, 1);
    cases.push(("as many moments as terms", with_moments(given, numbers, 8), all(4)));
    let given = Profiles { planck_radiance: numbers.some(4, 50.0, 90.0), ..sky(numbers, 4, 2, 0) };
    let given = Profiles { surface_planck_radiance: vec![100.0], cosmic_background: vec![3.0], ..given };
    cases.push(("emission of layers", given.clone(), all(4)));
    let levels = Profiles {
        planck_radiance: Vec::new(),
        planck_radiance_level: numbers.some(5, 50.0, 90.0),
        optical_depth: vec![1e-3, 0.5, 9.0, 300.0],
        ..given
    };
    cases.push(("emission of levels", levels.clone(), all(3)));
    let both = Profiles { planck_radiance_level: numbers.some(4, 1.0, 2.0), ..sky(numbers, 3, 2, 2) };
    cases.push((
        "Sun and emission",
        Profiles { surface_planck_radiance: vec![2.0], cosmic_background: vec![0.1], ..both },
        all(3),
    ));
    let cloud = Profiles {
        optical_depth: vec![0.0, 1e-9, 50.0, 1e4],
        single_scattering_albedo: vec![1.0, 0.0, 1.0, 1.0 - 1e-9],
        ..sky(numbers, 4, 2, 1)
    };
    cases.push(("deep and conservative", cloud, all(3)));
    let deepest = Profiles {
        optical_depth: vec![1e6, 30.0],
        single_scattering_albedo: vec![0.999, 1.0],
        ..sky(numbers, 2, 1, 1)
    };
    cases.push(("deepest", deepest, all(3)));
    for (name, surface, surface_parameters) in [
        ("RPV", Surface::Rpv, vec![0.1, 0.7, -0.2, 0.4]),
        ("Hapke", Surface::Hapke, vec![0.9, 0.06, 0.6]),
        ("Ross and Li", Surface::RossLi, vec![0.2, 0.1, 0.02]),
        ("Cox and Munk", Surface::CoxMunk, vec![6.0, 1.34]),
    ] {
        let given = Profiles { surface_parameters, surface_planck_radiance: vec![0.7], ..sky(numbers, 2, 2, 2) };
        cases.push((name, given, Options { surface, ..all(2) }));
    }
    cases
}

/// Each field of inputs that has derivatives, of one kind of profiles.
fn inputs<R>(profiles: &mut Profiles<R>) -> [(&'static str, &mut Vec<R>); 10] {
    [
        ("optical_depth", &mut profiles.optical_depth),
        ("single_scattering_albedo", &mut profiles.single_scattering_albedo),
        ("asymmetry", &mut profiles.asymmetry),
        ("phase_moments", &mut profiles.phase_moments),
        ("planck_radiance", &mut profiles.planck_radiance),
        ("planck_radiance_level", &mut profiles.planck_radiance_level),
        ("surface_planck_radiance", &mut profiles.surface_planck_radiance),
        ("surface_parameters", &mut profiles.surface_parameters),
        ("cosmic_background", &mut profiles.cosmic_background),
        ("sun_irradiance", &mut profiles.sun_irradiance),
    ]
}

pub(crate) fn gradients(of: &Gradients<f64>) -> [&Vec<f64>; 10] {
    [
        &of.optical_depth,
        &of.single_scattering_albedo,
        &of.asymmetry,
        &of.phase_moments,
        &of.planck_radiance,
        &of.planck_radiance_level,
        &of.surface_planck_radiance,
        &of.surface_parameters,
        &of.cosmic_background,
        &of.sun_irradiance,
    ]
}

fn outputs<R>(of: &Radiances<R>) -> [&Vec<R>; 8] {
    [
        &of.top_radiance,
        &of.surface_downward_radiance,
        &of.upward_radiance,
        &of.downward_radiance,
        &of.upward_flux,
        &of.downward_flux,
        &of.direct_flux,
        &of.actinic_flux,
    ]
}

fn cotangents(of: &mut Cotangents<f64>) -> [&mut Vec<f64>; 8] {
    [
        &mut of.top_radiance,
        &mut of.surface_downward_radiance,
        &mut of.upward_radiance,
        &mut of.downward_radiance,
        &mut of.upward_flux,
        &mut of.downward_flux,
        &mut of.direct_flux,
        &mut of.actinic_flux,
    ]
}

/// A derivative by an input, and what it is compared with.
struct Tangent {
    input: String,
    derivative: f64,
    /// The sum of the sizes of its terms.
    size: f64,
    /// What roundings of the values make of it and of what is compared: half a spacing each.
    rounding: f64,
}

/// Derivatives by each input, in the order of [`inputs`], by dual numbers.
fn tangents(profiles: &Profiles<f64>, options: &Options, weights: &Cotangents<f64>) -> Vec<Tangent> {
    let places: Vec<(usize, usize)> = inputs(&mut profiles.clone())
        .iter()
        .enumerate()
        .flat_map(|(field, (_, values))| (0..values.len()).map(move |place| (field, place)))
        .collect();
    let mut found = Vec::new();
    for places in places.chunks(VARIABLES) {
        let mut varied = dual(profiles);
        for (number, &(field, place)) in places.iter().enumerate() {
            let value = &mut inputs(&mut varied)[field].1[place];
            *value = Dual::variable(value.value, number);
        }
        let results: Radiances<Number> = compute(&varied, options).expect("a valid batch");
        for (number, &(field, place)) in places.iter().enumerate() {
            let (name, values) = &inputs(&mut varied)[field];
            let (input, at) = (format!("{name}[{place}]"), values[place].value);
            let mut tangent = Tangent { input, derivative: 0.0, size: 0.0, rounding: 0.0 };
            for (values, weights) in outputs(&results).into_iter().zip(cotangents(&mut weights.clone())) {
                for (value, weight) in values.iter().zip(weights) {
                    tangent.derivative += *weight * value.derivative[number];
                    tangent.size += (*weight * value.derivative[number]).abs();
                    tangent.rounding += f64::EPSILON * (*weight * value.value).abs() / at.abs().max(1.0);
                }
            }
            found.push(tangent);
        }
    }
    found
}

#[test]
fn adjoint_is_tangent() {
    let mut wrong = Vec::new();
    for (name, profiles, options) in cases() {
        let plain = compute(&profiles, &options).expect("a valid batch");
        let (mut weights, mut numbers) = (Cotangents::default(), Numbers(7));
        for (weights, values) in cotangents(&mut weights).into_iter().zip(outputs(&plain)) {
            *weights = numbers.some(values.len(), -1.0, 1.0);
        }
        let found = pull_back(&profiles, &weights, &options).expect("a valid batch");
        assert_eq!(found.status, [0], "{name}");
        let given = inputs(&mut profiles.clone()).map(|(_, values)| values.len());
        let found = gradients(&found).into_iter().zip(given).filter(|(_, given)| *given > 0);
        let found: Vec<f64> = found.flat_map(|(values, _)| values).copied().collect();
        let expected = tangents(&profiles, &options, &weights);
        assert_eq!(found.len(), expected.len(), "{name}");
        for (found, Tangent { input, derivative, size, rounding }) in found.iter().zip(expected) {
            let error = (found - derivative).abs();
            if error.is_nan() || error > (1e-12 * size).max(rounding) {
                wrong.push(format!("{name}: {input}: {found:.15e} {derivative:.15e}, {:.1e}", error / size));
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

/// The derivative by a variable.
fn by(variable: Variable, of: &Gradients<f64>, profiles: &Profiles<f64>) -> f64 {
    let moments = profiles.phase_moments.len() / profiles.optical_depth.len();
    match variable {
        Variable::Depth(k) => of.optical_depth[k],
        Variable::Albedo(k) => of.single_scattering_albedo[k],
        Variable::Moment(_, [k, l]) => of.phase_moments[k * moments + l],
        Variable::Asymmetry(k) => {
            let asymmetry = profiles.phase_moments[k * moments + 1];
            let slope = |l: usize| l as f64 * Real::powi(asymmetry, l as i32 - 1);
            (1..moments).map(|l| of.phase_moments[k * moments + l] * slope(l)).sum()
        }
        Variable::SurfaceAlbedo => of.surface_parameters[0],
        Variable::PlanckLevel(k) => of.planck_radiance_level[k],
        Variable::SurfacePlanck => of.surface_planck_radiance[0],
        Variable::Cosmic => of.cosmic_background[0],
    }
}

/// Cotangents of each number of an output of the reference.
fn of_output(output: &str, directions: usize, layers: usize) -> Vec<Cotangents<f64>> {
    let one = |len: usize, place: usize| (0..len).map(|i| if i == place { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    let none = Cotangents::default;
    match output {
        "flux_up_top" => vec![Cotangents { upward_flux: one(layers + 1, 0), ..none() }],
        // The beam is in it there.
        "flux_down_bottom" => {
            let last = one(layers + 1, layers);
            vec![Cotangents { downward_flux: last.clone(), direct_flux: last, ..none() }]
        }
        output if output.starts_with("radiance_up_top") => {
            (0..directions).map(|i| Cotangents { top_radiance: one(directions, i), ..none() }).collect()
        }
        _ => (0..directions).map(|i| Cotangents { surface_downward_radiance: one(directions, i), ..none() }).collect(),
    }
}

#[test]
fn gradients_of_the_reference() {
    let Some(dir) = isobar_golden::find("scattering") else { return };
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for name in NAMES {
        let case = Case::read(&dir.join("derivatives").join(name));
        let profiles = case.profiles();
        let directions = profiles.viewing_cosine.len() * profiles.relative_azimuth.len().max(1);
        for (output, corrections) in [
            ("radiance_up_top", false),
            ("radiance_down_bottom", false),
            ("flux_up_top", false),
            ("flux_down_bottom", false),
            ("radiance_up_top_tms", true),
            ("radiance_down_bottom_tms_ims", true),
        ] {
            if case.array(output).is_none() {
                continue;
            }
            let options = Options { corrections, delta_scaling: case.delta(), ..case.options() };
            let found: Vec<Gradients<f64>> = of_output(output, directions, case.layers())
                .iter()
                .map(|cotangents| pull_back(&profiles, cotangents, &options).expect("a valid batch"))
                .collect();
            let size = |values: &[f64]| values.iter().fold(1e-300, |largest: f64, x| largest.max(x.abs()));
            let variables = Variable::all(&case, false);
            let expected = |variable: &Variable| {
                let mut expected = variable.expected(&case, output)?;
                if output == "radiance_up_top_tms" {
                    let mut varied = dual(&profiles);
                    variable.vary(&mut varied, 0);
                    let missing = missing(&varied, &options);
                    expected.iter_mut().zip(missing).for_each(|(x, missing)| *x += missing.derivative[0]);
                }
                Some(expected)
            };
            let all: Vec<Option<Vec<f64>>> = variables.iter().map(expected).collect();
            // A tiny derivative is a difference of terms as large as others.
            let least = 1e-7 * all.iter().flatten().fold(0.0, |largest: f64, values| largest.max(size(values)));
            for (&variable, expected) in variables.iter().zip(&all) {
                let Some(expected) = expected else { continue };
                // Without a Sun the azimuths of the reference have the same light.
                let repeat = expected.len() / found.len();
                let scale = size(expected).max(least);
                for (i, expected) in expected.iter().enumerate() {
                    compared += 1;
                    let error = (by(variable, &found[i / repeat], &profiles) - expected).abs() / scale;
                    if error.is_nan() || error > TOLERANCE {
                        wrong.push(format!("{name} d {output}[{i}] d {variable:?}: {error:.1e} of {scale:.1e}"));
                    }
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared} derivatives are too few");
    assert!(wrong.is_empty(), "{} of {compared}: {wrong:#?}", wrong.len());
}
