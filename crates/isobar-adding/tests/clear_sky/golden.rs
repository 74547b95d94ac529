//! The reference's clear-sky sets.

use std::path::Path;

use isobar_adding::clear_sky::{EMISSION, LEVELS, REFLECTION};
use isobar_core::Real;
use isobar_golden::Agreement;

use crate::case::{Case, SCHEDULES, Schedule};

const SETS: [&str; 6] =
    ["clear_ir_10k", "clear_ir_50k", "clear_hires_10k", "clear_mw_100k", "clear_ms16_10k", "clear_deep_1k"];

/// Of the largest Planck radiance of a profile, in f64. The reference's own two codes differ by 2.2e-15; we add the
/// rounding of 200 layers, each of which is half an epsilon of a convex combination and loses weight with what lies
/// above it.
const DOUBLE: f64 = 1e-14;
/// The same in f32, whose epsilon is 1.2e-7: optical depths, Planck radiances and emissivities are rounded to it on
/// input.
const SINGLE: f64 = 3e-6;

/// A reference array `[profile, row, angle]` as `[row, angle, profile]`.
fn transposed(values: &[f64], profiles: usize, rows: usize, angles: usize) -> Vec<f64> {
    let at = |i: usize| {
        let (row, angle, profile) = (i / (angles * profiles), i / profiles % angles, i % profiles);
        values[(profile * rows + row) * angles + angle]
    };
    (0..values.len()).map(at).collect()
}

struct Reference {
    case: Case<f64>,
    /// The largest Planck radiance of each profile.
    largest: Vec<f64>,
    level_up_emit: Vec<f64>,
    level_down: Vec<f64>,
    level_up: Vec<f64>,
    layer_trans: Vec<f64>,
    up_atm: Vec<f64>,
}

fn read(dir: &Path) -> Reference {
    let array = |name: &str| isobar_golden::npy(&dir.join(name).with_extension("npy"));
    let (shape, tau) = array("tau");
    let (profiles, layers) = (shape[0], shape[1]);
    let cosine = array("mu").1;
    let angles = cosine.len();
    let planck = array("planck").1;
    let surface_planck = array("planck_sfc").1;
    let cosmic = array("cosmic").1;
    let largest = (0..profiles)
        .map(|p| planck[p * layers..][..layers].iter().fold(surface_planck[p].max(cosmic[p]), |a, &b| a.max(b)))
        .collect();
    let three = |name: &str, rows: usize| transposed(&array(name).1, profiles, rows, angles);
    Reference {
        largest,
        level_up_emit: three("level_up_emit", layers + 1),
        level_down: three("level_down", layers + 1),
        level_up: three("level_up", layers + 1),
        layer_trans: three("layer_trans", layers),
        up_atm: three("up_atm", 1),
        case: Case {
            profiles,
            layers,
            optical_depth: transposed(&tau, profiles, layers, 1),
            transmittance: Vec::new(),
            planck: transposed(&planck, profiles, layers, 1),
            linear: false,
            specular: true,
            surface_planck,
            emissivity: three("emis", 1),
            cosmic,
            cosine,
        },
    }
}

fn rounded<R: Real>(case: &Case<f64>) -> Case<R> {
    let round = |values: &[f64]| values.iter().map(|&x| R::from_f64(x)).collect::<Vec<R>>();
    Case {
        profiles: case.profiles,
        layers: case.layers,
        cosine: case.cosine.clone(),
        optical_depth: round(&case.optical_depth),
        transmittance: round(&case.transmittance),
        planck: round(&case.planck),
        linear: case.linear,
        specular: case.specular,
        surface_planck: round(&case.surface_planck),
        emissivity: round(&case.emissivity),
        cosmic: round(&case.cosmic),
    }
}

/// The largest difference, in largest Planck radiances of its profile.
fn worst<R: Real>(
    what: &str,
    (got, expected): (&[R], &[f64]),
    largest: &[f64],
    tolerance: f64,
    agreement: &mut Agreement,
) -> f64 {
    assert_eq!(got.len(), expected.len(), "{what}");
    let mut worst: f64 = 0.0;
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        let difference = (got.value() - expected).abs() / largest[i % largest.len()];
        assert!(difference <= tolerance, "{what}[{i}]: {got} instead of {expected}: {difference:e}");
        worst = worst.max(difference);
        agreement.add(difference);
    }
    worst
}

fn agrees<R: Real>(tolerance: f64) {
    let Some(dir) = isobar_golden::find("adding") else { return };
    let mut agreement = Agreement::default();
    for set in SETS {
        let reference = read(&dir.join(set));
        let mut case = rounded::<R>(&reference.case);
        let items = case.angles() * case.profiles;
        let mut check = |what: &str, got: &[R], expected: &[f64]| {
            let worst = worst(&format!("{set} {what}"), (got, expected), &reference.largest, tolerance, &mut agreement);
            println!("{set} {what} {}: {worst:.1e}", R::NAME);
        };

        let levels = case.run(Schedule::Sequential, LEVELS);
        check("level_up", &levels.level_up, &reference.level_up);
        check("level_down", &levels.level_down, &reference.level_down);
        check("top", &levels.top, &reference.level_up[..items]);
        check("surface_down", &levels.surface_down, &reference.level_down[reference.level_down.len() - items..]);

        // Given transmittances are those of the reference.
        case.transmittance = reference.layer_trans.iter().map(|&t| R::from_f64(t)).collect();
        check("top of transmittances", &case.run(Schedule::Sequential, REFLECTION).top, &reference.level_up[..items]);
        case.transmittance.clear();

        case.specular = false;
        let emission = case.run(Schedule::Sequential, LEVELS);
        check("level_up_emit", &emission.level_up, &reference.level_up_emit);
        case.emissivity.fill(R::ZERO);
        check("up_atm", &case.run(Schedule::Sequential, EMISSION).top, &reference.up_atm);
    }
    let unit = "of the largest Planck radiance";
    agreement.write(&format!("6-adding-{}", R::NAME), "Adding, clear, against CRTM's solvers", R::NAME, unit);
}

#[test]
fn reference_sets_in_f64() {
    agrees::<f64>(DOUBLE);
}

#[test]
fn reference_sets_in_f32() {
    agrees::<f32>(SINGLE);
}

#[test]
fn every_schedule_gives_the_same_bits() {
    let Some(dir) = isobar_golden::find("adding") else { return };
    for set in SETS {
        let case = read(&dir.join(set)).case;
        same_bits(&case);
        same_bits(&rounded::<f32>(&case));
    }
}

pub(crate) fn same_bits<R: Real>(case: &Case<R>) {
    let expected = case.run(Schedule::Sequential, LEVELS);
    for schedule in SCHEDULES {
        if !matches!(schedule, Schedule::Block(_)) {
            assert_eq!(case.run(schedule, LEVELS), expected, "{schedule:?}");
        }
        let ends = case.run(schedule, REFLECTION);
        assert_eq!(ends.top, expected.top, "{schedule:?}");
        assert_eq!(ends.surface_down, expected.surface_down, "{schedule:?}");
        if !case.specular {
            assert_eq!(case.run(schedule, EMISSION).top, expected.top, "{schedule:?}");
        }
    }
}
