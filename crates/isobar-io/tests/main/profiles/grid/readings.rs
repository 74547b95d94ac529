//! What variables of a grid say of themselves: times of forecasts, water and gases by their names and standard names.

use isobar_io::{Grid, GridRequest};
use isobar_raytrace::{Position, Ray};
use netcdf_writer::NcWriteFormat;

use super::{AIR, DIMENSIONS, Made, WATER, at, close, era5, field, file, gases, humidity, of_humidity};

fn standard(made: Made, name: &str, standard: &'static str) -> Made {
    made.changed(name, |variable| variable.attributes.push(("standard_name", standard)))
}

const REFERENCE: &str = "forecast_reference_time";
const HOURS: &str = "hours since 2000-01-01";

/// A forecast of 24 and 30 hours, whose times are those of the start.
fn forecast() -> Made {
    standard(era5().changed("time", |time| time.attributes = vec![("units", HOURS)]), "time", REFERENCE)
        .changed("time", |time| time.values = vec![0.0, 6.0])
}

#[test]
fn the_air_of_a_forecast_has_the_time_for_which_it_is() {
    let valid = standard(forecast().with("valid_time", &["time"], HOURS, vec![24.0, 30.0]), "valid_time", "time");
    let place = |hours: f64| at(10.0, 10.0, Some(3600.0 * hours));
    let found = valid.profiles(&[], &[place(27.0)], &GridRequest::default());
    assert_eq!(found.time_s, [3600.0 * 27.0; 3]);
    let of_times = era5().profiles(&[], &[place(3.0)], &GridRequest::default());
    assert_eq!(found.temperature_k, of_times.temperature_k);
    let message = valid.refused(&[], place(3.0));
    assert!(message.contains("lies outside [86400, 108000], the file's"), "{message}");
    let message = forecast().refused(&[], place(3.0));
    assert!(message.contains("time is the time from which a forecast was made"), "{message}");
}

/// A track has one profile a place, and so one time.
#[test]
fn rays_of_other_times_that_get_the_same_air_are_said() {
    let (_folder, path) = file(era5().bytes(NcWriteFormat::Classic), "grid.nc");
    let grid = Grid::open(&path).unwrap();
    let ray = |time_s: f64| {
        let position = |height_km| Position { height_km, longitude_deg: 5.0, latitude_deg: 40.0 };
        Ray { time_s, observer: position(700.0), view_point: position(0.0) }
    };
    let notes = |times: [f64; 2]| {
        grid.below(&gases(&[]), &times.map(ray), 25.0, &GridRequest::default()).unwrap().notes.join("\n")
    };
    assert_eq!(notes([0.0, 60.0]), "");
    let said = notes([0.0, 21_600.0]);
    assert!(said.contains("all have the air of the first one's time, up to 21600 s apart"), "{said}");
}

#[test]
fn water_is_known_by_what_it_says() {
    let place = [at(90.0, 0.0, Some(0.0))];
    let water =
        |made: &Made, name: &str| made.profiles(&[name], &place, &GridRequest::default()).mixing_ratio[0].clone();
    let expected = water(&era5(), "H2O");
    assert_eq!(water(&era5(), "h2o"), expected);
    // The same numbers as masses a mass of dry air.
    let ratio = |q: f64| q / (1.0 + q);
    let found = water(&standard(era5(), "q", "humidity_mixing_ratio"), "H2O");
    for (level, found) in [2, 1, 0].into_iter().zip(found) {
        close(found, of_humidity(ratio(humidity(level, 90.0))));
    }
    assert_eq!(water(&standard(era5(), "q", "specific_humidity"), "H2O"), expected);
    // Moles, by name and by standard name; the air is as moist to ozone.
    let moles = field(|_, level, _, longitude| of_humidity(humidity(level, longitude)));
    let ozone = water(&era5(), "O3");
    for (name, by_standard) in [("h2o", false), ("H2O", false), ("vapour", true)] {
        let made = era5().without("q").with(name, &DIMENSIONS, "mol mol-1", moles.clone());
        let made = if by_standard { standard(made, name, "mole_fraction_of_water_vapor_in_air") } else { made };
        water(&made, "H2O").into_iter().zip(&expected).for_each(|(found, expected)| close(found, *expected));
        water(&made, "o3").into_iter().zip(&ozone).for_each(|(found, expected)| close(found, *expected));
    }
    // By mass under that name, as its unit says.
    let mut named = era5();
    named.variable("q").name = "h2o";
    assert_eq!(water(&named, "H2O"), expected);
    let by_mass = era5().without("o3").with("O3_mmr", &DIMENSIONS, "kg kg-1", field(|_, _, _, _| 1e-6));
    let by_mass = standard(by_mass, "O3_mmr", "mass_fraction_of_ozone_in_air");
    let moist = 1.0 / (humidity(2, 90.0) / WATER + (1.0 - humidity(2, 90.0)) / AIR);
    close(water(&by_mass, "O3")[0], 1e-6 * moist / 47.9982);
}

/// What the background gives in the place of the file is said.
#[test]
fn gases_of_the_background_are_said() {
    let (_folder, path) = file(era5().bytes(NcWriteFormat::Classic), "grid.nc");
    let notes = |emitters: &[&str]| {
        let background = era5().profiles(&[], &[at(0.0, 0.0, Some(0.0))], &GridRequest::default());
        let mixing_ratio = vec![vec![1e-4; 3]; emitters.len()];
        let background = Some(isobar_raytrace::Atmosphere { mixing_ratio, ..background });
        let request = GridRequest { background, ..GridRequest::default() };
        let grid = Grid::open(&path).unwrap();
        grid.profiles(&gases(emitters), &[at(0.0, 0.0, Some(0.0))], &request).unwrap().notes.join("\n")
    };
    assert_eq!(notes(&["H2O", "o3"]), "");
    let said = notes(&["CO2", "o3", "CH4"]);
    assert!(said.starts_with("CO2, CH4: the background's, for nothing that is read of "), "{said}");
}

/// As ecCodes has heights.
#[test]
fn heights_may_be_geopotential_metres() {
    let place = [at(90.0, 30.0, Some(0.0))];
    let of = |made: Made| made.profiles(&[], &place, &GridRequest::default()).height_km;
    let expected = of(era5());
    let heights = |made: Made| made.changed("z", |z| z.values.iter_mut().for_each(|value| *value /= super::GRAVITY));
    let found = of(heights(era5()).changed("z", |z| {
        z.name = "gh";
        z.attributes = vec![("units", "gpm")];
    }));
    found.iter().zip(expected).for_each(|(found, expected)| close(*found, expected));
}
