//! Sums over time of several files, each with bounds of its own: bounds count in their own unit, and for the sums that
//! stand in their file.

use std::fs;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;
use crate::model_files::{COLUMNS, TIMES};
use crate::pbl_model_files::cam;

const COLUMN: [&str; 3] = ["time", "lat", "lon"];
const OPTIONS: [&str; 4] = ["--dt", "60", "--value", "roughness=0.25"];
/// How long the intervals of the two times are that fluxes are sums over \[s\].
const SECONDS: [f64; TIMES] = [3600.0, 21_600.0];
/// Their bounds since the date of the file.
const HOURS: [f64; 4] = [-1.0, 0.0, 0.0, 6.0];

/// A file with fluxes, and the same with their sums over the intervals, without bounds.
fn fluxes_and_sums() -> [Classic; 2] {
    let (fluxes, _) = cam();
    let mut sums = fluxes.clone();
    sums.dimensions.push(("nv", 2));
    let over = |values: &[f64]| -> Vec<f64> {
        values.iter().enumerate().map(|(i, value)| -value * SECONDS[i * TIMES / COLUMNS]).collect()
    };
    for (flux, sum, units) in [("SHFLX", "sshf", "J m-2"), ("QFLX", "e", "mm")] {
        let variable = sums.variable(flux);
        (variable.name, variable.units) = (sum, Some(units));
        variable.values = over(&variable.values);
    }
    [fluxes, sums]
}

fn with_bounds(file: &Classic, name: &'static str, units: &'static str, values: &[f64; 4]) -> Classic {
    let mut file = file.clone();
    file.variable("time").attributes.push(("bounds", name));
    file.with(name, &["time", "nv"], units, values)
}

/// The levels of a file, and what is left, with the coordinates in both.
fn levels_and_surface(file: &Classic) -> [Classic; 2] {
    [true, false].map(|is_level| {
        let mut part = file.clone();
        let is_of_levels = |name: &str, dimensions: &[&str]| {
            dimensions.iter().any(|one| ["lev", "ilev"].contains(one)) || name == "P0"
        };
        part.variables.retain(|one| {
            ["time", "lat", "lon"].contains(&one.name) || is_of_levels(one.name, &one.dimensions) == is_level
        });
        part
    })
}

fn case(files: &[&Classic]) -> (Case, Vec<&'static str>) {
    let case = Case::of("pbl", &files[0].bytes());
    let names: Vec<&'static str> = ["1.nc", "2.nc", "3.nc"][..files.len() - 1].to_vec();
    for (name, file) in names.iter().zip(&files[1..]) {
        fs::write(case.folder.path().join(name), file.bytes()).unwrap();
    }
    (case, names)
}

/// Heating and growth are those of the fluxes, to rounding.
fn are_of_fluxes(files: &[&Classic], fluxes: &Classic) {
    let run = |files: &[&Classic]| {
        let (case, names) = case(files);
        let output = case.command(&[&OPTIONS[..], &names].concat());
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(&case.out())
    };
    let (expected, found) = (run(&[fluxes]), run(files));
    for name in ["heat", "boundary_layer_height", "tendency_theta", "tendency_vapour"] {
        for (expected, found) in expected.all(name).into_iter().zip(found.all(name)) {
            assert!((expected - found).abs() <= 1e-9 * expected.abs() + 1e-18, "{name}: {expected} {found}");
        }
    }
}

/// Hours since the date of the file are days since another date.
#[test]
fn bounds_count_in_their_own_unit() {
    let [fluxes, sums] = fluxes_and_sums();
    are_of_fluxes(&[&with_bounds(&sums, "time_bnds", "", &HOURS)], &fluxes);
    // The date of the file is 06:00 of the 21st.
    let days = HOURS.map(|hours| 1.25 + hours / 24.0);
    let own = with_bounds(&sums, "time_bnds", "days since 2020-06-20", &days);
    are_of_fluxes(&[&own], &fluxes);
    let minutes =
        with_bounds(&sums, "time_bnds", "minutes since 2020-06-21 06:00:00", &HOURS.map(|hours| 60.0 * hours));
    are_of_fluxes(&[&minutes], &fluxes);
    let refused = |units: &'static str, words: &[&str]| {
        let file = with_bounds(&sums, "time_bnds", units, &HOURS);
        Case::of("pbl", &file.bytes()).refused(&OPTIONS, words);
    };
    refused("hours", &["time_bnds, the bounds of time, has units \"hours\"; expected such as"]);
    let mut lunar = own;
    lunar.variables.last_mut().unwrap().attributes.push(("calendar", "noleap"));
    let words =
        ["time_bnds, the bounds of time, is in \"days since 2020-06-20\" of another calendar than it, \"noleap\""];
    Case::of("pbl", &lunar.bytes()).refused(&OPTIONS, &words);
}

/// One time in each file, whose bounds count otherwise than its time and than those before.
#[test]
fn bounds_go_on_in_their_own_unit() {
    let [fluxes, sums] = fluxes_and_sums();
    let days = HOURS.map(|hours| 1.25 + hours / 24.0);
    let at = |file: &Classic, time: usize| {
        let mut part = file.clone();
        part.dimensions.iter_mut().filter(|(name, _)| *name == "time").for_each(|(_, size)| *size = 1);
        for variable in part.variables.iter_mut().filter(|variable| variable.dimensions.contains(&"time")) {
            let each = variable.values.len() / TIMES;
            variable.values = variable.values[time * each..][..each].to_vec();
        }
        part
    };
    let hours = with_bounds(&sums, "time_bnds", "", &HOURS);
    let own = with_bounds(&sums, "time_bnds", "days since 2020-06-20", &days);
    for [first, second] in [[&hours, &own], [&own, &hours], [&own, &own], [&hours, &hours]] {
        let mut second = at(second, 1);
        are_of_fluxes(&[&at(first, 0), &second], &fluxes);
        // The time of the later file counts from another date, and so do its bounds, unless they say otherwise.
        let is_own = second.variable("time_bnds").units.is_some();
        let time = second.variable("time");
        (time.units, time.values) = (Some("minutes since 2020-06-21"), vec![720.0]);
        if !is_own {
            second.variable("time_bnds").values = vec![360.0, 720.0];
        }
        are_of_fluxes(&[&at(first, 0), &second], &fluxes);
    }
}

/// Levels of an hour each beside sums over others, in either order: the bounds have one name or two, or are in one
/// file.
#[test]
fn sums_belong_to_the_bounds_of_their_file() {
    let [fluxes, sums] = fluxes_and_sums();
    let [levels, surface] = levels_and_surface(&sums);
    let hourly = with_bounds(&levels, "time_bnds", "", &[-1.0, 0.0, 5.0, 6.0]);
    let mut bounded = with_bounds(&surface, "time_bounds", "", &HOURS);
    for levels in [&levels, &hourly] {
        are_of_fluxes(&[levels, &bounded], &fluxes);
        are_of_fluxes(&[&bounded, levels], &fluxes);
    }
    // Bounds count as the time of their own file does.
    let time = bounded.variable("time");
    (time.units, time.values) = (Some("days since 2020-06-20"), vec![1.25, 1.5]);
    bounded.variable("time_bounds").values = HOURS.map(|hours| 1.25 + hours / 24.0).to_vec();
    are_of_fluxes(&[&hourly, &bounded], &fluxes);
    are_of_fluxes(&[&bounded, &hourly], &fluxes);
    // Those of another file are none of theirs.
    for files in [[&hourly, &surface], [&surface, &hourly]] {
        let (case, names) = case(&files);
        let output = case.command(&[&OPTIONS[..], &names].concat());
        let whose = if std::ptr::eq(files[0], &hourly) { ", which 1.nc has" } else { "" };
        let says = format!("sshf in \"J m-2\" is a sum over time{whose}, and no");
        assert!(output.status.code() == Some(1) && said(&output).contains(&says), "{}", said(&output));
    }
}

/// The stress of a friction velocity, each part of which is a sum of its own file.
#[test]
fn stress_is_of_the_bounds_of_its_parts() {
    let (mut fluxes, _) = cam();
    fluxes.dimensions.push(("nv", 2));
    let [east, north] = [0.3, 0.1].map(|stress| vec![stress; COLUMNS]);
    let means = fluxes.clone().with("iews", &COLUMN, "N m-2", &east).with("inss", &COLUMN, "N m-2", &north);
    let sum = |values: &[f64], seconds: f64| values.iter().map(|value| value * seconds).collect::<Vec<f64>>();
    let mut of_north = fluxes.clone();
    of_north.variables.retain(|one| ["time", "lat", "lon"].contains(&one.name));
    let of_east = fluxes.with("ewss", &COLUMN, "N m-2 s", &sum(&east, 3600.0));
    let of_north = of_north.with("nsss", &COLUMN, "N m-2 s", &sum(&north, 7200.0));
    let of_east = with_bounds(&of_east, "time_bnds", "", &[-1.0, 0.0, 5.0, 6.0]);
    let of_north = with_bounds(&of_north, "time_bounds", "", &[-2.0, 0.0, 4.0, 6.0]);
    are_of_fluxes(&[&of_east, &of_north], &means);
}
