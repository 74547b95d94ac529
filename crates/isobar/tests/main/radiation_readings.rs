//! What `isobar radiation` takes variables of a file for.

use isobar_io::netcdf::Dataset;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::{Numbers, difference};
use crate::common::{data, said};

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];
/// Moles in a mole of dry air, and how many times heavier that is than water.
const WATER: [f64; 4] = [0.02, 0.005, 0.0003, 4e-6];
const HEAVIER: f64 = 28.964 / 18.016;

fn twice(values: &[f64]) -> Vec<f64> {
    values.iter().flat_map(|&value| [value, 0.99 * value]).collect()
}

/// Two columns of four layers, without water.
fn columns() -> Classic {
    Classic { dimensions: vec![("column", 2), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("level_pressure", LEVEL, "Pa", &twice(&[1e5, 8e4, 5e4, 2e4, 1e3]))
        .with("temperature", LAYER, "K", &twice(&[285.0, 270.0, 240.0, 215.0]))
        .with("surface_temperature", COLUMN, "K", &[290.0, 285.0])
        .with("emissivity", COLUMN, "1", &[0.98, 0.96])
        .with("cosine_zenith", COLUMN, "1", &[0.7, 0.3])
        .with("o3", LAYER, "mol mol-1", &twice(&[3e-8, 4e-8, 8e-8, 4e-6]))
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
        .with("o2", &[], "1", &[0.209])
        .with("n2", &[], "1", &[0.781])
}

fn with_albedo(file: Classic) -> Classic {
    file.with("surface_albedo", COLUMN, "1", &[0.1, 0.3])
}

fn with_water(file: Classic) -> Classic {
    file.with("h2o", LAYER, "mol mol-1", &twice(&WATER))
}

fn solve(file: &Classic, more: &[&str]) -> (Numbers, String) {
    let case = Case::of("radiation", &file.bytes());
    let output = case.command(more);
    assert!(output.status.success(), "{}", said(&output));
    (Numbers::open(&case.out()), said(&output))
}

/// What was derived, in words.
fn derived(file: &Classic, more: &[&str]) -> String {
    let case = Case::of("radiation", &file.bytes());
    let output = case.command(more);
    assert!(output.status.success(), "{}", said(&output));
    Dataset::open(&case.out()).unwrap().attribute("derived").unwrap()
}

/// The same air, whatever ratio its water is given as: the standard name says which, whatever the name is.
#[test]
fn water_is_what_its_standard_name_says() {
    let (expected, _) = solve(&with_albedo(with_water(columns())), &[]);
    let amounts = twice(&WATER);
    let of = |f: &dyn Fn(f64) -> f64| amounts.iter().map(|&x| f(x)).collect::<Vec<f64>>();
    let dry = of(&|x| x / HEAVIER);
    let specific = of(&|x| x / HEAVIER / (1.0 + x / HEAVIER));
    let fraction = of(&|x| x / (1.0 + x));
    let specific_names = ["standard_name=specific_humidity", "standard_name=mass_fraction_of_water_vapor_in_air"];
    let cases: [(&'static str, &'static str, &[f64], &[&'static str]); 10] = [
        ("h2o", "kg kg-1", &dry, &[]),
        ("h2o", "kg kg-1", &specific, &specific_names[..1]),
        ("water_vapour", "1", &specific, &specific_names[..1]),
        ("h2o", "kg kg-1", &specific, &specific_names[1..]),
        ("h2o", "mol mol-1", &fraction, &["standard_name=mole_fraction_of_water_vapor_in_air"]),
        ("h2o", "kg kg-1", &dry, &["standard_name=humidity_mixing_ratio"]),
        ("qv", "kg kg-1", &specific, &specific_names[..1]),
        ("q", "kg kg-1", &dry, &["standard_name=humidity_mixing_ratio"]),
        ("q", "kg kg-1", &specific, &[]),
        ("qv", "kg kg-1", &dry, &[]),
    ];
    let is_the_same = |found: &Numbers, what: &str| {
        for name in ["longwave_upward_flux", "longwave_downward_flux", "shortwave_downward_flux"] {
            let largest = difference(&found.all(name), &expected.all(name));
            assert!(largest < 1e-9, "{what} {name}: {largest}");
        }
    };
    for (name, unit, values, says) in cases {
        let file = with_albedo(columns().with(name, LAYER, unit, values).says(says));
        is_the_same(&solve(&file, &[]).0, &format!("{name} {unit} {says:?}"));
    }
    // By a name that the caller gives.
    for (name, says) in [("q", &[][..]), ("humidity", &specific_names[..1])] {
        let file = with_albedo(columns().with(name, LAYER, "kg kg-1", &specific).says(says));
        is_the_same(&solve(&file, &["--name", &format!("h2o={name}")]).0, name);
    }
    for (unit, says) in [
        ("mol mol-1", "standard_name=specific_humidity"),
        ("kg kg-1", "standard_name=mole_fraction_of_water_vapor_in_air"),
    ] {
        let file = with_albedo(columns().with("h2o", LAYER, unit, &dry).says(&[says]));
        let parts = ["h2o has standard_name", &format!("but units {unit:?}")];
        Case::of("radiation", &file.bytes()).refused(&[], &parts);
    }
    let twice = ["--name", "h2o=q", "--name", "h2o=o3"];
    let file = with_albedo(columns().with("q", LAYER, "kg kg-1", &specific));
    Case::of("radiation", &file.bytes()).refused(&twice, &["q and o3 are both to be h2o"]);
}

/// A hair below zero is zero, beside what the whole file has.
#[test]
fn rounding_is_that_of_the_whole_file() {
    let paths = |dry: f64| {
        let cloudy = |value: f64| [vec![0.0; 2], vec![value; 2], vec![0.0; 4]].concat();
        let mut path = cloudy(100.0);
        path[2] = dry;
        with_albedo(with_water(columns()))
            .with("cloud_fraction", LAYER, "1", &cloudy(0.5))
            .with("liquid_water_path", LAYER, "g m-2", &path)
            .with("liquid_radius", LAYER, "um", &[10.0; 8])
    };
    // In the first column, whose others are zero.
    let file = paths(-1e-5);
    let names = ["longwave_upward_flux", "shortwave_upward_flux"];
    let [zero, whole] = [paths(0.0), file.clone()].map(|file| solve(&file, &[]).0);
    let (parts, _) = solve(&file, &["--at-once", "1"]);
    for name in names {
        assert_eq!(whole.all(name), zero.all(name), "{name}");
        assert_eq!(parts.all(name), zero.all(name), "{name}");
    }
    let case = Case::of("radiation", &paths(-1e-3).bytes());
    for more in [&[][..], &["--at-once", "1"]] {
        case.refused(more, &["liquid_water_path = -0.001 g m-2 at layer 1, column 0"]);
    }
}

/// Sunlight that is 0 has no albedo: that is said where the Sun is up.
#[test]
fn days_without_sunlight_are_counted() {
    let by_sun = |sun: [f64; 2]| {
        let mut file = with_water(columns()).with("rsds", COLUMN, "W m-2", &[400.0, 0.0]);
        file.variable("cosine_zenith").values = sun.to_vec();
        derived(&file.with("rsus", COLUMN, "W m-2", &[80.0, 0.0]), &[])
    };
    let text = "rsus/rsds: 0 in 1 column where the Sun is up and rsds is not above 0; the first: column 1";
    assert!(by_sun([0.7, 0.3]).contains(text), "{}", by_sun([0.7, 0.3]));
    assert!(!by_sun([0.7, -0.3]).contains("where the Sun is up"));
}

/// Pressures of levels that are named are read or refused: none are derived in their place.
#[test]
fn what_is_named_is_not_derived() {
    let mut file = with_albedo(with_water(columns()));
    file.dimensions.push(("edge", 5));
    let levels = file.variable("level_pressure");
    (levels.name, levels.dimensions) = ("PLE", vec!["edge", "column"]);
    let file = file.with("PL", LAYER, "Pa", &twice(&[9e4, 6.5e4, 3.5e4, 1e4]));
    let names = ["--name", "pressure=PL", "--name", "level_pressure=PLE"];
    Case::of("radiation", &file.bytes()).refused(&names, &["PLE", "edge"]);
    let derived = derived(&file, &names[..2]);
    assert!(derived.contains("level_pressure: means of the layers'"), "{derived}");
}

/// Fluxes whose ratio is no albedo are brought to the next, and said.
#[test]
fn albedos_beyond_one_are_said() {
    let by = |up: [f64; 2]| {
        with_water(columns()).with("rsds", COLUMN, "W m-2", &[400.0; 2]).with("rsus", COLUMN, "W/m2", &up)
    };
    let case = Case::of("radiation", &by([500.0, 100.0]).bytes());
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["radiation", "in.nc", "-o", "out.nc", "--device", "cpu"])
        .env("ISOBAR_DATA", data())
        .current_dir(case.folder.path())
        .output()
        .unwrap();
    let text = "surface_albedo = rsus/rsds: 1 value brought into [0, 1]; the first: 1.25 at column 0";
    assert!(output.status.success() && said(&output).contains(text), "{}", said(&output));
    let (white, _) = solve(&with_water(columns()).with("surface_albedo", COLUMN, "1", &[1.0, 0.25]), &[]);
    assert_eq!(Numbers::open(&case.out()).all("shortwave_upward_flux"), white.all("shortwave_upward_flux"));
}
