//! Files of one time after the other are read as one, with the results of the whole, bit for bit.

use std::fs;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;
use crate::model_files::{COLUMNS, OPTIONS, TIMES, cam, fluxes};
use crate::pbl_model_files;

const NAMES: [&str; 6] =
    ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate", "level_pressure", "status", "time"];
const ON_LEVELS: [&str; 12] =
    ["T", "Q", "O3", "CLOUD", "CLDLIQ", "CLDICE", "REL", "REI", "hyai", "hybi", "hyam", "hybm"];

/// A file of one of the times.
fn at(file: &Classic, time: usize) -> Classic {
    let mut part = file.clone();
    part.dimensions.iter_mut().filter(|(name, _)| *name == "time").for_each(|(_, size)| *size = 1);
    for variable in part.variables.iter_mut().filter(|variable| variable.dimensions.contains(&"time")) {
        let each = variable.values.len() / TIMES;
        variable.values = variable.values[time * each..][..each].to_vec();
    }
    part
}

/// What a file has of these variables, and its coordinates.
fn only(file: &Classic, is_in: impl Fn(&str) -> bool) -> Classic {
    let mut part = file.clone();
    part.variables.retain(|one| ["time", "lat", "lon", "P0"].contains(&one.name) || is_in(one.name));
    part
}

/// A case with `in.nc`, `1.nc`, `2.nc` and so on.
fn case(command: &'static str, files: &[Classic]) -> (Case, Vec<String>) {
    let case = Case::of(command, &files[0].bytes());
    let names: Vec<String> = (1..files.len()).map(|number| format!("{number}.nc")).collect();
    for (name, file) in names.iter().zip(&files[1..]) {
        fs::write(case.folder.path().join(name), file.bytes()).unwrap();
    }
    (case, names)
}

fn words(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn are_the_same(found: &Numbers, expected: &Numbers, names: &[&str]) {
    for name in names {
        assert_eq!(found.all(name), expected.all(name), "{name}");
        assert_eq!(found.shape(name), expected.shape(name), "{name}");
    }
}

#[test]
fn times_go_on_from_file_to_file() {
    let (file, _) = cam();
    let whole = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let [first, mut second] = [0, 1].map(|time| at(&file, time));
    let (two, names) = case("radiation", &[first.clone(), second.clone()]);
    are_the_same(&fluxes(&two, &words(&names)), &whole, &NAMES);
    // Part by part, too, of which one is in both files.
    for columns in ["1", "4", "7"] {
        are_the_same(&fluxes(&two, &[&words(&names)[..], &["--at-once", columns]].concat()), &whole, &NAMES);
    }
    // Time that is counted from another date, in another unit.
    let time = second.variable("time");
    (time.units, time.values) = (Some("days since 2020-06-20"), vec![1.5]);
    let (two, names) = case("radiation", &[first.clone(), second]);
    let found = fluxes(&two, &words(&names));
    are_the_same(&found, &whole, &NAMES);
    assert_eq!(found.attribute("time", "units").as_deref(), Some("hours since 2020-06-21 06:00:00"));
    // Levels and surface, each in two files, whose names are in any order but that of time.
    let [levels, surface] = [true, false].map(|is_level| only(&file, |name| ON_LEVELS.contains(&name) == is_level));
    for order in [[0, 1, 2, 3], [0, 2, 1, 3], [2, 0, 3, 1]] {
        let all = [at(&levels, 0), at(&levels, 1), at(&surface, 0), at(&surface, 1)];
        let (four, names) = case("radiation", &order.map(|number: usize| all[number].clone()));
        are_the_same(&fluxes(&four, &words(&names)), &whole, &NAMES);
    }
}

/// The 29th of February of a year in which Gregory's calendar has none, and the day after it, which has the same sun.
#[test]
fn leap_days_of_all_years_go_on() {
    let (mut file, _) = cam();
    let time = file.variable("time");
    (time.units, time.values) = (Some("days since 2001-02-28 18:00"), vec![1.0, 1.5]);
    time.attributes.push(("calendar", "366_day"));
    let whole = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let parts = [0, 1].map(|time| at(&file, time));
    let (two, names) = case("radiation", &parts);
    are_the_same(&fluxes(&two, &words(&names)), &whole, &NAMES);
    let [first, second] = parts;
    let (two, names) = case("radiation", &[second, first]);
    let text = said(&two.command(&[&OPTIONS[..], &words(&names)].concat()));
    let order = "its times begin at 2001-02-29T18:00:00Z, and those of in.nc end at 2001-03-01T06:00:00Z";
    assert!(text.contains(order), "{text}");
}

#[test]
fn what_does_not_go_on_is_one_error() {
    let (file, _) = cam();
    let [first, second] = [0, 1].map(|time| at(&file, time));
    let refused_as = |files: [&Classic; 2], starts: &str, parts: &[&str]| {
        let (case, names) = case("radiation", &files.map(Classic::clone));
        let output = case.command(&[&OPTIONS[..], &words(&names)].concat());
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.lines().count() == 1 && text.starts_with(&format!("isobar: {starts}: ")), "{text}");
        parts.iter().for_each(|part| assert!(text.contains(part), "{part:?} is not in {text}"));
    };
    let refused = |change: &dyn Fn(&mut Classic), parts: &[&str]| {
        let mut second = second.clone();
        change(&mut second);
        refused_as([&first, &second], "1.nc", parts);
    };
    let begins = "its times begin at 2020-06-21T06:00:00Z, and those of in.nc end at 2020-06-21T12:00:00Z";
    refused_as([&second, &first], "1.nc", &[begins, "in its order"]);
    refused(&|file| file.variables.retain(|one| one.name != "Q"), &["Q is missing, which in.nc has"]);
    refused(&|file| file.variable("Q").units = Some("g/kg"), &["Q has units \"g/kg\", but \"kg/kg\" in in.nc"]);
    refused(&|file| file.variable("lat").values[0] = -20.0, &["lat is not that of in.nc", "read one by one"]);
    refused(&|file| file.variable("hyai").values[3] = 0.0, &["hyai is not that of in.nc"]);
    let more = |file: &mut Classic| {
        let mut more = file.variable("PS").clone();
        more.name = "more";
        file.variables.push(more);
    };
    refused(&more, &["more is not in in.nc"]);
    let wider = |file: &mut Classic| {
        file.dimensions.iter_mut().filter(|(name, _)| *name == "lev").for_each(|(_, size)| *size += 5);
        file.variables.retain(|one| !one.dimensions.contains(&"lev"));
    };
    refused(&wider, &["dimension lev = 17, but 12 in in.nc", "one grid", "read one by one"]);
    let lunar = |file: &mut Classic| file.variable("time").attributes.push(("calendar", "noleap"));
    refused(&lunar, &["time is in \"hours since 2020-06-21 06:00:00, noleap\"", "in in.nc"]);
    // A bad value is that of the file which has it.
    refused(&|file| file.variable("T").values[7] = 7.0, &["T = 7 K at time 0, lev 1, lat 0, lon 1"]);
    let (case, names) = {
        let mut second = second.clone();
        second.variable("T").values[7] = 7.0;
        case("radiation", &[first.clone(), second])
    };
    let output = case.command(&[&OPTIONS[..], &words(&names), &["--keep-going"]].concat());
    assert!(said(&output).contains("1.nc: T = 7 K at time 0, lev 1, lat 0, lon 1"), "{}", said(&output));
    let status = Numbers::open(&case.out()).all("status");
    assert_eq!((0..COLUMNS).filter(|&i| status[i] != 0.0).collect::<Vec<_>>(), [COLUMNS / 2 + 1]);
}

#[test]
fn boundary_layers_go_on() {
    let (file, _) = pbl_model_files::cam();
    let options = ["--dt", "60", "--value", "roughness=0.25"];
    let run = |case: &Case, names: &[String]| {
        let output = case.command(&[&options[..], &words(names)].concat());
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(&case.out())
    };
    let whole = run(&Case::of("pbl", &file.bytes()), &[]);
    let (two, names) = case("pbl", &[at(&file, 0), at(&file, 1)]);
    are_the_same(&run(&two, &names), &whole, &["tendency_theta", "boundary_layer_height", "time", "lat"]);
}
