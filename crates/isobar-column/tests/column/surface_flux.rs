//! Fluxes through the surface layer against limits with an analytic answer.

use isobar_column::constants::{GAS_CONSTANT, HEAT_CAPACITY, KARMAN, VIRTUAL};
use isobar_column::humidity::saturation_mixing_ratio;
use isobar_column::surface_flux::{Given, SurfaceFlux};
use isobar_core::{Column, Field, FieldMut, Real, Status};
use isobar_ysu::similarity::SurfaceLayer;

use crate::{close, run};

const COLUMNS: usize = 1;

/// Ground temperature, wind, height of the boundary layer, sensible heat of the step before.
#[derive(Clone, Copy)]
struct Case {
    ground: f64,
    wind: f64,
    height: f64,
    heat_before: f64,
    availability: f64,
    roughness_heat: f64,
    pressure: f64,
    given: Given<f64>,
}

const CALM: Case = Case {
    ground: 300.0,
    wind: 5.0,
    height: 0.0,
    heat_before: 0.0,
    availability: 0.0,
    roughness_heat: ROUGHNESS,
    pressure: 1e5,
    given: Given::NONE,
};
const ROUGHNESS: f64 = 0.1;
const THICKNESS: f64 = 40.0;

/// Friction velocity, psim, psih, wind speed, Richardson number, exchange of heat and of moisture, 10 m winds, heat,
/// moisture.
fn flux(case: Case) -> [f64; 11] {
    let [most @ .., _] = with_potential(case);
    most
}

/// The same, and the flux of potential enthalpy.
fn with_potential(case: Case) -> [f64; 12] {
    let column = |x: f64| vec![x; COLUMNS];
    let (u, v) = (column(case.wind), column(0.0));
    let (theta, vapour, thickness) = (column(300.0), column(0.0), column(THICKNESS));
    let pressure = column(case.pressure);
    let (ground, roughness, roughness_heat) = (column(case.ground), column(ROUGHNESS), column(case.roughness_heat));
    let (availability, height) = (column(case.availability), column(case.height));
    let mut out = vec![0.0; 12 * COLUMNS];
    out[11] = case.heat_before;
    let field = |values: &'static [f64]| Field::item_fastest(values, 1, COLUMNS);
    let leak = |values: Vec<f64>| -> &'static [f64] { values.leak() };
    let mut parts = out.chunks_mut(COLUMNS).map(|part| FieldMut::item_fastest(part, 1, COLUMNS));
    let mut next = || parts.next().unwrap();
    let kernel = SurfaceFlux {
        given: case.given,
        u_m_per_s: field(leak(u)),
        v_m_per_s: field(leak(v)),
        theta_k: field(leak(theta)),
        vapour_kg_per_kg: field(leak(vapour)),
        thickness_m: field(leak(thickness)),
        interface_pressure_pa: field(leak(pressure)),
        surface_temperature_k: Column::from(leak(ground)),
        roughness_m: Column::from(leak(roughness)),
        roughness_heat_m: Column::from(leak(roughness_heat)),
        moisture_availability: Column::from(leak(availability)),
        boundary_layer_height_m: Column::from(leak(height)),
        friction_velocity_m_per_s: next(),
        profile_momentum: next(),
        profile_heat: next(),
        wind_speed_m_per_s: next(),
        richardson: next(),
        exchange_heat_w_per_m2_k: next(),
        exchange_moisture_kg_per_m2_s: next(),
        u_10m_m_per_s: next(),
        v_10m_m_per_s: next(),
        sensible_heat_flux_w_per_m2: next(),
        moisture_flux_kg_per_m2_s: next(),
        potential_heat_flux_w_per_m2: next(),
    };
    assert_eq!(run(&kernel), [Status::OK]);
    out.try_into().unwrap()
}

#[test]
fn without_a_difference_the_wind_is_logarithmic_and_no_heat_flows() {
    let [friction, momentum, heat, speed, richardson, exchange, moist, u_10m, v_10m, flux, moisture] = flux(CALM);
    let logarithm = Real::ln(1.0 + 0.5 * THICKNESS / ROUGHNESS);
    close(momentum, logarithm, 1e-14, "psim");
    close(heat, logarithm, 1e-14, "psih");
    close(friction, KARMAN * 5.0 / logarithm, 1e-14, "friction velocity");
    close(u_10m, 5.0 * Real::ln(1.0 + 10.0 / ROUGHNESS) / logarithm, 1e-14, "10 m wind");
    let conductance = 1e5 / (GAS_CONSTANT * 300.0) * KARMAN * friction / heat;
    close(exchange, HEAT_CAPACITY * conductance, 1e-14, "exchange of heat");
    assert_eq!((speed, richardson, v_10m, flux, moist, moisture), (5.0, 0.0, 0.0, 0.0, 0.0, 0.0));
}

#[test]
fn the_fluxes_are_those_of_the_formula() {
    for ground in [290.0, 296.0, 301.0, 310.0, 330.0] {
        let case = Case { ground, availability: 0.4, ..CALM };
        let [friction, _, heat, _, richardson, exchange, moist, _, _, sensible, moisture] = flux(case);
        close(moist, 0.4 * exchange / HEAT_CAPACITY, 1e-14, "exchange of moisture");
        let density = 1e5 / (GAS_CONSTANT * 300.0);
        close(sensible, HEAT_CAPACITY * density * KARMAN * friction * (ground - 300.0) / heat, 1e-13, "heat");
        let deficit = 0.4 * saturation_mixing_ratio(ground, 1e5);
        close(moisture, density * KARMAN * friction * deficit / heat, 1e-13, "moisture");
        let layer = SurfaceLayer { height_m: 0.5 * THICKNESS, roughness_m: ROUGHNESS, roughness_heat_m: ROUGHNESS };
        let bulk = 9.81 * layer.height_m * (300.0 - ground * (1.0 + VIRTUAL * deficit)) / (300.0 * 25.0);
        // Where the limit of stability is not reached, the profiles have the bulk number.
        if bulk < 0.15 {
            close(richardson, bulk, 1e-10, "Richardson number");
        }
    }
}

#[test]
fn stable_air_exchanges_little_and_unstable_air_much() {
    let transfer = |ground: f64| {
        let [friction, _, heat, ..] = flux(Case { ground, ..CALM });
        friction / heat
    };
    let grounds = [280.0, 295.0, 299.0, 300.0, 301.0, 305.0, 330.0];
    assert!(grounds.windows(2).all(|pair| transfer(pair[0]) < transfer(pair[1])));
    // So stable that the limit of z/L holds: still some friction, and heat downward.
    let [friction, .., sensible, _] = flux(Case { ground: 250.0, wind: 0.0, ..CALM });
    assert!((0.0..0.01).contains(&friction) && sensible < 0.0 && sensible > -5.0);
}

#[test]
fn free_convection_has_gusts() {
    let still = Case { ground: 310.0, wind: 0.0, height: 1000.0, heat_before: 200.0, ..CALM };
    let [_, _, _, speed, ..] = flux(still);
    // (g/theta H/(rho cp) h)^(1/3)
    let density = 1e5 / (GAS_CONSTANT * 300.0);
    close(speed, Real::cbrt(9.81 / 300.0 * 200.0 / (density * HEAT_CAPACITY) * 1000.0), 1e-14, "w*");
    // Heat that goes down makes none.
    let [_, _, _, speed, ..] = flux(Case { heat_before: -50.0, ..still });
    close(speed, 0.1, 1e-15, "least wind");
}

/// A roughness length of heat changes `psih` by `ln(z0 / z0h)` where nothing is stable or unstable, and heat with it.
#[test]
fn heat_has_a_roughness_length_of_its_own() {
    let [friction, momentum, heat, _, _, exchange, ..] = flux(Case { roughness_heat: 0.01, ..CALM });
    let logarithm = Real::ln(1.0 + 0.5 * THICKNESS / ROUGHNESS);
    close(momentum, logarithm, 1e-14, "psim");
    close(heat, logarithm + Real::ln(10.0), 1e-14, "psih");
    let conductance = 1e5 / (GAS_CONSTANT * 300.0) * KARMAN * friction / heat;
    close(exchange, HEAT_CAPACITY * conductance, 1e-14, "exchange of heat");
    // In stable and unstable air, the bulk number is found again.
    for ground in [298.0, 304.0] {
        let [friction, _, heat, _, richardson, .., sensible, _] =
            flux(Case { ground, roughness_heat: 0.01, availability: 0.0, ..CALM });
        close(richardson, 9.81 * 20.0 * (300.0 - ground) / (300.0 * 25.0), 1e-10, "Richardson number");
        let density = 1e5 / (GAS_CONSTANT * 300.0);
        close(sensible, HEAT_CAPACITY * density * KARMAN * friction * (ground - 300.0) / heat, 1e-13, "heat");
    }
}

/// `zeta = -k g z F / (theta u*^3)` and `u* = k U / psim(zeta)`: both hold of what comes out, for dry air, which has
/// one temperature. The ground's has no effect.
#[test]
fn given_fluxes_are_those_and_make_the_friction() {
    let density = 1e5 / (GAS_CONSTANT * 300.0);
    let layer = SurfaceLayer { height_m: 0.5 * THICKNESS, roughness_m: ROUGHNESS, roughness_heat_m: ROUGHNESS };
    for heat in [-15.0, 5.0, 200.0] {
        let given = Given { kind: 1, heat, moisture: 0.0 };
        let [friction, momentum, psih, _, richardson, exchange, moist, _, _, sensible, moisture] =
            flux(Case { given, heat_before: 77.0, ..CALM });
        assert_eq!((sensible, moisture, exchange, moist), (heat, 0.0, 0.0, 0.0));
        let zeta = richardson * momentum * momentum / psih;
        let kinematic = heat / (density * HEAT_CAPACITY);
        let cube = friction * friction * friction;
        // The halvings end at the last bit of zeta, of which psim makes some.
        close(zeta, -KARMAN * 9.81 * layer.height_m * kinematic / (300.0 * cube), 1e-11, "zeta");
        close(friction, KARMAN * 5.0 / layer.momentum(zeta), 1e-12, "friction velocity");
        let warm = flux(Case { given, ground: 320.0, roughness_heat: ROUGHNESS, ..CALM });
        assert_eq!(warm[..4], flux(Case { given, ..CALM })[..4]);
        let kinematic = Given { kind: 2, heat: kinematic, moisture: 1e-5 };
        let [.., sensible, moisture] = flux(Case { given: kinematic, ..CALM });
        close(sensible, heat, 1e-15, "kinematic heat");
        close(moisture, density * 1e-5, 1e-15, "kinematic moisture");
    }
    // The gusts are those of the flux itself.
    let given = Given { kind: 1, heat: 200.0, moisture: 0.0 };
    let [_, _, _, speed, ..] = flux(Case { given, wind: 0.0, height: 1000.0, ..CALM });
    close(speed, Real::cbrt(9.81 / 300.0 * 200.0 / (density * HEAT_CAPACITY) * 1000.0), 1e-14, "w*");
}

/// In the mountains: air gets `rho cp Pi w'theta'` as heat, for its temperature is `Pi theta`. What is given is heat,
/// or kinematic of potential temperature.
#[test]
fn heat_is_the_exner_function_times_potential_enthalpy() {
    let pressure = 6.5e4;
    let exner = Real::powf(0.65, GAS_CONSTANT / HEAT_CAPACITY);
    let air = exner * 300.0;
    let density = pressure / (GAS_CONSTANT * air);
    let case = Case { pressure, ground: air + 4.0, ..CALM };
    let [friction, _, psih, .., heat, _, potential] = with_potential(case);
    // A difference of 4 K between temperatures at one pressure.
    close(heat, HEAT_CAPACITY * density * KARMAN * friction * 4.0 / psih, 1e-12, "heat");
    close(potential, heat / exner, 1e-15, "potential enthalpy");
    let given = |kind, heat| with_potential(Case { given: Given { kind, heat, moisture: 0.0 }, ..case });
    let [.., heat, _, potential] = given(1, 200.0);
    close(heat, 200.0, 1e-15, "given heat");
    close(potential, 200.0 / exner, 1e-15, "its potential enthalpy");
    let [.., heat, _, potential] = given(2, 0.1);
    close(potential, 0.1 * density * HEAT_CAPACITY, 1e-15, "kinematic potential enthalpy");
    close(heat, exner * potential, 1e-15, "its heat");
}
