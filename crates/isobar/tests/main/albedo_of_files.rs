//! The albedo of the surface: of sunlight there, and of no other name.

use isobar_io::seconds_of_date;
use isobar_io::sun::Sun;

use crate::common::classic::Case;
use crate::model_files::{COLUMNS, LATITUDES, LONGITUDES, OPTIONS, TOP_FIRST, cam, is_read};

/// That of the whole planet is another.
#[test]
fn a_planetary_albedo_is_not_the_surface_s() {
    let (file, world) = cam();
    let file = file.with("albedo", &["time", "lat", "lon"], "1", &[0.9; COLUMNS]);
    is_read(&file.says(&["standard_name=planetary_albedo"]), TOP_FIRST, &world, true);
}

/// At night nobody asks for sunlight, which some files miss there.
#[test]
fn sunlight_may_be_missing_at_night() {
    let (file, world) = cam();
    let is_night = |column: usize| {
        let date = ["2020-06-21T06:00:00Z", "2020-06-21T12:00:00Z"][column / 6];
        let sun = Sun::at(seconds_of_date(date).unwrap());
        sun.cosine_zenith(LATITUDES[column % 6 / 3], LONGITUDES[column % 3]) <= 0.0
    };
    let (night, day): (Vec<usize>, Vec<usize>) = (0..COLUMNS).partition(|&column| is_night(column));
    assert!(!night.is_empty());
    let missing = |names: &[&str], columns: &[usize]| {
        let mut file = file.clone();
        for name in names {
            columns.iter().for_each(|&column| file.variable(name).values[column] = f64::NAN);
        }
        file
    };
    for names in [&["FSDS"][..], &["FSNS"], &["FSDS", "FSNS"]] {
        is_read(&missing(names, &night), TOP_FIRST, &world, true);
        let by_day = missing(names, &day[..1]);
        let part = format!("{} is missing at ", names[0]);
        Case::of("radiation", &by_day.bytes()).refused(&OPTIONS, &[&part, "where it is used"]);
    }
}
