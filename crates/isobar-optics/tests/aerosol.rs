//! Optics of aerosols from small tables. Those of RRTMGP's own are tested with `isobar-radiation`, by fluxes.

use isobar_optics::{AerosolKind, AerosolTable, AerosolTables, relative_humidity};

const BANDS: usize = 2;

/// Numbers that say where they are from: `100 band + 10 bin + humidity`, with a sign of the type.
fn table(bins: usize, humidities: usize, kind: f64) -> AerosolTable {
    let places = (0..BANDS).flat_map(|band| (0..bins).map(move |bin| (band, bin)));
    let values = places.flat_map(|(band, bin)| (0..humidities).map(move |humidity| (band, bin, humidity)));
    let extinction: Vec<f64> =
        values.map(|(band, bin, humidity)| kind + (100 * band + 10 * bin + humidity) as f64).collect();
    let albedo = extinction.iter().map(|value| 1e-4 * value).collect();
    let asymmetry = extinction.iter().map(|value| -1e-4 * value).collect();
    AerosolTable { extinction, albedo, asymmetry }
}

fn tables() -> AerosolTables {
    AerosolTables {
        bands: vec![[10.0, 500.0], [500.0, 1000.0]],
        bins_um: vec![[0.1, 1.0], [1.0, 2.0], [2.0, 5.0]],
        humidity: vec![0.1, 0.5, 0.6, 0.9],
        dust: table(3, 1, 1000.0),
        salt: table(3, 4, 2000.0),
        sulfate: table(1, 4, 3000.0),
        black_carbon: table(1, 1, 4000.0),
        black_carbon_wet: table(1, 4, 5000.0),
        organic_carbon: table(1, 1, 6000.0),
        organic_carbon_wet: table(1, 4, 7000.0),
    }
}

/// Extinction per mass in the two bands; albedo and asymmetry have to be from the same place.
fn extinction(kind: AerosolKind, humidity: f64) -> [f64; BANDS] {
    let found = tables().properties(kind, 0.5, humidity).unwrap();
    let each = |[depth, albedo, asymmetry]: [f64; 3]| {
        let extinction = depth / 0.5;
        assert!((albedo - 1e-4 * extinction).abs() < 1e-12 && (asymmetry + albedo).abs() < 1e-12);
        extinction
    };
    [each(found[0]), each(found[1])]
}

fn close(found: [f64; BANDS], expected: f64) {
    // A few roundings of numbers up to 1e4.
    assert!((found[0] - expected).abs() < 1e-11, "{found:?} {expected}");
    assert!((found[1] - (expected + 100.0)).abs() < 1e-11, "{found:?} {expected}");
}

#[test]
fn each_type_has_its_table() {
    use AerosolKind::*;
    for (kind, expected) in [
        (Dust(3.0), 1020.0),
        (Salt(3.0), 2021.5),
        (Sulfate, 3001.5),
        (BlackCarbon, 4000.0),
        (BlackCarbonWet, 5001.5),
        (OrganicCarbon, 6000.0),
        (OrganicCarbonWet, 7001.5),
    ] {
        close(extinction(kind, 0.55), expected);
    }
}

#[test]
fn humidity_is_interpolated_within_the_table() {
    for (humidity, expected) in
        [(0.0, 0.0), (0.1, 0.0), (0.2, 0.25), (0.5, 1.0), (0.6, 2.0), (0.675, 2.25), (0.9, 3.0), (1.0, 3.0), (1.3, 3.0)]
    {
        close(extinction(AerosolKind::Sulfate, humidity), 3000.0 + expected);
    }
}

#[test]
fn sizes_are_those_of_bins() {
    // On a limit it is the bin of larger particles.
    for (radius, bin) in [(0.1, 0.0), (0.9, 0.0), (1.0, 1.0), (2.0, 2.0), (5.0, 2.0)] {
        close(extinction(AerosolKind::Dust(radius), 0.3), 1000.0 + 10.0 * bin);
    }
}

#[test]
fn what_is_not_valid_is_named() {
    use AerosolKind::*;
    for (kind, mass, humidity, named) in [
        (Dust(0.09), 1.0, 0.5, "radius of 0.09"),
        (Salt(f64::NAN), 1.0, 0.5, "radius of NaN"),
        (Sulfate, -1.0, 0.5, "mass of -1"),
        (Sulfate, f64::INFINITY, 0.5, "mass of inf"),
        (Sulfate, 1.0, -0.1, "humidity of -0.1"),
        (Salt(1.0), 1.0, f64::NAN, "humidity of NaN"),
    ] {
        let message = tables().properties(kind, mass, humidity).unwrap_err().to_string();
        assert!(message.contains(named), "{message}");
    }
    // Particles that do not take up water do not ask.
    assert!(tables().properties(BlackCarbon, 1.0, f64::NAN).is_ok());
}

/// At the triple point air is saturated at 611.66 Pa. The formula takes specific humidity over 0.622 for the part of
/// vapour in the pressure, which is 0.2 % more of it here, and has 611.2 Pa, 0.1 % less.
#[test]
fn humidity_of_air() {
    let pressure = 1e5;
    let saturated = 611.66 / (pressure - 611.66);
    assert!((relative_humidity(pressure, 273.16, saturated) - 1.0).abs() < 5e-3);
    // Saturation is 2.0 times as much 10 K above it.
    let warmer = relative_humidity(pressure, 283.16, saturated);
    assert!((0.48..0.52).contains(&warmer), "{warmer}");
    // Dry air has the least that RRTMGP takes.
    assert!(relative_humidity(pressure, 273.16, 0.0) > 0.0);
}
