//! Bands of files that say where they lie are found by their limits, in whatever order.

use std::path::PathBuf;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];
const WAVES: [&str; 2] = ["longwave_band", "shortwave_band"];
const LIMITS: [[&str; 2]; 2] = [
    ["longwave_band_lower_wavenumber", "longwave_band_upper_wavenumber"],
    ["shortwave_band_lower_wavenumber", "shortwave_band_upper_wavenumber"],
];
const FLUXES: [&str; 4] =
    ["longwave_upward_flux", "longwave_downward_flux", "shortwave_upward_flux", "shortwave_downward_flux"];

/// Two columns whose surface and aerosol have a value for each of these bands, in this order.
fn columns(orders: &[Vec<usize>; 2]) -> Classic {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    let [longwave, shortwave] = orders;
    let by_band = |order: &[usize], first: f64, step: f64| {
        twice(&order.iter().map(|&band| first + step * band as f64).collect::<Vec<_>>())
    };
    let absorption = [0.01, 0.0, 0.003].map(|depth| by_band(longwave, depth, 0.1 * depth)).concat();
    let sizes = vec![
        ("column", 2),
        ("layer", 3),
        ("level", 4),
        ("longwave_band", longwave.len()),
        ("shortwave_band", shortwave.len()),
    ];
    Classic { dimensions: sizes, ..Classic::default() }
        .with("level_pressure", LEVEL, "Pa", &twice(&[1e5, 8e4, 4e4, 1e3]))
        .with("temperature", LAYER, "K", &twice(&[285.0, 260.0, 220.0]))
        .with("surface_temperature", COLUMN, "K", &[290.0, 285.0])
        .with("cosine_zenith", COLUMN, "1", &[0.7, 0.3])
        .with("h2o", LAYER, "1", &twice(&[0.01, 0.002, 1e-5]))
        .with("o3", LAYER, "1", &twice(&[3e-8, 5e-8, 1e-6]))
        .with("emissivity", &["longwave_band", "column"], "1", &by_band(longwave, 0.7, 0.015))
        .with("surface_albedo", &["shortwave_band", "column"], "1", &by_band(shortwave, 0.05, 0.06))
        .with("aerosol_absorption_longwave", &["layer", "longwave_band", "column"], "1", &absorption)
}

#[test]
fn bands_are_found_by_their_limits() {
    let Some(dir) = isobar_golden::find("rrtmgp") else { return };
    let path = |name: &str| PathBuf::from(&dir).join(name).to_str().unwrap().to_owned();
    let [longwave, shortwave] = [path("coeff/lw-g128.nc"), path("coeff/sw-g112.nc")];
    let options = ["--kdist", &longwave, "--kdist", &shortwave, "--assume-zero", "--precision", "f64"];
    let solve = |file: &Classic, more: &[&str]| {
        let case = Case::of("radiation", &file.bytes());
        case.solve(&[&options[..], more].concat());
        Numbers::open(&case.out())
    };
    let sorted = [16, 14].map(|bands| (0..bands).collect::<Vec<_>>());
    let expected = solve(&columns(&sorted), &["--bands"]);
    let limits = LIMITS.map(|names| names.map(|name| expected.all(name)));
    let with_limits = |orders: &[Vec<usize>; 2]| {
        let mut file = columns(orders);
        for wave in 0..2 {
            for (name, limits) in LIMITS[wave].into_iter().zip(&limits[wave]) {
                let values: Vec<f64> = orders[wave].iter().map(|&band| limits[band]).collect();
                file = file.with(name, &[WAVES[wave]], "cm-1", &values);
            }
        }
        file
    };
    // Downward, and in no order.
    let shuffled = [16, 14].map(|bands| (0..bands).map(|band| (5 * band + 3) % bands).collect::<Vec<_>>());
    for orders in [&sorted.clone().map(|order| order.into_iter().rev().collect()), &shuffled] {
        let found = solve(&with_limits(orders), &[]);
        for name in FLUXES {
            assert_eq!(found.all(name), expected.all(name), "{name} {orders:?}");
        }
    }
    let refused = |name: &'static str, value: f64, parts: &[&str]| {
        let mut file = with_limits(&shuffled);
        file.variable(name).values[2] = value;
        Case::of("radiation", &file.bytes()).refused(&options, parts);
    };
    let [low, high] = LIMITS[1].map(|name| with_limits(&shuffled).variable(name).values[2]);
    let text = format!("{} = {} and {} = {high} cm-1 at shortwave_band 2", LIMITS[1][0], 1.1 * low, LIMITS[1][1]);
    refused(LIMITS[1][0], 1.1 * low, &[&text, "are no band of the k-distribution, which has 820 to 2680, 2680 to"]);
    let mut twice = with_limits(&shuffled);
    for name in LIMITS[0] {
        let values = &mut twice.variable(name).values;
        values[7] = values[4];
    }
    Case::of("radiation", &twice.bytes()).refused(&options, &["at longwave_band 7, as at longwave_band 4"]);
    let mut one = with_limits(&sorted);
    one.variables.retain(|variable| variable.name != LIMITS[0][1]);
    let text = "longwave_band_upper_wavenumber is missing, and there is the other limit of the bands";
    Case::of("radiation", &one.bytes()).refused(&options, &[text]);
}
