//! The scheme computes its own derivatives: tendencies by its inputs against central differences.

use isobar_core::fields::OwnedInputs;
use isobar_core::{Dual, Real};
use isobar_ysu::{Columns, Options, Results, analytic};

use crate::case::computed;

/// Inputs by which tendencies are differentiated.
const VARIABLES: usize = 7;
const COLUMNS: usize = 32;
const LAYERS: usize = 20;

/// The values of variable `number`, one a column, and their size.
fn variable<R: Real>(columns: &mut Columns<R>, number: usize) -> (&mut [R], f64) {
    fn layer<R>(values: &mut [R], layer: usize) -> &mut [R] {
        &mut values[layer * COLUMNS..][..COLUMNS]
    }
    match number {
        0 => (layer(&mut columns.temperature_k, 1), 300.0),
        1 => (layer(&mut columns.temperature_k, 6), 300.0),
        2 => (layer(&mut columns.u_m_per_s, 3), 10.0),
        3 => (layer(&mut columns.vapour_kg_per_kg, 2), 0.01),
        4 => (&mut columns.sensible_heat_flux_w_per_m2, 100.0),
        5 => (&mut columns.friction_velocity_m_per_s, 0.4),
        _ => (&mut columns.moisture_flux_kg_per_m2_s, 1e-4),
    }
}

fn run<R: Real>(columns: &Columns<R>) -> Results<R> {
    computed(columns, Options::new(60.0))
}

/// Tendencies of potential temperature, wind and vapour, one field after the other.
fn tendencies<R: Real>(outputs: &Results<R>) -> Vec<R> {
    [
        &outputs.theta_tendency_k_per_s,
        &outputs.u_tendency_m_per_s2,
        &outputs.v_tendency_m_per_s2,
        &outputs.vapour_tendency_kg_per_kg_s,
    ]
    .into_iter()
    .flatten()
    .copied()
    .collect()
}

/// The derivative by differences of fourth order, in steps of `share` of a variable's size.
fn difference(columns: &Columns<f64>, number: usize, share: f64) -> Vec<f64> {
    let at = |steps: f64| {
        let mut columns = columns.clone();
        let (values, size) = variable(&mut columns, number);
        values.iter_mut().for_each(|x| *x += steps * share * size);
        tendencies(&run(&columns))
    };
    let (near, far) = ([at(1.0), at(-1.0)], [at(2.0), at(-2.0)]);
    let size = variable(&mut columns.clone(), number).1;
    let slope = |i: usize| (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * share * size);
    (0..near[0].len()).map(slope).collect()
}

#[test]
fn tendencies_differentiate() {
    let columns = analytic::columns::<f64>(COLUMNS, LAYERS, 0);
    let plain = tendencies(&run(&columns));
    let mut dual = columns.rounded::<Dual<f64, VARIABLES>>();
    for number in 0..VARIABLES {
        variable(&mut dual, number).0.iter_mut().for_each(|x| *x = Dual::variable(x.value, number));
    }
    let exact = tendencies(&run(&dual));
    for (exact, plain) in exact.iter().zip(&plain) {
        assert_eq!(exact.value.to_bits(), plain.to_bits(), "values are those of plain numbers");
    }
    // A column in which a decision falls the other way within the steps (the layer in which the boundary layer ends, a
    // limit) has a kink there: differences with two steps disagree.
    let (mut smooth, mut kinks) = (0, 0);
    for number in 0..VARIABLES {
        let (coarse, fine) = (difference(&columns, number, 4e-5), difference(&columns, number, 2e-5));
        let fields = plain.len() / (LAYERS * COLUMNS);
        for (field, column) in (0..fields).flat_map(|field| (0..COLUMNS).map(move |column| (field, column))) {
            let places = (0..LAYERS).map(|layer| (field * LAYERS + layer) * COLUMNS + column);
            let largest = places.clone().map(|i| fine[i].abs()).fold(0.0, f64::max);
            // Tendencies carry some 1e-13 of their size, which a step of 2e-5 amplifies; twice the step, half of it.
            let noise = places.clone().map(|i| plain[i].abs()).fold(0.0, f64::max) * 1e-12
                / 2e-5
                / variable(&mut columns.clone(), number).1;
            let worst = |a: &dyn Fn(usize) -> f64| places.clone().map(|i| (a(i) - fine[i]).abs()).fold(0.0, f64::max);
            if worst(&|i| coarse[i]) > 1e-7 * largest + noise {
                kinks += 1;
                continue;
            }
            smooth += 1;
            let error = worst(&|i| exact[i].derivative[number]);
            assert!(
                error <= 1e-6 * largest + noise,
                "variable {number}, field {field}, column {column}: {error:e} of {largest:e}"
            );
        }
    }
    assert!(smooth > 9 * kinks, "{kinks} kinks, {smooth} smooth");
}
