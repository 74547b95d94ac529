//! What is prescribed by time and height: tables, subsidence and advective tendencies against closed forms.

#![allow(clippy::needless_range_loop, reason = "a layer's number indexes several fields")]

use isobar_column::Table;
use isobar_column::constants::{GRAVITY, HEAT_CAPACITY};
use isobar_column::forcing::{Force, Prescribe, Rise};
use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_core::{Column, Field, FieldMut, Real, Status};

use crate::{close, run};

#[test]
fn values_are_those_of_the_nodes_and_linear_between() {
    let table = Table::new(vec![0.0, 10.0, 30.0], vec![5.0, 15.0], vec![1.0, 2.0, 3.0, 6.0, -1.0, 0.0]).unwrap();
    assert_eq!((table.at(0.0), table.at(10.0), table.at(30.0)), (1.0, 3.0, -1.0));
    assert_eq!((table.at(5.0), table.at(20.0), table.at_height(10.0, 10.0)), (2.0, 1.0, 4.5));
    // Beyond the first and the last they stay.
    assert_eq!((table.at(-5.0), table.at(1e9), table.at_height(0.0, 1e9)), (1.0, -1.0, 2.0));
    assert_eq!(Table::constant(4.0).at_height(7.0, 8.0), 4.0);
}

/// Before a jump the first of two nodes counts, from it on the second one: in time, in height, and in both.
#[test]
fn values_jump_where_a_node_stands_twice() {
    let table = Table::new(vec![0.0, 10.0, 10.0, 20.0], vec![0.0], vec![1.0, 3.0, 7.0, 9.0]).unwrap();
    // The last time before 10: 3 less 2 / 10 of what is left, to a few roundings.
    let before = 10.0 - 8.0 * f64::EPSILON;
    assert!((table.at(before) - 3.0).abs() < 1e-14 && table.at(5.0) == 2.0, "{}", table.at(before));
    assert_eq!((table.at(10.0), table.at(15.0), table.at(20.0), table.at(99.0)), (7.0, 8.0, 9.0, 9.0));
    // At the start and at the end there is nothing before or after it.
    let ends = Table::new(vec![0.0, 0.0, 5.0, 5.0], vec![0.0], vec![1.0, 2.0, 4.0, 8.0]).unwrap();
    assert_eq!((ends.at(0.0), ends.at(2.5), ends.at(5.0)), (2.0, 3.0, 8.0));
    let both = Table::new(vec![0.0, 60.0], vec![0.0, 50.0, 50.0], vec![1.0, 1.0, 5.0, 3.0, 3.0, 9.0]).unwrap();
    assert_eq!((both.at_height(30.0, 49.0), both.at_height(30.0, 50.0)), (2.0, 7.0));
}

/// A hydrostatic layer: `w = omega dz / dp`, upward where the pressure of moving air falls.
#[test]
fn air_whose_pressure_rises_sinks() {
    let [thickness, _] = layers();
    let all = LAYERS * COLUMNS;
    let pressure: Vec<f64> = (0..all + COLUMNS).map(|i| 1e5 - 120.0 * (i / COLUMNS) as f64 - i as f64).collect();
    let omega: Vec<f64> = (0..all).map(|i| 0.1 - 0.03 * i as f64).collect();
    let mut velocity = vec![f64::NAN; all];
    let kernel = Rise {
        thickness_m: field(&thickness),
        interface_pressure_pa: field(&pressure),
        pressure_velocity_pa_per_s: field(&omega),
        vertical_velocity_m_per_s: FieldMut::item_fastest(&mut velocity, LAYERS, COLUMNS),
    };
    assert_eq!(run(&kernel), [Status::OK; COLUMNS]);
    for i in 0..all {
        // 120 Pa from level to level, and 2 more for the two columns in between.
        let density_times_gravity = (120.0 + 2.0) / thickness[i];
        close(velocity[i], -omega[i] / density_times_gravity, 1e-12, "velocity");
    }
}

#[test]
fn what_is_no_table_is_refused() {
    let message = |times: &[f64], heights: &[f64], values: &[f64]| {
        Table::new(times.to_vec(), heights.to_vec(), values.to_vec()).unwrap_err().to_string()
    };
    let jumps = "or to be the same twice where the values jump";
    let falls = format!("time 2 is -1, and times have to rise, {jumps}");
    assert_eq!(message(&[0.0, -1.0], &[0.0], &[1.0; 2]), falls);
    let thrice = format!("time 4 is 2, and times have to rise, {jumps}");
    assert_eq!(message(&[0.0, 2.0, 2.0, 2.0], &[0.0], &[1.0; 4]), thrice);
    let no_number = format!("height 2 is NaN, and heights have to rise, {jumps}");
    assert_eq!(message(&[0.0], &[1.0, f64::NAN], &[1.0; 2]), no_number);
    let size = "3 values instead of 4, one for each of 2 times and 2 heights";
    assert_eq!(message(&[0.0, 1.0], &[0.0, 1.0], &[1.0; 3]), size);
    assert_eq!(message(&[], &[0.0], &[]), "0 values instead of 1, one for each of 0 times and 1 heights");
    assert_eq!(message(&[0.0], &[0.0], &[f64::INFINITY]), "value 1 is inf, which is not finite");
}

const LAYERS: usize = 6;
const COLUMNS: usize = 2;

fn field(values: &[f64]) -> Field<'_, f64> {
    Field::item_fastest(values, values.len() / COLUMNS, COLUMNS)
}

/// Thickness of layers that differ, and their middles.
fn layers() -> [Vec<f64>; 2] {
    let thickness: Vec<f64> = (0..LAYERS * COLUMNS).map(|i| 10.0 + (i * i % 7) as f64).collect();
    let mut middles = thickness.clone();
    for column in 0..COLUMNS {
        let mut bottom = 0.0;
        for i in (column..LAYERS * COLUMNS).step_by(COLUMNS) {
            middles[i] = bottom + 0.5 * thickness[i];
            bottom += thickness[i];
        }
    }
    [thickness, middles]
}

/// The kernel and the host's table are two ways to one number, but for the order of interpolation, which is the same.
#[test]
fn layers_have_what_the_table_says_of_their_middles() {
    let [thickness, middles] = layers();
    let (times, nodes) = (vec![0.0, 60.0, 90.0], vec![3.0, 20.0, 41.0]);
    let table = Table::new(times, nodes, vec![1.0, 5.0, 2.0, 0.5, -1.0, 2.5, 7.0, 8.0, 9.0]).unwrap();
    for time in [-1.0, 0.0, 20.0, 60.0, 77.0, 90.0, 1e4] {
        let (before, after, passed) = table.times_around(time);
        let mut values = vec![0.0; LAYERS * COLUMNS];
        let kernel = Prescribe {
            before: before as u32,
            after: after as u32,
            passed,
            heights_m: Column::from(table.heights_m()),
            table: Field::item_fastest(table.values(), 3, 3),
            thickness_m: field(&thickness),
            values: FieldMut::item_fastest(&mut values, LAYERS, COLUMNS),
        };
        assert_eq!(run(&kernel), [Status::OK; COLUMNS]);
        let expected: Vec<f64> = middles.iter().map(|&middle| table.at_height(time, middle)).collect();
        assert_eq!(values, expected, "{time} s");
    }
}

/// Linear profiles keep their slope: `dx/dt = A - w b`, in all layers but the one at the end through which air comes.
#[test]
fn subsidence_of_linear_profiles_and_advection_are_exact() {
    let [thickness, middles] = layers();
    let all = LAYERS * COLUMNS;
    let slopes = [0.01, -1e-5, 0.02, -0.03, 1e-9];
    let linear = |slope: f64| middles.iter().map(|z| 300.0 * slope.abs() + slope * z).collect::<Vec<f64>>();
    let [theta, vapour, u, v, tracer] = slopes.map(linear);
    let exner: Vec<f64> = (0..all).map(|i| 0.9 + 0.01 * i as f64).collect();
    let pressure: Vec<f64> = (0..all + COLUMNS).map(|i| 1e5 - 120.0 * (i / COLUMNS) as f64).collect();
    let advection = [2e-5, -3e-8, 4e-5, -5e-5].map(|rate| vec![rate; all]);
    for w in [-0.03, 0.02, 0.0] {
        let velocity = vec![w; all];
        let mut tendencies = vec![1e-3; 5 * all];
        let mut parts = tendencies.chunks_mut(all).map(|part| FieldMut::item_fastest(part, LAYERS, COLUMNS));
        let mut next = || parts.next().unwrap();
        let [mut heat, mut water] = [[5.0; COLUMNS]; 2];
        let kernel = Force {
            step_s: 60.0,
            thickness_m: field(&thickness),
            exner: field(&exner),
            interface_pressure_pa: field(&pressure),
            vertical_velocity_m_per_s: field(&velocity),
            temperature_advection_k_per_s: field(&advection[0]),
            vapour_advection_per_s: field(&advection[1]),
            u_advection_m_per_s2: field(&advection[2]),
            v_advection_m_per_s2: field(&advection[3]),
            u_m_per_s: field(&u),
            v_m_per_s: field(&v),
            theta_k: field(&theta),
            vapour_kg_per_kg: field(&vapour),
            tracers: field(&tracer),
            u_tendency_m_per_s2: next(),
            v_tendency_m_per_s2: next(),
            theta_tendency_k_per_s: next(),
            vapour_tendency_per_s: next(),
            tracer_tendencies_per_s: next(),
            heat_gained_j_per_m2: FieldMut::item_fastest(&mut heat, 1, COLUMNS),
            water_gained_kg_per_m2: FieldMut::item_fastest(&mut water, 1, COLUMNS),
        };
        assert_eq!(run(&kernel), [Status::OK; COLUMNS]);
        let from = |i: usize| if w < 0.0 { i + COLUMNS < all } else { i >= COLUMNS };
        let expected = |which: usize, i: usize| {
            // In the order of the tendencies: both winds, heat, vapour, tracer.
            let (own, slope) = [
                (advection[2][i], slopes[2]),
                (advection[3][i], slopes[3]),
                (advection[0][i] / exner[i], slopes[0]),
                (advection[1][i], slopes[1]),
                (0.0, slopes[4]),
            ][which];
            own - if from(i) { w * slope } else { 0.0 }
        };
        for i in 0..5 * all {
            let expected = expected(i / all, i % all);
            // A difference of values near 3, over 10 m, times 0.03 m/s: 1e-18; a sum near 1e-3: 2e-19.
            let got = tendencies[i] - 1e-3;
            assert!((got - expected).abs() < 2e-18, "{w} m/s, {i}: {got:e} instead of {expected:e}");
        }
        for column in 0..COLUMNS {
            let sum = |which: usize| -> f64 {
                let layers = (column..all).step_by(COLUMNS);
                layers.map(|i| expected(which, i) * (pressure[i] - pressure[i + COLUMNS]) / GRAVITY).sum()
            };
            close(heat[column] - 5.0, 60.0 * HEAT_CAPACITY * sum(2), 1e-11, "heat");
            close(water[column] - 5.0, 60.0 * sum(3), 1e-9, "water");
        }
    }
}

/// With one potential temperature the Exner function is linear: `p = p_0 (1 - g z / (cp theta Pi_0))^(cp/R)`.
#[test]
fn a_profile_of_one_potential_temperature_is_adiabatic() {
    let (theta, none) = (Table::constant(290.0), Table::constant(0.0));
    let kind = |pressure| Kind::Profile { surface_pressure_pa: pressure, theta_k: &theta, vapour_kg_per_kg: &none };
    let levels = heights(40, 3000.0, 1.3);
    let air = Sounding::new(kind(101_320.0), &levels).unwrap();
    let at_ground = Real::powf(1.0132, 287.0 / 1004.5);
    for (level, height) in levels.iter().enumerate() {
        let exner = at_ground - 9.81 * height / (1004.5 * 290.0);
        // Forty sums, to the power of 3.5.
        close(air.interface_pressure_pa[level], 1e5 * Real::powf(exner, 3.5), 1e-13, "pressure");
    }
    for layer in 0..40 {
        close(air.temperature_k[layer], 290.0 * air.exner[layer], 1e-15, "temperature");
        assert!(air.vapour_kg_per_kg[layer] == 0.0 && air.pressure_pa[layer] < air.interface_pressure_pa[layer]);
    }
    let message = |pressure, levels: &[f64]| Sounding::new(kind(pressure), levels).unwrap_err().to_string();
    let surface = "pressure at the ground [Pa] is 500, which is not in [1e4, 1.2e5]";
    assert_eq!(message(500.0, &levels), surface);
    assert_eq!(message(1e5, &[0.0, 1000.0, 80_000.0]), "by this profile the air ends in layer 1, below the top");
}
