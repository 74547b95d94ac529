//! What JURASSIC's tools and cases refuse, or say, of numbers that mean nothing.

use std::fs;
use std::process::{Command, Output};

use isobar_raytrace::geodesy::{from_cartesian, to_cartesian};

use crate::common::{Case, numbers, printed, said};

/// Runs words in the folder of the limb case.
fn run(case: &Case, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(words.split_whitespace()).current_dir(case.path("limb")).output().unwrap()
}

/// What was said of words that were refused.
fn refused(case: &Case, words: &str) -> String {
    let output = run(case, words);
    assert!(!output.status.success(), "{words}: {}", said(&output));
    said(&output)
}

/// What was said beside a result.
fn told(case: &Case, words: &str) -> String {
    let output = run(case, words);
    assert!(output.status.success(), "{words}: {}", said(&output));
    said(&output)
}

fn rows(case: &Case, name: &str) -> Vec<Vec<f64>> {
    numbers(&fs::read_to_string(case.path("limb").join(name)).unwrap())
}

const FORWARD: &str = "forward --ctl limb.ctl --atm atm.tab --obs obs.tab -o rad.tab --device cpu --quiet";

#[test]
fn numbers_of_the_command_line_have_ranges() {
    let case = Case::limb();
    // The horizon of 700 km is acos(R / (R + 700 km)) away, 25.7 degrees.
    let error = refused(&case, "jurassic nadir --ctl limb.ctl -o x.tab --lat0 25 --lat1 26 --dlat 0.5");
    assert!(error.contains("latitude 26 deg lies beyond the horizon: an observer at 700 km over"), "{error}");
    assert!(error.contains("sees the ground of [-25.716") && !case.path("limb/x.tab").exists(), "{error}");
    told(&case, "jurassic nadir --ctl limb.ctl -o x.tab --lat0 25 --lat1 25.5 --dlat 0.5");
    assert!(refused(&case, "jurassic planck 1e308 1e-300").contains("the radiance is NaN: the numbers are too large"));
    assert!(refused(&case, "jurassic time2jsec 2020-02-29T06:29:60").contains("is no date such as"));
    assert_eq!(printed(&run(&case, "jurassic time2jsec 2020-02-29T06:29:59.5")), "636272999.5\n");
    let error = refused(&case, &format!("{FORWARD} HYDZ=1000"));
    assert!(
        error.contains("atm.tab: the height whose pressure stays, HYDZ = 1000 km, lies outside [0, 80]"),
        "{error}"
    );
    for words in ["jurassic hydrostatic --in atm.tab", "raytrace --atm atm.tab --obs obs.tab"] {
        let error = refused(&case, &format!("{words} --ctl limb.ctl -o x.tab HYDZ=1000"));
        assert!(error.contains("atm.tab: the height whose pressure stays, HYDZ = 1000 km"), "{words}: {error}");
        let said = told(&case, &format!("{words} --ctl limb.ctl -o x.tab HYDZ=10.3"));
        assert!(
            said.contains("HYDZ = 10.3 km lies between levels: the pressure of the nearest, 10 km, stays"),
            "{said}"
        );
        assert!(!told(&case, &format!("{words} --ctl limb.ctl -o x.tab HYDZ=10")).contains("HYDZ"));
    }
    assert!(told(&case, &format!("{FORWARD} HYDZ=10.3")).contains("the pressure of the nearest, 10 km, stays"));
}

#[test]
fn places_lie_on_the_earth() {
    let case = Case::limb();
    for (name, column, what) in [
        ("atm.tab", 3, "latitude"),
        ("obs.tab", 3, "observer latitude"),
        ("obs.tab", 6, "view point latitude"),
        ("obs.tab", 9, "tangent point latitude"),
    ] {
        let whole = fs::read_to_string(case.path("limb").join(name)).unwrap();
        case.set(&format!("limb/{name}"), 2, column, "90.5");
        let error = refused(&case, FORWARD);
        assert!(error.contains(&format!("{name}:")) && error.contains("[-90, 90]"), "{what}: {error}");
        assert!(error.contains(what), "{what}: {error}");
        fs::write(case.path("limb").join(name), whole).unwrap();
    }
    // The same line of sight by a point beyond the Earth's centre and by the one half-way to it.
    let seen = |[height_km, longitude_deg, latitude_deg]: [f64; 3]| -> Vec<f64> {
        let ray = format!("0 780 0 0 {height_km} {longitude_deg} {latitude_deg}\n");
        fs::write(case.path("limb/deep.tab"), ray).unwrap();
        told(&case, &FORWARD.replace("obs.tab", "deep.tab"));
        rows(&case, "rad.tab")[0][10..14].to_vec()
    };
    let deep = [-8000.0, 0.0, 26.0];
    let [observer, far] =
        [[780.0, 0.0, 0.0], deep].map(|[z, longitude, latitude]| to_cartesian(z, longitude, latitude));
    let (height_km, longitude_deg, latitude_deg) = from_cartesian((observer + far) * 0.5);
    for (beyond, before) in seen(deep).into_iter().zip(seen([height_km, longitude_deg, latitude_deg])) {
        // The entry is found to a metre.
        assert!((beyond / before - 1.0).abs() < 1e-4 && beyond > 0.0, "{beyond} {before}");
    }
}

/// The limb's atmosphere with a cloud and a surface.
fn with_layers(case: &Case, cloud: &str, surface: &str) -> String {
    let row = |row: &Vec<f64>| {
        let words: Vec<String> = row.iter().map(f64::to_string).collect();
        format!("{} {cloud} 1e-3 1e-3 {surface} 288 1 1\n", words.join(" "))
    };
    let text: String = rows(case, "atm.tab").iter().map(row).collect();
    fs::write(case.path("limb/layers.tab"), text).unwrap();
    let keys = "NCL=2 CLNU[0]=700 CLNU[1]=1500 NSF=2 SFNU[0]=700 SFNU[1]=1500";
    format!("{} {keys}", FORWARD.replace("atm.tab", "layers.tab"))
}

#[test]
fn clouds_and_surfaces_are_in_the_air_or_said_to_be_none() {
    let case = Case::limb();
    let run = with_layers(&case, "5 -1", "0 -5");
    let said = told(&case, &run);
    assert!(said.contains("the cloud's depth is -1 km, not above 0: there is no cloud"), "{said}");
    assert!(said.contains("the pressure of the surface is -5 hPa, not above 0: its height alone counts"), "{said}");
    // JURASSIC's word for none, and 0.
    for none in ["0", "-999"] {
        let run = with_layers(&case, &format!("5 {none}"), &format!("0 {none}"));
        assert_eq!(told(&case, &run), "", "{none}");
    }
    for (surface, problem) in [
        ("100 0", "by its height of 100 km or its pressure of 0 hPa, lies at 100 km: outside (-inf, 80)"),
        ("0 1e-9", "by its height of 0 km or its pressure of 0.000000001 hPa, lies at "),
    ] {
        let run = with_layers(&case, "5 1", surface);
        let error = refused(&case, &run);
        assert!(error.contains("layers.tab") && error.contains(problem), "{error}");
    }
}

/// The kinetic temperature, 186.8673 K at 86 km in the US Standard Atmosphere 1976 (table 5 and section 1.2.5), where
/// its line of molecular-scale temperatures is at 186.946 K.
#[test]
fn the_climatology_has_kinetic_temperatures() {
    let case = Case::limb();
    let said = told(&case, "jurassic climatology --ctl limb.ctl -o c.tab --z0 74 --z1 86 --dz 6");
    assert!(said.contains("O3 is that of RCEMIP, of the stratosphere in the tropics"), "{said}");
    let air = rows(&case, "c.tab");
    assert!((air[2][5] - 186.8673).abs() < 1e-4, "{} K", air[2][5]);
    let below = air[1][5];
    // 80 km are 79.0058 km of geopotential height.
    assert!((below - (214.65 - 2.0 * (79.0058 - 71.0))).abs() < 1e-3, "{below} K");
    let said = told(&case, "jurassic climatology --ctl limb.ctl -o c.tab --gas O3=1e-6");
    assert!(!said.contains("RCEMIP"), "{said}");
}
