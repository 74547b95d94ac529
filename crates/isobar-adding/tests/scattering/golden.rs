//! The reference's scattering sets.

use std::path::Path;

use isobar_adding::scattering::quadrature::Quadrature;
use isobar_adding::scattering::surface::GIVEN;
use isobar_core::Real;

use crate::case::{Case, Radiances, Scatter};

struct Reference {
    case: Case<f64>,
    asymmetry: Vec<f64>,
    /// As our outputs.
    reflection: Vec<f64>,
    transmission: Vec<f64>,
    source: Vec<f64>,
    level_reflection: Vec<f64>,
    level_source: Vec<f64>,
    top: Vec<f64>,
    up: Vec<f64>,
    down: Vec<f64>,
}

/// A reference array `[profile, a, b, c]` as `[a, b, profile, c]`.
fn moved(values: &[f64], [profiles, a, b, c]: [usize; 4]) -> Vec<f64> {
    let at = |i: usize| {
        let (row, profile, column) = (i / (profiles * c), i / c % profiles, i % c);
        values[(profile * a * b + row) * c + column]
    };
    assert_eq!(values.len(), profiles * a * b * c);
    (0..values.len()).map(at).collect()
}

fn read(dir: &Path) -> Reference {
    let array = |name: &str| isobar_golden::npy(&dir.join(name).with_extension("npy"));
    let (shape, tau) = array("tau");
    let (profiles, layers) = (shape[0], shape[1]);
    let n = array("mu").0[1];
    let levels = layers + 1;
    let get = |name: &str, shape: [usize; 3]| moved(&array(name).1, [profiles, shape[0], shape[1], shape[2]]);
    // [profile, a, b] as [a, b, profile] and as [a, profile, b].
    let radiance = |name: &str, rows: usize| get(name, [rows, n, 1]);
    let vector = |name: &str, rows: usize| get(name, [rows, 1, n]);
    let weight = radiance("w", 1);
    let viewing = weight[(n - 1) * profiles] == 0.0;
    Reference {
        asymmetry: get("g", [layers, 1, 1]),
        reflection: get("layer_R", [layers, n, n]),
        transmission: get("layer_T", [layers, n, n]),
        source: vector("layer_S", layers),
        level_reflection: get("level_refl", [levels, n, n]),
        level_source: vector("level_src_up", levels),
        top: radiance("toa", 1),
        up: radiance("level_up", levels),
        down: radiance("level_down", levels),
        case: Case {
            profiles,
            layers,
            nodes: n - usize::from(viewing),
            cosine: radiance("mu", 1),
            weight,
            optical_depth: moved(&tau, [profiles, layers, 1, 1]),
            albedo: get("omega", [layers, 1, 1]),
            planck: get("planck", [layers, 1, 1]),
            crtm_limits: true,
            scatter: Scatter::Matrices { forward: get("ff", [layers, n, n]), backward: get("bb", [layers, n, n]) },
            terms: 2 * (n - usize::from(viewing)),
            delta: false,
            surface: GIVEN,
            surface_reflection: get("refl", [1, n, n]),
            emissivity: radiance("emis", 1),
            surface_planck: array("planck_sfc").1,
            cosmic: array("cosmic").1,
            sun: None,
        },
    }
}

pub(crate) fn rounded<R: Real>(case: &Case<f64>) -> Case<R> {
    let round = |values: &[f64]| values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>();
    Case {
        profiles: case.profiles,
        layers: case.layers,
        nodes: case.nodes,
        cosine: round(&case.cosine),
        weight: round(&case.weight),
        optical_depth: round(&case.optical_depth),
        albedo: round(&case.albedo),
        planck: round(&case.planck),
        crtm_limits: case.crtm_limits,
        scatter: match &case.scatter {
            Scatter::Matrices { forward, backward } => {
                Scatter::Matrices { forward: round(forward), backward: round(backward) }
            }
            Scatter::Moments(values) => Scatter::Moments(round(values)),
            Scatter::Asymmetry(values) => Scatter::Asymmetry(round(values)),
        },
        terms: case.terms,
        delta: case.delta,
        surface: case.surface,
        surface_reflection: round(&case.surface_reflection),
        emissivity: round(&case.emissivity),
        surface_planck: round(&case.surface_planck),
        cosmic: round(&case.cosmic),
        sun: None,
    }
}

/// The largest difference.
fn absolute<R: Real>(got: &[R], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).fold(0.0, |worst: f64, (got, &expected)| {
        let difference = (got.value() - expected).abs();
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

/// The largest difference over the largest value.
fn of_largest<R: Real>(got: &[R], expected: &[f64]) -> f64 {
    absolute(got, expected) / expected.iter().fold(0.0_f64, |a, &b| a.max(b))
}

/// The largest relative difference.
fn relative<R: Real>(got: &[R], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).fold(0.0, |worst: f64, (got, &expected)| {
        let difference = if got.value() == expected { 0.0 } else { (got.value() / expected - 1.0).abs() };
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

/// The largest relative difference, but for what the reference loses: it has a layer's source as 1 less a sum of
/// rounded numbers, which is nothing but rounding where the optical depth is 1e-9.
fn relative_beyond<R: Real>(got: &[R], expected: &[f64], lost: f64) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).fold(0.0, |worst: f64, (got, &expected)| {
        let difference = ((got.value() - expected).abs() - lost).max(0.0) / (expected.abs() + lost);
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

struct Tolerance {
    operators: f64,
    levels: f64,
    radiances: f64,
}

fn compare<R: Real>(set: &str, tolerance: &Tolerance) {
    let Some(dir) = isobar_golden::find("adding") else { return };
    let reference = read(&dir.join(set));
    let case = rounded::<R>(&reference.case);
    let operators = case.operators();
    let check = |what: &str, got: f64, tolerance: f64| {
        println!("{set} {} {what}: {got:.1e}", R::NAME);
        assert!(got <= tolerance, "{set} {} {what}: {got:e}", R::NAME);
    };
    let lost = 1e-15 * reference.case.planck.iter().fold(0.0_f64, |a, &b| a.max(b));
    check("layer_R", absolute(&operators.reflection, &reference.reflection), tolerance.operators);
    check("layer_T", absolute(&operators.transmission, &reference.transmission), tolerance.operators);
    check("layer_S", of_largest(&operators.source_up, &reference.source), tolerance.operators);
    for (schedule, radiances) in [("add", case.sequential(&operators)), ("tree", case.tree(&operators))] {
        let Radiances { top, up, down, reflection, source } = &radiances;
        let what = |name: &str| format!("{schedule} {name}");
        check(&what("level_refl"), absolute(reflection, &reference.level_reflection), tolerance.levels);
        check(&what("level_src_up"), relative(source, &reference.level_source), tolerance.radiances);
        check(&what("toa"), relative(top, &reference.top), tolerance.radiances);
        check(&what("level_up"), relative(up, &reference.up), tolerance.radiances);
        check(&what("level_down"), relative_beyond(down, &reference.down, lost), tolerance.radiances);
    }
}

/// Absolute, of the largest source, and relative. Measured: R and T 1e-11, S 8e-12, top 3.5e-11, source upward at a
/// level 4.7e-11, radiances at all levels 3.4e-12. It is the reference's error, whose own two methods differ by as much
/// (1e-11, 2.4e-11, 3.4e-11), where a layer hardly absorbs and an eigenvalue is nearly zero.
const DOUBLE: Tolerance = Tolerance { operators: 1e-10, levels: 1e-10, radiances: 1e-10 };

#[test]
fn reference_sets() {
    compare::<f64>("scat_s8", &DOUBLE);
    compare::<f64>("scat_s16", &DOUBLE);
    compare::<f64>("scat_s8sat", &DOUBLE);
    compare::<f64>("scat_s4sat", &DOUBLE);
}

/// Matrices and sources are of the order of 1 and good to some ten roundings of 6e-8: measured 5e-7, S 1e-6. Radiances
/// of thick layers that hardly absorb follow the small difference of albedo from 1, which single precision has to 1e-6
/// of 1 / 0.001 in these cases: measured 1.4e-5.
const SINGLE: Tolerance = Tolerance { operators: 2e-6, levels: 2e-6, radiances: 4e-5 };

#[test]
fn reference_sets_in_single_precision() {
    compare::<f32>("scat_s8", &SINGLE);
    compare::<f32>("scat_s16", &SINGLE);
    compare::<f32>("scat_s8sat", &SINGLE);
    compare::<f32>("scat_s4sat", &SINGLE);
}

#[test]
fn nodes_and_weights_of_the_reference() {
    let Some(dir) = isobar_golden::find("adding") else { return };
    for set in ["scat_s8", "scat_s16", "scat_s8sat", "scat_s4sat"] {
        let case = read(&dir.join(set)).case;
        for profile in 0..case.profiles {
            let of = |values: &[f64]| values[profile..].iter().step_by(case.profiles).copied().collect::<Vec<_>>();
            let (cosine, weight) = (of(&case.cosine), of(&case.weight));
            let mut streams = Quadrature::double_gauss(case.nodes);
            if cosine.len() > case.nodes {
                streams = streams.with_viewing_cosine(cosine[case.nodes]);
            }
            assert!(absolute(&streams.cosine, &cosine) < 1e-14, "{:e}", absolute(&streams.cosine, &cosine));
            assert!(absolute(&streams.weight, &weight) < 1e-14, "{:e}", absolute(&streams.weight, &weight));
        }
    }
}

/// The reference's phase matrices are Henyey and Greenstein's with delta-M and two terms a node, and a few Rayleigh's
/// or isotropic. They are compared by what they make of a layer.
#[test]
fn phase_matrices_of_the_reference() {
    let Some(dir) = isobar_golden::find("adding") else { return };
    compare_phase(&dir.join("scat_s8"));
    compare_phase(&dir.join("scat_s16"));
    compare_phase(&dir.join("scat_s8sat"));
    compare_phase(&dir.join("scat_s4sat"));
}

fn compare_phase(dir: &Path) {
    let reference = read(dir);
    let given = &reference.case;
    let terms = given.terms;
    let order = given.cosine.len() / given.profiles;
    let items = given.profiles * order;
    let Scatter::Matrices { forward, .. } = &given.scatter else { unreachable!() };
    let operators = given.operators();
    let mut moments = vec![0.0; given.layers * (terms + 1) * given.profiles];
    let mut isotropic = moments.clone();
    let mut rayleigh = moments.clone();
    for layer in 0..given.layers {
        for profile in 0..given.profiles {
            for l in 0..=terms {
                let at = (layer * (terms + 1) + l) * given.profiles + profile;
                let g = reference.asymmetry[layer * given.profiles + profile];
                moments[at] = isobar_core::math::double::powi(g, l as i32);
                isotropic[at] = if l == 0 { 1.0 } else { 0.0 };
                rayleigh[at] = [1.0, 0.0, 0.1].get(l).copied().unwrap_or(0.0);
            }
        }
    }
    let mut case = Case { delta: true, scatter: Scatter::Moments(moments), ..given.clone() };
    // The reference's albedo and optical depth are those without the peak: put it back.
    for i in 0..case.albedo.len() {
        let (g, scaled) = (reference.asymmetry[i], given.albedo[i]);
        let peak = isobar_core::math::double::powi(g, terms as i32);
        case.albedo[i] = scaled / (1.0 - peak + peak * scaled);
        case.optical_depth[i] = given.optical_depth[i] / (1.0 - peak * case.albedo[i]);
    }
    let from_moments = case.operators();
    let from_asymmetry = Case { scatter: Scatter::Asymmetry(reference.asymmetry.clone()), ..case.clone() }.operators();
    let [isotropic, rayleigh] = [isotropic, rayleigh]
        .map(|moments| Case { delta: true, scatter: Scatter::Moments(moments), ..given.clone() }.operators());

    let mut worst = 0.0_f64;
    for layer in 0..given.layers {
        for profile in 0..given.profiles {
            let pick = |values: &[f64]| -> Vec<f64> {
                let row = |i: usize| values[(layer * order + i) * items + profile * order..][..order].to_vec();
                (0..order).flat_map(row).collect()
            };
            if pick(forward).iter().all(|&x| x == 0.0) {
                continue;
            }
            let expected = pick(&operators.reflection);
            let of = |o: &crate::case::Operators<f64>| absolute(&pick(&o.reflection), &expected);
            let difference = of(&from_moments).max(of(&from_asymmetry)).min(of(&rayleigh)).min(of(&isotropic));
            worst = worst.max(difference);
        }
    }
    println!("{}: {worst:.1e}", dir.display());
    assert!(worst < 1e-10, "{worst:e}");
}
