//! A step in time gives a column what its fluxes give.

use isobar_column::advance::{Advance, AdvanceTracers};
use isobar_column::budget::Budget;
use isobar_column::constants::{GRAVITY, HEAT_CAPACITY};
use isobar_column::diagnose::{Diagnose, log_thickness, weight_between, weight_beyond};
use isobar_column::limits::{Left, Stopped, WORDS};
use isobar_core::{Column, Field, FieldMut, Real, Status};

use crate::{close, run};

const LAYERS: usize = 5;
const COLUMNS: usize = 3;
const FIELD: usize = LAYERS * COLUMNS;

/// Numbers in (0, 1), the same each time.
fn number(seed: usize) -> f64 {
    let turns = (seed as f64 + 0.5) * 0.618_033_988_75;
    turns - turns.floor()
}

/// Columns in the precision `R`.
struct State<R> {
    pressure: Vec<R>,
    exner: Vec<R>,
    theta: Vec<R>,
    vapour: Vec<R>,
    wind: [Vec<R>; 2],
    tracers: Vec<R>,
}

fn state<R: Real>() -> State<R> {
    let field = |seed: usize, low: f64, range: f64| -> Vec<R> {
        (0..FIELD).map(|i| R::from_f64(low + range * number(seed + i))).collect()
    };
    State {
        pressure: (0..FIELD + COLUMNS).map(|i| R::from_f64(1e5 - 6000.0 * (i / COLUMNS) as f64)).collect(),
        exner: field(0, 0.9, 0.1),
        theta: field(100, 290.0, 20.0),
        vapour: field(200, 0.0, 0.01),
        wind: [field(300, -5.0, 10.0), field(400, -5.0, 10.0)],
        tracers: (0..2 * FIELD).map(|i| R::from_f64(1e-9 * number(i))).collect(),
    }
}

fn field<R: Real>(values: &[R]) -> Field<'_, R> {
    Field::item_fastest(values, values.len() / COLUMNS, COLUMNS)
}

/// Enthalpy, water and tracers.
fn budget<R: Real>(state: &State<R>) -> [Vec<f64>; 3] {
    let mut out = [R::ZERO; 4 * COLUMNS];
    let (enthalpy, rest) = out.split_at_mut(COLUMNS);
    let (water, tracers) = rest.split_at_mut(COLUMNS);
    run(&Budget {
        interface_pressure_pa: field(&state.pressure),
        theta_k: field(&state.theta),
        vapour_kg_per_kg: field(&state.vapour),
        tracers: Field::item_fastest(&state.tracers, LAYERS, 2 * COLUMNS),
        enthalpy_j_per_m2: FieldMut::item_fastest(enthalpy, 1, COLUMNS),
        water_kg_per_m2: FieldMut::item_fastest(water, 1, COLUMNS),
        tracer_amounts_mol_per_m2: FieldMut::item_fastest(tracers, 2, COLUMNS),
    });
    let values = |part: &[R]| part.iter().map(|x| x.value()).collect();
    [values(&out[..COLUMNS]), values(&out[COLUMNS..2 * COLUMNS]), values(&out[2 * COLUMNS..])]
}

/// A step with heating, and mixing that brings the surface's flux into the lowest layer.
fn closes<R: Real>(tolerance: f64) {
    let real = R::from_f64;
    let mut state = state::<R>();
    let (step, sensible, moisture) = (600.0, 500.0, 2e-4);
    let mass: Vec<f64> =
        (0..FIELD).map(|i| (state.pressure[i] - state.pressure[i + COLUMNS]).value() / GRAVITY).collect();
    let heating: Vec<R> = (0..FIELD).map(|i| real(40.0 * number(500 + i) - 10.0)).collect();
    let heating_derivative: Vec<R> = (0..FIELD).map(|i| real(0.1 * number(600 + i))).collect();
    let shortwave_heating: Vec<R> = (0..FIELD).map(|i| real(20.0 * number(700 + i))).collect();
    let lowest = |i: usize, flux: f64| if i < COLUMNS { flux / mass[i] } else { 0.0 };
    let theta_tendency: Vec<R> = (0..FIELD).map(|i| real(lowest(i, sensible / HEAT_CAPACITY))).collect();
    let vapour_tendency: Vec<R> = (0..FIELD).map(|i| real(lowest(i, moisture))).collect();
    let zeros = vec![R::ZERO; 2 * FIELD];
    let [enthalpy, water, tracers] = budget(&state);
    let (mut gained, mut words) = (vec![R::ZERO; 2 * COLUMNS], vec![0_u32; WORDS * COLUMNS]);
    words[..COLUMNS].fill(8);
    let (heat, vapour) = gained.split_at_mut(COLUMNS);
    let [u, v] = &mut state.wind;
    let statuses = run(&Advance {
        step_s: real(step),
        step: 0,
        u_tendency_m_per_s2: field(&zeros[..FIELD]),
        v_tendency_m_per_s2: field(&zeros[..FIELD]),
        theta_tendency_k_per_s: field(&theta_tendency),
        vapour_tendency_per_s: field(&vapour_tendency),
        heating_k_per_day: field(&heating),
        heating_derivative_per_day: field(&heating_derivative),
        shortwave_heating_k_per_day: field(&shortwave_heating),
        surface_temperature_k: Column::from(&[real(291.0); COLUMNS][..]),
        emission_temperature_k: Column::from(&[real(289.5); COLUMNS][..]),
        exner: field(&state.exner),
        u_geostrophic_m_per_s: field(&zeros[..FIELD]),
        v_geostrophic_m_per_s: field(&zeros[..FIELD]),
        interface_pressure_pa: field(&state.pressure),
        latitude_deg: Column::from(&[real(50.0); COLUMNS][..]),
        potential_heat_flux_w_per_m2: Column::from(&[real(sensible); COLUMNS][..]),
        moisture_flux_kg_per_m2_s: Column::from(&[real(moisture); COLUMNS][..]),
        u_m_per_s: FieldMut::item_fastest(u, LAYERS, COLUMNS),
        v_m_per_s: FieldMut::item_fastest(v, LAYERS, COLUMNS),
        theta_k: FieldMut::item_fastest(&mut state.theta, LAYERS, COLUMNS),
        vapour_kg_per_kg: FieldMut::item_fastest(&mut state.vapour, LAYERS, COLUMNS),
        heat_gained_j_per_m2: FieldMut::item_fastest(heat, 1, COLUMNS),
        water_gained_kg_per_m2: FieldMut::item_fastest(vapour, 1, COLUMNS),
        words: FieldMut::item_fastest(&mut words, WORDS, COLUMNS),
    });
    assert!(statuses.iter().all(|&status| status == Status::OK) && words[..COLUMNS] == [8; COLUMNS]);
    assert!(words[COLUMNS..].iter().all(|&word| word == 0));
    let mut emitted = vec![R::ZERO; 2 * COLUMNS];
    run(&AdvanceTracers {
        step_s: real(step),
        step: 0,
        interface_pressure_pa: field(&state.pressure),
        tendencies_per_s: Field::item_fastest(&zeros, LAYERS, 2 * COLUMNS),
        emission_mol_per_m2_s: Column::from(&[R::ZERO, real(1e-9)][..]),
        tracers: FieldMut::item_fastest(&mut state.tracers, LAYERS, 2 * COLUMNS),
        gained_mol_per_m2: FieldMut::item_fastest(&mut emitted, 2, COLUMNS),
        words: FieldMut::item_fastest(&mut words, WORDS, COLUMNS),
    });
    let after = budget(&state);
    for column in 0..COLUMNS {
        // All three parts of radiation are counted, the derivative times the 1.5 K by which the ground is warmer.
        let radiation = |layer: usize| {
            let i = layer * COLUMNS + column;
            let heating = heating[i].value() + 1.5 * heating_derivative[i].value() + shortwave_heating[i].value();
            step * HEAT_CAPACITY * heating / 86_400.0 / state.exner[i].value() * mass[i]
        };
        let expected = step * sensible + (0..LAYERS).map(radiation).sum::<f64>();
        assert!((gained[column].value() / expected - 1.0).abs() < 20.0 * tolerance, "{} {expected}", gained[column]);
        let close = |what: &str, after: f64, before: f64, gain: R| {
            let error = (after - before - gain.value()).abs();
            assert!(error <= tolerance * after.abs(), "{what}: {before} + {gain} is not {after}: {error:e}");
            assert!(gain.value().abs() > 10.0 * tolerance * after.abs(), "{what}: the gain is nothing");
        };
        close("heat", after[0][column], enthalpy[column], gained[column]);
        close("water", after[1][column], water[column], gained[COLUMNS + column]);
        assert_eq!(after[2][column], tracers[column], "what has no source");
        close("tracer", after[2][COLUMNS + column], tracers[COLUMNS + column], emitted[COLUMNS + column]);
    }
}

/// Sums of 5 layers, with some ten roundings a layer: 30 roundings of 1.1e-16 and 6e-8.
#[test]
fn columns_gain_what_their_fluxes_give() {
    closes::<f64>(3.4e-15);
    closes::<f32>(1.8e-6);
}

/// Without friction the wind turns around the geostrophic one by f dt a step, and keeps its size.
#[test]
fn the_wind_turns_and_keeps_its_size() {
    let mut state = state::<f64>();
    let zeros = [0.0; FIELD + COLUMNS];
    let around = (vec![8.0; FIELD], vec![-2.0; FIELD]);
    let start = state.wind.clone();
    let mut rest = [0.0; 2 * COLUMNS];
    let mut words = vec![0; WORDS * COLUMNS];
    let (steps, step, latitude) = (1000, 60.0, 30.0);
    for _ in 0..steps {
        let (heat, water) = rest.split_at_mut(COLUMNS);
        let [u, v] = &mut state.wind;
        run(&Advance {
            step_s: step,
            step: 0,
            u_tendency_m_per_s2: field(&zeros[..FIELD]),
            v_tendency_m_per_s2: field(&zeros[..FIELD]),
            theta_tendency_k_per_s: field(&zeros[..FIELD]),
            vapour_tendency_per_s: field(&zeros[..FIELD]),
            heating_k_per_day: field(&zeros[..FIELD]),
            heating_derivative_per_day: field(&zeros[..FIELD]),
            shortwave_heating_k_per_day: field(&zeros[..FIELD]),
            surface_temperature_k: Column::from(&zeros[..COLUMNS]),
            emission_temperature_k: Column::from(&zeros[..COLUMNS]),
            exner: field(&state.exner),
            u_geostrophic_m_per_s: field(&around.0),
            v_geostrophic_m_per_s: field(&around.1),
            interface_pressure_pa: field(&state.pressure),
            latitude_deg: Column::from(&[latitude; COLUMNS][..]),
            potential_heat_flux_w_per_m2: Column::from(&zeros[..COLUMNS]),
            moisture_flux_kg_per_m2_s: Column::from(&zeros[..COLUMNS]),
            u_m_per_s: FieldMut::item_fastest(u, LAYERS, COLUMNS),
            v_m_per_s: FieldMut::item_fastest(v, LAYERS, COLUMNS),
            theta_k: FieldMut::item_fastest(&mut state.theta, LAYERS, COLUMNS),
            vapour_kg_per_kg: FieldMut::item_fastest(&mut state.vapour, LAYERS, COLUMNS),
            heat_gained_j_per_m2: FieldMut::item_fastest(heat, 1, COLUMNS),
            water_gained_kg_per_m2: FieldMut::item_fastest(water, 1, COLUMNS),
            words: FieldMut::item_fastest(&mut words, WORDS, COLUMNS),
        });
    }
    // f = 7.292e-5 /s at 30 degrees; a thousand roundings of 1e-16 in angle and size.
    let angle = 7.292e-5 * step * f64::from(steps);
    for (i, (u, v)) in start[0].iter().zip(&start[1]).enumerate() {
        let (u, v) = (u - 8.0, v + 2.0);
        let expected =
            (8.0 + Real::cos(angle) * u + Real::sin(angle) * v, -2.0 + Real::cos(angle) * v - Real::sin(angle) * u);
        assert!((state.wind[0][i] - expected.0).abs() < 1e-11 && (state.wind[1][i] - expected.1).abs() < 1e-11);
    }
}

#[test]
fn what_follows_from_the_state_is_hydrostatic_and_between_layers() {
    let mut state = state::<f64>();
    state.vapour[1] = -1e-5;
    let p = &state.pressure;
    let middle: Vec<f64> = (0..FIELD).map(|i| 0.5 * (p[i] + p[i + COLUMNS])).collect();
    let log: Vec<f64> = (0..FIELD).map(|i| log_thickness(p[i], p[i + COLUMNS])).collect();
    let mut weight = vec![0.0; FIELD + COLUMNS];
    for i in COLUMNS..FIELD {
        weight[i] = weight_between(middle[i - COLUMNS], p[i], middle[i]);
    }
    for i in 0..COLUMNS {
        weight[i] = weight_beyond(middle[i], p[i], middle[i + COLUMNS]);
        weight[FIELD + i] = weight_beyond(middle[FIELD - 2 * COLUMNS + i], p[FIELD + i], middle[FIELD - COLUMNS + i]);
    }
    let mut out: [Vec<f64>; 4] = [FIELD, FIELD + COLUMNS, FIELD, FIELD].map(|size| vec![0.0; size]);
    let mut clamps = vec![3.0; COLUMNS];
    let [temperature, levels, thickness, water] = &mut out;
    run(&Diagnose {
        theta_k: field(&state.theta),
        vapour_kg_per_kg: field(&state.vapour),
        exner: field(&state.exner),
        log_thickness: field(&log),
        weight_below: field(&weight),
        temperature_k: FieldMut::item_fastest(temperature, LAYERS, COLUMNS),
        level_temperature_k: FieldMut::item_fastest(levels, LAYERS + 1, COLUMNS),
        thickness_m: FieldMut::item_fastest(thickness, LAYERS, COLUMNS),
        water_mol_per_mol: FieldMut::item_fastest(water, LAYERS, COLUMNS),
        clamps: FieldMut::item_fastest(&mut clamps, 1, COLUMNS),
    });
    for i in 0..FIELD {
        close(temperature[i], state.theta[i] * state.exner[i], 1e-15, "temperature");
        let warmth = temperature[i] * (1.0 + (461.6 / 287.0 - 1.0) * state.vapour[i]);
        close(thickness[i], 287.0 * warmth / 9.81 * Real::ln(p[i] / p[i + COLUMNS]), 1e-14, "thickness");
        if i >= COLUMNS {
            // A profile that is linear in ln p is met exactly.
            let share = Real::ln(p[i] / middle[i]) / Real::ln(middle[i - COLUMNS] / middle[i]);
            close(levels[i], temperature[i] + share * (temperature[i - COLUMNS] - temperature[i]), 1e-14, "level");
        }
    }
    // The ends lie on the lines in pressure through the two layers next to them.
    for i in 0..COLUMNS {
        let line = |[a, b]: [usize; 2], level: usize| {
            temperature[a] + (p[level] - middle[a]) * (temperature[b] - temperature[a]) / (middle[b] - middle[a])
        };
        close(levels[i], line([i, i + COLUMNS], i), 1e-14, "surface");
        let top = FIELD - COLUMNS + i;
        close(levels[FIELD + i], line([top, top - COLUMNS], FIELD + i), 1e-14, "top");
    }
    assert_eq!((water[1], clamps), (0.0, vec![3.0, 4.0, 3.0]));
    close(water[0], 28.966 / 18.016 * state.vapour[0], 1e-14, "water");
}

/// A column whose state would leave a range keeps it, from that step on; its neighbours go on.
#[test]
fn a_column_that_leaves_its_range_stops_and_the_others_go_on() {
    let zeros = vec![0.0; 2 * FIELD];
    let mut words = vec![0_u32; WORDS * COLUMNS];
    let mut state = state::<f64>();
    let mut heating = vec![0.0; FIELD];
    let mut vapour_tendency = vec![1e-7; FIELD];
    let mut east = vec![1e-3; FIELD];
    // Column 0 would be too warm in layer 3, column 1 goes on, column 2 has no number for the wind of layer 1.
    heating[3 * COLUMNS] = 2.0 * 86_400.0;
    east[COLUMNS + 2] = f64::NAN;
    let start = (state.theta.clone(), state.vapour.clone(), state.wind.clone());
    let mut rest = [0.0; 2 * COLUMNS];
    for step in 4..6 {
        let (heat, water) = rest.split_at_mut(COLUMNS);
        let [u, v] = &mut state.wind;
        run(&Advance {
            step_s: 120.0,
            step,
            u_tendency_m_per_s2: field(&east),
            v_tendency_m_per_s2: field(&zeros[..FIELD]),
            theta_tendency_k_per_s: field(&zeros[..FIELD]),
            vapour_tendency_per_s: field(&vapour_tendency),
            heating_k_per_day: field(&heating),
            heating_derivative_per_day: field(&zeros[..FIELD]),
            shortwave_heating_k_per_day: field(&zeros[..FIELD]),
            surface_temperature_k: Column::from(&zeros[..COLUMNS]),
            emission_temperature_k: Column::from(&zeros[..COLUMNS]),
            exner: field(&state.exner),
            u_geostrophic_m_per_s: field(&zeros[..FIELD]),
            v_geostrophic_m_per_s: field(&zeros[..FIELD]),
            interface_pressure_pa: field(&state.pressure),
            latitude_deg: Column::from(&zeros[..COLUMNS]),
            potential_heat_flux_w_per_m2: Column::from(&zeros[..COLUMNS]),
            moisture_flux_kg_per_m2_s: Column::from(&zeros[..COLUMNS]),
            u_m_per_s: FieldMut::item_fastest(u, LAYERS, COLUMNS),
            v_m_per_s: FieldMut::item_fastest(v, LAYERS, COLUMNS),
            theta_k: FieldMut::item_fastest(&mut state.theta, LAYERS, COLUMNS),
            vapour_kg_per_kg: FieldMut::item_fastest(&mut state.vapour, LAYERS, COLUMNS),
            heat_gained_j_per_m2: FieldMut::item_fastest(heat, 1, COLUMNS),
            water_gained_kg_per_m2: FieldMut::item_fastest(water, 1, COLUMNS),
            words: FieldMut::item_fastest(&mut words, WORDS, COLUMNS),
        });
        // The second step has nothing wrong any more: what stopped stays all the same.
        heating[3 * COLUMNS] = 0.0;
        east[COLUMNS + 2] = 0.0;
        vapour_tendency.fill(2e-7);
    }
    let stopped = Stopped::of_columns(&words, COLUMNS);
    let first = stopped[0].unwrap();
    assert_eq!((first.left, first.layer, first.step), (Left::Temperature as u32, 3, 5));
    let i = 3 * COLUMNS;
    let warm = (start.0[i] + 240.0 / state.exner[i]) * state.exner[i];
    close(f64::from(first.value), warm, 1e-7, "the temperature that would have been");
    assert_eq!(stopped[1], None);
    let last = stopped[2].unwrap();
    assert!(last.left == Left::WindEast as u32 && last.layer == 1 && last.step == 5 && last.value.is_nan(), "{last:?}");
    assert_eq!(words[..COLUMNS], [2, 0, 1]);
    for layer in 0..LAYERS {
        let at = |column: usize| layer * COLUMNS + column;
        assert!(state.theta[at(0)] == start.0[at(0)] || layer < 3, "layer {layer}");
        assert_eq!(state.theta[i], start.0[i]);
        close(state.vapour[at(1)], start.1[at(1)] + 120.0 * 3e-7, 1e-13, "the neighbour's vapour");
        assert!(state.wind[0][at(2)].is_finite());
    }
    // Tracers: one that would be more than all of the air.
    let mut words = vec![0_u32; WORDS * COLUMNS];
    let mut emitted = vec![0.0; 2 * COLUMNS];
    let mut tendencies = vec![0.0; 2 * FIELD];
    tendencies[(2 * 2 + 1) * COLUMNS + 1] = 1.0;
    let before = state.tracers.clone();
    run(&AdvanceTracers {
        step_s: 120.0,
        step: 0,
        interface_pressure_pa: field(&state.pressure),
        tendencies_per_s: Field::item_fastest(&tendencies, LAYERS, 2 * COLUMNS),
        emission_mol_per_m2_s: Column::from(&[0.0, 0.0][..]),
        tracers: FieldMut::item_fastest(&mut state.tracers, LAYERS, 2 * COLUMNS),
        gained_mol_per_m2: FieldMut::item_fastest(&mut emitted, 2, COLUMNS),
        words: FieldMut::item_fastest(&mut words, WORDS, COLUMNS),
    });
    assert_eq!(state.tracers, before);
    let stopped = Stopped::of_columns(&words, COLUMNS);
    assert!(stopped[0].is_none() && stopped[2].is_none());
    assert_eq!(stopped[1].map(|stopped| (stopped.left, stopped.layer, stopped.step)), Some((6, 2, 1)));
}
