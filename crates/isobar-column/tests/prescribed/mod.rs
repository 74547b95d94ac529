//! A whole model of what is prescribed, against closed forms.

#![allow(clippy::needless_range_loop, reason = "a column's number indexes several fields")]

use std::f64::consts::PI;

use isobar_column::constants::{GAS_CONSTANT, HEAT_CAPACITY, LATENT_HEAT, REFERENCE_PRESSURE, ROTATION};
use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::stages::{Advance, Budget, Diagnose, Forced, Forcing, PrescribedFlux, quantity as q};
use isobar_column::{Error, Fields, Initial, Pipeline, Quantity, Stage, State, Step, Table};
use isobar_core::Real;

use crate::{queue, small_column, values};

/// Tendencies of the boundary layer by one diffusivity of momentum over a ground without slip, and nothing else; none
/// at 0.
struct Diffusion(f64);

const TENDENCIES: [Quantity; 5] = [
    q::WIND_EAST_TENDENCY,
    q::WIND_NORTH_TENDENCY,
    q::POTENTIAL_TEMPERATURE_TENDENCY,
    q::VAPOUR_TENDENCY,
    q::TRACERS_TENDENCY,
];

impl Stage<f64> for Diffusion {
    fn name(&self) -> &str {
        "diffusion"
    }
    fn reads(&self) -> Vec<Quantity> {
        vec![q::WIND_EAST, q::WIND_NORTH, q::THICKNESS]
    }
    fn writes(&self) -> Vec<Quantity> {
        TENDENCIES.to_vec()
    }
    fn run(&mut self, fields: &mut Fields<'_, f64>, _step: &Step) -> Result<(), Error> {
        let (layers, columns) = (fields.layers(), fields.columns());
        let thickness = fields.read(q::THICKNESS)?;
        for (number, quantity) in TENDENCIES.into_iter().enumerate() {
            let wind = [q::WIND_EAST, q::WIND_NORTH].get(number).map(|&wind| fields.read(wind)).transpose()?;
            let tendency = fields.write(quantity)?;
            let Some(wind) = wind else {
                let items = tendency.items();
                (0..layers * items).for_each(|i| tendency.set(i / items, i % items, 0.0));
                continue;
            };
            for i in 0..layers * columns {
                let (layer, column) = (i / columns, i % columns);
                let size = |layer: usize| thickness.at(layer, column);
                let through = |below: usize| {
                    let distance = 0.5 * (size(below) + size(below + 1));
                    self.0 * (wind.at(below + 1, column) - wind.at(below, column)) / distance
                };
                let above = if layer + 1 < layers { through(layer) } else { 0.0 };
                let below = if layer > 0 { through(layer - 1) } else { self.0 * wind.at(0, column) / (0.5 * size(0)) };
                tendency.set(layer, column, (above - below) / size(layer));
            }
        }
        Ok(())
    }
}

/// Two columns at a latitude, with a wind; the lower one is moister.
fn start(latitude: f64, layers: usize, top: f64) -> Initial {
    let (theta, vapour) = (Table::constant(300.0), Table::constant(0.004));
    let kind = Kind::Profile { surface_pressure_pa: 1e5, theta_k: &theta, vapour_kg_per_kg: &vapour };
    let mut initial = Initial::from_sounding(&Sounding::new(kind, &heights(layers, top, 1.0)).unwrap(), 2);
    initial.latitude_deg.fill(latitude);
    initial.wind_east_m_per_s.fill(6.0);
    initial.wind_north_m_per_s.fill(-2.0);
    initial
}

/// Runs with forcing, and no mixing but that diffusion.
fn run(initial: &Initial, diffusivity: f64, tables: &[(Forced, Table)], (steps, step_s): (u64, f64)) -> State<f64> {
    let mut state = initial.state::<f64>(queue()).unwrap();
    let forcing = Forcing::new(&mut state, tables).unwrap();
    let advance = Advance::new(&state, &[]).unwrap();
    let pipeline = Pipeline::new().stage(Diagnose).stage(Diffusion(diffusivity)).stage(forcing).stage(advance);
    let mut pipeline = pipeline.stage(Budget);
    // The start's time of the day does not matter: tables are by the time since the start.
    let start_s = 5.0 * 3600.0;
    pipeline.start(&mut state, start_s).unwrap();
    for number in 0..steps {
        pipeline.step(&mut state, &Step::of_run(number, start_s, step_s)).unwrap();
    }
    assert_eq!(state.flags().unwrap(), [0, 0]);
    state
}

/// `x(t) = x(0) + integral of the rate`: each of 90 steps rounds a sum near 300, 6 or 0.004, by half of its last bit.
#[test]
fn advection_without_mixing_adds_rate_times_time() {
    let initial = start(0.0, 8, 800.0);
    // From 0 to 4e-4 K/s within 90 minutes: the middles of the steps sum to the integral.
    let warming = Table::new(vec![0.0, 5400.0], vec![0.0], vec![0.0, 4e-4]).unwrap();
    let tables = [
        (Forced::Temperature, warming),
        (Forced::Vapour, Table::constant(-2e-7)),
        (Forced::WindEast, Table::constant(1e-3)),
        (Forced::WindNorth, Table::constant(-5e-4)),
    ];
    let state = run(&initial, 0.0, &tables, (90, 60.0));
    let exner = values(&state, q::EXNER);
    let rows = [
        (q::POTENTIAL_TEMPERATURE, 300.0, 2e-4 * 5400.0),
        (q::VAPOUR, 0.004, -2e-7 * 5400.0),
        (q::WIND_EAST, 6.0, 1e-3 * 5400.0),
        (q::WIND_NORTH, -2.0, -5e-4 * 5400.0),
    ];
    for (quantity, before, change) in rows {
        for (i, got) in values(&state, quantity).into_iter().enumerate() {
            let change = if quantity == q::POTENTIAL_TEMPERATURE { change / exner[i] } else { change };
            let expected: f64 = before + change;
            let allowed = 90.0 * f64::EPSILON * expected.abs().max(before.abs());
            assert!((got - expected).abs() < allowed, "{quantity} {i}: {got} instead of {expected}");
        }
    }
    // What columns gained is what they hold more: sums of 8 layers in 90 steps.
    let more = |content, gained: Quantity| {
        let whole = run(&initial, 0.0, &tables, (0, 60.0));
        let (start, end, gained) = (values(&whole, content), values(&state, content), values(&state, gained));
        for column in 0..2 {
            let more = end[column] - start[column];
            assert!((more - gained[column]).abs() < 1e-14 * end[column] && more.abs() > 1e-4 * end[column], "{more}");
        }
    };
    more(q::ENTHALPY, q::HEAT_GAINED);
    more(q::WATER_CONTENT, q::WATER_GAINED);
}

/// Air that sinks by pressure is carried as by the upward velocity that this is: `w = omega dz / dp` of each layer.
#[test]
fn subsidence_by_pressure_is_that_of_its_velocity() {
    let mut initial = start(0.0, 8, 800.0);
    for (i, vapour) in initial.vapour_kg_per_kg.iter_mut().enumerate() {
        *vapour = 0.008 - 1e-4 * (i / 2).pow(2) as f64;
    }
    let omega = Table::new(vec![0.0], vec![0.0, 800.0], vec![0.0, 0.4]).unwrap();
    let by_pressure = run(&initial, 0.0, &[(Forced::PressureVelocity, omega.clone())], (1, 60.0));
    let (thickness, pressure) = (values(&by_pressure, q::THICKNESS), values(&by_pressure, q::INTERFACE_PRESSURE));
    let (mut bottom, mut middles, mut upward) = (0.0, vec![], vec![]);
    for layer in 0..8 {
        let place = 2 * layer;
        middles.push(bottom + 0.5 * thickness[place]);
        bottom += thickness[place];
        let given = omega.at_height(30.0, middles[layer]);
        upward.push(-given * thickness[place] / (pressure[place] - pressure[place + 2]));
    }
    let got = values(&by_pressure, q::VERTICAL_VELOCITY);
    for (i, got) in got.iter().enumerate() {
        // Four roundings.
        assert!((got - upward[i / 2]).abs() < 1e-14 * got.abs() && *got < 0.0, "{i}: {got}");
    }
    let as_such = Table::new(vec![0.0], middles, upward).unwrap();
    let as_such = run(&initial, 0.0, &[(Forced::VerticalVelocity, as_such)], (1, 60.0));
    let still = run(&initial, 0.0, &[(Forced::Temperature, Table::constant(0.0))], (1, 60.0));
    let [one, other, start] = [&by_pressure, &as_such, &still].map(|state| values(state, q::VAPOUR));
    for i in 0..14 {
        let (carried, expected) = (one[i] - start[i], other[i] - start[i]);
        // Roundings of a vapour near 0.008.
        assert!(carried < -1e-8 && (carried - expected).abs() < 1e-16, "{i}: {carried:e} {expected:e}");
    }
}

/// The wind turns around the geostrophic one as `exp(-i f t)`, whatever the start's wind was.
#[test]
fn wind_without_friction_turns_around_the_prescribed_geostrophic_wind() {
    let initial = start(40.0, 8, 800.0);
    let east = Table::new(vec![0.0], vec![0.0, 800.0], vec![10.0, 18.0]).unwrap();
    let tables = [(Forced::GeostrophicEast, east), (Forced::GeostrophicNorth, Table::constant(3.0))];
    let state = run(&initial, 0.0, &tables, (60, 120.0));
    let (u, v, thickness) = (values(&state, q::WIND_EAST), values(&state, q::WIND_NORTH), values(&state, q::THICKNESS));
    assert_eq!(values(&state, q::GEOSTROPHIC_NORTH), [3.0; 16]);
    let angle = 2.0 * ROTATION * Real::sin(40.0 * PI / 180.0) * 7200.0;
    let (sine, cosine) = (Real::sin(angle), Real::cos(angle));
    for column in 0..2 {
        let mut bottom = 0.0;
        for i in (column..16).step_by(2) {
            let geostrophic = 10.0 + 0.01 * (bottom + 0.5 * thickness[i]);
            bottom += thickness[i];
            let (from_u, from_v) = (6.0 - geostrophic, -2.0 - 3.0);
            let expected = [geostrophic + (cosine * from_u + sine * from_v), 3.0 + (cosine * from_v - sine * from_u)];
            // 60 turns of a wind near 10.
            for (got, expected) in [u[i], v[i]].into_iter().zip(expected) {
                assert!((got - expected).abs() < 60.0 * 4e-15, "{i}: {got} instead of {expected}");
            }
        }
    }
}

/// `u = G (1 - exp(-g z) cos(g z))`, `v = G exp(-g z) sin(g z)` with `g = sqrt(f / 2K)` is steady: after a quarter of
/// an inertial period it is still there, but for the second order of layers of 0.08 in units of `1/g`, at the ground
/// above all, and the first order of a step of 2e-3 in units of `1/f`.
#[test]
fn an_ekman_spiral_stays() {
    let (diffusivity, wind, latitude) = (4.0, 10.0, 43.29);
    let coriolis = 2.0 * ROTATION * Real::sin(latitude * PI / 180.0);
    let rate = Real::sqrt(0.5 * coriolis / diffusivity);
    let (layers, top) = (120, 2640.0);
    let mut initial = start(latitude, layers, top);
    for i in 0..2 * layers {
        let height = rate * top * ((i / 2) as f64 + 0.5) / layers as f64;
        let part = Real::exp(-height);
        initial.wind_east_m_per_s[i] = wind * (1.0 - part * Real::cos(height));
        initial.wind_north_m_per_s[i] = wind * part * Real::sin(height);
    }
    let tables = [(Forced::GeostrophicEast, Table::constant(wind)), (Forced::GeostrophicNorth, Table::constant(0.0))];
    let state = run(&initial, diffusivity, &tables, (785, 20.0));
    let (u, v) = (values(&state, q::WIND_EAST), values(&state, q::WIND_NORTH));
    let worst = |got: &[f64], expected: &[f64]| {
        got.iter().zip(expected).map(|(got, expected)| (got - expected).abs()).fold(0.0, f64::max)
    };
    let worst = worst(&u, &initial.wind_east_m_per_s).max(worst(&v, &initial.wind_north_m_per_s));
    println!("Ekman spiral: {worst} m/s of {wind}");
    assert!(worst < 0.002 * wind, "{worst}");
    // It is no spiral of another diffusivity: the test sees a tenth of it.
    let other = run(&initial, 1.1 * diffusivity, &tables, (785, 20.0));
    let other = values(&other, q::WIND_EAST).iter().zip(&u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(other > 0.01 * wind, "{other}");
}

/// With a whole boundary layer: what columns hold grows by the fluxes that are given times the time, and the ground
/// has the temperature that is given.
#[test]
fn columns_hold_what_given_fluxes_bring() {
    let series = |from: f64, to: f64| Table::new(vec![0.0, 7200.0], vec![0.0], vec![from, to]).unwrap();
    let fluxes = PrescribedFlux::Energy { sensible_w_per_m2: series(20.0, 180.0), latent_w_per_m2: series(10.0, 30.0) };
    let change = series(0.0, -3.0);
    let (mut state, mut pipeline) =
        small_column::prescribed::<f64>(queue(), (3, 14), 120.0, fluxes, change, &[]).unwrap();
    pipeline.start(&mut state, 0.0).unwrap();
    let contents = |state: &State<f64>| [q::ENTHALPY, q::WATER_CONTENT].map(|quantity| values(state, quantity));
    let before = contents(&state);
    for number in 0..60 {
        pipeline.step(&mut state, &Step::of_run(number, 0.0, 120.0)).unwrap();
    }
    let after = contents(&state);
    let pressure = values(&state, q::SURFACE_PRESSURE);
    for column in 0..3 {
        // Heat at the surface, in potential enthalpy.
        let exner = Real::powf(pressure[column] / REFERENCE_PRESSURE, GAS_CONSTANT / HEAT_CAPACITY);
        let brought = [100.0 * 7200.0 / exner, 20.0 * 7200.0 / LATENT_HEAT];
        for which in 0..2 {
            let error = after[which][column] - before[which][column] - brought[which];
            // As of budgets that close.
            assert!(error.abs() < 2e-14 * after[which][column], "{which}, column {column}: {error:e}");
            assert!(brought[which] > 1e-4 * after[which][column]);
        }
    }
    // The last step's middle, and its end.
    let last = 20.0 + 160.0 * 7140.0 / 7200.0;
    let heat = values(&state, q::SENSIBLE_HEAT_FLUX);
    assert!(heat.iter().all(|heat| (heat - last).abs() < 1e-13), "{heat:?}");
    let ground = values(&state, q::GROUND_MEAN).iter().map(|mean| mean - 3.0).collect::<Vec<_>>();
    assert_eq!(values(&state, q::SURFACE_TEMPERATURE), ground);
    assert!(values(&state, q::FRICTION_VELOCITY).iter().all(|friction| (0.1..1.0).contains(friction)));
}

/// A column knows of no other.
#[test]
fn columns_in_another_order_have_the_same_bits() {
    let bits = |turned: bool| -> Vec<(Quantity, Vec<u64>)> {
        let columns = 5;
        let (mut state, mut pipeline) =
            small_column::all_prescribed::<f64>(queue(), (columns, 10), 120.0, true).unwrap();
        let turn =
            |values: &[f64]| -> Vec<f64> { values.chunks(columns).flat_map(|row| row.iter().rev().copied()).collect() };
        let quantities: Vec<Quantity> = state.quantities().collect();
        for &quantity in quantities.iter().filter(|_| turned) {
            let values = turn(&values(&state, quantity));
            state.insert(quantity, &values).unwrap();
        }
        for number in 0..10 {
            pipeline.step(&mut state, &Step::of_run(number, 0.0, 120.0)).unwrap();
        }
        let quantities: Vec<Quantity> = state.quantities().collect();
        let back = |quantity| if turned { turn(&values(&state, quantity)) } else { values(&state, quantity) };
        let bits = |quantity| (quantity, back(quantity).iter().map(|value| value.to_bits()).collect());
        quantities.into_iter().map(bits).collect()
    };
    assert!(bits(false) == bits(true));
}
