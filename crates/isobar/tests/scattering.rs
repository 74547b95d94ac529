//! `isobar adding` on layers that scatter.

#![cfg(feature = "cli")]

mod common;

use common::classic::{COLUMN, Case, Classic, PROFILE_ONLY, RADIANCE};
use common::said;
use isobar_adding::scattering::{Options, Profiles, Reflection, Schedule};
use isobar_adding::{Device, Scattering};

const ASYMMETRY: [f64; 6] = [0.85, 0.0, 0.5, 0.7, -0.2, 0.3];
const ALBEDO: [f64; 6] = [0.9, 0.2, 0.0, 0.99, 0.5, 1.0];
const OPTICAL_DEPTH: [f64; 6] = [0.1, 2.0, 0.3, 40.0, 1e-6, 0.6];
const PLANCK: [f64; 6] = [40.0, 41.0, 70.0, 71.0, 100.0, 101.0];
const ANGLES: [f64; 2] = [1.0, 0.53];

/// Two profiles of three layers at two angles, over a surface without favourite angles.
fn cloudy(albedo: &[f64]) -> Classic {
    let empty =
        Classic { dimensions: vec![("profile", 2), ("layer", 3), ("angle", 2), ("moment", 20)], ..Classic::default() };
    empty
        .with("optical_depth", COLUMN, "1", &OPTICAL_DEPTH)
        .with("planck_radiance", COLUMN, RADIANCE, &PLANCK)
        .with("surface_planck", PROFILE_ONLY, RADIANCE, &[110.0, 111.0])
        .with("emissivity", PROFILE_ONLY, "1", &[0.9, 0.6])
        .with("cosine", &["angle"], "1", &ANGLES)
        .with("single_scattering_albedo", COLUMN, "1", albedo)
}

fn with_asymmetry(albedo: &[f64]) -> Classic {
    cloudy(albedo).with("asymmetry", COLUMN, "1", &ASYMMETRY)
}

/// What the library computes of the same numbers.
fn expected(nodes: usize, delta: bool, reflection: Reflection, angle: usize, schedule: Schedule) -> Vec<f64> {
    let batch = Profiles {
        viewing_cosine: vec![ANGLES[angle]; 2],
        optical_depth: OPTICAL_DEPTH.to_vec(),
        single_scattering_albedo: ALBEDO.to_vec(),
        asymmetry: ASYMMETRY.to_vec(),
        planck_radiance: PLANCK.to_vec(),
        surface_planck_radiance: vec![110.0, 111.0],
        emissivity: [0.9, 0.6].repeat(nodes + 1),
        cosmic_background: vec![0.0],
        ..Profiles::default()
    };
    let options = Options { delta_scaling: delta, reflection, schedule, ..Options::new(nodes) };
    let top = Scattering::<f64>::on(&[Device::Cpu]).run(&batch, &options).unwrap().top_radiance;
    top[2 * nodes..].to_vec()
}

#[test]
fn a_file_gives_what_the_library_gives() {
    let case = Case::new(&with_asymmetry(&ALBEDO).bytes());
    for (nodes, streams) in [(1, "2"), (4, "8"), (16, "32")] {
        for (surface, reflection) in [("specular", Reflection::Specular), ("lambertian", Reflection::Lambertian)] {
            for (more, delta) in [(None, true), (Some("--no-delta-scaling"), false)] {
                for schedule in [Schedule::Sequential, Schedule::Tree] {
                    let mut options =
                        vec!["--streams", streams, "--surface", surface, "--schedule", schedule.name(), "--levels"];
                    options.extend(more);
                    case.solve(&options);
                    let of_angle = |angle| expected(nodes, delta, reflection, angle, schedule);
                    let top = case.read("top_radiance");
                    assert_eq!(top, [of_angle(0), of_angle(1)].concat(), "{options:?}");
                    assert_eq!(case.read("upward_radiance")[..4], top);
                    let down = case.read("downward_radiance");
                    assert_eq!(case.read("surface_downward_radiance"), down[down.len() - 4..]);
                }
            }
        }
    }
}

/// Moments `g^l` are the asymmetry `g`, and no more than are needed count.
#[test]
fn moments_stand_for_an_asymmetry() {
    let powers = (0..3).flat_map(|layer| {
        (0..20).flat_map(move |l| {
            (0..2).map(move |profile| isobar_core::math::double::powi(ASYMMETRY[layer * 2 + profile], l))
        })
    });
    let moments: Vec<f64> = powers.collect();
    let file = cloudy(&ALBEDO).with("phase_moments", &["layer", "moment", "profile"], "1", &moments);
    let (by_moments, by_asymmetry) = (Case::new(&file.bytes()), Case::new(&with_asymmetry(&ALBEDO).bytes()));
    by_moments.solve(&[]);
    by_asymmetry.solve(&[]);
    for (a, b) in by_moments.read("top_radiance").iter().zip(by_asymmetry.read("top_radiance")) {
        // The powers are rounded in another order.
        assert!((a / b - 1.0).abs() < 1e-13, "{a} {b}");
    }
}

/// The solvers differ by roundings where nothing scatters.
#[test]
fn without_scattering_it_is_a_clear_sky() {
    let scattering = Case::new(&with_asymmetry(&[0.0; 6]).bytes());
    let mut file = with_asymmetry(&[0.0; 6]);
    file.variables.retain(|variable| variable.name != "single_scattering_albedo");
    let clear = Case::new(&file.bytes());
    scattering.solve(&["--levels"]);
    clear.solve(&["--levels"]);
    for name in ["top_radiance", "surface_downward_radiance", "upward_radiance", "downward_radiance"] {
        for (a, b) in scattering.read(name).iter().zip(clear.read(name)) {
            assert!((a - b).abs() < 1e-12, "{name}: {a} {b}");
        }
    }
}

#[test]
fn a_file_from_the_surface_up_is_turned() {
    let top_first = Case::new(&with_asymmetry(&ALBEDO).bytes());
    top_first.solve(&[]);
    let mut file = with_asymmetry(&ALBEDO);
    file.attributes.push(("orientation", "bottom_first"));
    for name in ["optical_depth", "planck_radiance", "single_scattering_albedo", "asymmetry"] {
        let values = &mut file.variable(name).values;
        *values = values.chunks(2).rev().flatten().copied().collect();
    }
    let bottom_first = Case::new(&file.bytes());
    bottom_first.solve(&[]);
    assert_eq!(bottom_first.read("top_radiance"), top_first.read("top_radiance"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut file = with_asymmetry(&ALBEDO);
    file.variable("single_scattering_albedo").values[3] = 1.25;
    let parts = ["single_scattering_albedo", "layer 1", "profile 1", "1.25", "[0, 1]"];
    Case::new(&file.bytes()).refused(&[], &parts);
    Case::new(&cloudy(&ALBEDO).bytes()).refused(&[], &["asymmetry"]);
    let mut file = with_asymmetry(&ALBEDO);
    file.variable("asymmetry").units = None;
    Case::new(&file.bytes()).refused(&[], &["asymmetry", "units"]);
    let case = Case::new(&with_asymmetry(&ALBEDO).bytes());
    case.refused(&["--surface", "black"], &["specular or lambertian"]);

    for (options, part) in [
        (["--schedule", "deep"], "sequential or tree"),
        (["--streams", "7"], "an even number from 2 to 32"),
        (["--streams", "34"], "an even number from 2 to 32"),
    ] {
        let output = case.command(&options);
        assert!(!output.status.success() && said(&output).contains(part), "{}", said(&output));
        assert!(!case.out().exists());
    }
}
