//! How `isobar adding` takes what files mean: irradiances, emissivities by angle, DISORT's names, and moments that end
//! too early.

use std::f64::consts::PI;

use isobar_adding::azimuth::phase_function::henyey_greenstein;
use isobar_golden::Value;

use crate::common::classic::{Case, Classic, RADIANCE};
use crate::common::said;
use crate::directions::{good, values, without};

const HORIZONTAL: &str = "standard_name=toa_incoming_shortwave_flux";

/// What was derived, as `--json` says it.
fn derived(case: &Case) -> Vec<String> {
    let output = case.command(&["--json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    let all = summary["derived"].as_array().expect("a list");
    all.iter().map(|text| text.as_str().expect("text").to_owned()).collect()
}

fn assert_near(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * b.abs(), "{got:?} for {expected:?}");
    }
}

/// CF's toa_incoming_shortwave_flux is the beam's flux at the top through a horizontal surface, at night none.
#[test]
fn a_horizontal_irradiance_is_the_direct_flux() {
    let mut dark = without(good(), "sun_irradiance");
    dark.variable("solar_zenith_angle").values = vec![60.0, 100.0];
    let direct = |file: &Classic| {
        let case = Case::new(&file.bytes());
        let derived = derived(&case);
        (values(&case, "direct_flux")[..2].to_vec(), derived)
    };
    let with = |name: &'static str| dark.clone().with(name, &["profile"], "W m-2", &[500.0, 0.0]);
    for name in ["rsdt", "inso", "sun_irradiance"] {
        let (flux, derived) = direct(&with(name).says(&[HORIZONTAL]));
        assert_near(&flux, &[500.0, 0.0]);
        assert!(derived[0].starts_with(&format!("sun_irradiance from {name}, the flux through a horizontal")));
    }
    let (flux, derived) = direct(&with("F0").says(&["standard_name=solar_irradiance"]));
    assert_near(&flux, &[250.0, 0.0]);
    assert!(!derived.iter().any(|line| line.contains("irradiance")), "{derived:?}");
    // What is normal to the beam is preferred.
    let both = with("sun_irradiance").with("rsdt", &["profile"], "W m-2", &[1.0, 0.0]).says(&[HORIZONTAL]);
    assert_near(&direct(&both).0, &[250.0, 0.0]);
    // Over many suns, with one flux for all.
    let mut suns = without(dark, "solar_zenith_angle").with("solar_zenith_angle", &["sun"], "degree", &[0.0, 60.0]);
    suns.dimensions.push(("sun", 2));
    let (flux, _) = direct(&suns.with("rsdt", &[], "W m-2", &[500.0]).says(&[HORIZONTAL]));
    assert_near(&flux, &[500.0; 2]);
}

/// A profile without air over ground of an emissivity.
fn clear(emissivity: &[f64]) -> Classic {
    let dimensions = vec![("profile", 1), ("layer", 1), ("angle", 2), ("moment", 8)];
    Classic { dimensions, ..Classic::default() }
        .with("optical_depth", &["layer", "profile"], "1", &[0.0])
        .with("planck_radiance", &["layer", "profile"], RADIANCE, &[0.0])
        .with("surface_planck", &[], RADIANCE, &[0.0])
        .with("emissivity", &["angle"], "1", emissivity)
        .with("cosine", &["angle"], "1", &[1.0, 0.5])
}

/// Without air a surface sends up its reflectivity times the horizontal irradiance over pi.
#[test]
fn a_clear_sky_has_a_horizontal_irradiance_too() {
    let file = clear(&[1.0; 2])
        .with("solar_zenith_angle", &[], "degree", &[60.0])
        .with("sun_reflectivity", &[], "1", &[0.4])
        .with("rsdt", &[], "mW m-2 cm", &[500.0])
        .says(&[HORIZONTAL]);
    let case = Case::new(&file.bytes());
    assert!(derived(&case)[0].starts_with("sun_irradiance from rsdt"));
    assert_near(&values(&case, "top_radiance"), &[0.4 * 500.0 / PI; 2]);
}

/// The streams of layers that scatter lie between the file's angles and beyond: a line says what they have there.
#[test]
fn emissivities_by_angle_are_said_to_be_interpolated() {
    let scattering = |file: Classic| {
        let file = file.with("single_scattering_albedo", &["layer", "profile"], "1", &[0.5]);
        file.with("asymmetry", &["layer", "profile"], "1", &[0.1])
    };
    let of = |file: Classic| derived(&Case::new(&file.bytes()));
    let line = "emissivity of the streams, linear in the cosine between the file's angles and constant below 0.5 and \
                above 1";
    assert_eq!(of(scattering(clear(&[0.9, 0.5]))), [line]);
    assert!(of(scattering(clear(&[0.9; 2]))).is_empty());
    assert!(of(clear(&[0.9, 0.5])).is_empty());
}

/// DISORT's asymmetry is the same in capitals and in small letters.
#[test]
fn disorts_asymmetry_is_known_in_either_case() {
    let top = |name: &'static str| {
        let mut file = good();
        file.variable("asymmetry").name = name;
        let case = Case::new(&file.bytes());
        case.solve(&[]);
        values(&case, "top_radiance")
    };
    assert_eq!(top("GG"), top("asymmetry"));
    assert_eq!(top("gg"), top("asymmetry"));
}

/// As many moments as streams leave no peak for delta scaling, from any direction and in means over the azimuth.
#[test]
fn moments_that_end_within_the_streams_are_warned_of() {
    let mut directions = without(good(), "asymmetry");
    directions.dimensions.push(("moment", 16));
    let directions = directions.with("phase_moments", &["moment"], "1", &henyey_greenstein(0.85, 16));
    let means = clear(&[1.0; 2]).with("single_scattering_albedo", &["layer", "profile"], "1", &[0.5]).with(
        "phase_moments",
        &["layer", "moment", "profile"],
        "1",
        &henyey_greenstein(0.85, 8),
    );
    for (file, last, streams) in [(directions, 15, 16), (means, 7, 8)] {
        let output = Case::new(&file.bytes()).command(&[]);
        let (text, wanted) = (said(&output), format!("isobar: warning: in.nc: phase moments end at number {last}, "));
        assert!(output.status.success() && text.starts_with(&wanted), "{text}");
        assert!(text.contains(&format!("the peak that delta scaling takes off, number {streams}, ")), "{text}");
        assert_eq!(text.matches("phase moments end").count(), 1, "{text}");
    }
}
