//! Rain and snow in files of our own layout and of WRF's.

use std::process::{Command, Output};

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::{Numbers, difference};
use crate::common::{data, said};
use isobar_core::Real;
use isobar_io::netcdf::Dataset;

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];
/// Raining, cloudy, snowing, clear.
const CLOUDY: [f64; 4] = [1.0, 0.5, 1.0, 0.0];

/// A column of four layers with a cloud of liquid.
fn cloudy() -> Classic {
    Classic { dimensions: vec![("column", 1), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &[1e5, 8e4, 5e4, 2e4, 1e3])
        .with("tlev", LEVEL, "K", &[289.0, 278.0, 257.0, 222.0, 214.0])
        .with("tsfc", COLUMN, "K", &[290.0])
        .with("emis", COLUMN, "1", &[0.98])
        .with("mu0", COLUMN, "1", &[0.7])
        .with("albedo", COLUMN, "1", &[0.1])
        .with("h2o", LAYER, "mol mol-1", &[0.01, 0.005, 0.0003, 4e-6])
        .with("o3", LAYER, "mol mol-1", &[3e-8, 4e-8, 8e-8, 4e-6])
        .with("co2", &[], "1e-6", &[420.0])
        .with("cldfrac", LAYER, "1", &CLOUDY)
        .with("lwp", LAYER, "g m-2", &[0.0, 40.0, 0.0, 0.0])
        .with("rel", LAYER, "um", &[10.0; 4])
}

/// With rain in the lowest layer.
fn rainy() -> Classic {
    cloudy().with("rain_water_path", LAYER, "kg m-2", &[0.1, 0.0, 0.0, 0.0]).with(
        "rain_radius",
        LAYER,
        "m",
        &[4e-4, 9.0, 9.0, 9.0],
    )
}

/// With snow in the third layer, of this effective radius.
fn snowy(radius_um: f64) -> Classic {
    cloudy().with("swp", LAYER, "g m-2", &[0.0, 0.0, 20.0, 0.0]).with(
        "RE_SNOW",
        LAYER,
        "um",
        &[0.0, 0.0, radius_um, 0.0],
    )
}

/// Runs a command with what comes with the program.
fn command(case: &Case, name: &str, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args([name, "in.nc", "-o", "out.nc", "--device", "cpu", "--assume-zero", "--quiet"])
        .args(options)
        .current_dir(case.folder.path())
        .env("ISOBAR_DATA", data())
        .output()
        .unwrap()
}

/// Fluxes of both spectra, and what the output says of `attribute`.
fn solved(file: &Classic, options: &[&str], attribute: &str) -> ([Vec<f64>; 4], String) {
    let case = Case::of("radiation", &file.bytes());
    let output = command(&case, "radiation", options);
    assert!(output.status.success(), "{}", said(&output));
    let out = Numbers::open(&case.out());
    let names = ["longwave_upward_flux", "longwave_downward_flux", "shortwave_upward_flux", "shortwave_downward_flux"];
    let text = Dataset::open(&case.out()).unwrap().attribute(attribute).unwrap_or_default();
    (names.map(|name| out.all(name)), text)
}

fn fluxes(file: &Classic, options: &[&str]) -> [Vec<f64>; 4] {
    solved(file, options, "scheme").0
}

fn refused(file: &Classic, options: &[&str], parts: &[&str]) {
    let case = Case::of("radiation", &file.bytes());
    let output = command(&case, "radiation", options);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{parts:?}: {text}");
    assert!(text.lines().count() == 1 && text.starts_with("isobar: in.nc: "), "{text}");
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert!(!case.out().exists());
}

#[test]
fn rain_has_tables_that_come_with_the_program() {
    let [up, down, reflected, sun] = fluxes(&cloudy(), &[]);
    let [rainy_up, rainy_down, rainy_reflected, rainy_sun] = fluxes(&rainy(), &[]);
    // 100 g/m^2 of drops of 0.4 mm, an optical depth of 0.4, which absorbs most of the long wave.
    assert!(rainy_sun[0] < sun[0] - 2.0 && rainy_reflected[4] > reflected[4] + 0.5, "{rainy_sun:?} {sun:?}");
    assert!(rainy_down[0] > down[0] + 1.0 && rainy_up[4] < up[4], "{rainy_down:?} {down:?}");
    // And more of it, more.
    let mut more = rainy();
    more.variable("rain_water_path").values[0] = 0.3;
    assert!(fluxes(&more, &[])[3][0] < rainy_sun[0] - 2.0);
    // Nothing else than what is there is read.
    let mut none = rainy();
    none.variable("rain_water_path").values[0] = 0.0;
    assert_eq!(fluxes(&none, &[]), [up, down, reflected, sun]);
}

#[test]
fn snow_is_ice_if_asked_for() {
    let snow = snowy(40.0);
    let text = "swp = 20 at layer 2, column 0 is not 0 g m-2: the tables of clouds of the long wave have none of snow";
    refused(&snow, &[], &[text, "--snow-as-ice"]);
    let (snow, scheme) = solved(&snow, &["--snow-as-ice"], "scheme");
    assert!(scheme.contains("optics of ice for snow"), "{scheme}");
    // The same in other words, and as ice.
    let mut sized = snowy(80.0);
    sized.variable("RE_SNOW").name = "snow_size";
    assert_eq!(fluxes(&sized, &["--snow-as-ice"]), snow);
    let mut ice = snowy(80.0);
    ice.variable("swp").name = "iwp";
    ice.variable("RE_SNOW").name = "dei";
    assert_eq!(fluxes(&ice, &[]), snow);
    assert!(difference(&snow[3], &fluxes(&cloudy(), &[])[3]) > 5.0);
    // Options that RRTMG_LW has no use for are refused before its file is looked at.
    let case = Case::of("longwave", &cloudy().bytes());
    std::fs::write(case.folder.path().join("rrtmg"), b"nothing").unwrap();
    for option in ["--snow-as-ice", "--rain-as-liquid", "--rain-and-snow"] {
        let output = command(&case, "longwave", &["--kdist", "rrtmg", option]);
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains(&format!("{option} is of no use")), "{}", said(&output));
    }
}

/// Sizes beyond the tables: those of stand-ins are clamped and counted, others if asked for.
#[test]
fn sizes_beyond_the_tables() {
    // The path of what is larger falls in proportion: a diameter of 480 um in a table up to 120 um.
    let (large, derived) = solved(&snowy(240.0), &["--snow-as-ice"], "derived");
    assert!(derived.contains("snow_size: 1 values brought into [10, 120] um; of larger ones"), "{derived}");
    let mut quarter = snowy(60.0);
    quarter.variable("swp").values[2] = 5.0;
    assert_eq!(fluxes(&quarter, &["--snow-as-ice"]), large);
    // Of smaller ones it does not.
    assert_eq!(fluxes(&snowy(2.0), &["--snow-as-ice"]), fluxes(&snowy(5.0), &["--snow-as-ice"]));
    let stop = ["--snow-as-ice", "--outside", "error"];
    refused(&snowy(240.0), &stop, &["snow_size = 480 at layer 2, column 0 is not in [10, 120] um"]);
    // Rain has a table of its own, and droplets are in their range or not.
    let mut drops = rainy();
    drops.variable("rain_radius").values[0] = 5e-3;
    let text = "rain_radius = 5000 at layer 0, column 0 is not in [25, 3000] um, for which the tables are";
    refused(&drops, &[], &[text]);
    refused(&drops, &["--outside", "error"], &[text]);
    drops.variable("rel").values[1] = 70.0;
    let (clamped, said) = solved(&drops, &["--outside", "clamp"], "outside_tables");
    assert!(said.starts_with("2 values lie outside of the tables, clamped"));
    assert!(said.contains("rel = 70 at layer 1, column 0 is not in [1, 50] um"), "{said}");
    let mut within = rainy();
    within.variable("rain_radius").values[0] = 3e-3;
    within.variable("rain_water_path").values[0] = 0.06;
    within.variable("rel").values[1] = 50.0;
    for (clamped, within) in clamped.iter().zip(&fluxes(&within, &[])) {
        // Units are converted: roundings of the path.
        assert!(difference(clamped, within) < 1e-10);
    }
}

/// Rain and snow are parts of clouds: what falls out of them is not seen, which is said with a count.
#[test]
fn what_falls_out_of_clouds_is_counted() {
    let (without, derived) = solved(&rainy(), &[], "derived");
    assert!(!derived.contains("have no cloud"), "{derived}");
    let mut below = rainy();
    below.variable("rain_water_path").values[3] = 0.2;
    let (with, derived) = solved(&below, &[], "derived");
    let text = "rain_water_path: 1 of 2 layers with it have no cloud, and it is not seen there";
    assert!(derived.contains(text), "{derived}");
    assert_eq!(with, without);
    let mut snow = snowy(40.0);
    snow.variable("swp").values = vec![0.0, 1.0, 20.0, 3.0];
    let (_, derived) = solved(&snow, &["--snow-as-ice"], "derived");
    assert!(derived.contains("swp: 1 of 3 layers with it have no cloud"), "{derived}");
    // WRF's, below its clouds, and where it has no fraction of them.
    let options = ["--gas", "co2=4e-4", "--rain-and-snow", "--snow-as-ice"];
    let of_wrf = |file: &Classic| {
        let case = Case::of("shortwave", &file.bytes());
        let output = command(&case, "shortwave", &options);
        assert!(output.status.success(), "{}", said(&output));
        Dataset::open(&case.out()).unwrap().attribute("derived").unwrap_or_default()
    };
    assert!(!of_wrf(&wrf()).contains("have no cloud"));
    let mut clear = wrf();
    clear.variable("CLDFRA").values[0] = 0.0;
    assert!(of_wrf(&clear).contains("QRAIN: 1 of 1 layers with it have no cloud"));
    clear.variables.retain(|variable| variable.name != "CLDFRA");
    let derived = of_wrf(&clear);
    assert!(derived.contains("QRAIN: 1 of 1") && derived.contains("QSNOW: 1 of 1"), "{derived}");
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let without = |mut file: Classic, name: &str| {
        file.variables.retain(|variable| variable.name != name);
        file
    };
    refused(&without(rainy(), "rain_radius"), &[], &["rain_radius(", "is missing"]);
    refused(&without(snowy(40.0), "RE_SNOW"), &["--snow-as-ice"], &["snow_size(", "is missing"]);
    let mut negative = rainy();
    negative.variable("rain_water_path").values[1] = -1.0;
    refused(&negative, &[], &["rain_water_path = -1000 g m-2 at layer 1, column 0 lies outside"]);
    // Rain is enough for a cloud.
    let rain = without(without(rainy(), "lwp"), "rel");
    assert!(fluxes(&rain, &[])[3][0] > 100.0);
    let nothing = without(without(rain, "rain_water_path"), "rain_radius");
    refused(&nothing, &[], &["neither liquid_water_path nor ice_water_path, nor one of rain or snow"]);
    // Nothing is read without clouds.
    let clear = fluxes(&cloudy(), &["--no-clouds"]);
    assert_eq!(fluxes(&snowy(40.0), &["--no-clouds"]), clear);
}

/// A file of WRF's of one column, with rain in the lowest layer and snow in the uppermost one that is cloudy.
fn wrf() -> Classic {
    const MASS: &[&str] = &["Time", "bottom_top", "south_north", "west_east"];
    const STAGGERED: &[&str] = &["Time", "bottom_top_stag", "south_north", "west_east"];
    const PLANE: &[&str] = &["Time", "south_north", "west_east"];
    let dimensions = vec![("Time", 1), ("bottom_top", 4), ("bottom_top_stag", 5), ("south_north", 1), ("west_east", 1)];
    Classic { dimensions, ..Classic::default() }
        .with("T", MASS, "K", &THETA)
        .with("P", MASS, "Pa", &[0.0; 4])
        .with("PB", MASS, "Pa", &PRESSURE)
        .with("PH", STAGGERED, "m2 s-2", &[0.0; 5])
        .with("PHB", STAGGERED, "m2 s-2", &[0.0, 2e4, 5e4, 9e4, 1.4e5])
        .with("PSFC", PLANE, "Pa", &[1e5])
        .with("COSZEN", PLANE, "1", &[0.7])
        .with("ALBEDO", PLANE, "1", &[0.1])
        .with("QVAPOR", MASS, "kg kg-1", &VAPOUR)
        .with("CLDFRA", MASS, "1", &CLOUDY)
        .with("QCLOUD", MASS, "kg kg-1", &[0.0, 1e-4, 0.0, 0.0])
        .with("QICE", MASS, "kg kg-1", &[0.0; 4])
        .with("QRAIN", MASS, "kg kg-1", &[5e-4, 0.0, 0.0, -1e-9])
        .with("QSNOW", MASS, "kg kg-1", &[0.0, 0.0, 1e-4, 0.0])
        .with("RE_CLOUD", MASS, "m", &[1e-5; 4])
        .with("RE_ICE", MASS, "m", &[2e-5; 4])
        .with("RE_SNOW", MASS, "m", &[1e-5, 1e-5, 1.5e-4, 1e-5])
}

const PRESSURE: [f64; 4] = [9e4, 6.5e4, 4e4, 2e4];
const THETA: [f64; 4] = [-8.0, -2.0, 6.0, 40.0];
const VAPOUR: [f64; 4] = [8e-3, 3e-3, 4e-4, 1e-5];

/// Cloud water outside of clouds is counted; clouds without water, and a pressure in another unit, are refused.
#[test]
fn clouds_of_wrf_need_water_and_water_clouds() {
    let options = ["--gas", "co2=4e-4"];
    let derived = |file: &Classic| {
        let case = Case::of("shortwave", &file.bytes());
        let output = command(&case, "shortwave", &options);
        assert!(output.status.success(), "{}", said(&output));
        Dataset::open(&case.out()).unwrap().attribute("derived").unwrap_or_default()
    };
    let mut file = wrf();
    assert!(!derived(&file).contains("have no cloud"));
    file.variable("QCLOUD").values[3] = 1e-5;
    let text = "QCLOUD: 1 of 2 layers with it have no cloud, and it is not seen there";
    assert!(derived(&file).contains(text), "{}", derived(&file));
    let refused = |file: &Classic, text: &str| {
        let output = command(&Case::of("shortwave", &file.bytes()), "shortwave", &options);
        assert!(!output.status.success() && said(&output).contains(text), "{}", said(&output));
    };
    file.variables.retain(|one| !["QCLOUD", "QICE"].contains(&one.name));
    refused(&file, "there is a CLDFRA above 0, but neither QCLOUD nor QICE: leave clouds out with --no-clouds");
    file.variable("CLDFRA").values.fill(0.0);
    derived(&file);
    file.variable("PSFC").values[0] = 1e3;
    refused(&file, "PSFC = 1000 at Time 0, south_north 0, west_east 0 looks like hPa, units says Pa");
}

#[test]
fn wrf_has_them_if_asked_for() {
    let options = ["--gas", "co2=4e-4", "--rain-and-snow", "--snow-as-ice"];
    let solve = |file: &Classic, options: &[&str]| {
        let case = Case::of("shortwave", &file.bytes());
        let output = command(&case, "shortwave", options);
        assert!(output.status.success(), "{}", said(&output));
        let out = Numbers::open(&case.out());
        let fluxes = ["shortwave_upward_flux", "shortwave_downward_flux"].map(|name| out.all(name));
        let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap_or_default();
        (fluxes, out.all("level_pressure"), derived)
    };
    let (theirs, levels, derived) = solve(&wrf(), &options);
    for part in ["Marshall and Palmer", "snow_size = 2 effective radius", "snow_size: 1 values brought into [10, 120]"]
    {
        assert!(derived.contains(part), "{derived}");
    }
    // The same by hand.
    let mass = |layer: usize| (levels[layer] - levels[layer + 1]) / 9.80665;
    let temperature: Vec<f64> = (0..4).map(|k| (THETA[k] + 300.0) * Real::powf(PRESSURE[k] / 1e5, 2.0 / 7.0)).collect();
    let path = |layer: usize, ratio: f64| {
        let mut paths = [0.0; 4];
        paths[layer] = 1e3 * ratio * mass(layer) / CLOUDY[layer];
        paths
    };
    let content = 5e-4 * PRESSURE[0] / (287.0 * temperature[0]);
    let slope = Real::powf(core::f64::consts::PI * 1000.0 * 8e6 / content, 0.25);
    let own = Classic { dimensions: vec![("column", 1), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &levels)
        .with("play", LAYER, "Pa", &PRESSURE)
        .with("tlay", LAYER, "K", &temperature)
        .with("mu0", COLUMN, "1", &[0.7])
        .with("albedo", COLUMN, "1", &[0.1])
        .with("qv", LAYER, "kg kg-1", &VAPOUR)
        .with("cldfrac", LAYER, "1", &CLOUDY)
        .with("lwp", LAYER, "g m-2", &path(1, 1e-4))
        .with("rel", LAYER, "um", &[10.0; 4])
        .with("rwp", LAYER, "g m-2", &path(0, 5e-4))
        .with("rain_radius", LAYER, "um", &[1.5e6 / slope; 4])
        // A diameter of 300 um, and tables up to 120 um.
        .with("swp", LAYER, "g m-2", &path(2, 1e-4 * 120.0 / 300.0))
        .with("snow_size", LAYER, "um", &[120.0; 4]);
    let (ours, ..) = solve(&own, &options[..2].iter().chain(&["--snow-as-ice"]).copied().collect::<Vec<_>>());
    for (theirs, ours) in theirs.iter().zip(&ours) {
        // Inputs differ by their rounding.
        assert!(difference(theirs, ours) < 1e-9, "{theirs:?} {ours:?}");
    }
    // Without a word about them they are not read.
    let mut dry = wrf();
    dry.variables.retain(|variable| !["QRAIN", "QSNOW", "RE_SNOW"].contains(&variable.name));
    let (dry, ..) = solve(&dry, &options[..2]);
    assert_eq!(solve(&wrf(), &options[..2]).0, dry);
    assert!(theirs[1][0] < dry[1][0] - 5.0);
    // Snow needs its size, and a table.
    let mut lacking = wrf();
    lacking.variables.retain(|variable| variable.name != "RE_SNOW");
    for (file, options, part) in [(&lacking, &options[..], "snow_radius("), (&wrf(), &options[..3], "none of snow")] {
        let output = command(&Case::of("shortwave", &file.bytes()), "shortwave", options);
        assert!(!output.status.success() && said(&output).contains(part), "{}", said(&output));
    }
}

/// Radii that WRF writes where there is nothing, in layers where there is something, are those that its own radiation
/// takes then: of droplets by land and sea, of ice by temperature.
#[test]
fn radii_of_nothing_are_wrfs_own() {
    let solve = |file: &Classic, options: &[&str]| {
        let case = Case::of("radiation", &file.bytes());
        let mut command = command(&case, "shortwave", &[&["--gas", "co2=4e-4", "--json"], options].concat());
        assert!(command.status.success(), "{}", said(&command));
        let notes: serde_json::Value = serde_json::from_slice(&std::mem::take(&mut command.stdout)).unwrap();
        (Numbers::open(&case.out()).all("shortwave_downward_flux"), notes["notes"].to_string())
    };
    const PLANE: &[&str] = &["Time", "south_north", "west_east"];
    let with = |name: &str, values: [f64; 4]| {
        let mut file = wrf();
        file.variable(name).values = values.to_vec();
        file
    };
    let radius = |um: f64| solve(&with("RE_CLOUD", [1e-6 * um; 4]), &[]).0;
    for (of_file, surface, expected, text) in [
        (0.0, None, 10.5, "10.5 um, as over sea: there is neither XLAND nor LANDMASK"),
        (2.49e-6, None, 10.5, "as over sea"),
        (0.0, Some(("XLAND", 1.0)), 7.5, "7.5 um over land and 10.5 um over sea"),
        (0.0, Some(("XLAND", 2.0)), 10.5, "over land and"),
        (0.0, Some(("LANDMASK", 1.0)), 7.5, "over land and"),
        (0.0, Some(("LANDMASK", 0.0)), 10.5, "over land and"),
    ] {
        let mut file = with("RE_CLOUD", [of_file; 4]);
        if let Some((name, value)) = surface {
            file = file.with(name, PLANE, "1", &[value]);
        }
        let (found, notes) = solve(&file, &[]);
        // Radii in m are converted.
        assert!(difference(&found, &radius(expected)) < 1e-9, "{surface:?}");
        let counted = "RE_CLOUD is 2.5 um or less in 1 layers with such particles";
        assert!(notes.contains(counted) && notes.contains(text), "{notes}");
    }
    assert!(difference(&radius(7.5), &radius(10.5)) > 5.0);
    // A radius that is one stays, and is clamped with a word.
    let (small, notes) = solve(&with("RE_CLOUD", [60e-6; 4]), &[]);
    assert!(notes.contains("liquid_radius: 1 values brought into [1, 50] um"), "{notes}");
    assert!(difference(&small, &radius(50.0)) < 1e-9);
    let output = command(
        &Case::of("radiation", &with("RE_CLOUD", [60e-6; 4]).bytes()),
        "shortwave",
        &["--gas", "co2=4e-4", "--outside", "error"],
    );
    assert!(!output.status.success() && said(&output).contains("RE_CLOUD = 6"), "{}", said(&output));
    // Ice of the third layer, of 306 K (0.4)^(2/7) = 235.5 K: by WRF's arithmetic.
    let kelvin = 306.0 * Real::powf(0.4, 2.0 / 7.0);
    assert!((235.0..236.0).contains(&kelvin));
    let radius = 44.7853 + (kelvin - 235.0) * (45.917 - 44.7853);
    let icy = |um: f64| {
        let mut file = with("RE_ICE", [1e-6 * um; 4]);
        file.variable("QICE").values[2] = 1e-4;
        solve(&file, &[])
    };
    let (found, notes) = icy(0.0);
    assert!(notes.contains("RE_ICE is 5 um or less in 1 layers") && notes.contains("radii by temperature"), "{notes}");
    assert!(difference(&found, &icy(radius).0) < 1e-9);
    assert!(difference(&found, &icy(20.0).0) > 1.0);
    // Without CLDFRA, layers with water are overcast.
    let mut lacking = wrf();
    lacking.variables.retain(|variable| variable.name != "CLDFRA");
    let (found, notes) = solve(&lacking, &[]);
    assert_eq!(found, solve(&with("CLDFRA", [0.0, 1.0, 0.0, 0.0]), &[]).0);
    assert!(notes.contains("no cloud fraction: 1 in 1 of 4 layers"), "{notes}");
}
