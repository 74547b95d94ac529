//! The sun of a file's times: which they are, and the intervals that they stand for.

use std::process::Command;

use isobar_io::seconds_of_date;
use isobar_io::sun::Sun;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::{data, said};
use crate::model_files::{OPTIONS, cam, fluxes};

const LATITUDE: f64 = 10.0;
const LEVELS: usize = 5;

/// One column at some times.
fn column(times: &[f64], since: &'static str) -> Classic {
    let (layer, level) = (&["layer"], &["level"]);
    let dimensions = vec![("time", times.len()), ("layer", LEVELS - 1), ("level", LEVELS), ("bnds", 2)];
    Classic { dimensions, ..Classic::default() }
        .with("level_pressure", level, "Pa", &[1e5, 8e4, 5e4, 2e4, 1e3])
        .with("temperature", layer, "K", &[285.0, 270.0, 240.0, 215.0])
        .with("h2o", layer, "mol mol-1", &[0.01, 0.005, 0.0003, 4e-6])
        .with("o3", layer, "mol mol-1", &[3e-8, 4e-8, 8e-8, 4e-6])
        .with("surface_albedo", &[], "1", &[0.2])
        .with("latitude", &[], "degree", &[LATITUDE])
        .with("longitude", &[], "degree", &[0.0])
        .with("time", &["time"], since, times)
}

/// Sunlight at the top, by time.
fn sunlight(file: &Classic, more: &[&str]) -> Vec<f64> {
    let found = fluxes(&Case::of("shortwave", &file.bytes()), more).all("shortwave_downward_flux");
    let times = found.len() / LEVELS;
    found[(LEVELS - 1) * times..].to_vec()
}

/// The mean of the sun between hours after a date, per irradiance at a distance of 1 au.
fn mean(date: &str, [start, end]: [f64; 2]) -> f64 {
    let date = seconds_of_date(date).unwrap();
    let one = |i: i32| {
        let sun = Sun::at(date + 3600.0 * (start + (end - start) * (f64::from(i) + 0.5) / 4000.0));
        sun.cosine_zenith(LATITUDE, 0.0).max(0.0) / (sun.distance_au * sun.distance_au)
    };
    (0..4000).map(one).sum::<f64>() / 4000.0
}

/// Times that are not equally far apart stand for all between them, in whichever part of the file they are read.
#[test]
fn intervals_end_half_the_way_to_their_neighbours() {
    let file = column(&[0.0, 1.0, 12.0, 13.0], "hours since 2021-03-20");
    let whole = sunlight(&file, &["--mean-sun"]);
    let irradiance: f64 =
        Numbers::open(&data().join("radiation/ecckd-shortwave-32.nc")).all("solar_irradiance").iter().sum();
    for (found, hours) in whole.iter().zip([[-0.5, 0.5], [0.5, 6.5], [6.5, 12.5], [12.5, 13.5]]) {
        let expected = irradiance * mean("2021-03-20", hours);
        assert!((found - expected).abs() < 1e-4 * irradiance, "{hours:?}: {found} {expected}");
    }
    for columns in ["1", "2", "3"] {
        assert_eq!(sunlight(&file, &["--mean-sun", "--at-once", columns]), whole, "{columns}");
    }
    let alone = column(&[0.0], "hours since 2021-03-20");
    let no_other = ["time has no bounds, and no other time beside it"];
    Case::of("shortwave", &alone.bytes()).refused(&[&OPTIONS[..], &["--mean-sun"]].concat(), &no_other);
}

/// CAM's irradiance is at 1 au: the Sun's distance scales it where the date gives the Sun; others are as they are.
#[test]
fn an_irradiance_at_one_au_follows_the_distance() {
    const DATE: &str = "2021-01-04T12:00:00Z";
    let of = |name: &'static str, more: &[&str]| {
        let file = column(&[12.0, 13.0], "hours since 2021-01-04").with(name, &[], "W m-2", &[1361.0]);
        sunlight(&file, more)[0]
    };
    let sun = Sun::at(seconds_of_date(DATE).unwrap());
    let cosine = sun.cosine_zenith(LATITUDE, 0.0);
    let scaled = 1361.0 * cosine / (sun.distance_au * sun.distance_au);
    let found = of("sol_tsi", &[]);
    assert!((found / scaled - 1.0).abs() < 1e-6 && scaled > 1.03 * 1361.0 * cosine, "{found} {scaled}");
    let found = of("total_solar_irradiance", &[]);
    assert!((found / (1361.0 * cosine) - 1.0).abs() < 1e-6, "{found}");
    let expected = 1361.0 * mean("2021-01-04", [11.5, 12.5]);
    let found = of("sol_tsi", &["--mean-sun"]);
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
}

/// An angle that says that it is another one is not the zenith angle, whatever it is called.
#[test]
fn other_angles_are_not_the_zenith_angle() {
    let file = |name: &'static str, standard: &'static str| {
        let mut file = column(&[12.0, 13.0], "hours since 2021-03-20");
        file.variables.retain(|one| !["latitude", "longitude", "time"].contains(&one.name));
        file.with(name, &["time"], "degree", &[60.0, 70.0]).says(&[standard])
    };
    let case = Case::of("shortwave", &file("sza", "standard_name=solar_zenith_angle").bytes());
    let found = fluxes(&case, &[]).all("shortwave_downward_flux");
    let irradiance: f64 =
        Numbers::open(&data().join("radiation/ecckd-shortwave-32.nc")).all("solar_irradiance").iter().sum();
    assert!((found[2 * (LEVELS - 1)] / irradiance - 0.5).abs() < 1e-6);
    for standard in ["solar_elevation_angle", "solar_azimuth_angle", "sensor_zenith_angle"] {
        let named: &'static str = format!("standard_name={standard}").leak();
        let says = format!("sza has standard_name {standard:?}");
        Case::of("shortwave", &file("sza", named).bytes()).refused(&OPTIONS, &["cosine_zenith", &says]);
    }
}

/// A day that Gregory's calendar has not is as long as others.
#[test]
fn days_of_other_calendars_are_days() {
    let of = |calendar: &'static str, days: [f64; 2]| {
        let mut file = column(&days, "days since 2001-01-01");
        file.variable("time").attributes = vec![("calendar", calendar), ("bounds", "time_bnds")];
        let bounds = days.map(|day| [day - 0.5, day + 0.5]).concat();
        sunlight(&file.with("time_bnds", &["time", "bnds"], "", &bounds), &["--mean-sun"])
    };
    // The 29th of February of 2001, and the day after it.
    let found = of("366_day", [59.5, 60.5]);
    assert_eq!(found, of("standard", [59.5, 59.5]));
    // The 12th and 13th of March, the 71st and 72nd of 360 days, between which one of 365 is left out.
    assert_eq!(of("360_day", [71.5, 72.5]), of("standard", [71.5, 73.5]));
}

/// As ICON and CDO have them: numbers that are dates, whose bounds are dates, too, across the end of a month.
#[test]
fn numbers_may_be_dates() {
    let dates = [20_210_228.25, 20_210_301.0, 20_210_301.75];
    let days = [58.25, 59.0, 59.75];
    let of = |times: &[f64], units: &'static str, more: &[&str]| sunlight(&column(times, units), more);
    for more in [&[][..], &["--mean-sun"], &["--mean-sun", "--at-once", "2"]] {
        let found = of(&dates, "day as %Y%m%d.%f", more);
        assert_eq!(found, of(&days, "days since 2021-01-01", more), "{more:?}");
    }
    let with_bounds = |times: &[f64], units: &'static str, bounds: &[f64]| {
        let mut file = column(times, units).with("time_bnds", &["time", "bnds"], "", bounds);
        file.variable("time").attributes = vec![("bounds", "time_bnds")];
        sunlight(&file, &["--mean-sun"])
    };
    let found = with_bounds(&dates[..2], "day as %Y%m%d.%f", &[20_210_228.0, 20_210_228.5, 20_210_228.5, 20_210_301.5]);
    assert_eq!(found, with_bounds(&days[..2], "days since 2021-01-01", &[58.0, 58.5, 58.5, 59.5]));
    let file = column(&[20_210_229.0], "day as %Y%m%d.%f");
    Case::of("shortwave", &file.bytes()).refused(&OPTIONS, &["time = 20210229 is no time of its calendar"]);
    let file = column(&[202_102.0], "month as %Y%m.%f");
    let other = "time has units \"month as %Y%m.%f\"; expected such as";
    Case::of("shortwave", &file.bytes()).refused(&OPTIONS, &[other]);
}

/// Times that fall stand for the same intervals as those that rise, with bounds and without.
#[test]
fn times_may_fall() {
    let of = |times: &[f64], bounds: bool| {
        let mut file = column(times, "hours since 2021-03-20");
        let around: Vec<f64> = times
            .iter()
            .flat_map(|time| if times[0] < times[1] { [time - 1.5, time + 1.5] } else { [time + 1.5, time - 1.5] })
            .collect();
        if bounds {
            file.variable("time").attributes = vec![("bounds", "time_bnds")];
            file = file.with("time_bnds", &["time", "bnds"], "", &around);
        }
        sunlight(&file, &["--mean-sun"])
    };
    let rising = of(&[9.0, 12.0, 15.0], true);
    for (times, bounds) in [([15.0, 12.0, 9.0], true), ([15.0, 12.0, 9.0], false), ([9.0, 12.0, 15.0], false)] {
        let mut found = of(&times, bounds);
        if times[0] > times[1] {
            found.reverse();
        }
        assert_eq!(found, rising, "{times:?} {bounds}");
    }
    let zigzag = column(&[9.0, 15.0, 12.0], "hours since 2021-03-20");
    let text = ["time has no bounds, and goes from 15 to 12: where times neither rise nor fall"];
    Case::of("shortwave", &zigzag.bytes()).refused(&[&OPTIONS[..], &["--mean-sun"]].concat(), &text);
}

/// Bounds in hours since the date of their time, or in days since another, are the same intervals.
#[test]
fn bounds_count_in_their_own_unit() {
    let of = |units: &'static str, bounds: &[f64]| {
        let mut file = column(&[9.0, 15.0], "hours since 2021-03-20");
        file.variable("time").attributes = vec![("bounds", "time_bnds")];
        sunlight(&file.with("time_bnds", &["time", "bnds"], units, bounds), &["--mean-sun"])
    };
    let hours = [6.0, 12.0, 12.0, 18.0];
    let (expected, found) = (of("", &hours), of("days since 2021-03-18", &hours.map(|hours| 2.0 + hours / 24.0)));
    for (expected, found) in expected.iter().zip(&found) {
        assert!((expected - found).abs() < 1e-6 * expected && *expected > 100.0, "{expected} {found}");
    }
}

/// Without a calendar all days are the one on which times begin (CF conventions, 4.4.1).
#[test]
fn a_perpetual_day_has_one_sun() {
    let of = |calendar: &'static str, days: [f64; 2], more: &[&str], half: f64| {
        let mut file = column(&days, "days since 2001-07-15");
        file.variable("time").attributes = vec![("calendar", calendar), ("bounds", "time_bnds")];
        let bounds = days.map(|day| [day - half, day + half]).concat();
        sunlight(&file.with("time_bnds", &["time", "bnds"], "", &bounds), more)
    };
    let july = of("standard", [0.25, 0.75], &[], 0.5);
    assert_eq!(of("none", [100.25, 250.75], &[], 0.5), july);
    let mean = of("standard", [0.5, 0.5], &["--mean-sun"], 0.5);
    assert_eq!(of("none", [40.5, 90.5], &["--mean-sun"], 0.5), mean);
    assert_eq!(of("none", [50.0, 90.0], &["--mean-sun"], 20.0), mean);
}

/// In f32 light of a Sun on the horizon takes a shorter way through the air than it has: that is said, and how often.
#[test]
fn suns_too_low_for_a_precision_are_counted() {
    let mut file = column(&[0.0, 1.0, 2.0, 3.0], "hours since 2021-03-20");
    file.variables.retain(|one| !["latitude", "longitude"].contains(&one.name));
    // The uppermost layer is thin.
    file.variable("level_pressure").values = vec![1e5, 5e4, 1e3, 10.0, 1.0];
    let file = file.with("cosine_zenith", &["time"], "1", &[1e-4, 0.3, -0.2, 2e-4]);
    let of = |more: &[&str]| {
        let case = Case::of("shortwave", &file.bytes());
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(["shortwave", "in.nc", "-o", "o.nc", "--device", "cpu", "--assume-zero"]).args(more);
        let output = command.env("ISOBAR_DATA", data()).current_dir(case.folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let heating = Numbers::open(&case.folder.path().join("o.nc")).all("shortwave_heating_rate");
        let text = said(&output);
        let lines = text.lines().filter(|line| line.contains("have a Sun")).map(str::to_owned).collect::<Vec<_>>();
        (lines, heating[(LEVELS - 2) * 4..].to_vec())
    };
    let (lines, single) = of(&["--precision", "f32"]);
    let expected = "isobar: note: 2 of 4 columns have a Sun whose cosine is above 0 and below 3.5e-4, the least with";
    assert!(lines.len() == 1 && lines[0].starts_with(expected), "{lines:?}");
    assert_eq!(of(&["--precision", "f32", "--at-once", "3"]).0, lines);
    let (lines, double) = of(&["--precision", "f64"]);
    assert!(lines.is_empty(), "{lines:?}");
    // It is those that are heated too little at the top.
    for (time, (single, double)) in single.iter().zip(&double).enumerate() {
        let is_low = [0, 3].contains(&time);
        let nearly = (single - double).abs() < 0.01 * double.abs();
        assert!(if is_low { *single < 0.9 * double } else { nearly || *double == 0.0 }, "{single} {double}");
    }
}

/// In long intervals the Sun is as far as it is while it shines.
#[test]
fn long_intervals_have_the_distances_of_their_light() {
    let irradiance: f64 =
        Numbers::open(&data().join("radiation/ecckd-shortwave-32.nc")).all("solar_irradiance").iter().sum();
    for days in [[0.0, 31.0], [0.0, 91.0], [0.0, 366.0]] {
        let mut file = column(&[0.5 * days[1]], "days since 2020-01-01");
        file.variable("time").attributes = vec![("bounds", "time_bnds")];
        let found = sunlight(&file.with("time_bnds", &["time", "bnds"], "", &days), &["--mean-sun"])[0];
        let expected = irradiance * mean("2020-01-01", [0.0, 24.0 * days[1]]);
        assert!((found / expected - 1.0).abs() < 1e-4, "{days:?}: {found} {expected}");
    }
}

#[test]
fn intervals_of_several_years_are_refused() {
    let mut file = column(&[15.0, 45.0], "days since 1981-01-01");
    file.variable("time").attributes = vec![("climatology", "time_bnds")];
    let file = file.with("time_bnds", &["time", "bnds"], "", &[0.0, 10_623.0, 31.0, 10_651.0]);
    let case = Case::of("shortwave", &file.bytes());
    case.refused(&[&OPTIONS[..], &["--mean-sun"]].concat(), &["time has climatological bounds"]);
    fluxes(&case, &[]);
}

/// Forecasts are of the times that they hold for.
#[test]
fn forecasts_are_not_of_the_time_that_they_began_at() {
    let (file, _) = cam();
    let expected = fluxes(&Case::of("radiation", &file.bytes()), &[]).all("shortwave_downward_flux");
    let mut forecast = file;
    let steps = |name: &mut &'static str| {
        if *name == "time" {
            *name = "step";
        }
    };
    forecast.dimensions.iter_mut().for_each(|(name, _)| steps(name));
    forecast.variables.iter_mut().for_each(|variable| variable.dimensions.iter_mut().for_each(steps));
    forecast.variable("time").name = "valid_time";
    let forecast = forecast
        .with("step", &["step"], "hours", &[6.0, 12.0])
        .says(&["standard_name=forecast_period"])
        .with("time", &[], "hours since 2020-06-21", &[0.0])
        .says(&["standard_name=forecast_reference_time"]);
    let case = Case::of("radiation", &forecast.bytes());
    assert_eq!(fluxes(&case, &[]).all("shortwave_downward_flux"), expected);
    // Unless the caller says which it is.
    assert_ne!(fluxes(&case, &["--name", "time=time"]).all("shortwave_downward_flux"), expected);
}

/// Forecasts of several beginnings or steps are of both together.
#[test]
fn forecasts_are_of_their_beginning_and_their_step() {
    let (file, _) = cam();
    let expected = fluxes(&Case::of("radiation", &file.bytes()), &[]).all("shortwave_downward_flux");
    let reference = ("standard_name", "forecast_reference_time");
    let by_step = |units: &'static str, steps: &[f64], attributes: &[(&'static str, &'static str)]| {
        let mut forecast = file.clone();
        forecast.dimensions.iter_mut().filter(|(name, _)| *name == "time").for_each(|(name, _)| *name = "step");
        forecast.dimensions.push(("time", 1));
        for variable in forecast.variables.iter_mut().filter(|one| one.dimensions.contains(&"time")) {
            variable.dimensions.splice(0..1, ["time", "step"]);
        }
        let time = forecast.variable("time");
        (time.dimensions, time.units, time.values) = (vec!["time"], Some("hours since 2020-06-21"), vec![0.0]);
        time.attributes = attributes.to_vec();
        forecast.with("step", &["step"], units, steps)
    };
    let run = |file: &Classic| fluxes(&Case::of("radiation", &file.bytes()), &[]).all("shortwave_downward_flux");
    for (units, steps) in [("hours", [6.0, 12.0]), ("s", [21_600.0, 43_200.0]), ("ns", [2.16e13, 4.32e13])] {
        // What the time does not say, that it does not run along steps does.
        for attributes in [&[reference][..], &[("long_name", "initial time of forecast")], &[]] {
            assert_eq!(run(&by_step(units, &steps, attributes)), expected, "{units} {attributes:?}");
        }
    }
    // `valid_time` wins where it runs along steps.
    let valid = |values: &[f64]| {
        let file = by_step("hours", &[1.0, 2.0], &[("standard_name", "time")]);
        file.with("valid_time", &["time", "step"], "hours since 2020-06-21", values)
    };
    assert_eq!(run(&valid(&[6.0, 12.0])), expected);
    let mut neither = by_step("hours", &[6.0, 12.0], &[reference]);
    neither.variables.retain(|one| one.name != "step");
    let said = ["time is when forecasts began", "neither valid_time nor forecast_period", "--name time=time"];
    Case::of("radiation", &neither.bytes()).refused(&OPTIONS, &said);
    fluxes(&Case::of("radiation", &neither.bytes()), &["--name", "time=time"]);
    let mean = [&OPTIONS[..], &["--mean-sun"]].concat();
    let forecast = by_step("hours", &[6.0, 12.0], &[reference]);
    Case::of("radiation", &forecast.bytes()).refused(&mean, &["time is when forecasts began: a mean of the Sun"]);
}

#[test]
fn means_that_cannot_be_taken_are_said() {
    let nowhere = || {
        let mut file = column(&[0.0, 1.0], "hours since 2021-03-20");
        file.variables.retain(|variable| variable.name != "longitude");
        file
    };
    let by_cosine = nowhere().with("mu0", &["time"], "1", &[0.5, 0.5]);
    let by_angle = nowhere().with("sza", &["time"], "degree", &[60.0, 60.0]);
    for ((file, name), more) in [(&by_cosine, "mu0"), (&by_angle, "sza")]
        .into_iter()
        .flat_map(|file| [&[][..], &["--at-once", "1"]].map(|more| (file, more)))
    {
        let case = Case::of("shortwave", &file.bytes());
        let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(["shortwave", "in.nc", "-o", "out.nc", "--device", "cpu", "--mean-sun"])
            .args(OPTIONS)
            .args(more)
            .env("ISOBAR_DATA", data())
            .current_dir(case.folder.path())
            .output()
            .unwrap();
        let text = format!(
            "isobar: warning: --mean-sun has no effect: there are not all of time, latitude and longitude, and the sun \
             stands as {name} says"
        );
        assert!(output.status.success() && said(&output).matches(&text).count() == 1, "{}", said(&output));
        let down = Numbers::open(&case.out()).all("shortwave_downward_flux");
        let irradiance: f64 =
            Numbers::open(&data().join("radiation/ecckd-shortwave-32.nc")).all("solar_irradiance").iter().sum();
        assert!((down[(LEVELS - 1) * 2] - 0.5 * irradiance).abs() < 1e-3 * irradiance, "{down:?}");
    }
}

/// The case of words does not matter, and what counts from no date is named.
#[test]
fn times_are_counted_since_dates() {
    let noon = sunlight(&column(&[0.5], "days since 2020-06-21"), &[]);
    for since in ["Days Since 2020-06-21", "DAYS SINCE 2020-06-21 00:00"] {
        assert_eq!(sunlight(&column(&[0.5], since), &[]), noon, "{since}");
    }
    let parts = ["latitude and longitude (time has units \"Days 2020\", and none such as \"hours since 1900"];
    Case::of("shortwave", &column(&[0.5], "Days 2020").bytes()).refused(&OPTIONS, &parts);
}
