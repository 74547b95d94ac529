//! `isobar run` as a user meets it: the same bytes whatever the threads and stops, budgets, and what it refuses.

use std::fs;
use std::path::Path;

use crate::common::run_case::{CASE, Case, FILES};
use crate::common::{data, said};
use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

fn read(path: &Path, name: &str, unit: &str, axes: &[Dimension]) -> Vec<f64> {
    let axes: Vec<Axis> = axes.iter().map(|&axis| Axis::required(axis)).collect();
    let accepted = Accepted::FINITE;
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted };
    Dataset::open(path).unwrap().read(&spec).unwrap().values
}

#[test]
fn the_output_has_what_the_case_says() {
    let case = Case::new(CASE);
    let summary = case.done("out.nc", &["--json", "--plot", "figure.svg"]);
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!((summary["columns"].as_u64(), summary["steps"].as_u64()), (Some(3), Some(18)));
    let runs: Vec<_> =
        summary["stages"].as_array().unwrap().iter().map(|stage| stage["runs"].as_u64().unwrap()).collect();
    assert_eq!(runs, [18, 18, 18, 5, 6, 18, 18, 18, 9]);
    // The Sun: two fields read and two written in each of 18 steps, in double precision.
    assert_eq!(summary["stages"][0]["bytes"].as_u64(), Some(18 * 4 * 3 * 8));
    let number = |stage: &serde_json::Value, key: &str| stage[key].as_f64().unwrap();
    for stage in summary["stages"].as_array().unwrap() {
        let limit = number(stage, "bytes") / number(&summary, "copy_bytes_per_s") / number(stage, "seconds");
        assert!((number(stage, "fraction_of_limit") / limit - 1.0).abs() < 1e-12 && limit > 0.0, "{stage}");
    }
    // What has a name is within the time of the loop; nothing took turns.
    let beside = ["output_seconds", "restart_seconds", "turns_seconds"].map(|key| number(&summary, key));
    assert!(beside[0] > 0.0 && beside[1] > 0.0 && beside[2] == 0.0, "{summary}");
    let stages: f64 = summary["stages"].as_array().unwrap().iter().map(|stage| number(stage, "seconds")).sum();
    assert!(stages + beside.iter().sum::<f64>() < number(&summary, "seconds"), "{summary}");
    // 18 steps of 10 layers, a few roundings each.
    assert!(summary["heat_budget_error"].as_f64().unwrap() < 1e-14, "{summary}");
    assert!(summary["water_budget_error"].as_f64().unwrap() < 1e-14, "{summary}");
    assert_eq!((summary["flagged_columns"].as_u64(), summary["bytes_to_device"].as_u64()), (Some(0), Some(0)));
    let out = case.path("out.nc");
    let times = read(&out, "time", "s", &[Dimension::Time]);
    assert_eq!(times, [25_200.0, 27_000.0, 28_800.0, 30_600.0]);
    let theta = read(&out, "air_potential_temperature", "K", &[Dimension::Time, Dimension::Layer, Dimension::Profile]);
    assert_eq!(theta.len(), 4 * 10 * 3);
    // The ground is warmer than the air in the morning, and warms it.
    let heat = read(&out, "surface_upward_sensible_heat_flux", "W m-2", &[Dimension::Time, Dimension::Profile]);
    assert!(heat[9..].iter().all(|&flux| flux > 5.0), "{heat:?}");
    assert!(theta[90] > theta[0] + 0.1);
    // What was emitted: 5e10 molecules a cm2 and second for an hour and a half.
    let emitted = read(&out, "NO_emitted", "mol m-2", &[Dimension::Time, Dimension::Profile]);
    assert!((emitted[9] / (5e14 * 5400.0 / 6.022_140_76e23) - 1.0).abs() < 1e-13, "{emitted:?}");
    let file = Dataset::open(&out).unwrap();
    assert_eq!(file.attribute("precision").unwrap(), "f64");
    assert_eq!(file.attribute("device").unwrap(), "cpu");
    let inputs = file.attribute("inputs").unwrap();
    assert!(inputs.lines().count() == 6 && inputs.lines().all(|line| line.contains("sha256:")), "{inputs}");
    for figure in ["figure-profiles.svg", "figure-day.svg", "figure-chemistry.svg"] {
        let svg = fs::read_to_string(case.path(figure)).unwrap();
        assert!(svg.contains("<polyline") && svg.trim_end().ends_with("</svg>"), "{figure}");
    }
}

/// The demonstration with two columns, the first and the last, and a record an hour.
#[test]
fn the_demonstration_shows_a_day() {
    let text = fs::read_to_string(data().join("column/case.toml")).unwrap();
    let text = text.replacen("columns = 64", "columns = 2", 1).replacen("minutes = 30", "minutes = 60", 1);
    let control = format!("{:?}", data().join("nadir/nadir.ctl"));
    let text = text.replacen("\"../nadir/nadir.ctl\"", &control, 1);
    let text = text.replacen("../radiation/ecckd-longwave-32.nc", "longwave.nc", 1);
    let case = Case::new(&text.replacen("../radiation/ecckd-shortwave-32.nc", "shortwave.nc", 1));
    let summary: serde_json::Value = serde_json::from_str(&case.done("out.nc", &["--json"])).unwrap();
    // 1440 steps, whose roundings mostly cancel: 40 of 1.1e-16.
    for budget in ["heat_budget_error", "water_budget_error"] {
        assert!(summary[budget].as_f64().unwrap() < 5e-15, "{summary}");
    }
    assert_eq!((summary["flagged_columns"].as_u64(), summary["clamps"].as_f64()), (Some(0), Some(0.0)));
    let out = case.path("out.nc");
    let series = |name: &str, unit: &str| read(&out, name, unit, &[Dimension::Time, Dimension::Profile]);
    let profiles =
        |name: &str, unit: &str| read(&out, name, unit, &[Dimension::Time, Dimension::Layer, Dimension::Profile]);
    let (height, theta) =
        (series("atmosphere_boundary_layer_thickness", "m"), profiles("air_potential_temperature", "K"));
    let heating = profiles("tendency_of_air_temperature_due_to_longwave_heating", "K day-1");
    let [o3, no, no2] = ["O3", "NO", "NO2"].map(|species| profiles(species, "mol mol-1"));
    for column in 0..2 {
        let at = |values: &[f64], hour: usize, layer: usize| values[(hour * 40 + layer) * 2 + column];
        let height = |hour: usize| height[hour * 2 + column];
        // The layer is shallow by night, grows from the morning to the afternoon, and collapses.
        assert!(height(4) < 300.0 && height(24) < 500.0, "{} {}", height(4), height(24));
        assert!((7..15).all(|hour| height(hour) < height(hour + 1)) && height(16) > 1500.0);
        // Stable air at the ground by night, mixed air by day: the lowest 200 m or so.
        assert!(at(&theta, 4, 3) > at(&theta, 4, 0) + 2.0);
        assert!((at(&theta, 14, 8) - at(&theta, 14, 3)).abs() < 0.3);
        // Cooling aloft, from 3 to 10 km.
        assert!((13..23).all(|layer| (-4.0..-0.3).contains(&at(&heating, 12, layer))));
        // By night NO that comes out of the ground takes the ozone of the lowest layer; by day NO2 gives it back, and
        // is rarer than NO2 by night.
        assert!(at(&o3, 4, 0) < 0.95 * at(&o3, 14, 0), "{:e} {:e}", at(&o3, 4, 0), at(&o3, 14, 0));
        assert!(at(&no2, 4, 0) > 3.0 * at(&no2, 14, 0));
        assert!(at(&no, 12, 10) > 3.0 * at(&no, 23, 10));
        // The ozone layer stays.
        assert!(at(&o3, 24, 39) > 5e-6);
    }
}

#[test]
fn threads_and_a_restart_change_no_byte() {
    let case = Case::new(CASE);
    for precision in ["f64", "f32"] {
        let more = |threads: &'static str| ["--precision", precision, "--threads", threads];
        case.done("one.nc", &more("1"));
        case.done("three.nc", &more("3"));
        let bytes = |name: &str| fs::read(case.path(name)).unwrap();
        assert!(bytes("one.nc") == bytes("three.nc"), "{precision}: threads");
        // The last restart file is that after an hour.
        case.done("resumed.nc", &[&more("2")[..], &["--resume", "one.restart.nc", "--restart", "other.nc"]].concat());
        assert!(bytes("one.nc") == bytes("resumed.nc"), "{precision}: the run that was resumed");
        assert!(bytes("one.restart.nc") == bytes("three.restart.nc"), "{precision}: restart files");
        assert!(!case.path("other.nc").exists(), "no restart file was due after it");
    }
    let other = case.fails(&["--resume", "one.restart.nc"]);
    assert!(other.contains("one.restart.nc: the restart file of another run"), "{other}");
}

#[test]
fn columns_that_take_turns_are_counted_and_resumed() {
    let case = Case::new(CASE);
    case.done("one.nc", &[]);
    let summary: serde_json::Value =
        serde_json::from_str(&case.done("turns.nc", &["--at-once", "2", "--json"])).unwrap();
    // Two blocks went in and out with their fields.
    assert!(summary["bytes_to_device"].as_u64().unwrap() > 0, "{summary}");
    assert!(summary["turns_seconds"].as_f64().unwrap() > 0.0, "{summary}");
    assert_eq!(summary["stages"][0]["runs"].as_u64(), Some(2 * 18));
    let bytes = |name: &str| fs::read(case.path(name)).unwrap();
    assert!(bytes("one.nc") == bytes("turns.nc") && bytes("one.restart.nc") == bytes("turns.restart.nc"));
    case.done("resumed.nc", &["--resume", "turns.restart.nc", "--at-once", "1"]);
    assert!(bytes("one.nc") == bytes("resumed.nc"));
    let said = crate::common::said(&case.run("out.nc", &["--at-once", "0"]));
    assert!(said.contains("invalid value '0' for '--at-once <COLUMNS>'"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_bytes() {
    let case = Case::changed("hours = 1.5", "hours = 12.0");
    case.done("whole.nc", &[]);
    let mut child =
        case.command("out.nc", &["--restart", "last.nc"]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // As soon as there is a restart file.
    while !case.path("last.nc").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // SAFETY: the child is ours, and has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGTERM) };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5), "the run was done before the signal came");
    assert!(said(&output).contains("go on with --resume last.nc"), "{}", said(&output));
    let mut expected = ["case.toml", "last.nc", "whole.nc", "whole.restart.nc"].map(str::to_owned).to_vec();
    expected.extend(FILES.map(|(_, name)| name.to_owned()));
    expected.sort();
    assert_eq!(case.names(), expected);
    case.done("out.nc", &["--resume", "last.nc"]);
    assert!(fs::read(case.path("whole.nc")).unwrap() == fs::read(case.path("out.nc")).unwrap());
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let case = Case::new(CASE);
    let output = case.run("/dev/full", &["--restart", "last.nc"]);
    assert!(!output.status.success() && crate::common::said(&output).contains("No space left on device"));
}

#[test]
fn a_restart_file_that_cannot_be_written_is_a_warning() {
    let case = Case::new(CASE);
    case.done("whole.nc", &[]);
    let goes_on = |restart: &str, expected: &[&str]| {
        let output = case.run("out.nc", &["--restart", restart]);
        let said = said(&output);
        assert!(output.status.success(), "{said}");
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), expected.len(), "{said}");
        for (line, part) in lines.iter().zip(expected) {
            assert!(
                line.starts_with(&format!("isobar: warning: {restart}: cannot write")) && line.contains(part),
                "{said}"
            );
        }
        assert!(fs::read(case.path("whole.nc")).unwrap() == fs::read(case.path("out.nc")).unwrap());
    };
    let after = ["no restart file after step 6, the last is none", "no restart file after step 12, the last is none"];
    if Path::new("/dev/full").exists() {
        goes_on("/dev/full", &after);
    }
    goes_on("missing/last.nc", &["there will be no restart file", after[0], after[1]]);
}

#[test]
fn a_slab_a_sea_and_columns_from_a_file_run() {
    let slab = "kind = \"slab\"\nmean_k = 291.0";
    Case::changed("mean_k = 291.0", slab).done("out.nc", &[]);
    let case = Case::changed("kind = \"us76\"", "kind = \"rcemip\"\nsea_surface_k = 298.0");
    case.done("out.nc", &[]);
    let text = CASE.replacen("columns = 3\n", "", 1).replacen(
        "kind = \"us76\"",
        "kind = \"netcdf\"\nfile = \"columns.nc\"",
        1,
    );
    let text =
        text.replacen("[grid]\nlayers = 10\ntop_m = 16_000.0\n", "", 1).replacen("hours = 1.5", "hours = 0.5", 1);
    let case = Case::new(&text.replacen("restart_hours = 0.5", "", 1));
    fs::copy(data().join("pbl/columns.nc"), case.path("columns.nc")).unwrap();
    case.done("out.nc", &[]);
    // The last column's sea has the cloud of the file, at 450 to 700 m, all of its layers.
    let layers = [Dimension::Layer, Dimension::Profile];
    let fraction = read(&case.path("out.nc"), "cloud_area_fraction_in_atmosphere_layer", "1", &layers);
    let liquid = read(&case.path("out.nc"), "liquid_water_path", "g m-2", &layers);
    assert!(fraction.chunks(4).all(|row| row[..3] == [0.0; 3]) && fraction.contains(&1.0));
    assert!(fraction.iter().zip(&liquid).all(|(part, path)| (*part > 0.0) == (*path > 0.0)));
    let wind =
        read(&case.path("out.nc"), "eastward_wind", "m s-1", &[Dimension::Time, Dimension::Layer, Dimension::Profile]);
    assert_eq!(wind.len(), 2 * 40 * 4);
}

/// Values of a field of columns through time, NaN where there is none.
pub(crate) fn with_gaps(path: &Path, name: &str, unit: &str) -> Vec<f64> {
    let axes = [Dimension::Time, Dimension::Profile].map(Axis::required);
    let accepted = Accepted::FINITE;
    let mut file = Dataset::open(path).unwrap();
    file.keep_going();
    file.read(&VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted }).unwrap().values
}

/// What the first record says is what the case starts with, by formula where there is one; and the fill value where
/// nothing is known yet.
#[test]
#[allow(clippy::disallowed_methods, reason = "elementary functions of another hand")]
fn the_first_record_is_computed_or_empty() {
    let whole = Case::new(CASE);
    whole.done("out.nc", &[]);
    let series =
        |name: &str, unit: &str| read(&whole.path("out.nc"), name, unit, &[Dimension::Time, Dimension::Profile]);
    // The case's formula at every record, the first one too: warmest at 14 h.
    let surface = series("surface_temperature", "K");
    for (record, ground) in surface.chunks(3).enumerate() {
        let hour = 7.0 + 0.5 * record as f64;
        let expected = 291.0 + 8.0 * (std::f64::consts::TAU * (hour - 14.0) / 24.0).cos();
        assert!(ground.iter().all(|ground| (ground - expected).abs() < 1e-11), "{hour} h: {ground:?} {expected}");
    }
    // The Sun is that of 7 h, not of the middle of a step after it.
    let cosine = series("cosine_of_zenith_angle", "1");
    let tilt: f64 = isobar_column::sun::declination(172.0 + 7.0 / 24.0);
    for (column, latitude) in [20.0_f64, 35.0, 50.0].into_iter().enumerate() {
        let angle = isobar_column::sun::hour_angle(7.0 * 3600.0);
        let expected = isobar_column::sun::cosine_of_zenith(latitude.to_radians(), tilt, angle);
        assert!((cosine[column] - expected).abs() < 1e-13, "{} {expected}", cosine[column]);
    }
    // Layers are hydrostatic from the start: thickness follows from temperature, vapour and pressure.
    let layers = [Dimension::Time, Dimension::Layer, Dimension::Profile];
    let profile = |name: &str, unit: &str| read(&whole.path("out.nc"), name, unit, &layers)[..30].to_vec();
    let (thickness, temperature) = (profile("cell_thickness", "m"), profile("air_temperature", "K"));
    let vapour = profile("humidity_mixing_ratio", "kg kg-1");
    let levels = [Dimension::Level, Dimension::Profile];
    let pressure = read(&whole.path("out.nc"), "interface_pressure", "Pa", &levels);
    for i in 0..30 {
        let warmth = temperature[i] * (1.0 + (461.6 / 287.0 - 1.0) * vapour[i]);
        let expected = 287.0 / 9.81 * warmth * (pressure[i] / pressure[i + 3]).ln();
        assert!((thickness[i] / expected - 1.0).abs() < 1e-13, "{i}: {} {expected}", thickness[i]);
    }
    // What the ground sends upward is its emission by Stefan and Boltzmann and what it reflects; ecCKD's Planck
    // function is a table of bands.
    let fluxes = [Dimension::Time, Dimension::Level, Dimension::Profile];
    let flux = |name: &str| read(&whole.path("out.nc"), name, "W m-2", &fluxes)[..3].to_vec();
    let (up, down) = (flux("upwelling_longwave_flux_in_air"), flux("downwelling_longwave_flux_in_air"));
    for column in 0..3 {
        let emitted = 0.98 * 5.670_374_419e-8 * surface[column].powi(4) + 0.02 * down[column];
        assert!((up[column] / emitted - 1.0).abs() < 1e-3, "{} {emitted}", up[column]);
    }
    for (name, unit) in [("friction_velocity", "m s-1"), ("atmosphere_boundary_layer_thickness", "m")] {
        assert!(series(name, unit)[..3].iter().all(|&value| value > 0.0), "{name}");
    }
    let slab = Case::changed("mean_k = 291.0\namplitude_k = 8.0", "kind = \"slab\"\nmean_k = 289.0");
    slab.done("out.nc", &[]);
    let into = with_gaps(&slab.path("out.nc"), "downward_heat_flux_in_soil", "W m-2");
    assert!(into[..3].iter().all(|flux| flux.is_nan()) && into[3..].iter().all(|flux| flux.is_finite()), "{into:?}");
    // The first step of a slab has radiation: its ground warms as its own fluxes say.
    let [ground, gained] = [("surface_temperature", "K"), ("ground_heat_gained", "J m-2")]
        .map(|(name, unit)| with_gaps(&slab.path("out.nc"), name, unit));
    assert!(ground[..3] == [289.0; 3] && gained[..3] == [0.0; 3], "{ground:?} {gained:?}");
}

/// Ground under seven suns gets hotter than any scheme takes: its column stops, the others go on to the same numbers as
/// without it, and everybody is told.
#[test]
fn columns_that_leave_their_range_stop_and_are_told() {
    let ground = "kind = \"slab\"\nheat_capacity_j_per_m2_k = 2e4\nmean_k = 291.0";
    let text = CASE.replacen("mean_k = 291.0\namplitude_k = 8.0", ground, 1).replacen(
        "start_hour = 7.0",
        "start_hour = 10.0",
        1,
    );
    // Dry and smooth ground in calm air keeps what it gets.
    let site = "latitude_deg = [20.0, 50.0]\nmoisture_availability = 0.0\nwind_east_m_per_s = 0.5\nroughness_m = 1e-5";
    let text = text.replacen("latitude_deg = [20.0, 50.0]", site, 1);
    let suns = |albedo: &str| {
        let sun = format!("albedo = {albedo}\ntotal_solar_irradiance_w_per_m2 = 9000.0");
        Case::new(&text.replacen("albedo = [0.1, 0.3]", &sun, 1))
    };
    let case = suns("[0.0, 1.0]");
    let output = case.run("out.nc", &["--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    let warned = said(&output);
    assert!(warned.contains("isobar: warning: column 0 stopped in step "), "{warned}");
    assert!(
        warned.contains("its temperature of the ground would be ") && warned.contains("not in [100, 400]"),
        "{warned}"
    );
    let summary: serde_json::Value = serde_json::from_str(&crate::common::printed(&output)).unwrap();
    let stopped = summary["stopped_columns"].as_u64().unwrap();
    assert!((1..3).contains(&stopped) && summary["flagged_columns"].as_u64() == Some(stopped), "{summary}");
    let first = &summary["first_stopped"];
    assert!(first["column"] == 0 && first["layer"].is_null() && first["value"].as_f64().unwrap() > 400.0, "{first}");
    let of_columns = |name: &str| read(&case.path("out.nc"), name, "1", &[Dimension::Profile]);
    let (flags, by, steps) = (of_columns("flags"), of_columns("stopped_by"), of_columns("stopped_step"));
    assert!(
        flags[0] == 2.0 && by[0] == 1.0 && steps[0] == first["step"].as_f64().unwrap(),
        "{flags:?} {by:?} {steps:?}"
    );
    assert!(flags[2] == 0.0 && by[2] == 0.0 && steps[2] == 0.0);
    // Records: numbers before the stop, fill values after it; a record is 6 steps.
    for (name, unit) in [("surface_temperature", "K"), ("surface_upward_sensible_heat_flux", "W m-2")] {
        for (record, values) in with_gaps(&case.path("out.nc"), name, unit).chunks(3).enumerate() {
            assert_eq!(values[0].is_nan(), 6.0 * record as f64 >= steps[0], "{name}, record {record}: {values:?}");
            assert!(values[2].is_finite(), "{name}, record {record}: {values:?}");
        }
    }
    // However the run goes: threads, turns, a restart after the stop.
    let bytes = |name: &str| fs::read(case.path(name)).unwrap();
    for more in [&["--threads", "3", "--at-once", "1"][..], &["--resume", "out.restart.nc", "--restart", "o.nc"]] {
        assert_eq!(case.run("again.nc", more).status.code(), Some(3));
        assert!(bytes("out.nc") == bytes("again.nc"), "{more:?}");
    }
    // None is left.
    assert_eq!(suns("0.0").run("out.nc", &[]).status.code(), Some(4));
}

/// The sections of a case with clouds, and ground that lives on radiation.
const CLOUDS: &str = r#"
[clouds]
ice_size_um = 60.0
[[clouds.layers]]
base_m = 900.0
top_m = 2500.0
fraction = [0.2, 0.9]
liquid_content_g_per_m3 = 0.1
[[clouds.layers]]
base_pa = 40_000.0
top_pa = 39_000.0
fraction = 0.5
ice_path_g_per_m2 = 10.0
[above]
layers = 4
temperature = "constant"
"#;

#[test]
fn clouds_and_a_slab_are_the_same_however_the_run_goes() {
    let text = CASE.replacen("mean_k = 291.0\namplitude_k = 8.0", "kind = \"slab\"\nmean_k = 289.0", 1);
    let (cloudy, clear) = (Case::new(&format!("{text}{CLOUDS}")), Case::new(&text));
    for precision in ["f64", "f32"] {
        let more = |threads: &'static str| ["--precision", precision, "--threads", threads];
        cloudy.done("one.nc", &more("1"));
        cloudy.done("three.nc", &[&more("3")[..], &["--at-once", "2"]].concat());
        let bytes = |name: &str| fs::read(cloudy.path(name)).unwrap();
        assert!(bytes("one.nc") == bytes("three.nc"), "{precision}: threads and turns");
        cloudy.done("resumed.nc", &[&more("2")[..], &["--resume", "one.restart.nc", "--restart", "o.nc"]].concat());
        assert!(bytes("one.nc") == bytes("resumed.nc"), "{precision}: the run that was resumed");
    }
    cloudy.done("one.nc", &[]);
    let summary: serde_json::Value = serde_json::from_str(&clear.done("clear.nc", &["--json"])).unwrap();
    // 18 steps, with roundings of the temperature and of what was gained.
    assert!(summary["ground_budget_error"].as_f64().unwrap() < 1e-14, "{summary}");
    let layers = [Dimension::Layer, Dimension::Profile];
    let fraction = read(&cloudy.path("one.nc"), "cloud_area_fraction_in_atmosphere_layer", "1", &layers);
    let rows: Vec<&[f64]> = fraction.chunks(3).filter(|row| row.iter().any(|&part| part > 0.0)).collect();
    assert!(rows.len() == 3 && rows[2] == [0.5; 3], "{rows:?}");
    assert!(rows[0].iter().zip([0.2, 0.55, 0.9]).all(|(got, expected)| (got - expected).abs() < 1e-15), "{rows:?}");
    let ice = read(&cloudy.path("one.nc"), "ice_water_path", "g m-2", &layers);
    assert!((ice.iter().sum::<f64>() - 30.0).abs() < 1e-12, "{ice:?}");
    // The clouds shade the ground and stop its heat.
    let levels = [Dimension::Time, Dimension::Level, Dimension::Profile];
    let at_ground = |case: &Case, file: &str, name: &str| {
        let all = read(&case.path(file), name, "W m-2", &levels);
        all[3 * 11 * 3..][..3].to_vec()
    };
    for (name, sign) in [("downwelling_shortwave_flux_in_air", -1.0), ("downwelling_longwave_flux_in_air", 1.0)] {
        let (with, without) = (at_ground(&cloudy, "one.nc", name), at_ground(&clear, "clear.nc", name));
        let effect: Vec<f64> = with.iter().zip(&without).map(|(with, without)| sign * (with - without)).collect();
        assert!(effect[2] > 20.0 && effect.iter().all(|&effect| effect > 1.0), "{name}: {effect:?}");
    }
    let heat = with_gaps(&clear.path("clear.nc"), "downward_heat_flux_in_soil", "W m-2");
    assert!(heat[9..].iter().all(|&flux| flux > 20.0), "the morning warms the ground: {heat:?}");
}

#[test]
fn k_distributions_are_found_where_data_lie() {
    let text = CASE.replacen("kdist = \"longwave.nc\"\n", "", 1).replacen("kdist = \"shortwave.nc\"\n", "", 1);
    let (named, unnamed) = (Case::new(CASE), Case::new(&text));
    named.done("out.nc", &[]);
    let run = |folder: &Path| {
        let mut command = unnamed.command("out.nc", &[]);
        command.env("ISOBAR_DATA", folder).env("XDG_DATA_HOME", folder.join("nothing")).output().unwrap()
    };
    let output = run(&data());
    assert!(output.status.success(), "{}", said(&output));
    let heating = |case: &Case| {
        let axes = [Dimension::Time, Dimension::Layer, Dimension::Profile];
        read(&case.path("out.nc"), "tendency_of_air_temperature_due_to_shortwave_heating", "K day-1", &axes)
    };
    assert_eq!(heating(&named), heating(&unnamed));
    let said = said(&run(Path::new("nowhere")));
    let expected = "case.toml:25: no kdist: there is no ecckd-longwave-32.nc in nowhere/radiation or nowhere or ";
    assert!(said.contains(expected), "{said}");
}

/// RRTMG's files and RRTMGP's serve as well; what they cannot do is refused, or told.
#[test]
fn other_k_distributions_serve() {
    use isobar_radiation::rrtmg::analytic;
    // One column, and one call of each spectrum.
    let short = CASE.replacen("hours = 1.5", "hours = 0.5", 1).replacen("restart_hours = 0.5", "", 1);
    let once = short.replacen("columns = 3", "columns = 1", 1).replacen("every = 4", "every = 6", 1);
    let once = once.replacen("every = 3", "every = 6", 1);
    let rrtmg = Case::new(&once.replacen("longwave.nc", "made-up.kd", 1));
    let made_up = analytic::rrtmg_file(&analytic::k_distribution());
    fs::write(rrtmg.path("made-up.kd"), &made_up).unwrap();
    let output = rrtmg.run("out.nc", &[]);
    assert!(output.status.success(), "{}", said(&output));
    let scattering = "made-up.kd\"\nscattering = \"rescaled\"";
    let scatters = Case::new(&CASE.replacen("longwave.nc\"", scattering, 1));
    fs::write(scatters.path("made-up.kd"), &made_up).unwrap();
    let said = crate::common::said(&scatters.run("out.nc", &[]));
    assert!(said.contains("case.toml:27: RRTMG's long wave does not scatter"), "{said}");
    let clouds = Case::new(&format!("{}{CLOUDS}", CASE.replacen("longwave.nc", "made-up.kd", 1)));
    fs::write(clouds.path("made-up.kd"), made_up).unwrap();
    let said = clouds.run("out.nc", &[]);
    let said = crate::common::said(&said);
    assert!(said.contains("case.toml:41: RRTMG's long wave has none here"), "{said}");

    let Some(reference) = isobar_golden::find("rrtmgp") else { return };
    let named = |file: &str| reference.join(file).display().to_string();
    let clouds = |spectrum: &str| named(&format!("cloud/rrtmgp-clouds-{spectrum}-bnd.nc"));
    let text = once.replacen("kdist = \"longwave.nc\"", "kdist = LONG\nclouds = LONG_CLOUDS", 1);
    let text = text.replacen("kdist = \"shortwave.nc\"", "kdist = SHORT\nclouds = SHORT_CLOUDS", 1);
    let text = text.replacen("SHORT_CLOUDS", &format!("{:?}", clouds("sw")), 1);
    let text = text.replacen("LONG_CLOUDS", &format!("{:?}", clouds("lw")), 1);
    let text = text.replacen("SHORT", &format!("{:?}", named("coeff/sw-g112.nc")), 1);
    let text = text.replacen("LONG", &format!("{:?}", named("coeff/lw-g128.nc")), 1);
    Case::new(&format!("{text}{CLOUDS}")).done("out.nc", &[]);
    let [rrtmgp, ecckd] = [&text, &once].map(|text| Case::new(text));
    rrtmgp.done("out.nc", &[]);
    ecckd.done("out.nc", &[]);
    // Two sets of coefficients for one air: each is within 1.5 W/m^2 of line-by-line fluxes of the long wave.
    let levels = [Dimension::Time, Dimension::Level, Dimension::Profile];
    for name in ["upwelling_longwave_flux_in_air", "downwelling_longwave_flux_in_air"] {
        let [one, other] = [&rrtmgp, &ecckd].map(|case| read(&case.path("out.nc"), name, "W m-2", &levels));
        let worst = one.iter().zip(&other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(worst > 0.0 && worst < 3.0, "{name}: {worst}");
    }
    // Above 1 Pa RRTMGP has no tables.
    let high = text.replacen("layers = 10", "layers = 40", 1).replacen("top_m = 16_000.0", "top_m = 86_000.0", 1);
    let said = Case::new(&high).fails(&[]);
    assert!(said.contains("layer 38 of column 0 is at ") && said.contains("the tables are for [1.00"), "{said}");
}

#[test]
fn bad_radiation_and_clouds_are_refused_with_their_line() {
    let refused = |text: String, expected: &str| {
        let said = Case::new(&text).fails(&[]);
        assert!(said.starts_with("isobar: case.toml") && said.contains(expected), "{said}");
    };
    let bad = |from: &str, to: &str, expected: &str| {
        assert!(CASE.contains(from), "{from}");
        refused(CASE.replacen(from, to, 1), expected);
    };
    bad("albedo = [0.1, 0.3]", "albedo = [0.1, 1.3]", "case.toml:39: 1.3 is not in [0, 1] (`albedo = [0.1, 1.3]`)");
    bad("every = 3", "every = 0", "case.toml:38: 0 is not a number of steps of at least 1");
    let loose = "[chemistry]\nrelative_tolerance = 2.0";
    bad("[chemistry]", loose, "case.toml:30: 2 is not in (2.2e-15, 1)");
    let sun = "total_solar_irradiance_w_per_m2 = -1.0";
    bad("albedo = [0.1, 0.3]", sun, "case.toml:39: -1 is not in [0, 9000]");
    bad("albedo = ", "albdo = ", "case.toml:39: unknown key `albdo`; did you mean `albedo`?");
    let other = "case.toml:37: longwave.nc is of the long wave, and the short wave's is wanted";
    bad("kdist = \"shortwave.nc\"", "kdist = \"longwave.nc\"", other);
    bad("every = 4", "every = 4\nclouds = \"ozone_nox.kpp\"", "case.toml:28: ozone_nox.kpp: ");
    let sunlight = "case.toml:23: a slab under [shortwave] takes its sunlight, and has the albedo given there";
    bad("mean_k = 291.0", "kind = \"slab\"\nalbedo = 0.1\nmean_k = 291.0", sunlight);
    let scattering = "case.toml:28: unknown name `much`; there are none, rescaled, two_stream";
    bad("every = 4", "every = 4\nscattering = \"much\"", scattering);
    let cloudy = |from: &str, to: &str, expected: &str| {
        assert!(CLOUDS.contains(from), "{from}");
        refused(format!("{CASE}{}", CLOUDS.replacen(from, to, 1)), expected);
    };
    cloudy("layers = 4", "layers = 1001", "case.toml:54: 1001 layers above the top are not in [0, 1000]");
    cloudy("\"constant\"", "\"warm\"", "case.toml:55: unknown name `warm`; there are us76, constant");
    let overlap = "case.toml:43: unknown name `randm`; did you mean `random`?";
    cloudy("ice_size_um = 60.0", "ice_size_um = 60.0\noverlap = \"randm\"", overlap);
    cloudy("ice_size_um = 60.0", "ice_size_um = 500.0", "case.toml:42: 500 is not in [10, 120]");
    cloudy("ice_path_g_per_m2 = 10.0", "ice_path_g_per_m2 = -1.0", "case.toml:52: -1 is not in [0, 100000]");
    cloudy("0.1\n", "0.1\nliquid_radius_um = 0.5\n", "case.toml:48: 0.5 is not in [1, 50]");
    cloudy("fraction = 0.5", "fraction = 1.5", "case.toml:51: 1.5 is not in [0, 1]");
    cloudy("top_m = 2500.0", "top_m = 800.0", "case.toml:45: the top, 800, is not above the base, 900");
    cloudy("top_pa = 39_000.0", "top_pa = 41_000.0", "case.toml:50: the top, 41000, is not below the base, 40000");
    cloudy("top_m = 2500.0\n", "", "case.toml:43: a cloud has base_m and top_m, or base_pa and top_pa");
    cloudy("liquid_content_g_per_m3 = 0.1\n", "", "case.toml:43: a cloud without liquid and ice");
    let both = "case.toml:47: a cloud has a path or a content, not both";
    cloudy("0.1\n", "0.1\nliquid_path_g_per_m2 = 5.0\n", both);
    let outside = "case.toml:43: the cloud from 20000 to 25000 m is outside of column 0, 0 to ";
    cloudy("base_m = 900.0\ntop_m = 2500.0", "base_m = 20_000.0\ntop_m = 25_000.0", outside);
    let again = "case.toml:48: layer 6 of column 0 has a cloud already";
    cloudy("base_m = 900.0\ntop_m = 2500.0", "base_m = 6000.0\ntop_m = 9000.0", again);
    cloudy("fraction = 0.5", "fracton = 0.5", "case.toml:51: unknown key `fracton`; did you mean `fraction`?");
    let without = Case::new(&format!("{CASE}{CLOUDS}"));
    fs::remove_file(without.path("shortwave-clouds.nc")).unwrap();
    let said = without.fails(&[]);
    assert!(said.contains("case.toml:41: there are no tables of clouds for shortwave.nc"), "{said}");
}

/// A case without radiation where everything is prescribed.
const PRESCRIBED: &str = r#"
columns = 3
hours = 1.0
step_s = 120.0

[output]
minutes = 20
restart_hours = 0.5

[grid]
layers = 12
top_m = 3000.0

[initial]
kind = "profile"
surface_pressure_pa = 1e5
potential_temperature_k = { height_m = [0, 1000, 3000], value = [290, 291, 299.5] }
vapour_kg_per_kg = { height_m = [0.0, 3000.0], value = [8e-3, 1e-3] }
wind_north_m_per_s = { height_m = [0.0, 3000.0], value = [0.0, 4.0] }

[site]
latitude_deg = [30.0, 60.0]
roughness_m = [0.01, 0.3]

[ground]
mean_k = [291.0, 292.0]
rate_k_per_h = 2.0

[surface_flux]
sensible_w_per_m2 = { time_s = [0.0, 3600.0], value = [0.0, 90.0] }
latent_w_per_m2 = 40.0

[forcing]
geostrophic_east_m_per_s = { time_s = [0, 3600], height_m = [0, 3000], value = [[5, 8], [6, 11]] }
geostrophic_north_m_per_s = 1.0
temperature_k_per_s = -2e-5
vapour_per_s = 1e-8
wind_east_m_per_s2 = 1e-4
wind_north_m_per_s2 = { time_s = [0.0, 1800.0, 7200.0], value = [0.0, 2e-4, 0.0] }

[forcing.vertical_velocity_m_per_s]
height_m = [0.0, 1500.0, 3000.0]
value = [0.0, -0.006, 0.0]
"#;

/// The case of Beare et al. (2006, doi:10.1007/s10546-004-2820-6), with room for first-order schemes (Cuxart et al.
/// 2006, doi:10.1007/s10546-005-3780-1): between eight hours and nine. A loop around YSU alone, in Python, had 0.290
/// m/s, -16 W/m2 and 223 m. At the top there is a jet, which is faster than the geostrophic wind.
#[test]
fn gabls1_is_within_what_models_have() {
    let case = Case::new(&fs::read_to_string(data().join("column/gabls1.toml")).unwrap());
    let summary: serde_json::Value = serde_json::from_str(&case.done("out.nc", &["--json"])).unwrap();
    // 540 steps of 64 layers, whose roundings mostly cancel.
    assert!(summary["heat_budget_error"].as_f64().unwrap() < 1e-14, "{summary}");
    let out = case.path("out.nc");
    let of_column =
        |name: &str, unit: &str| read(&out, name, unit, &[Dimension::Time, Dimension::Profile]).split_off(17);
    let friction = of_column("friction_velocity", "m s-1");
    let heat = of_column("surface_upward_sensible_heat_flux", "W m-2");
    let height = of_column("atmosphere_boundary_layer_thickness", "m");
    assert_eq!(friction.len(), 2);
    assert!(friction.iter().all(|value| (0.25..0.34).contains(value)), "{friction:?}");
    assert!(heat.iter().all(|value| (-20.0..-10.0).contains(value)), "{heat:?}");
    assert!(height.iter().all(|value| (150.0..300.0).contains(value)), "{height:?}");
    assert_eq!(of_column("surface_temperature", "K"), [262.875, 262.75]);
    let layers = [Dimension::Time, Dimension::Layer, Dimension::Profile];
    let [u, v] = ["eastward_wind", "northward_wind"].map(|name| read(&out, name, "m s-1", &layers).split_off(18 * 64));
    let speed: Vec<f64> = u.iter().zip(&v).map(|(u, v)| (u * u + v * v).sqrt()).collect();
    let jet = (0..64).max_by(|&a, &b| speed[a].total_cmp(&speed[b])).unwrap();
    // Layers of 6.25 m.
    assert!((8.5..10.0).contains(&speed[jet]) && (100..300).contains(&(jet * 25 / 4)), "{jet}: {}", speed[jet]);
    // The wind at the ground is turned to the left of the geostrophic wind, by 25 to 45 degrees.
    assert!((0.466..1.0).contains(&(v[0] / u[0])), "{} {}", u[0], v[0]);
    let file = Dataset::open(&out).unwrap();
    let has = |name: &str| file.has_name(name);
    assert!(has("geostrophic_eastward_wind") && !has("upward_air_velocity"));
    assert!(!has("upwelling_longwave_flux_in_air") && !has("upwelling_shortwave_flux_in_air"));
}

#[test]
fn what_is_prescribed_is_recorded_and_a_rate_is_a_table() {
    let case = Case::new(PRESCRIBED);
    let summary: serde_json::Value = serde_json::from_str(&case.done("out.nc", &["--json"])).unwrap();
    let notes: Vec<&str> = summary["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    let expected = [
        "case.toml: the ground's temperature has no effect: the fluxes are given, and there is no long wave",
        "case.toml: without [longwave] there is no radiation",
    ];
    assert_eq!(notes, expected);
    let out = case.path("out.nc");
    let series = |path: &Path, name: &str, unit: &str| read(path, name, unit, &[Dimension::Time, Dimension::Profile]);
    let times = [0.0, 20.0, 40.0, 60.0].map(|minutes| 60.0 * minutes);
    for (record, time) in times.into_iter().enumerate() {
        let columns = 3 * record..3 * record + 3;
        let ground = &series(&out, "surface_temperature", "K")[columns.clone()];
        for (column, ground) in ground.iter().enumerate() {
            let expected = 291.0 + 0.5 * column as f64 + 2.0 * time / 3600.0;
            assert!((ground - expected).abs() < 1e-12, "{time} s: {ground}");
        }
        // Of the middle of the step that ends; of the start at the start.
        let middle = (time - 60.0).max(0.0);
        let heat = &series(&out, "surface_upward_sensible_heat_flux", "W m-2")[columns.clone()];
        assert!(heat.iter().all(|heat| (heat - 90.0 * middle / 3600.0).abs() < 1e-12), "{time} s: {heat:?}");
        let water = &series(&out, "surface_upward_water_flux", "kg m-2 s-1")[columns];
        assert!(water.iter().all(|water| (water - 40.0 / 2.5e6).abs() < 1e-18));
    }
    let field = |path: &Path, name: &str, unit: &str| {
        read(path, name, unit, &[Dimension::Time, Dimension::Layer, Dimension::Profile])
    };
    let last = 3 * 12 * 3;
    let thickness = field(&out, "cell_thickness", "m");
    let [east, sinking, forced] = [
        ("geostrophic_eastward_wind", "m s-1"),
        ("upward_air_velocity", "m s-1"),
        ("tendency_of_northward_wind_due_to_advection", "m s-2"),
    ]
    .map(|(name, unit)| field(&out, name, unit));
    let (passed, mut bottom) = (3540.0 / 3600.0, 0.0);
    for layer in 0..12 {
        let place = last + 3 * layer;
        let part = (bottom + 0.5 * thickness[place]) / 3000.0;
        bottom += thickness[place];
        let (early, late) = (5.0 + 3.0 * part, 6.0 + 5.0 * part);
        // The thickness at the record is that at the start of its last step, as it is for forcing.
        assert!((east[place] - (early + passed * (late - early))).abs() < 1e-12, "{layer}");
        let sinks = -0.006 * (1.0 - (2.0 * part - 1.0).abs());
        assert!((sinking[place] - sinks).abs() < 1e-15, "{layer}: {} {sinks}", sinking[place]);
        assert!((forced[place] - 2e-4 * (1.0 - 1740.0 / 5400.0)).abs() < 1e-18, "{layer}");
    }
    // The start's winds: the site's, and the profile's.
    assert_eq!(field(&out, "eastward_wind", "m s-1")[..36], [5.0; 36]);
    assert!(field(&out, "northward_wind", "m s-1")[33] > 3.5);

    // The same in one column, by a rate and by a table.
    let one = PRESCRIBED.replacen("columns = 3", "columns = 1", 1);
    let rate = Case::new(&one);
    rate.done("out.nc", &[]);
    let table = "temperature_k = { time_s = [0.0, 3600.0], value = [291.0, 293.0] }";
    let table = Case::new(&one.replacen("mean_k = [291.0, 292.0]\nrate_k_per_h = 2.0", table, 1));
    table.done("out.nc", &[]);
    for (name, unit) in [("surface_temperature", "K"), ("friction_velocity", "m s-1")] {
        assert_eq!(series(&rate.path("out.nc"), name, unit), series(&table.path("out.nc"), name, unit), "{name}");
    }
    // Each of these changes something: what came into columns, or the wind.
    let changed = |from: &str, to: &str, name: &str, unit: &str| {
        assert!(PRESCRIBED.contains(from), "{from}");
        let other = Case::new(&PRESCRIBED.replacen(from, to, 1));
        other.done("out.nc", &[]);
        let other = read(&other.path("out.nc"), name, unit, &[Dimension::Time, Dimension::Profile]);
        assert!(series(&out, name, unit)[9..].iter().zip(&other[9..]).all(|(a, b)| a != b), "{from}");
    };
    changed("latent_w_per_m2 = 40.0", "latent_w_per_m2 = 41.0", "water_gained", "kg m-2");
    changed("-2e-5", "-3e-5", "heat_gained", "J m-2");
    changed("vapour_per_s = 1e-8", "vapour_per_s = 2e-8", "water_gained", "kg m-2");
    changed("[0.0, -0.006, 0.0]", "[0.0, 0.0, 0.0]", "heat_gained", "J m-2");
    changed("wind_east_m_per_s2 = 1e-4", "wind_east_m_per_s2 = 2e-4", "friction_velocity", "m s-1");
    changed("[0.0, 2e-4, 0.0]", "[0.0, 4e-4, 0.0]", "friction_velocity", "m s-1");
    changed("[[5, 8], [6, 11]]", "[[5, 8], [7, 11]]", "friction_velocity", "m s-1");
    changed("north_m_per_s = 1.0", "north_m_per_s = 2.0", "friction_velocity", "m s-1");
    // A roughness length of heat matters where fluxes are computed.
    let computed = PRESCRIBED.replacen("[surface_flux]", "[x]", 1);
    let computed = computed.split_once("[x]").map(|(a, b)| format!("{a}{}", &b[b.find("[forcing]").unwrap()..]));
    let computed = computed.unwrap();
    let flux = |text: &str| {
        let case = Case::new(text);
        case.done("out.nc", &[]);
        series(&case.path("out.nc"), "surface_upward_sensible_heat_flux", "W m-2").split_off(9)
    };
    let (own, same) =
        (flux(&computed.replacen("[ground]", "roughness_heat_m = 0.001\n\n[ground]", 1)), flux(&computed));
    assert!(own.iter().zip(&same).all(|(own, same)| own.abs() < same.abs()), "{own:?} {same:?}");
}

/// By one device or three that take turns, stopped and resumed.
#[test]
fn what_is_prescribed_goes_on_after_a_restart() {
    Case::new(PRESCRIBED).goes_on_after_a_restart();
}

#[test]
fn what_cannot_be_prescribed_is_refused_with_its_line() {
    let bad = |from: &str, to: &str, expected: &str| {
        assert!(PRESCRIBED.contains(from), "{from}");
        let said = Case::new(&PRESCRIBED.replacen(from, to, 1)).fails(&[]);
        assert!(said.starts_with("isobar: case.toml:") && said.contains(expected), "{to}: {said}");
    };
    bad("[[5, 8], [6, 11]]", "[[5, 8], [6, 311]]", "case.toml:34: 311 is not in [-200, 200]");
    bad("[[5, 8], [6, 11]]", "[[5, 8], [6]]", "case.toml:34: row 2 has 1 values for 2 heights");
    bad("[[5, 8], [6, 11]]", "[5, 8]", "case.toml:34: by time and height, value is a row of heights for each time");
    bad("[[5, 8], [6, 11]]", "[[5, 8]]", "case.toml:34: 2 values instead of 4, one for each of 2 times and 2 heights");
    bad("time_s = [0, 3600]", "time_s = [0, -1]", "case.toml:34: time 2 is -1, and times have to rise, or to be");
    let short = "case.toml:34: the times go from 0 to 1800 s, and the run from 0 to 3600 s";
    bad("time_s = [0, 3600]", "time_s = [0, 1800]", short);
    bad("height_m = [0, 3000], value = [[", "height_m = [-1, 3000], value = [[", "34: the height -1 m is below the");
    bad("vapour_per_s = 1e-8", "vapour_per_s = 1.0", "case.toml:37: 1 is not in [-0.0001, 0.0001]");
    bad(
        "vapour_per_s = 1e-8",
        "vapour_pr_s = 1e-8",
        "case.toml:37: unknown key `vapour_pr_s`; did you mean `vapour_per_s`?",
    );
    bad(
        "vapour_per_s = 1e-8",
        "vapour_per_s = { times = [0], value = [0] }",
        "case.toml:37: unknown key `times`; did you",
    );
    bad(
        "vapour_per_s = 1e-8",
        "vapour_per_s = \"1\"",
        "case.toml:37: invalid type: string \"1\", expected a number, or a",
    );
    bad("vapour_per_s = 1e-8", "vapour_per_s = { value = [0] }", "case.toml:37: a table needs time_s or height_m");
    bad("-0.006, 0.0]", "-6.0, 0.0]", "-6 is not in [-1, 1]");
    bad("[0.0, -0.006, 0.0]", "[1.0, 1.0, 1.0]", "1 m/s in layer 0 carry air 120 m in a step of 120 s, further than");
    bad(
        "rate_k_per_h = 2.0",
        "rate_k_per_h = 200.0",
        "case.toml:27: at the end of the run the ground of column 0 would",
    );
    bad(
        "rate_k_per_h = 2.0",
        "rate_k_per_h = 2.0\namplitude_k = 5.0",
        "28: the temperature of the ground is prescribed",
    );
    bad(
        "rate_k_per_h = 2.0",
        "temperature_k = 290.0",
        "case.toml:26: the temperature of the ground is given by a table",
    );
    let series = "case.toml:26: this depends on time alone";
    let by_height = "temperature_k = { height_m = [0], value = [290] }";
    bad("mean_k = [291.0, 292.0]\nrate_k_per_h = 2.0", by_height, series);
    bad("rate_k_per_h = 2.0", "rate_k_per_h = 2.0\nkind = \"slab\"", "27: the temperature of a slab follows from its");
    bad("rate_k_per_h = 2.0", "kind = \"slab\"", "case.toml:25: a slab of ground emits and absorbs radiation");
    bad("rate_k_per_h = 2.0", "warmest_hour = 24.0", "case.toml:27: 24 is not in [0, 24)");
    bad("latent_w_per_m2 = 40.0\n", "", "case.toml:29: [surface_flux] has sensible_w_per_m2 and latent_w_per_m2, or");
    bad("latent_w_per_m2 = 40.0", "latent_w_per_m2 = 4000.0", "case.toml:31: 4000 is not in [-2000, 2000]");
    let useless = "case.toml:25: this has no effect where [surface_flux] gives the fluxes";
    bad("[ground]", "moisture_availability = 0.5\n[ground]", useless);
    bad(
        "surface_pressure_pa = 1e5\n",
        "",
        "15: a start from profiles needs surface_pressure_pa, potential_temperature_k",
    );
    bad("surface_pressure_pa = 1e5", "surface_pressure_pa = 1e3", "case.toml:16: 1000 is not in [10000, 120000]");
    bad("kind = \"profile\"", "kind = \"us76\"", "16: surface_pressure_pa is not for this kind of start");
    bad("[0.0, 4.0]", "[0.0, 400.0]", "case.toml:19: 400 is not in [-100, 100]");
    bad("roughness_m = [", "wind_north_m_per_s = 1.0\nroughness_m = [", "23: the profile of the start has this wind");
    bad(
        "columns = 3",
        "columns = 3\nstages = [\"sun\", \"ground\", \"diagnose\", \"surface_flux\", \"ysu\", \"advance\"]",
        "case.toml:3: there is a [forcing] and no stage `forcing`",
    );
    let order = ["sun", "ground", "diagnose", "surface_flux", "ysu", "advance", "forcing"];
    let late = "case.toml:3: the stage `forcing` comes before `advance`, which takes it";
    bad("columns = 3", &format!("columns = 3\nstages = {order:?}"), late);
    let rough = "roughness_heat_m = 20.0\n[ground]";
    bad("[ground]", rough, "case.toml:25: 20 is not in [0.0000000001, 10]");
}

#[test]
fn bad_cases_are_refused_with_their_line() {
    let bad = |from: &str, to: &str, expected: &str| {
        let said = Case::changed(from, to).fails(&[]);
        assert!(said.starts_with("isobar: case.toml") && said.contains(expected), "{to}: {said}");
    };
    bad("step_s = 300.0", "step_s = -60.0", "case.toml:4: -60 is not in (0, inf) (`step_s = -60.0`)");
    bad("step_s = 300.0", "step_s = 420.0", "case.toml:3: the length of the run is no multiple of the step of 420 s");
    bad("hours = 1.5", "hours = \"1.5 h\"", "case.toml:3: invalid type: string \"1.5 h\", expected f64");
    bad("columns = 3", "colums = 3", "case.toml:2: unknown key `colums`; did you mean `columns`?");
    bad("every = 4", "evry = 4", "case.toml:27: unknown key `evry`; did you mean `every`?");
    bad("kind = \"us76\"", "kind = \"us67\"", "case.toml:16: unknown name `us67`; did you mean `us76`?");
    bad("minutes = 30", "minutes = 7", "case.toml:8: the time between results is no multiple of the step of 300 s");
    bad("[20.0, 50.0]", "[20.0, 95.0]", "case.toml:19: 95 is not in [-90, 90]");
    bad("[20.0, 50.0]", "[20.0, 50.0, 60.0]", "case.toml:19: invalid length 3");
    bad("layers = 10", "layers = 3", "case.toml:12: 3 layers are not in [4, 1000]");
    bad("top_m = 16_000.0", "top_m = 1e6", "top of the model [m] is 1000000, which is not at most 86000");
    bad("mean_k = 291.0", "mean_k = 18.0", "case.toml:22: 18 is not in [150, 350]");
    let light = "kind = \"slab\"\nheat_capacity_j_per_m2_k = 0.0\nmean_k = 291.0";
    bad("mean_k = 291.0", light, "case.toml:23: 0 is not in [0.001, 1e12]");
    bad("longwave.nc", "missing.nc", "case.toml:26: missing.nc: No such file");
    bad("ozone_nox.kpp", "longwave.ncc", "case.toml:30: longwave.ncc: No such file");
    bad("NO = 5e10", "NO22 = 5e10", "case.toml:34: the mechanism has no such species `NO22`; did you mean `NO2`?");
    bad("NO = 5e10", "NO = -1", "case.toml:34: -1 is not in [0, 1");
    bad("kind = \"us76\"", "kind = \"netcdf\"", "case.toml:16: a start from NetCDF needs a file");
    let order = "stages = [\"ysu\", \"sun\"]\ncolumns = 3";
    bad("columns = 3", order, "case.toml:2: stage 'ysu' reads 'cell_thickness [m]', which nothing before it provides");
    bad("columns = 3", "stages = [\"yus\"]\ncolumns = 3", "case.toml:2: unknown stage `yus`; did you mean `ysu`?");
    bad("columns = 3", "columns = ", "case.toml:2: ");
    let said = Case::new(CASE).run("missing/out.nc", &[]);
    assert!(crate::common::said(&said).contains("missing/out.nc: cannot write"));
}
