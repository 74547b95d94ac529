//! Files that complete each other have the same coordinates: the same instants, whatever their numbers count from, and
//! the same places, whatever their unit is.

use std::fs;

use crate::common::classic::{Case, Classic};
use crate::common::said;
use crate::model_files::{LATITUDES, OPTIONS, cam, fluxes};

const ON_LEVELS: [&str; 12] =
    ["T", "Q", "O3", "CLOUD", "CLDLIQ", "CLDICE", "REL", "REI", "hyai", "hybi", "hyam", "hybm"];

/// A file with the levels, and another with the surface, whose coordinates this changes.
fn two(change: &dyn Fn(&mut Classic)) -> Case {
    let (file, _) = cam();
    let only = |is_level: bool| {
        let mut part = file.clone();
        let is_both = |name: &str| ["time", "lat", "lon", "P0"].contains(&name);
        part.variables.retain(|one| is_both(one.name) || ON_LEVELS.contains(&one.name) == is_level);
        part
    };
    let case = Case::of("radiation", &only(true).bytes());
    let mut surface = only(false);
    change(&mut surface);
    fs::write(case.folder.path().join("surface.nc"), surface.bytes()).unwrap();
    case
}

fn refused(change: &dyn Fn(&mut Classic), part: &str) {
    let output = two(change).command(&[&OPTIONS[..], &["surface.nc"]].concat());
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.lines().count() == 1 && text.starts_with("isobar: surface.nc: "), "{text}");
    assert!(text.contains(part), "{part:?} is not in {text}");
}

/// Time as these numbers since a date, of a calendar.
fn time(file: &mut Classic, values: &[f64], since: &'static str, calendar: &'static str) {
    let time = file.variable("time");
    (time.units, time.values) = (Some(since), values.to_vec());
    time.attributes.push(("calendar", calendar));
}

#[test]
fn the_same_instants_are_the_same_from_any_date() {
    let (file, _) = cam();
    let whole = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let same = |change: &dyn Fn(&mut Classic)| {
        let found = fluxes(&two(change), &["surface.nc"]);
        for name in ["longwave_upward_flux", "shortwave_downward_flux", "time"] {
            assert_eq!(found.all(name), whole.all(name), "{name}");
        }
    };
    same(&|_| {});
    same(&|file| time(file, &[1.25, 1.5], "days since 2020-06-20", "standard"));
    same(&|file| time(file, &[1_053_342.0, 1_053_348.0], "hours since 1900-04-23", "proleptic_gregorian"));
    same(&|file| time(file, &[171.25, 171.5], "days since 2020-01-01", "noleap"));
    same(&|file| {
        let latitude = file.variable("lat");
        (latitude.units, latitude.values) = (Some("radian"), LATITUDES.map(f64::to_radians).to_vec());
    });
}

#[test]
fn other_instants_of_the_same_numbers_are_refused() {
    let has = "time is not that of in.nc: it has 2020-12-21T06:00:00Z, and not 2020-06-21T06:00:00Z";
    refused(&|file| time(file, &[0.0, 6.0], "hours since 2020-12-21 06:00:00", "standard"), has);
    let of_another = "it has 2020-07-04T06:00:00Z, and not 2020-06-21T06:00:00Z";
    refused(&|file| time(file, &[0.0, 6.0], "hours since 2020-06-21 06:00:00", "julian"), of_another);
    refused(&|file| file.variable("time").units = Some("hours"), "it is in \"hours\", and not in \"hours since");
    refused(&|file| file.variable("lat").units = Some("radian"), "it has -30 radian, and not -30 degrees_north");
    refused(&|file| file.variable("lon").units = Some("m"), "it is in \"m\", and not in \"degrees_east\"");
}
