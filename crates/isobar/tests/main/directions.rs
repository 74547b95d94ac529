//! `isobar adding` on profiles that are seen from any direction: the reference's cases through NetCDF files, all
//! surfaces, species, phase functions, and what it refuses.

use std::f64::consts::PI;
use std::path::Path;

use isobar_adding::azimuth::phase_function::{double_henyey_greenstein, henyey_greenstein, rayleigh};
use isobar_golden::{Value, json, npy};

use crate::common::classic::{Case, Classic};
use crate::common::said;

const RADIANCE: &str = "W m-2 sr-1";
const FLUX: &str = "W m-2";

/// All values of a variable of an output.
pub(crate) fn values(case: &Case, name: &str) -> Vec<f64> {
    let file = netcdf_reader::NcFile::from_bytes(&std::fs::read(case.out()).unwrap()).unwrap();
    file.read_variable_as_f64(name).unwrap_or_else(|e| panic!("{name}: {e}")).iter().copied().collect()
}

fn shape(case: &Case, name: &str) -> Vec<String> {
    let file = netcdf_reader::NcFile::from_bytes(&std::fs::read(case.out()).unwrap()).unwrap();
    let variables = file.variables().unwrap();
    let variable = variables.iter().find(|variable| variable.name() == name).unwrap_or_else(|| panic!("no {name}"));
    variable.dimensions.iter().map(|dimension| dimension.name.clone()).collect()
}

fn has(case: &Case, name: &str) -> bool {
    let file = netcdf_reader::NcFile::from_bytes(&std::fs::read(case.out()).unwrap()).unwrap();
    file.variables().unwrap().iter().any(|variable| variable.name() == name)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))
}

/// The largest difference over the largest value.
fn difference(got: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let finite = |x: f64| if x.is_finite() { x } else { f64::INFINITY };
    let worst = got.iter().zip(expected).fold(0.0, |worst: f64, (a, b)| worst.max(finite((a - b).abs())));
    worst / largest(expected).max(1e-300)
}

fn assert_near(got: &[f64], expected: &[f64], tolerance: f64) {
    let found = difference(got, expected);
    assert!(found <= tolerance, "{found:e}: {got:?} for {expected:?}");
}

fn cosine(degrees: f64) -> f64 {
    isobar_core::math::double::cos(degrees.to_radians())
}

/// A case of the reference.
struct Golden {
    json: Value,
    numbers: Vec<f64>,
}

impl Golden {
    fn read(path: &Path) -> Self {
        Self { json: json(&path.with_extension("json")), numbers: npy(&path.with_extension("npy")).1 }
    }

    fn array(&self, name: &str) -> Option<&[f64]> {
        let number = |value: &Value| value.as_u64().expect("a whole number") as usize;
        let array = self.json["arrays"].get(name)?;
        let len: usize = array["shape"].as_array().expect("a shape").iter().map(number).product();
        Some(&self.numbers[number(&array["offset"])..][..len])
    }

    fn number(&self, name: &str) -> f64 {
        self.json[name].as_f64().expect("a number")
    }

    /// The case as a file, which names its dimensions and variables as DISORT does where that is read.
    fn file(&self) -> Classic {
        let array = |name: &str| self.array(name).expect("an array of the case");
        let (layers, moments) = (array("optical_depth").len(), array("phase_moments"));
        let (top, bottom) = (self.array("planck_top").unwrap_or(&[]), self.array("planck_bottom").unwrap_or(&[]));
        let sun = self.number("mu0") > 0.0;
        let mut file = Classic {
            dimensions: vec![
                ("profile", 1),
                ("layer", layers),
                ("level", layers + 1),
                ("moment", moments.len() / layers),
                ("angle", array("mu").len()),
                ("azimuth", array("phi").len()),
            ],
            ..Classic::default()
        };
        file = file
            .with("DTAUC", &["layer", "profile"], "1", array("optical_depth"))
            .with("SSALB", &["layer"], "1", array("single_scattering_albedo"))
            .with("PMOM", &["layer", "moment"], "1", moments)
            .with("UMU", &["angle"], "1", array("mu"));
        if sun {
            file = file
                .with("PHI", &["azimuth"], "degree", array("phi"))
                .with("UMU0", &[], "1", &[self.number("mu0")])
                .with("FBEAM", &[], FLUX, &[self.number("beam_flux")]);
        }
        if largest(top) > 0.0 {
            let levels: Vec<f64> = top.iter().chain(bottom.last()).copied().collect();
            file = if top == bottom {
                file.with("planck_radiance", &["layer"], RADIANCE, top)
            } else {
                file.with("planck_radiance_level", &["level"], RADIANCE, &levels)
            };
        }
        file = file.with("surface_planck", &[], RADIANCE, &[self.number("surface_planck")]);
        if self.number("top_radiance") > 0.0 {
            file = file.with("FISOT", &[], RADIANCE, &[self.number("top_radiance")]);
        }
        let parameters = |file: Classic, all: &[(&'static str, f64)]| {
            all.iter().fold(file, |file, &(name, value)| file.with(name, &[], "1", &[value]))
        };
        match self.json["surface"].as_str().expect("a surface") {
            "lambertian" => parameters(file, &[("surface_albedo", self.number("albedo"))]),
            "rpv" => {
                let [rho_0, k, theta, rho_c] = isobar_golden::numbers(&self.json["rpv"])[..] else { panic!("four") };
                parameters(file, &[("rpv_rho_0", rho_0), ("rpv_k", k), ("rpv_theta", theta), ("rpv_rho_c", rho_c)])
            }
            _ => parameters(file, &[("hapke_b_0", 1.0), ("hapke_h", 0.06), ("hapke_w", 0.6)]),
        }
    }

    /// The reference's levels of values with a row for each, in azimuths that light may not depend on.
    fn at_levels(&self, values: &[f64], expected: usize) -> Vec<f64> {
        let layers = self.array("optical_depth").expect("depths").len();
        let row = values.len() / (layers + 1);
        let levels: Vec<usize> = match self.json["indices"]["out_level_index"].as_array() {
            Some(levels) => levels.iter().map(|level| level.as_u64().expect("a level") as usize).collect(),
            None => (0..=layers).collect(),
        };
        let repeat = expected / (levels.len() * row);
        levels
            .into_iter()
            .flat_map(|level| &values[level * row..][..row])
            .flat_map(|&x| std::iter::repeat_n(x, repeat))
            .collect()
    }
}

/// Radiances, with and without corrections and delta-M, and fluxes of the reference: with DISORT's names of variables.
#[test]
fn cases_of_the_reference_in_files() {
    let Some(dir) = isobar_golden::find("scattering") else { return };
    let mut paths: Vec<_> = ["disort", "random"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(dir.join(folder)).expect("a folder of the reference"))
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "npy"))
        .collect();
    paths.sort();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for path in paths {
        let golden = Golden::read(&path);
        let streams = golden.json["streams"].as_u64().expect("streams");
        // A few seconds for all of them.
        if streams > 16 || golden.array("optical_depth").expect("depths").len() > 20 {
            continue;
        }
        seen += 1;
        let case = Case::new(&golden.file().bytes());
        let delta = golden.json["delta_scaling"].as_bool().unwrap_or(true);
        let streams = streams.to_string();
        let base = ["--levels", "--streams", &streams];
        let delta: &[&str] = if delta { &[] } else { &["--no-delta-scaling"] };
        let plain = [&base[..], delta, &["--no-corrections"]].concat();
        let corrected = [&base[..], delta].concat();
        let runs = [
            (plain, ["radiance_up", "radiance_down"]),
            (corrected, ["radiance_up_tms", "radiance_down_tms_ims"]),
            ([&base[..], &["--no-delta-scaling"]].concat(), ["radiance_up_unscaled", "radiance_down_unscaled"]),
        ];
        for (options, names) in runs {
            let [Some(up), Some(down)] = names.map(|name| golden.array(name)) else { continue };
            let output = case.command(&options);
            assert!(output.status.success(), "{}: {}", path.display(), said(&output));
            let scale = largest(up).max(largest(down)).max(1e-300);
            // The reference corrects the air alone; isobar-adding's tests add what a ground is short of.
            let ground = names[0] == "radiance_up_tms" && golden.json["surface"].as_str() != Some("lambertian");
            for (name, expected) in [("upward_radiance", up), ("downward_radiance", down)] {
                if ground && name == "upward_radiance" {
                    continue;
                }
                let got = golden.at_levels(&values(&case, name), expected.len());
                let error = difference(&got, expected) * largest(expected) / scale;
                let thin = golden.json["kind"].as_str() == Some("thin");
                if error > if thin { 1e-9 } else { 1e-10 } {
                    wrong.push(format!("{} {options:?} {name}: {error:e}", path.display()));
                }
            }
            if names[0] == "radiance_up" {
                let fluxes =
                    [("upward_flux", "flux_up"), ("downward_flux", "flux_down"), ("direct_flux", "flux_direct")];
                let of = |name: &str| golden.array(name).expect("fluxes");
                let scale = fluxes.iter().fold(1e-300, |scale: f64, (_, name)| scale.max(largest(of(name))));
                for (name, expected) in fluxes {
                    let error = difference(&values(&case, name), of(expected)) * largest(of(expected)) / scale;
                    if error > 1e-10 {
                        wrong.push(format!("{} {name}: {error:e}", path.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(seen > 40, "{seen}");
}

/// Two profiles of two layers of haze, two views, three azimuths.
fn hazy() -> Classic {
    let dimensions = vec![("profile", 2), ("layer", 2), ("level", 3), ("angle", 2), ("azimuth", 3)];
    Classic { dimensions, ..Classic::default() }
        .with("optical_depth", &["layer", "profile"], "1", &[0.1, 0.2, 0.5, 0.3])
        .with("single_scattering_albedo", &["layer", "profile"], "1", &[1.0, 0.9, 0.8, 0.95])
        .with("zenith_angle", &["angle"], "degree", &[0.0, 50.0])
        .with("relative_azimuth_angle", &["azimuth"], "degree", &[0.0, 75.0, 180.0])
        .with("solar_zenith_angle", &["profile"], "degree", &[40.0, 60.0])
        .with("sun_irradiance", &[], "W m-2 um-1", &[1500.0])
}

fn asymmetric() -> Classic {
    hazy().with("asymmetry", &["layer", "profile"], "1", &[0.6, 0.7, -0.1, 0.5])
}

pub(crate) fn good() -> Classic {
    asymmetric().with("surface_albedo", &["profile"], "1", &[0.1, 0.3])
}

pub(crate) fn without(mut file: Classic, name: &str) -> Classic {
    file.variables.retain(|variable| variable.name != name);
    file
}

fn top(file: &Classic, options: &[&str]) -> Vec<f64> {
    let case = Case::new(&file.bytes());
    case.solve(options);
    values(&case, "top_radiance")
}

#[test]
fn results_have_the_dimensions_and_names_of_their_file() {
    let case = Case::new(&good().bytes());
    case.solve(&["--levels"]);
    assert_eq!(shape(&case, "top_radiance"), ["angle", "azimuth", "profile"]);
    assert_eq!(shape(&case, "downward_radiance"), ["level", "angle", "azimuth", "profile"]);
    assert_eq!(shape(&case, "actinic_flux"), ["level", "profile"]);
    assert_eq!(shape(&case, "zenith_angle"), ["angle"]);
    assert_eq!(shape(&case, "relative_azimuth_angle"), ["azimuth"]);
    assert_near(&values(&case, "solar_zenith_angle"), &[40.0, 60.0], 1e-14);
    let (top, reflectance) = (values(&case, "top_radiance"), values(&case, "toa_bidirectional_reflectance"));
    assert_eq!(values(&case, "upward_radiance")[..12], top);
    assert_eq!(values(&case, "downward_radiance")[24..], values(&case, "surface_downward_radiance"));
    let expected: Vec<f64> = top
        .iter()
        .enumerate()
        .map(|(i, radiance)| PI * radiance / (1500.0 * [cosine(40.0), cosine(60.0)][i % 2]))
        .collect();
    assert_near(&reflectance, &expected, 1e-14);
    // All that comes down is what goes up from the ground, times its albedo.
    let flux = |name: &str| values(&case, name)[4..].to_vec();
    let (up, down, direct) = (flux("upward_flux"), flux("downward_flux"), flux("direct_flux"));
    assert_near(&up, &[0.1 * (down[0] + direct[0]), 0.3 * (down[1] + direct[1])], 1e-13);

    let text = std::fs::read(case.out()).unwrap();
    let text = String::from_utf8_lossy(&text);
    for part in ["toa_outgoing_radiance_per_unit_wavelength", "sensor_zenith_angle", "lambertian", "W m-2 sr-1 um-1"] {
        assert!(text.contains(part), "{part}");
    }
    // At night there is no reflectance.
    let mut night = good();
    night.variable("solar_zenith_angle").values[1] = 100.0;
    let case = Case::new(&night.bytes());
    case.solve(&[]);
    assert!(values(&case, "toa_bidirectional_reflectance")[1] > 1e36 && values(&case, "top_radiance")[1] == 0.0);
}

#[test]
fn every_option_of_directions_counts() {
    let file = good();
    let plain = top(&file, &[]);
    let case = Case::new(&file.bytes());
    for options in [
        &["--streams", "4"][..],
        &["--no-delta-scaling"],
        &["--no-corrections"],
        &["--components", "12"],
        &["--accuracy", "0.1"],
        &["--precision", "f32"],
    ] {
        assert!(top(&file, options) != plain, "{options:?}");
    }
    assert!(difference(&top(&file, &["--precision", "f32"]), &plain) < 2e-6);
    assert_eq!(top(&file, &["--threads", "1"]), plain);
    assert_eq!(top(&file, &["--streams", "16", "--components", "16"]), plain, "defaults");
    // Light below zero is told.
    let few = said(&case.command(&["--components", "2"]));
    assert!(few.contains("in.nc: 1 radiances are below zero, to -6.7978 (downward, profile 1): "), "{few}");
    assert!(difference(&top(&file, &["--accuracy", "1e-6"]), &plain) < 1e-5);
    let summary = |more: &[&str]| {
        let output = case.command(&[more, &["--json"]].concat());
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        summary["components"].as_u64().unwrap()
    };
    assert_eq!((summary(&[]), summary(&["--components", "3"])), (16, 3));
    assert!((2..16).contains(&summary(&["--accuracy", "1e-3"])));
    case.solve(&["--plot", "out.svg"]);
    let svg = std::fs::read_to_string(case.folder.path().join("out.svg")).unwrap();
    for part in ["zenith angle of the view", "reflectance", "azimuths 0° and 180°, profile 0", "down, direct"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("NaN"));
    for (options, words) in [
        (&["--surface", "lambertian"][..], "the file says how the ground reflects"),
        (&["--schedule", "deep"], "--schedule is for layers that do not scatter"),
        (&["--streams", "66"], "from 2 to 64"),
        (&["--components", "0"], "1 or more"),
        (&["--accuracy", "2"], "0 to 1"),
        (&["--accuracy", "0.1", "--components", "2"], "cannot be used with"),
        (&["--linear-source"], "planck_radiance_level"),
    ] {
        let output = case.command(options);
        assert!(!output.status.success() && said(&output).contains(words), "{options:?}: {}", said(&output));
    }
    // And not where there are no directions.
    let old = Case::new(&without(asymmetric(), "relative_azimuth_angle").with("emissivity", &[], "1", &[0.9]).bytes());
    for options in [&["--no-corrections"][..], &["--components", "2"], &["--accuracy", "0.1"]] {
        let output = old.command(options);
        assert!(
            !output.status.success() && said(&output).starts_with(&format!("isobar: {}", options[0])),
            "{options:?}"
        );
    }
}

/// Options that change nothing say so; where they do, nothing is said.
#[test]
fn options_without_effect_are_told() {
    let sea = || without(good(), "surface_albedo").with("wind_speed", &["profile"], "knot", &[10.0, 20.0]);
    let mean = || without(good(), "relative_azimuth_angle");
    let thermal = || {
        let dark = ["solar_zenith_angle", "sun_irradiance"].into_iter().fold(mean(), without);
        dark.with("planck_radiance", &["layer"], RADIANCE, &[1.0, 2.0]).with("surface_planck", &[], RADIANCE, &[3.0])
    };
    for (file, options, words) in [
        (sea(), &["--accuracy", "0.1"][..], Some("--accuracy has no effect: what components may be left out")),
        (good(), &["--accuracy", "0.1"], None),
        (thermal(), &["--components", "3"], Some("--components has no effect: without a Sun")),
        (thermal(), &["--accuracy", "0.5"], Some("--accuracy has no effect: without a Sun")),
        (thermal(), &["--no-corrections"], Some("--no-corrections has no effect: corrections are those of a Sun")),
        (mean(), &["--no-corrections"], Some("--no-corrections has no effect: means over the azimuth")),
        (good(), &["--no-corrections"], None),
        (good(), &["--no-corrections", "--no-delta-scaling"], Some("--no-corrections has no effect: without delta")),
        (good(), &["--components", "100"], Some("--components 100 has no effect: 16 streams have 16 components")),
        (good(), &["--components", "3"], None),
    ] {
        let output = Case::new(&file.bytes()).command(options);
        assert!(output.status.success(), "{options:?}: {}", said(&output));
        match words {
            Some(words) => assert!(said(&output).contains(words), "{options:?}: {}", said(&output)),
            None => assert!(!said(&output).contains("has no effect"), "{options:?}: {}", said(&output)),
        }
    }
}

/// Layers that single precision cannot hold are refused before the work, and what holds them is said; where nothing
/// scatters they are opaque.
#[test]
fn layers_too_deep_for_single_precision_are_refused() {
    let deep = |albedo: f64| {
        let file = without(without(good(), "optical_depth"), "single_scattering_albedo");
        let file = file.with("optical_depth", &["layer"], "1", &[0.5, 1e20]);
        file.with("single_scattering_albedo", &["layer"], "1", &[albedo, 0.0])
    };
    let command = |albedo: f64, precision: &str| Case::new(&deep(albedo).bytes()).command(&["--precision", precision]);
    let output = command(0.8, "f32");
    let words = "in.nc: optical_depth at profile 0, layer 1 (from the top) is 1e20; where layers scatter accepted is 0 \
                 to 1e16 in f32, and to 1e30 with --precision f64";
    assert!(!output.status.success() && said(&output).contains(words), "{}", said(&output));
    for (albedo, precision) in [(0.8, "f64"), (0.0, "f32")] {
        let output = command(albedo, precision);
        assert!(output.status.success(), "{albedo}, {precision}: {}", said(&output));
    }
}

/// A file that is the other way up is the same; so is one of one profile, without that dimension.
#[test]
fn files_may_be_upside_down_and_short() {
    let case = Case::new(&good().bytes());
    case.solve(&["--levels"]);
    let expected = values(&case, "upward_radiance");
    let mut file = good();
    file.attributes.push(("orientation", "bottom_first"));
    for name in ["optical_depth", "single_scattering_albedo", "asymmetry"] {
        file.variable(name).values.rotate_left(2);
    }
    let case = Case::new(&file.bytes());
    case.solve(&["--levels"]);
    let levels: Vec<f64> = values(&case, "upward_radiance").chunks(12).rev().flatten().copied().collect();
    assert_eq!(levels, expected);

    let mut short = good();
    short.dimensions.remove(0);
    for variable in &mut short.variables {
        if let Some(position) = variable.dimensions.iter().position(|&name| name == "profile") {
            variable.dimensions.remove(position);
            variable.values = variable.values.iter().step_by(2).copied().collect();
        }
    }
    let first: Vec<f64> = expected[..12].iter().step_by(2).copied().collect();
    assert_eq!(top(&short, &[]), first);
}

/// Pixels of an imager have one view, azimuth and Sun each; several suns come side by side; azimuths may be those of
/// sensor and Sun.
#[test]
fn views_and_suns_in_every_form() {
    let all = top(&good(), &[]);
    let mut pixels = good();
    pixels.dimensions.retain(|(name, _)| !["angle", "azimuth"].contains(name));
    for (name, values) in [("zenith_angle", [0.0, 50.0]), ("relative_azimuth_angle", [75.0, 180.0])] {
        let variable = pixels.variable(name);
        (variable.dimensions, variable.values) = (vec!["profile"], values.to_vec());
    }
    let case = Case::new(&pixels.bytes());
    case.solve(&[]);
    assert_eq!(shape(&case, "top_radiance"), ["profile"]);
    assert_near(&values(&case, "top_radiance"), &[all[2], all[11]], 1e-13);
    assert_eq!(shape(&case, "relative_azimuth_angle"), ["profile"]);

    let mut azimuths = without(good(), "relative_azimuth_angle");
    azimuths = azimuths.with("sensor_azimuth_angle", &["azimuth"], "degree", &[310.0, 25.0, 130.0]).with(
        "solar_azimuth_angle",
        &["profile"],
        "degree",
        &[130.0, 130.0],
    );
    let case = Case::new(&azimuths.bytes());
    case.solve(&[]);
    assert_near(&values(&case, "top_radiance"), &all, 1e-13);
    assert_eq!(shape(&case, "relative_azimuth_angle"), ["azimuth", "profile"]);

    let mut suns = good();
    suns.dimensions.push(("sun", 2));
    let sun = suns.variable("solar_zenith_angle");
    (sun.dimensions, sun.values) = (vec!["sun"], vec![60.0, 40.0]);
    let case = Case::new(&suns.bytes());
    case.solve(&[]);
    assert_eq!(shape(&case, "top_radiance"), ["sun", "angle", "azimuth", "profile"]);
    assert_eq!(shape(&case, "direct_flux"), ["level", "sun", "profile"]);
    let found = values(&case, "top_radiance");
    let second: Vec<f64> = found[12..].iter().step_by(2).copied().collect();
    assert_near(&second, &all.iter().step_by(2).copied().collect::<Vec<_>>(), 1e-13);
    let first: Vec<f64> = found[..12].iter().skip(1).step_by(2).copied().collect();
    assert_near(&first, &all.iter().skip(1).step_by(2).copied().collect::<Vec<_>>(), 1e-13);

    // Without an azimuth the mean over all, which the line says.
    let mean = without(good(), "relative_azimuth_angle");
    let case = Case::new(&mean.bytes());
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["adding", "in.nc", "--out", "out.nc", "--device", "cpu"])
        .current_dir(case.folder.path())
        .output()
        .unwrap();
    let text = said(&output);
    assert!(text.contains("derived: no relative_azimuth_angle: radiances are means over the azimuth"), "{text}");
    assert!(text.contains("layers emit nothing"), "{text}");
    let found = values(&case, "top_radiance");
    let mut round = good();
    let azimuth = round.variable("relative_azimuth_angle");
    azimuth.values = (0..36).map(|i| 10.0 * f64::from(i)).collect();
    round.dimensions[4] = ("azimuth", 36);
    let around = top(&round, &["--no-corrections"]);
    for (i, &found) in found.iter().enumerate() {
        let (angle, profile) = (i / 2, i % 2);
        let sum: f64 = (0..36).map(|azimuth| around[(angle * 36 + azimuth) * 2 + profile]).sum();
        assert!((found / (sum / 36.0) - 1.0).abs() < 1e-12, "{found} {sum}");
    }
    assert!(!case.command(&["--components", "2"]).status.success());
}

/// Every surface is the library's, with its parameters in their order and what stands for those that are missing.
#[test]
fn every_surface_has_its_variables() {
    use isobar_adding::azimuth::{Options, Profiles, Surface};
    for (surface, variables, parameters) in [
        (Surface::Lambertian, &[("surface_albedo", 0.2)][..], &[0.2][..]),
        (Surface::Rpv, &[("rpv_rho_0", 0.1), ("rpv_k", 0.8), ("rpv_theta", -0.1)], &[0.1, 0.8, -0.1, 0.1]),
        (
            Surface::Rpv,
            &[("rpv_rho_0", 0.1), ("rpv_k", 0.8), ("rpv_theta", -0.1), ("rpv_rho_c", 0.5)],
            &[0.1, 0.8, -0.1, 0.5],
        ),
        (Surface::Hapke, &[("hapke_b_0", 0.9), ("hapke_h", 0.06), ("hapke_w", 0.6)], &[0.9, 0.06, 0.6]),
        (
            Surface::RossLi,
            &[("ross_li_f_iso", 0.2), ("ross_li_f_vol", 0.1), ("ross_li_f_geo", 0.03)],
            &[0.2, 0.1, 0.03],
        ),
        (Surface::CoxMunk, &[("wind_speed", 6.0)], &[6.0, 1.34]),
        (Surface::CoxMunk, &[("wind_speed", 6.0), ("water_refractive_index", 1.33)], &[6.0, 1.33]),
    ] {
        let unit = |name: &str| if name == "wind_speed" { "m s-1" } else { "1" };
        let file =
            variables.iter().fold(asymmetric(), |file, &(name, value)| file.with(name, &[], unit(name), &[value]));
        let profiles = Profiles {
            viewing_cosine: [0.0, 50.0].into_iter().flat_map(|angle| [cosine(angle); 2]).collect(),
            relative_azimuth: [0.0, 75.0, 180.0].into_iter().flat_map(|angle| [angle; 2]).collect(),
            optical_depth: vec![0.1, 0.2, 0.5, 0.3],
            single_scattering_albedo: vec![1.0, 0.9, 0.8, 0.95],
            asymmetry: vec![0.6, 0.7, -0.1, 0.5],
            surface_planck_radiance: vec![0.0; 2],
            surface_parameters: parameters.iter().flat_map(|&value| [value; 2]).collect(),
            cosmic_background: vec![0.0; 2],
            sun_cosine: vec![cosine(40.0), cosine(60.0)],
            sun_irradiance: vec![1500.0; 2],
            ..Profiles::default()
        };
        let model = isobar_adding::Adding::<f64>::on(&[isobar_adding::Device::Thread]);
        let expected = model.run(&profiles, &Options { surface, ..Options::new(8) }).unwrap().top_radiance;
        assert_eq!(top(&file, &[]), expected, "{surface:?}");
    }
}

/// Phase functions in every form, and species mixed, are what their moments are.
#[test]
fn phase_functions_in_every_form() {
    let moments = |per_layer: &[Vec<f64>]| {
        let mut file = hazy().with("surface_albedo", &[], "1", &[0.1]);
        file.dimensions.push(("moment", per_layer[0].len()));
        file.with("phase_moments", &["layer", "moment"], "1", &per_layer.concat())
    };
    // Double Henyey and Greenstein.
    let double = hazy()
        .with("surface_albedo", &[], "1", &[0.1])
        .with("forward_asymmetry", &[], "1", &[0.7])
        .with("backward_asymmetry", &["layer"], "1", &[-0.3, -0.4])
        .with("forward_fraction", &[], "1", &[0.9]);
    let of = |backward: f64| double_henyey_greenstein(0.7, backward, 0.9, 60);
    assert_near(&top(&double, &[]), &top(&moments(&[of(-0.3), of(-0.4)]), &[]), 1e-7);

    // A table, which is linear in the cosine between its angles.
    let degrees: Vec<f64> = (0..=3600).map(|i| 0.05 * f64::from(i)).collect();
    let henyey = |g: f64, angle: &f64| {
        let x = isobar_core::math::double::cos(angle.to_radians());
        (1.0 - g * g) / isobar_core::math::double::powf(1.0 + g * g - 2.0 * g * x, 1.5)
    };
    let mut table = hazy().with("surface_albedo", &[], "1", &[0.1]);
    table.dimensions.push(("scattering_angle", degrees.len()));
    let both: Vec<f64> = [0.7, 0.3].iter().flat_map(|&g| degrees.iter().map(move |angle| henyey(g, angle))).collect();
    let table = table.with("scattering_angle", &["scattering_angle"], "degree", &degrees).with(
        "phase_function",
        &["layer", "scattering_angle"],
        "1",
        &both,
    );
    let expected = top(&moments(&[henyey_greenstein(0.7, 60), henyey_greenstein(0.3, 60)]), &[]);
    assert_near(&top(&table, &[]), &expected, 1e-5);
    let mut twice = table.clone();
    twice.variable("phase_function").values.iter_mut().for_each(|value| *value *= 2.0);
    Case::new(&twice.bytes()).refused(&[], &["phase_function at layer 0: its mean over the sphere is 2.0", "not 1"]);

    // Two species and air, each with its own; one that only absorbs.
    let mut species = without(without(hazy(), "optical_depth"), "single_scattering_albedo");
    species.dimensions.push(("species", 2));
    let species = species
        .with("optical_depth", &["species", "layer", "profile"], "1", &[0.1, 0.2, 0.5, 0.3, 0.05, 0.0, 0.0, 0.2])
        .with("single_scattering_albedo", &["species"], "1", &[0.9, 0.0])
        .with("asymmetry", &["species"], "1", &[0.6, 0.0])
        .with("rayleigh_optical_depth", &["layer"], "1", &[0.1, 0.04])
        .with("depolarization_factor", &[], "1", &[0.03])
        .with("surface_albedo", &[], "1", &[0.1]);
    let air = rayleigh(0.03);
    let (mut depth, mut albedo, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
    for (haze, dark, gas) in [(0.1, 0.05, 0.1), (0.2, 0.0, 0.1), (0.5, 0.0, 0.04), (0.3, 0.2, 0.04)] {
        depth.push(haze + dark + gas);
        albedo.push((0.9 * haze + gas) / (haze + dark + gas));
        let of = |(l, chi): (usize, f64)| (0.9 * haze * chi + gas * air.get(l).unwrap_or(&0.0)) / (0.9 * haze + gas);
        mixed.push(henyey_greenstein(0.6, 60).into_iter().enumerate().map(of).collect::<Vec<_>>());
    }
    let mut by_hand = moments(&[vec![0.0; 60], vec![0.0; 60]]);
    by_hand.variable("optical_depth").values = depth;
    by_hand.variable("single_scattering_albedo").values = albedo;
    let variable = by_hand.variable("phase_moments");
    variable.dimensions = vec!["layer", "profile", "moment"];
    variable.values = mixed.concat();
    assert_near(&top(&species, &[]), &top(&by_hand, &[]), 1e-7);

    // Air alone.
    let mut air_alone = without(without(hazy(), "optical_depth"), "single_scattering_albedo");
    air_alone = air_alone.with("rayleigh_optical_depth", &["layer"], "1", &[0.1, 0.04]).with(
        "surface_albedo",
        &[],
        "1",
        &[0.1],
    );
    let case = Case::new(&air_alone.bytes());
    let output = case.command(&["--json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["components"], 3, "{}", said(&output));
    assert_eq!(summary["derived"][0], "depolarization_factor = 0");
    let mut by_hand = moments(&[rayleigh(0.0).to_vec(), rayleigh(0.0).to_vec()]);
    by_hand.variable("optical_depth").values = vec![0.1, 0.1, 0.04, 0.04];
    by_hand.variable("single_scattering_albedo").values = vec![1.0; 4];
    assert_near(&values(&case, "top_radiance"), &top(&by_hand, &[]), 1e-14);
}

/// Emission by temperatures, with the Sun and without.
#[test]
fn emission_may_be_temperatures() {
    let warm = |file: Classic| {
        file.with("temperature", &["layer"], "K", &[250.0, 280.0])
            .with("surface_temperature", &["profile"], "K", &[290.0, 285.0])
            .with("wavenumber", &[], "cm-1", &[2500.0])
    };
    let night = ["relative_azimuth_angle", "solar_zenith_angle", "sun_irradiance"].into_iter().fold(good(), without);
    let case = Case::new(&warm(night.clone()).bytes());
    case.solve(&[]);
    assert_eq!(shape(&case, "top_radiance"), ["angle", "profile"]);
    assert!(!has(&case, "toa_bidirectional_reflectance") && !has(&case, "relative_azimuth_angle"));
    let emitted = values(&case, "top_radiance");
    assert!(emitted.iter().all(|&x| x > 0.0));
    // In the unit of the emission, and with it.
    let mut both = warm(good());
    let sun = both.variable("sun_irradiance");
    (sun.units, sun.values) = (Some("mW m-2 cm"), vec![5.0]);
    let mut alone = good();
    let sun = alone.variable("sun_irradiance");
    (sun.units, sun.values) = (Some("mW m-2 cm"), vec![5.0]);
    let (both, sunlit) = (top(&both, &[]), top(&alone, &[]));
    for (i, (both, sunlit)) in both.iter().zip(&sunlit).enumerate() {
        let (view, profile) = (i / 6, i % 2);
        assert!((both / (sunlit + emitted[view * 2 + profile]) - 1.0).abs() < 1e-12);
    }
    // Without a wavenumber temperatures say nothing; without any light nothing is computed.
    let cold = without(warm(night.clone()), "wavenumber");
    Case::new(&cold.bytes()).refused(&[], &["wavenumber in \"cm-1\" is missing"]);
    Case::new(&night.bytes()).refused(&[], &["planck_radiance(layer, profile)", "is missing"]);
}

/// The ground's temperature counts where layers have none, as its radiance does, by itself and in sunlight; not where
/// other light is in a unit that no temperature gives, which is said.
#[test]
fn the_ground_alone_may_have_a_temperature() {
    let planck = 1e3 * isobar_ega::planck::radiance(290.0, 900.0);
    let night = ["relative_azimuth_angle", "solar_zenith_angle", "sun_irradiance"].into_iter().fold(good(), without);
    let mut day = good();
    let sun = day.variable("sun_irradiance");
    (sun.units, sun.values) = (Some("mW m-2 cm"), vec![5.0]);
    let by_temperature =
        |file: Classic| file.with("surface_temperature", &[], "K", &[290.0]).with("wavenumber", &[], "cm-1", &[900.0]);
    for file in [night, day] {
        let by_radiance = file.clone().with("surface_planck", &[], "mW m-2 sr-1 cm", &[planck]);
        assert_near(&top(&by_temperature(file), &[]), &top(&by_radiance, &[]), 1e-13);
    }
    let other = by_temperature(good());
    assert_eq!(top(&other, &[]), top(&good(), &[]));
}

/// DISORT's PHI counts from PHI0, that of the beam.
#[test]
fn azimuths_are_relative_to_that_of_the_beam() {
    let expected = top(&good(), &[]);
    let file = without(good(), "relative_azimuth_angle").with("PHI", &["azimuth"], "degree", &[30.0, 105.0, 210.0]);
    let case = Case::new(&file.clone().with("PHI0", &[], "degree", &[30.0]).bytes());
    case.solve(&[]);
    assert_near(&values(&case, "top_radiance"), &expected, 1e-13);
    assert_eq!(values(&case, "relative_azimuth_angle"), [0.0, 0.0, 75.0, 75.0, 180.0, 180.0]);
    let mut own = file.clone().with("PHI0", &["profile"], "degree", &[30.0, 390.0 - 360.0]);
    assert_near(&top(&own, &[]), &expected, 1e-13);
    own.variable("PHI0").name = "other";
    assert!(difference(&top(&own, &[]), &expected) > 1e-3);
}

/// Light is linear in the irradiance, and an output says the angle of each sun, in a file that is read again.
#[test]
fn suns_may_share_an_angle() {
    let with_suns = |irradiance: &[f64]| {
        let mut file = without(good(), "sun_irradiance");
        file.dimensions.push(("sun", irradiance.len()));
        file.with("sun_irradiance", &["sun"], "W m-2 um-1", irradiance)
    };
    let case = Case::new(&with_suns(&[1500.0, 500.0]).bytes());
    case.solve(&[]);
    assert_eq!(shape(&case, "solar_zenith_angle"), ["sun", "profile"]);
    assert_near(&values(&case, "solar_zenith_angle"), &[40.0, 60.0, 40.0, 60.0], 1e-14);
    let found = values(&case, "top_radiance");
    let (one, other) = found.split_at(found.len() / 2);
    assert_near(one, &top(&good(), &[]), 1e-14);
    assert_near(&other.iter().map(|x| 3.0 * x).collect::<Vec<_>>(), one, 1e-13);
}

/// Two species of one phase function each have optical depths of their own: one depth for both would count twice.
#[test]
fn a_depth_for_all_species_is_refused() {
    let mut file = without(good(), "asymmetry");
    file.dimensions.push(("species", 2));
    let file = file.with("asymmetry", &["species", "layer"], "1", &[0.6, 0.6, 0.1, 0.1]);
    Case::new(&file.bytes()).refused(&[], &["optical_depth is not given for each of the 2 species"]);
}

#[test]
fn bad_input_is_named() {
    let spoilt = |change: &dyn Fn(&mut Classic), parts: &[&str]| {
        let mut file = good();
        change(&mut file);
        Case::new(&file.bytes()).refused(&[], parts);
    };
    let set = |name: &'static str, index: usize, value: f64| {
        move |file: &mut Classic| file.variable(name).values[index] = value
    };
    for (name, index, value, parts) in [
        ("optical_depth", 3, -0.1, &["optical_depth = -0.1 at layer 1, profile 1", "[0, 1e30]"][..]),
        ("single_scattering_albedo", 2, 1.1, &["single_scattering_albedo = 1.1 at layer 1, profile 0", "[0, 1]"]),
        ("asymmetry", 1, 1.0, &["asymmetry = 1 at layer 0, profile 1", "(-1, 1)"]),
        ("zenith_angle", 1, 90.0, &["zenith_angle = 90 degree at angle 1", "[0, 90)"]),
        ("relative_azimuth_angle", 2, 400.0, &["relative_azimuth_angle = 400 degree at azimuth 2", "[-360, 360]"]),
        ("solar_zenith_angle", 0, 190.0, &["solar_zenith_angle = 190 degree at profile 0", "[0, 180]"]),
        ("sun_irradiance", 0, f64::NAN, &["sun_irradiance = NaN"]),
        ("surface_albedo", 1, 1.5, &["surface_albedo = 1.5 at profile 1", "[0, 1]"]),
    ] {
        spoilt(&set(name, index, value), parts);
    }
    // Surfaces out of range, and two of them.
    for (name, unit, value, parts) in [
        ("rpv_rho_0", "1", 0.1, &["surface_albedo and rpv_rho_0: the ground reflects in one way"][..]),
        ("wind_speed", "m s-1", 5.0, &["surface_albedo and wind_speed"]),
    ] {
        Case::new(&good().with(name, &[], unit, &[value]).bytes()).refused(&[], parts);
    }
    let rpv = asymmetric().with("rpv_rho_0", &[], "1", &[0.1]).with("rpv_k", &[], "1", &[0.8]);
    Case::new(&rpv.bytes()).refused(&[], &["rpv_theta(profile)", "is missing"]);
    Case::new(&rpv.with("rpv_theta", &[], "1", &[-1.5]).bytes()).refused(&[], &["rpv_theta = -1.5", "[-0.999, 0.999]"]);
    let windy = asymmetric().with("wind_speed", &["profile"], "m s-1", &[5.0, 500.0]);
    Case::new(&windy.bytes()).refused(&[], &["wind_speed = 500 m s-1 at profile 1", "[0, 100]"]);
    // The ground, if only an azimuth says that there are directions.
    Case::new(&asymmetric().bytes()).refused(&[], &["surface_albedo(profile)", "is missing"]);
    // Azimuth without a Sun, and half a Sun.
    let no_sun = without(without(good(), "solar_zenith_angle"), "sun_irradiance")
        .with("planck_radiance", &["layer"], RADIANCE, &[1.0, 2.0])
        .with("surface_planck", &[], RADIANCE, &[3.0]);
    Case::new(&no_sun.bytes())
        .refused(&[], &["relative_azimuth_angle is given, but no Sun", "no light depends on azimuth"]);
    Case::new(&without(good(), "sun_irradiance").bytes()).refused(&[], &["sun_irradiance(sun, profile)", "is missing"]);
    Case::new(&without(good(), "solar_zenith_angle").bytes()).refused(&[], &["solar_zenith_angle(sun, profile)"]);
    let mut suns = good();
    suns.dimensions.push(("sun", 5));
    let sun = suns.variable("solar_zenith_angle");
    (sun.dimensions, sun.values) = (vec!["sun"], vec![10.0; 5]);
    Case::new(&suns.bytes()).refused(&[], &["solar_zenith_angle has dimension sun = 5", "at most 4"]);
    // Moments.
    let moments = |values: &[f64]| {
        let mut file = without(good(), "asymmetry");
        file.dimensions.push(("moment", values.len() / 2));
        file.with("phase_moments", &["layer", "moment"], "1", values)
    };
    let refused = |values: &[f64], parts: &[&str]| Case::new(&moments(values).bytes()).refused(&[], parts);
    refused(&[1.0, 0.5, 1.0, 1.2], &["phase_moments = 1.2 at layer 1, moment 1", "[-1, 1]"]);
    refused(&[1.0, 0.5, 0.9, 0.1], &["phase_moments at layer 1: moment 0 = 0.9 is not 1", "normalised"]);
    let case = Case::new(&moments(&[1.0 - 1e-7, 0.5, 1.0, 0.1]).bytes());
    let output = case.command(&["--json"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 of the first moments of phase_moments = 1"));
    // More moments than streams, without delta-M: a warning with what is cut.
    let case = Case::new(&moments(&[1.0, 0.5, 0.2, 1.0, 0.1, 0.3]).bytes());
    let output = case.command(&["--streams", "2", "--no-delta-scaling"]);
    let text = said(&output);
    assert!(output.status.success() && text.starts_with("isobar: warning: in.nc: without delta scaling"), "{text}");
    assert!(text.contains("the largest is 0.3 (number 2 of layer 1"), "{text}");
    // A table that is none.
    let table = |degrees: &[f64], values: &[f64]| {
        let mut file = without(good(), "asymmetry");
        file.dimensions.push(("scattering_angle", degrees.len()));
        file.with("scattering_angle", &["scattering_angle"], "degree", degrees).with(
            "phase_function",
            &["scattering_angle"],
            "1",
            values,
        )
    };
    let refused = |degrees: &[f64], values: &[f64], parts: &[&str]| {
        Case::new(&table(degrees, values).bytes()).refused(&[], parts);
    };
    refused(&[0.0, 90.0, 180.0], &[1.0, -1.0, 1.0], &["phase_function = -1 at scattering_angle 1", "[0, inf)"]);
    refused(&[0.0, 90.0, 170.0], &[1.0; 3], &["scattering_angle", "180"]);
    refused(&[0.0, 90.0, 80.0, 180.0], &[1.0; 4], &["scattering_angle", "more than the angle before it"]);
}

/// Cut off anywhere, a file is refused in one line, or its end was not needed.
#[test]
fn cut_files_are_refused() {
    let bytes = good().bytes();
    for part in 0..16 {
        let case = Case::new(&bytes[..bytes.len() * part / 16]);
        let output = case.command(&[]);
        assert!(!said(&output).contains("panicked"));
        if !output.status.success() {
            case.refused(&[], &[]);
        }
    }
}
