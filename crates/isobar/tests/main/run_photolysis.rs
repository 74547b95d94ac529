//! Photolysis rates of TUV-x's tables in the chemistry of `isobar run`.

use std::fs;
use std::process::Command;

use isobar_core::Real;
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};
use tempfile::TempDir;

use crate::common::classic::Classic;
use crate::common::said;

/// A is broken up by light, and nothing brings it back; O3 stays.
const MECHANISM: &str = "#DEFVAR A; B; #INITVALUES CFACTOR = 1.0E19; A = 1.0E-9; B = 0.0;
#EQUATIONS A = B : PHOTO(jA); B = B : 0.0*jB;";
const CASE: &str = r#"
columns = 2
hours = 1.0
step_s = 300.0
start_hour = 11.5
day_of_year = 80.0
[output]
minutes = 60
[grid]
layers = 8
top_m = 16_000.0
[initial]
kind = "us76"
[site]
latitude_deg = 0.0
longitude_deg = [0.0, 180.0]
[ground]
mean_k = 291.0
[chemistry]
mechanism = "m.kpp"
every = 2
relative_tolerance = 1e-6
absolute_tolerance = 1.0
[chemistry.photolysis]
tuvx = "tuvx.json"
albedo = 0.0
"#;
const PHOTONS: f64 = 2e14;
const CROSS_SECTION: f64 = 1e-19;

/// Infrared light, which air hardly scatters.
fn tables() -> serde_json::Value {
    let reaction = |name: &str| {
        serde_json::json!({
            "name": name,
            "cross section": { "type": "base", "data": { "default value": CROSS_SECTION } },
            "quantum yield": { "type": "base", "constant value": 1.0 },
        })
    };
    serde_json::json!({
        "grids": [{ "name": "wavelength", "type": "from config file", "values": [1900.0, 2000.0] }],
        "profiles": [{ "name": "extraterrestrial flux", "type": "from config file", "values": [PHOTONS] }],
        "radiative transfer": { "cross sections": [] },
        "photolysis": { "reactions": [reaction("jA"), reaction("other")] },
    })
}

struct Case(TempDir);

impl Case {
    fn new(case: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.kpp"), MECHANISM).unwrap();
        fs::write(folder.path().join("case.toml"), case).unwrap();
        fs::write(folder.path().join("tuvx.json"), tables().to_string()).unwrap();
        Self(folder)
    }

    fn run(&self, more: &[&str]) -> std::process::Output {
        let output = if more.contains(&"-o") { &[][..] } else { &["-o", "out.nc"] };
        let usual = ["run", "case.toml", "--device", "cpu"];
        Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(usual)
            .args(output)
            .args(more)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    /// A at the end, by layer and column.
    fn end(&self) -> Vec<f64> {
        let axes = [Dimension::Time, Dimension::Layer, Dimension::Profile].map(Axis::required);
        let accepted = Accepted::FINITE;
        let names = ["mole_fraction_of_A_in_air", "A"];
        let mut file = Dataset::open(&self.0.path().join("out.nc")).unwrap();
        let all: Vec<String> = file.names().map(str::to_owned).collect();
        let name = all.iter().find(|name| names.contains(&name.as_str())).unwrap_or_else(|| panic!("{all:?}")).clone();
        let spec =
            VariableSpec { name: &name, aliases: &[], standard_names: &[], unit: "mol mol-1", axes: &axes, accepted };
        let field = file.read(&spec).unwrap();
        field.values[field.values.len() / 2..].to_vec()
    }
}

/// By day what is there goes by the rate of the thin air above, by night it stays.
/// A thick cloud over a dark ground: above it light comes from below, too, under it little is left, and in between are
/// the numbers of two streams. A half of a layer counts as `0.5^(3/2)` of its optical depth over all of it.
#[test]
fn clouds_are_seen() {
    let cloud = |path: f64, radius: f64| {
        format!(
            "[clouds]\nliquid_radius_um = {radius:?}\n[[clouds.layers]]\nbase_m = 4_000.0\ntop_m = 6_000.0\n\
             liquid_path_g_per_m2 = {path:?}\n"
        )
    };
    // The logarithm of what light leaves, per light of the thin clear air: how many times as much there is.
    let brightness = |clouds: &str| -> Vec<f64> {
        let case = Case::new(&format!("{CASE}[chemistry.photolysis.rates]\njB = \"OTHER\"\n{clouds}"));
        let output = case.run(&["--precision", "f64"]);
        assert!(output.status.success(), "{}", said(&output));
        let end = case.end();
        (0..8).map(|layer| Real::ln(1e-9 / end[2 * layer])).collect()
    };
    let clear = brightness("");
    // Optical depth 1.5 * 400 / 10 = 60, of which an asymmetry of 0.85 leaves 9: two streams send three quarters back.
    let thick = brightness(&cloud(400.0, 10.0));
    let parts: Vec<f64> = thick.iter().zip(&clear).map(|(thick, clear)| thick / clear).collect();
    assert!(parts[0] < 0.5 && (parts[0] - parts[1]).abs() < 1e-3, "{parts:?}");
    assert!(parts[7] > 1.9 && (parts[7] - parts[6]).abs() < 0.02, "{parts:?}");
    // What counts is the path over the radius.
    let other = brightness(&cloud(200.0, 5.0));
    let differences = other.iter().zip(&thick).map(|(other, thick)| (other / thick - 1.0).abs());
    assert!(differences.fold(0.0, f64::max) < 1e-9, "{other:?} {thick:?}");
    let half = brightness(&format!("{}fraction = 0.5\n", cloud(400.0, 10.0)));
    let thinner = brightness(&cloud(400.0 * 0.125_f64.sqrt(), 10.0));
    let differences = half.iter().zip(&thinner).map(|(half, thinner)| (half / thinner - 1.0).abs());
    assert!(differences.fold(0.0, f64::max) < 1e-9, "{half:?} {thinner:?}");
}

#[test]
fn light_breaks_up_what_is_there() {
    let rates = "[chemistry.photolysis.rates]\njB = \"OTHER\"\n";
    let case = Case::new(&format!("{CASE}{rates}"));
    let output = case.run(&["--precision", "f64"]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    for part in ["rates of photolysis: jB of other, PHOTO(jA) of jA", "O3 does not absorb"] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    // In March the Sun is some 1.0 % stronger than on the mean (Spencer's series).
    let (end, nearness) = (case.end(), isobar_column::sun::nearness(80.5_f64));
    let left = 1e-9 * Real::exp(-PHOTONS * CROSS_SECTION * nearness * 3600.0);
    for layer in 0..8 {
        let (day, night) = (end[2 * layer], end[2 * layer + 1]);
        // Air of an optical depth of 0.0005 dims and scatters as much.
        assert!((day / left - 1.0).abs() < 2e-4, "layer {layer}: {day:e} instead of {left:e}");
        assert!((night / 1e-9 - 1.0).abs() < 1e-12, "layer {layer}: {night:e}");
    }
    // A white ground sends light back: twice as much as comes down, for it comes from all directions.
    let white = Case::new(&format!("{}{rates}", CASE.replace("albedo = 0.0", "albedo = 1.0")));
    assert!(white.run(&["--precision", "f64"]).status.success());
    let (more, less) = (Real::ln(1e-9 / white.end()[0]), Real::ln(1e-9 / end[0]));
    assert!((more / less - 3.0).abs() < 0.02, "{}", more / less);
}

/// What TUV-x's configuration names is kept, is in the list of inputs, and is the same where a run goes on.
#[test]
fn data_of_tuv_x_are_files_of_the_run() {
    let case = Case::new(&format!("{CASE}[chemistry.photolysis.rates]\njB = \"OTHER\"\n").replacen(
        "minutes = 60",
        "minutes = 60\nrestart_hours = 0.5",
        1,
    ));
    let path = |name: &str| case.0.path().join(name);
    let mut tables = tables();
    tables["photolysis"]["reactions"][0]["cross section"] =
        serde_json::json!({ "type": "base", "netcdf files": ["data/a.nc"] });
    fs::write(path("tuvx.json"), tables.to_string()).unwrap();
    let data = |section: f64| {
        Classic { dimensions: vec![("bins", 2), ("parameters", 1)], ..Classic::default() }
            .with("wavelength", &["bins"], "nm", &[1000.0, 3000.0])
            .with("cross_section_parameters", &["parameters", "bins"], "cm^2", &[section; 2])
            .bytes()
    };
    fs::create_dir(path("data")).unwrap();
    fs::write(path("data/a.nc"), data(CROSS_SECTION)).unwrap();
    let refused = case.run(&["-o", "data/a.nc"]);
    let text = said(&refused);
    assert!(text.contains("data/a.nc: the output would overwrite a file of the case"), "{text}");
    assert_eq!(fs::read(path("data/a.nc")).unwrap(), data(CROSS_SECTION));

    let output = case.run(&["--precision", "f64"]);
    assert!(output.status.success(), "{}", said(&output));
    let inputs = Dataset::open(&path("out.nc")).unwrap().attribute("inputs").unwrap();
    let names: Vec<&str> = inputs.lines().filter_map(|line| line.split(" sha256:").next()).collect();
    assert_eq!(names, ["case.toml", "m.kpp", "tuvx.json", "data/a.nc"]);
    let more = ["--precision", "f64", "--resume", "out.restart.nc", "--restart", "other.nc"];
    let output = case.run(&more);
    assert!(output.status.success(), "{}", said(&output));
    fs::write(path("data/a.nc"), data(2.0 * CROSS_SECTION)).unwrap();
    let text = said(&case.run(&more));
    assert!(text.contains("out.restart.nc: the restart file of another run"), "{text}");
}

#[test]
fn what_does_not_fit_is_an_error_with_its_line() {
    let fails = |from: &str, to: &str, parts: &[&str]| {
        assert!(CASE.contains(from) || from.is_empty(), "{from}");
        let text = if from.is_empty() { format!("{CASE}{to}") } else { CASE.replace(from, to) };
        let case = Case::new(&text);
        let output = case.run(&["--quiet"]);
        let text = said(&output);
        assert!(!output.status.success() && !case.0.path().join("out.nc").exists(), "{parts:?}: {text}");
        for part in parts {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
    };
    fails(
        "",
        "[chemistry.photolysis.rates]\njC = \"jA\"\n",
        &["case.toml:28: the mechanism's rates have no input `jC`", "jB"],
    );
    fails("", "[chemistry.photolysis.rates]\njB = \"jX\"\n", &["case.toml:28: photolysis has no reaction `jX`", "jA"]);
    fails("", "more = 1\n", &["case.toml:", "more"]);
    fails("albedo = 0.0", "albedo = 2.0", &["case.toml:26"]);
    fails("tuvx.json", "none.json", &["none.json"]);
    // Without its rates the mechanism's are not there.
    fails(
        "[chemistry.photolysis]\ntuvx = \"tuvx.json\"\nalbedo = 0.0\n",
        "",
        &["the mechanism's rates need PHOTO(jA)"],
    );
}

/// Photolysis has no overlap, and ozone only where it absorbs or reacts.
#[test]
fn keys_that_photolysis_does_not_see_are_told() {
    let rates = "[chemistry.photolysis.rates]\njB = \"OTHER\"\n";
    let clouds = "[[clouds.layers]]\nbase_m = 4_000.0\ntop_m = 6_000.0\nliquid_path_g_per_m2 = 50.0\n";
    let told = |text: &str, mechanism: &str| {
        let case = Case::new(text);
        fs::write(case.0.path().join("m.kpp"), mechanism).unwrap();
        let output = case.run(&["--precision", "f64"]);
        let told = said(&output);
        assert!(output.status.success(), "{told}");
        (told, case.end())
    };
    let overlap = |key: &str| told(&format!("{CASE}{rates}[clouds]\n{key}{clouds}"), MECHANISM);
    let line = "case.toml: without effect: [clouds] overlap (there is no radiation, and photolysis takes layers one by \
                one)\n";
    let (none, without) = overlap("");
    assert!(!none.contains("without effect"), "{none}");
    for key in ["overlap = \"random\"\n", "overlap = \"maximum\"\n"] {
        let (said, end) = overlap(key);
        assert!(said.contains(line) && end == without, "{said}");
    }
    let ozone = |text: &str, mechanism: &str| {
        told(&text.replacen("kind = \"us76\"", "kind = \"us76\"\nleast_ozone = 1e-7", 1), mechanism).0
    };
    // By light of the Sun alone, without O3 and with it, and by photolysis.
    let dark = CASE.replacen("[chemistry.photolysis]\ntuvx = \"tuvx.json\"\nalbedo = 0.0\n", "", 1);
    let sun = MECHANISM.replacen("PHOTO(jA)", "1E-5*SUN", 1).replacen("0.0*jB", "0.0", 1);
    let line = "case.toml: without effect: [initial] least_ozone (there is neither radiation nor photolysis, and the \
                chemistry has no tracer O3)\n";
    let none = ozone(&dark, &sun);
    assert!(none.contains(line), "{none}");
    for (text, mechanism) in [
        (dark, sun.replacen("A; B;", "A; B; O3;", 1).replacen("B = B", "O3 = O3", 1)),
        (format!("{CASE}{rates}"), MECHANISM.to_owned()),
    ] {
        let said = ozone(&text, &mechanism);
        assert!(!said.contains("without effect"), "{said}");
    }
}
