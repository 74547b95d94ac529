//! What is known without the scheme: the law of neutral air, integrals of gradients, fluxes by their definitions.

use isobar_core::Real;
use isobar_surface::{Columns, Options, analytic, corrections};

use crate::case::run;

/// One column of neutral air over land: as warm as the surface in potential temperature, as moist.
fn neutral(wind: f64, roughness: f64) -> Columns<f64> {
    let mut columns = analytic::columns::<f64>(1);
    columns.land_or_water = vec![1.0];
    (columns.u_m_per_s, columns.v_m_per_s) = (vec![wind], vec![0.0]);
    (columns.surface_pressure_pa, columns.pressure_pa) = (vec![1e5], vec![99_700.0]);
    columns.surface_temperature_k = vec![290.0];
    columns.temperature_k = vec![290.0 * Real::powf(0.997_f64, 2.0 / 7.0)];
    (columns.vapour_kg_per_kg, columns.surface_vapour_kg_per_kg) = (vec![0.008], vec![0.008]);
    (columns.sensible_heat_flux_w_per_m2, columns.moisture_flux_kg_per_m2_s) = (vec![0.0], vec![0.0]);
    (columns.thickness_m, columns.roughness_m) = (vec![40.0], vec![roughness]);
    // What makes air at most neutral, whatever is left of a difference.
    columns.temperature_scale_k = vec![-1e-9];
    columns
}

#[test]
fn neutral_air_has_the_logarithmic_law() {
    for (wind, roughness) in [(3.0, 0.01), (12.0, 0.5), (30.0, 2.0)] {
        let mut columns = neutral(wind, roughness);
        // Steps halve the distance to the friction velocity that stays.
        for _ in 0..60 {
            let results = run::<f64>(&columns, &Options::default());
            columns.friction_velocity_m_per_s = results.friction_velocity_m_per_s;
        }
        let results = run::<f64>(&columns, &Options::default());
        let profile = Real::ln((20.0 + roughness) / roughness);
        assert!((results.friction_velocity_m_per_s[0] / (0.4 * wind / profile) - 1.0).abs() < 1e-9);
        let at_10m = Real::ln((10.0 + roughness) / roughness) / profile;
        assert!((results.u_10m_m_per_s[0] / (wind * at_10m) - 1.0).abs() < 1e-9);
        let drag = 0.4 / profile;
        assert!((results.drag_coefficient[0] / (drag * drag) - 1.0).abs() < 1e-9);
        assert!(results.richardson[0].abs() < 1e-12 && results.sensible_heat_flux_w_per_m2[0].abs() < 1e-9);
    }
}

/// The correction of stable momentum is the integral of `(1 - phi) / z` of Cheng and Brutsaert's gradient,
/// `phi = 1 + a (z + z^b (1 + z^b)^(1/b - 1)) / (z + (1 + z^b)^(1/b))`.
#[test]
fn stable_corrections_are_integrals_of_gradients() {
    let table = corrections::<f64>();
    for (quantity, a, b) in [(0, 6.1, 2.5), (1, 5.3, 1.1)] {
        let phi_less_1_by_z = |z: f64| {
            let power = Real::powf(z, b);
            let sum = Real::powf(1.0 + power, 1.0 / b);
            a * (1.0 + power / z * sum / (1.0 + power)) / (z + sum)
        };
        for node in [1, 10, 100, 700] {
            let end = 0.01 * node as f64;
            // In z^(1/2), in which the integrand is smooth at 0.
            let steps = 4000;
            let width = Real::sqrt(end) / f64::from(steps);
            let integral: f64 = (0..steps)
                .map(|i| {
                    let root = width * (f64::from(i) + 0.5);
                    phi_less_1_by_z(root * root) * 2.0 * root * width
                })
                .sum();
            let correction = table[4 * node + quantity];
            assert!(
                (correction + integral).abs() < 2e-5 * integral.abs(),
                "{node} {quantity}: {correction} {integral}"
            );
        }
    }
}

/// Near neutral air those of unstable air are the integrals of Kansas: `phi = (1 - 16 z)^(-1/4)` and its square.
#[test]
fn slightly_unstable_corrections_are_those_of_kansas() {
    let table = corrections::<f64>();
    for (quantity, power) in [(0, -0.25), (1, -0.5)] {
        let end = 0.01;
        let steps = 2000;
        let integral: f64 = (0..steps)
            .map(|i| {
                let z = end * (f64::from(i) + 0.5) / f64::from(steps);
                (1.0 - Real::powf(1.0 + 16.0 * z, power)) / z * end / f64::from(steps)
            })
            .sum();
        let correction = table[4 * (999 + 1) + quantity];
        // The share of free convection is z^2.
        assert!((correction / integral - 1.0).abs() < 2e-4, "{correction} {integral}");
    }
}

/// What the ground gives is what the exchange coefficients and the differences say.
#[test]
fn fluxes_are_exchange_times_difference() {
    let columns = analytic::columns::<f64>(300);
    let results = run::<f64>(&columns, &Options::default());
    for i in 0..300 {
        let theta = |temperature: f64, pressure: f64| temperature * Real::powf(1e5 / pressure, 287.0 / 1004.5);
        let colder = theta(columns.surface_temperature_k[i], columns.surface_pressure_pa[i])
            - theta(columns.temperature_k[i], columns.pressure_pa[i]);
        let heat = results.exchange_heat_w_per_m2_k[i] * colder;
        assert!((results.sensible_heat_flux_w_per_m2[i] - heat).abs() < 1e-8 * (1.0 + heat.abs()));
        let drier = results.surface_vapour_kg_per_kg[i] - columns.vapour_kg_per_kg[i];
        let moisture = results.exchange_moisture_kg_per_m2_s[i] * drier;
        assert!((results.moisture_flux_kg_per_m2_s[i] - moisture).abs() <= 1e-13 * moisture.abs());
        // Heat goes from warm to cold, and the surface drags.
        assert!(results.sensible_heat_flux_w_per_m2[i] * colder >= 0.0);
        assert!(results.profile_momentum[i] > 0.0 && results.profile_heat[i] > 0.0);
        assert!(results.drag_coefficient[i] > 0.0 && results.exchange_m_per_s[i] > 0.0);
        // Between surface and air.
        let ends = [theta(columns.surface_temperature_k[i], columns.surface_pressure_pa[i]), 0.0];
        let ends = [ends[0], ends[0] - colder];
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        assert!(results.theta_2m_k[i] >= low - 1e-9 && results.theta_2m_k[i] <= high + 1e-9, "column {i}");
        let regime = results.regime[i];
        let expected = [(1, results.richardson[i] > 0.0), (4, results.richardson[i] < 0.0)];
        assert!(expected.contains(&(regime, true)) || (regime == 3 && results.richardson[i] == 0.0));
    }
}

/// Air that was unstable is at most neutral in the next step, and stable only then.
#[test]
fn stable_air_after_unstable_air_is_neutral_for_a_step() {
    let mut columns = neutral(4.0, 0.1);
    columns.temperature_k[0] += 2.0;
    columns.temperature_scale_k = vec![-0.1];
    let first = run::<f64>(&columns, &Options::default());
    assert_eq!((first.regime[0], first.richardson[0], first.stability[0]), (3, 0.0, 0.0));
    columns.temperature_scale_k = first.temperature_scale_k;
    let second = run::<f64>(&columns, &Options::default());
    assert!(second.regime[0] == 1 && second.richardson[0] > 0.0 && second.stability[0] > 0.0);
}
