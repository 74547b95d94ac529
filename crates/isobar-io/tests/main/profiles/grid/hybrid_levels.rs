//! Hybrid levels of weather models.

use isobar_core::Real;
use isobar_io::{GridPlace, GridRequest};
use isobar_raytrace::Atmosphere;

use super::{AIR, Made, WATER, at, close, geometric};

const COEFFICIENTS: [&str; 2] = ["hyai", "hybi"];

/// Two layers from 0 hPa to 500 hPa and to the ground.
fn two_layers() -> Made {
    let made =
        Made { dimensions: vec![("time", 1), ("lev", 2), ("nhyi", 3), ("lat", 2), ("lon", 2)], ..Made::default() };
    let (surface, full) = (["time", "lat", "lon"], ["time", "lev", "lat", "lon"]);
    made.with("lon", &["lon"], "degrees_east", vec![10.0, 11.0])
        .with("lat", &["lat"], "degrees_north", vec![50.0, 51.0])
        .with("lev", &["lev"], "1", vec![1.0, 2.0])
        .with("time", &["time"], "seconds since 1970-01-01", vec![946_684_800.0])
        .with("hyai", &["nhyi"], "Pa", vec![0.0, 20_000.0, 0.0])
        .with("hybi", &["nhyi"], "1", vec![0.0, 0.3, 1.0])
        .with("t", &full, "K", [[220.0; 4], [280.0; 4]].concat())
        .with("q", &full, "kg kg-1", [[0.0; 4], [0.01; 4]].concat())
        .with("lnsp", &surface, "1", [1e5, 9e4, 8e4, 7e4].map(Real::ln).to_vec())
        .with("z", &surface, "m2 s-2", vec![0.0, 100.0, 200.0, 300.0])
}

fn place() -> GridPlace {
    at(11.0, 51.0, None)
}

fn profile(made: &Made) -> Atmosphere {
    made.profiles(&["H2O"], &[place()], &GridRequest::default())
}

#[test]
fn hybrid_levels_get_heights_by_hydrostatics() {
    let made = two_layers();
    let found = profile(&made);
    // Boundaries 0, 41,000 and 70,000 Pa.
    close(found.pressure_hpa[0], 555.0);
    close(found.pressure_hpa[1], 205.0);
    assert_eq!(found.time_s, [0.0; 2]);
    let gas_constant = 8.314_459_8 / (AIR * 1e-3);
    let virtual_k = 280.0 * (1.0 + 0.01 * (AIR / WATER - 1.0));
    let thickness = Real::ln(70_000.0 / 41_000.0);
    let lower = 300.0 + (1.0 - 41.0 / 29.0 * thickness) * gas_constant * virtual_k;
    let upper = 300.0 + thickness * gas_constant * virtual_k + Real::ln(2.0) * gas_constant * 220.0;
    close(found.height_km[0], geometric(lower));
    close(found.height_km[1], geometric(upper));
    assert_eq!(found.temperature_k, [280.0, 220.0]);
    let refused = |made: Made| made.refused(&[], place());
    assert!(refused(made.clone().without("lnsp")).contains("variable sp is missing"));
    assert!(refused(made.clone().without("z")).contains("variable orog is missing"));
    assert!(refused(made.without("hybi")).contains("there is neither a coordinate of pressures"));
}

/// With the numbers of its levels, which count up or down.
fn numbered(made: Made, numbers: [f64; 2]) -> Made {
    made.changed("lev", |lev| lev.values = numbers.to_vec())
}

/// With its levels upside down, but for their numbers and coefficients.
fn turned(made: Made) -> Made {
    ["t", "q"].into_iter().fold(made, |made, name| made.changed(name, |variable| variable.values.rotate_left(4)))
}

fn turn_coefficients(made: Made) -> Made {
    COEFFICIENTS.into_iter().fold(made, |made, name| made.changed(name, |variable| variable.values.reverse()))
}

fn says(made: Made, positive: &'static str) -> Made {
    made.changed("lev", |lev| lev.attributes.push(("positive", positive)))
}

/// With coefficients on a dimension that goes with that of levels.
fn beside(mut made: Made) -> Made {
    made.dimensions[2].0 = "ilev";
    for name in COEFFICIENTS {
        made.variable(name).dimensions = vec!["ilev"];
    }
    made
}

/// The level of number n has the coefficients of number n: tools turn levels with their numbers, not coefficients.
#[test]
fn numbers_of_levels_say_which_coefficients_they_have() {
    let expected = profile(&two_layers());
    let same = |made: Made| assert_eq!(profile(&made), expected);
    let upside_down = numbered(turned(two_layers()), [2.0, 1.0]);
    same(upside_down.clone());
    same(says(upside_down.clone(), "down"));
    same(numbered(turned(turn_coefficients(two_layers())), [1.0, 2.0]));
    // Without numbers levels lie as their coefficients do.
    same(two_layers().without("lev"));
    same(turned(turn_coefficients(two_layers())).without("lev"));
    // As GEOS-Chem has them.
    same(says(beside(numbered(turned(turn_coefficients(two_layers())), [0.7, 0.2])), "up"));
    // Both turned, or levels that count from the ground: these say it, or a dimension that goes with theirs.
    let both = turn_coefficients(upside_down);
    same(says(both.clone(), "down"));
    same(beside(both.clone()));
    let message = both.refused(&[], place());
    assert!(message.starts_with("grid.nc: lev counts down and hyai begins at the surface"), "{message}");
    let message = says(two_layers(), "up").refused(&[], place());
    let expected =
        "grid.nc: lev says that index 0 is the bottom, but its numbers beside hyai say that index 0 is the top";
    assert!(message.starts_with(expected), "{message}");
}

/// A coordinate of pressures beside coefficients has reference pressures, of a ground at 1000 hPa.
#[test]
fn coefficients_win_over_reference_pressures() {
    let reference = |made: Made| {
        made.changed("lev", |lev| {
            lev.values = vec![250.0, 750.0];
            lev.attributes = vec![("units", "hPa")];
        })
    };
    let found = profile(&reference(two_layers()));
    assert_eq!(found, profile(&two_layers()));
    let without = COEFFICIENTS.into_iter().fold(reference(two_layers()), Made::without);
    let message = without.refused(&[], place());
    assert!(message.contains("there are no hybrid coefficients (hyai, hybi) to find heights by"), "{message}");
}

/// CAM's coefficients have no unit: they are parts of P0.
#[test]
fn coefficients_may_be_relative_to_a_reference() {
    let relative = |unit: &'static str, reference: f64| {
        two_layers()
            .changed("hyai", |hyai| {
                hyai.values.iter_mut().for_each(|value| *value /= 8e4);
                hyai.attributes = vec![("units", unit)];
            })
            .with("P0", &[], "hPa", vec![reference])
    };
    assert_eq!(profile(&relative("1", 800.0)), profile(&two_layers()));
    let message = relative("1", 0.0).refused(&[], place());
    assert!(message.contains("the reference pressure of hyai is 0 Pa"), "{message}");
    let message = two_layers().changed("hyai", |hyai| hyai.attributes.clear()).with("P0", &[], "Pa", vec![1e5]);
    let message = message.refused(&[], place());
    assert!(message.contains("hyai = 20000 at level 1 lies outside [0, 1]"), "{message}");
    let message = relative("1", 800.0).without("P0").refused(&[], place());
    assert!(message.contains("hyai has units \"1\"; expected Pa"), "{message}");
}
