//! The Sun against its geometry and KPP's function.

use isobar_column::stages::{SolarTime, equation_of_time};
use isobar_column::sun::{Sun, cosine_of_zenith, declination, half_day, hour_angle, nearness, photolysis_factor};
use isobar_core::{Column, FieldMut, Real};

use crate::run;

const PI: f64 = std::f64::consts::PI;

#[test]
fn the_year_has_its_solstices_and_equinoxes() {
    let degrees = |day: f64| declination(day) * 180.0 / PI;
    // Spencer's series is within 0.0006 rad = 0.035 degrees.
    assert!((degrees(172.0) - 23.44).abs() < 0.05, "21 June: {}", degrees(172.0));
    assert!((degrees(355.0) + 23.44).abs() < 0.05, "21 December: {}", degrees(355.0));
    assert!(degrees(80.0).abs() < 0.5 && degrees(266.0).abs() < 0.5);
}

/// The orbit's eccentricity of 0.0167: (1 +- e)^-2 at perihelion early in January and aphelion early in July, and 1 +
/// e^2 / 2 in the mean of time.
#[test]
fn the_sun_is_nearest_in_january() {
    let year: Vec<f64> = (1..=365).map(|day| nearness(f64::from(day))).collect();
    let (most, least) = (year.iter().copied().fold(0.0, f64::max), year.iter().copied().fold(2.0, f64::min));
    assert!((most - 1.0 / (0.9833 * 0.9833)).abs() < 1e-3 && year[3] > most - 1e-4, "{most}");
    assert!((least - 1.0 / (1.0167 * 1.0167)).abs() < 1e-3 && year[184] < least + 1e-4, "{least}");
    assert!((year.iter().sum::<f64>() / 365.0 - 1.000_14).abs() < 1e-4);
}

/// The almanac's extremes of the equation of time, and the days on which the Sun is on time.
#[test]
fn the_sun_is_ahead_and_behind_as_the_almanac_has_it() {
    for (day, minutes) in [
        (42.0, -14.2),
        (105.0, 0.0),
        (134.0, 3.7),
        (164.0, 0.0),
        (207.0, -6.5),
        (244.0, 0.0),
        (307.0, 16.4),
        (359.0, 0.0),
    ] {
        let found = equation_of_time(day) / 60.0;
        assert!((found - minutes).abs() < 0.7, "day {day}: {found} minutes");
    }
    // At noon the apparent Sun of day 307 is past the meridian, by a degree in four minutes.
    let [tilt, angle] = SolarTime::Apparent.position(307.0, 43_200.0);
    assert!((angle * 180.0 / PI - 4.1).abs() < 0.15, "{angle}");
    assert_eq!(SolarTime::Mean.position(307.0, 43_200.0), [tilt, 0.0]);
    fn one(time_s: f64) -> [f64; 2] {
        [0.1, time_s]
    }
    let date = SolarTime::Date { position: one, start_s: 10.0 };
    assert_eq!(date.position(307.0, 2.0), [0.1, 12.0]);
}

#[test]
fn noon_and_the_ends_of_the_day_are_where_geometry_has_them() {
    let (latitude, tilt) = (0.8, 0.3);
    assert_eq!(hour_angle(43_200.0), 0.0);
    assert_eq!(hour_angle(43_200.0 + 3.0 * 86_400.0), 0.0);
    assert_eq!(hour_angle(-43_200.0), 0.0);
    assert!((hour_angle(64_800.0) - 0.5 * PI).abs() < 1e-15);
    assert!((cosine_of_zenith(latitude, tilt, 0.0) - Real::cos(latitude - tilt)).abs() < 1e-15);
    let sunset = half_day(latitude, tilt);
    assert!(cosine_of_zenith(latitude, tilt, sunset).abs() < 1e-15);
    // At the equator, and at the equinox, days have 12 hours; at the poles six months.
    assert!((half_day(0.0, tilt) - 0.5 * PI).abs() < 1e-15 && (half_day(latitude, 0.0) - 0.5 * PI).abs() < 1e-15);
    assert_eq!(half_day(1.5, 0.3), PI);
    assert_eq!(half_day(-1.5, 0.3), 0.0);
}

/// With KPP's day from 4:30 to 19:30, the factor is KPP's `SUN` (its `UpdateSun`).
#[test]
fn the_photolysis_factor_is_that_of_kpp() {
    let half = 7.5 / 12.0 * PI;
    for minute in 0..1440 {
        let hour = f64::from(minute) / 60.0;
        let kpp = if (4.5..=19.5).contains(&hour) {
            let x = (2.0 * hour - 24.0) / 15.0;
            0.5 * (1.0 + Real::cos(PI * (if x > 0.0 { x * x } else { -x * x })))
        } else {
            0.0
        };
        let ours = photolysis_factor(hour_angle(3600.0 * hour), half);
        assert!((ours - kpp).abs() < 1e-14, "{hour} h: {ours} instead of {kpp}");
    }
    assert_eq!(photolysis_factor(0.0, 0.0), 0.0);
}

#[test]
fn longitudes_see_the_sun_at_their_own_time() {
    let (latitude, longitude) = ([40.0; 4], [0.0, 90.0, -90.0, 179.0]);
    let (mut zenith, mut factor) = ([0.0; 4], [0.0; 4]);
    let kernel = Sun {
        latitude_deg: Column::from(&latitude[..]),
        longitude_deg: Column::from(&longitude[..]),
        declination_rad: 0.2,
        hour_angle_rad: hour_angle(64_800.0),
        cosine_of_zenith: FieldMut::item_fastest(&mut zenith, 1, 4),
        photolysis_factor: FieldMut::item_fastest(&mut factor, 1, 4),
    };
    run(&kernel);
    // At 18 h in Greenwich it is midnight at 90 degrees east and noon at 90 degrees west.
    let degree = PI / 180.0;
    assert!((zenith[2] - Real::cos(40.0 * degree - 0.2)).abs() < 1e-14 && (factor[2] - 1.0).abs() < 1e-14);
    assert!((zenith[1] + Real::cos(40.0 * degree + 0.2)).abs() < 1e-14 && factor[1] == 0.0);
    // 5:56 at 179 degrees east.
    let early = cosine_of_zenith(40.0 * degree, 0.2, -0.5 * PI - degree);
    assert!((zenith[3] - early).abs() < 1e-14);
}
