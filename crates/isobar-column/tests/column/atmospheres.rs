//! Initial states against printed tables and hydrostatic balance.

use isobar_column::constants::{GAS_CONSTANT, GAS_RATIO};
use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::{humidity, rcemip, standard_atmosphere};

use crate::close;

/// Table I of the publication: geometric height \[m\], temperature \[K\], pressure \[Pa\], with the digits that it
/// prints.
const TABLE: [(f64, f64, f64); 8] = [
    (0.0, 288.150, 1.013_25e5),
    (1_000.0, 281.651, 8.9876e4),
    (5_000.0, 255.676, 5.4048e4),
    (10_000.0, 223.252, 2.6500e4),
    (15_000.0, 216.650, 1.2112e4),
    (30_000.0, 226.509, 1.1970e3),
    (50_000.0, 270.650, 7.9779e1),
    (70_000.0, 219.585, 5.2209),
];

#[test]
fn the_standard_atmosphere_is_that_of_the_tables() {
    for (height, temperature, pressure) in TABLE {
        let (got_temperature, got_pressure) = standard_atmosphere::state(height);
        // Half of the last digit printed: 0.0005 K, and 5 digits of pressure.
        assert!((got_temperature - temperature).abs() <= 5.1e-4, "{height} m: {got_temperature} K");
        close(got_pressure, pressure, 5.1e-5, "pressure");
        let (single, _) = standard_atmosphere::state(height as f32);
        assert!((f64::from(single) - temperature).abs() < 2e-3);
    }
}

/// Pressures at the ends of the pieces in geopotential height, as equations 33a and 33b are usually tabulated.
#[test]
fn pieces_meet_where_the_tables_have_them() {
    let geometric = |geopotential: f64| 6_356_766.0 * geopotential / (6_356_766.0 - geopotential);
    let ends = [
        (11e3, 22_632.06),
        (20e3, 5_474.889),
        (32e3, 868.0187),
        (47e3, 110.9063),
        (51e3, 66.938_87),
        (71e3, 3.956_420),
    ];
    for (geopotential, pressure) in ends {
        close(standard_atmosphere::state(geometric(geopotential)).1, pressure, 2e-7, "pressure");
    }
}

/// Roundings of powers and logarithms, a few 1e-15 of the pressure, grow by less than 10 in the temperature.
#[test]
fn pressures_have_the_temperature_of_their_height() {
    for step in 0..=172 {
        let (temperature, pressure) = standard_atmosphere::state(500.0 * f64::from(step));
        close(standard_atmosphere::temperature(pressure), temperature, 2e-14, "temperature");
    }
    let (_, single) = standard_atmosphere::state(40_000.0_f32);
    close(f64::from(standard_atmosphere::temperature(single)), standard_atmosphere::state(40_000.0).0, 1e-5, "f32");
}

#[test]
fn rcemip_has_the_numbers_of_the_paper() {
    for (sea, humidity) in [(295.0, 0.012), (300.0, 0.018_65), (305.0, 0.024)] {
        let air = rcemip::state(0.0, sea);
        close(air.temperature_k, sea, 1e-15, "temperature");
        close(air.humidity_kg_per_kg, humidity, 1e-15, "humidity");
        close(air.pressure_pa, 101_480.0, 1e-15, "pressure");
    }
    let air = rcemip::state(20_000.0, 300.0);
    // 300 (1 + 0.608 0.01865) - 0.0067 15000, and no water to speak of.
    close(air.temperature_k, 202.90176, 1e-12, "temperature of the stratosphere");
    assert_eq!(air.humidity_kg_per_kg, 1e-14);
    // The largest mole fraction of p^g2 exp(-p/g3) is at p = g2 g3.
    let peak = 0.83209 * 1135.15;
    assert!(rcemip::ozone(peak) > rcemip::ozone(1.01 * peak) && rcemip::ozone(peak) > rcemip::ozone(0.99 * peak));
    close(rcemip::ozone(100.0), 3.6478e-6 * isobar_core::Real::exp(-1.0 / 11.3515), 1e-14, "ozone at 1 hPa");
}

#[test]
fn rcemip_is_hydrostatic() {
    for sea in [295.0, 298.0, 305.0] {
        for height in [100.0, 3_000.0, 9_000.0, 14_990.0, 15_010.0, 30_000.0] {
            let step = 1.0;
            let [below, here, above] = [height - step, height, height + step].map(|z| rcemip::state(z, sea));
            let virtual_temperature = here.temperature_k * (1.0 + 0.608 * here.humidity_kg_per_kg);
            let weight = -9.797_64 / (287.04 * virtual_temperature);
            // The error of a central difference is (weight step)^2 / 6 = 3e-9, and roundings 1e-16 / (weight step) =
            // 1e-12.
            close((above.pressure_pa - below.pressure_pa) / (2.0 * step * here.pressure_pa), weight, 1e-8, "gradient");
        }
    }
}

#[test]
fn air_is_saturated_as_bolton_says() {
    // His table: 6.112, 12.27, 23.37, 42.43 hPa at 0, 10, 20 and 30 degrees; the fit is within 0.1 % there.
    for (celsius, hpa) in [(0.0, 6.112), (10.0, 12.27), (20.0, 23.37), (30.0, 42.43)] {
        close(humidity::saturation_pressure(273.15 + celsius), 100.0 * hpa, 1e-3, "saturation");
    }
    close(humidity::mixing_ratio(1_000.0, 101_000.0), GAS_RATIO * 0.01, 1e-14, "mixing ratio");
    let surface = humidity::mean_mixing_ratio(288.15, 101_325.0, 101_325.0);
    close(surface, humidity::mixing_ratio(0.77 * humidity::saturation_pressure(288.15), 101_325.0), 1e-14, "surface");
    assert_eq!(humidity::mean_mixing_ratio(220.0, 1_000.0, 1e5), 3e-6);
    // No mixing ratio without bound where water would boil.
    assert!(humidity::saturation_mixing_ratio(300.0, 1.0) <= GAS_RATIO);
}

#[test]
fn soundings_rise_and_fit_their_layers() {
    for kind in [Kind::StandardAtmosphere, Kind::Rcemip { sea_surface_k: 300.0 }] {
        let levels = heights(40, 30_000.0, 1.8);
        let air = Sounding::new(kind, &levels).unwrap();
        assert!(air.interface_pressure_pa.windows(2).all(|pair| pair[1] < pair[0]));
        for layer in 0..40 {
            let (below, above) = (air.interface_pressure_pa[layer], air.interface_pressure_pa[layer + 1]);
            assert!(above < air.pressure_pa[layer] && air.pressure_pa[layer] < below);
            assert!(air.vapour_kg_per_kg[layer] > 0.0 && air.ozone_mol_per_mol[layer] > 0.0);
            // Hydrostatic with our constants to a percent: the paper's differ a little, and the layer with the
            // tropopause is not thin.
            let warmth = air.temperature_k[layer] * (1.0 + 0.608 * air.vapour_kg_per_kg[layer]);
            let thickness = GAS_CONSTANT * warmth / 9.81 * isobar_core::Real::ln(below / above);
            close(thickness, levels[layer + 1] - levels[layer], 1e-2, "thickness");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let message = |kind, levels: &[f64]| Sounding::new(kind, levels).unwrap_err().to_string();
    let sea = Kind::Rcemip { sea_surface_k: 310.0 };
    assert_eq!(message(sea, &[0.0, 100.0]), "sea-surface temperature [K] is 310, which is not in [295, 305]");
    let standard = Kind::StandardAtmosphere;
    assert_eq!(message(standard, &[0.0, 100.0, 100.0]), "height 100 m of interface 2 does not lie above the one below");
    assert!(message(standard, &[0.0, f64::NAN]).contains("interface 1"));
    assert!(message(standard, &[10.0, 20.0]).starts_with("lowest height [m] is 10"));
    assert!(message(standard, &[0.0, 90_000.0]).contains("at most 86000"));
}
