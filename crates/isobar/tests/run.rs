//! `isobar run` as a user meets it: the same bytes whatever the threads and stops, budgets, and what it refuses.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::path::Path;

use common::run_case::{CASE, Case};
use common::{data, said};
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
    assert_eq!(runs, [18, 18, 18, 18, 5, 18, 18, 9]);
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
    assert!(inputs.lines().count() == 3 && inputs.lines().all(|line| line.contains("sha256:")), "{inputs}");
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
    let case = Case::new(&text.replacen("../longwave/", "", 1));
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
    let said = common::said(&case.run("out.nc", &["--at-once", "0"]));
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
    assert_eq!(
        case.names(),
        ["case.toml", "demonstration.kd", "last.nc", "ozone_nox.kpp", "whole.nc", "whole.restart.nc"]
    );
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
    assert!(!output.status.success() && common::said(&output).contains("No space left on device"));
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
    let wind =
        read(&case.path("out.nc"), "eastward_wind", "m s-1", &[Dimension::Time, Dimension::Layer, Dimension::Profile]);
    assert_eq!(wind.len(), 2 * 40 * 4);
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
    bad("demonstration.kd", "missing.kd", "case.toml:26: missing.kd: No such file");
    bad("ozone_nox.kpp", "demonstration.kdd", "case.toml:30: demonstration.kdd: No such file");
    bad("NO = 5e10", "NO22 = 5e10", "case.toml:34: the mechanism has no such species `NO22`; did you mean `NO2`?");
    bad("NO = 5e10", "NO = -1", "case.toml:34: -1 is not in [0, 1");
    bad("kind = \"us76\"", "kind = \"netcdf\"", "case.toml:16: a start from NetCDF needs a file");
    let order = "stages = [\"ysu\", \"sun\"]\ncolumns = 3";
    bad("columns = 3", order, "case.toml:2: stage 'ysu' reads 'cell_thickness [m]', which nothing before it provides");
    bad("columns = 3", "stages = [\"yus\"]\ncolumns = 3", "case.toml:2: unknown stage `yus`; did you mean `ysu`?");
    bad("columns = 3", "columns = ", "case.toml:2: ");
    let said = Case::new(CASE).run("missing/out.nc", &[]);
    assert!(common::said(&said).contains("missing/out.nc: cannot write"));
}
