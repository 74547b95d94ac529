//! `isobar adding` on layers that scatter.

use crate::common::classic::{COLUMN, Case, Classic, PROFILE_ONLY, RADIANCE};
use crate::common::said;
use isobar_adding::scattering::{Options, Profiles, Reflection};
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
fn expected(options: &Options, angle: usize) -> Vec<f64> {
    let nodes = options.nodes;
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
    let top = Scattering::<f64>::on(&[Device::Cpu]).run(&batch, options).unwrap().top_radiance;
    top[2 * nodes..].to_vec()
}

#[test]
fn a_file_gives_what_the_library_gives() {
    let case = Case::new(&with_asymmetry(&ALBEDO).bytes());
    let mut different = Vec::new();
    for (nodes, streams) in [(1, "2"), (4, "8"), (32, "64")] {
        for (surface, reflection) in [("specular", Reflection::Specular), ("lambertian", Reflection::Lambertian)] {
            for more in [None, Some("--no-delta-scaling")] {
                let mut options = vec!["--streams", streams, "--surface", surface, "--levels"];
                options.extend(more);
                case.solve(&options);
                let chosen = Options { delta_scaling: more.is_none(), reflection, ..Options::new(nodes) };
                let top = case.read("top_radiance");
                let of_library = [expected(&chosen, 0), expected(&chosen, 1)].concat();
                assert_eq!(top, of_library, "{options:?}");
                if nodes == 4 {
                    different.push(of_library);
                }
                assert_eq!(case.read("upward_radiance")[..4], top);
                let down = case.read("downward_radiance");
                assert_eq!(case.read("surface_downward_radiance"), down[down.len() - 4..]);
            }
        }
    }
    // No two choices give the same.
    for (i, one) in different.iter().enumerate() {
        assert!(different[..i].iter().all(|other| one != other), "{i}");
    }
}

/// Sunlight on half-infinite layers that scatter isotropically, albedo 0.9: Chandrasekhar's H functions, to the digits
/// of his tables.
#[test]
fn sunlight_is_scattered_into_the_view() {
    let empty = Classic { dimensions: vec![("profile", 1), ("layer", 1), ("angle", 3)], ..Classic::default() };
    let file = empty
        .with("optical_depth", COLUMN, "1", &[1e4])
        .with("planck_radiance", COLUMN, RADIANCE, &[0.0])
        .with("surface_planck", PROFILE_ONLY, RADIANCE, &[0.0])
        .with("emissivity", PROFILE_ONLY, "1", &[1.0])
        .with("cosine", &["angle"], "1", &[1.0, 0.55, 0.2])
        .with("single_scattering_albedo", COLUMN, "1", &[0.9])
        .with("asymmetry", COLUMN, "1", &[0.0])
        .with("sun_cosine", PROFILE_ONLY, "1", &[0.8])
        .with("sun_irradiance", PROFILE_ONLY, "mW m-2 cm", &[std::f64::consts::PI])
        .with("sun_reflectivity", PROFILE_ONLY, "1", &[0.0]);
    let case = Case::new(&file.bytes());
    case.solve(&["--streams", "32"]);
    for (got, expected) in case.read("top_radiance").iter().zip([0.323_287, 0.370_875, 0.406_198]) {
        assert!((got - expected).abs() < 6e-7, "{got} {expected}");
    }
}

#[test]
fn options_of_layers_that_scatter_are_refused_where_none_do() {
    let mut file = with_asymmetry(&ALBEDO);
    file.variables.retain(|variable| variable.name != "single_scattering_albedo");
    let clear = Case::new(&file.bytes());
    for options in [&["--streams", "8"][..], &["--no-delta-scaling"]] {
        let output = clear.command(options);
        let text = crate::common::said(&output);
        assert!(output.status.code() == Some(2), "{text}");
        assert!(text.contains(options[0]) && text.contains("is for layers that scatter, and these do not"), "{text}");
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
    file.variable("asymmetry").units = Some("K");
    Case::new(&file.bytes()).refused(&[], &["asymmetry", "units"]);
    let case = Case::new(&with_asymmetry(&ALBEDO).bytes());
    case.refused(&["--surface", "black"], &["specular or lambertian"]);

    for (options, part) in [
        (["--schedule", "deep"], "--schedule is for layers that do not scatter"),
        (["--streams", "7"], "an even number from 2 to 64"),
        (["--streams", "66"], "an even number from 2 to 64"),
    ] {
        let output = case.command(&options);
        assert!(!output.status.success() && said(&output).contains(part), "{}", said(&output));
        assert!(!case.out().exists());
    }
}
