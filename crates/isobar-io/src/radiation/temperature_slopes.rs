//! Derivatives by the temperatures that a file has, from those by the temperatures of layers and levels.

use isobar_radiation::Columns;

use super::derive::{layer_temperature, level_temperature, temperature_with_parts};
use super::neighbours::{Law, Neighbours};
use crate::columns_file::{BelowGround, Temperatures};

/// Derivatives by the temperatures of layers and of levels that a file has, from those by both kinds of the columns,
/// either of which may be empty, for 0.
pub(super) fn of_file(
    temperatures: &Temperatures,
    columns: &Columns<f64>,
    below_ground: &BelowGround,
    [by_layers, by_levels]: [&[f64]; 2],
) -> [Option<Vec<f64>>; 2] {
    let (count, layers) = (columns.columns(), columns.layers());
    let or_nothing = |values: &[f64], size: usize| if values.is_empty() { vec![0.0; size] } else { values.to_vec() };
    let mut of_layers = or_nothing(by_layers, layers * count);
    let mut of_levels = or_nothing(by_levels, (layers + 1) * count);
    let of_even = of_even_layers(layers, count);
    let neighbours = Neighbours::of(columns, below_ground);
    let weights_by = |law| (level_temperature(&of_even, law, neighbours), Some(law));
    let (weights, law) = match temperatures {
        Temperatures::Both => return [Some(of_layers), (!by_levels.is_empty()).then_some(of_levels)],
        Temperatures::Levels(_) => {
            for (at, by) in of_layers.iter().enumerate() {
                let [below, above] = [at, at + count].map(|level| columns.level_pressure_pa[level]);
                of_levels[at] += by * below / (below + above);
                of_levels[at + count] += by * above / (below + above);
            }
            return [None, Some(of_levels)];
        }
        Temperatures::Layers(weights) => (weights.clone(), None),
        Temperatures::LayersByPressure => weights_by(Law::Pressure),
        Temperatures::LayersByLogarithm => weights_by(Law::Logarithm),
    };
    if law.is_some() {
        // What parts have goes to the layers of which it is.
        for (at, by) in of_layers.iter_mut().enumerate() {
            if neighbours.of_part(at / count, at % count).is_some() {
                *by = 0.0;
            }
        }
    }
    let mut share = |[lower, upper]: [usize; 2], by: f64, of_even: f64| {
        let of_upper = if (upper / count).is_multiple_of(2) { of_even } else { 1.0 - of_even };
        of_layers[upper] += by * of_upper;
        of_layers[lower] += by * (1.0 - of_upper);
    };
    for (at, by) in of_levels.iter().enumerate() {
        share(neighbours.of_level(at / count, at % count).at, *by, weights[at]);
    }
    if let Some(law) = law {
        let weights = temperature_with_parts(&of_even, law, neighbours);
        for (at, by) in by_layers.iter().enumerate() {
            if let Some(pair) = neighbours.of_part(at / count, at % count) {
                share(pair.at, *by, weights[at]);
            }
        }
    }
    [Some(of_layers), None]
}

/// Changes of the temperatures that follow from others, by the changes of these and the pressures of columns; nothing
/// where none follow.
pub(super) fn follow(temperatures: &Temperatures, columns: &Columns<f64>, changes: &[f64]) -> Option<Vec<f64>> {
    let all_above = BelowGround::default();
    let neighbours = Neighbours::of(columns, &all_above);
    let count = neighbours.count();
    match temperatures {
        Temperatures::Both => None,
        Temperatures::Levels(_) => Some(layer_temperature(changes, &columns.level_pressure_pa, count)),
        Temperatures::Layers(weights) => {
            let of_level = |(at, &of_even): (usize, &f64)| {
                let [lower, upper] = neighbours.of_level(at / count, at % count).at;
                let of_upper = if (upper / count).is_multiple_of(2) { of_even } else { 1.0 - of_even };
                (1.0 - of_upper) * changes[lower] + of_upper * changes[upper]
            };
            Some(weights.iter().enumerate().map(of_level).collect())
        }
        Temperatures::LayersByPressure => Some(level_temperature(changes, Law::Pressure, neighbours)),
        Temperatures::LayersByLogarithm => Some(level_temperature(changes, Law::Logarithm, neighbours)),
    }
}

/// 1 in layers of even numbers, else 0. Levels have temperatures by the two layers next to them, of which one is even:
/// its weight is the level's temperature if layers have these.
pub(super) fn of_even_layers(layers: usize, count: usize) -> Vec<f64> {
    (0..layers * count).map(|at| if (at / count).is_multiple_of(2) { 1.0 } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns_file::wrf::Air;

    const COUNT: usize = 2;
    const LAYERS: usize = 4;

    /// Temperatures of levels from those of layers.
    type Derived<'a> = &'a dyn Fn(&[f64]) -> Vec<f64>;

    fn columns() -> Columns<f64> {
        let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.98 * value]).collect::<Vec<_>>();
        Columns {
            pressure_pa: twice(&[9e4, 6e4, 3e4, 8e3]),
            level_pressure_pa: twice(&[1e5, 8e4, 4.5e4, 2e4, 1e3]),
            temperature_k: twice(&[285.0, 270.0, 240.0, 215.0]),
            surface_temperature_k: vec![290.0; COUNT],
            ..Columns::default()
        }
    }

    /// As different as numbers are.
    fn numbers(size: usize, first: f64) -> Vec<f64> {
        (0..size).map(|i| (first + 0.618 * i as f64).fract() - 0.4).collect()
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// What is derived is linear in what the file has: its transpose carries derivatives.
    #[test]
    fn derivatives_go_the_way_that_temperatures_came() {
        let columns = columns();
        let [of_layers, of_levels] = [LAYERS, LAYERS + 1].map(|rows| rows * COUNT);
        let (by_layers, by_levels) = (numbers(of_layers, 0.1), numbers(of_levels, 0.7));
        let heights = (0..of_levels).map(|i| 1.7e3 * (i / COUNT) as f64 * (1.0 + 0.1 * i as f64)).collect();
        let air = Air::new(Vec::new(), Vec::new(), Vec::new(), heights);
        let by_height = |layers: &[f64]| air.level_temperature(layers, COUNT);
        let all_above = BelowGround::default();
        let neighbours = Neighbours::of(&columns, &all_above);
        let by_pressure = |layers: &[f64]| level_temperature(layers, Law::Pressure, neighbours);
        let by_logarithm = |layers: &[f64]| level_temperature(layers, Law::Logarithm, neighbours);
        let weights = by_height(&of_even_layers(LAYERS, COUNT));
        let ways: [(Temperatures, Derived<'_>); 3] = [
            (Temperatures::Layers(weights), &by_height),
            (Temperatures::LayersByPressure, &by_pressure),
            (Temperatures::LayersByLogarithm, &by_logarithm),
        ];
        let change = numbers(of_layers, 0.3);
        for (temperatures, derived) in ways {
            let [Some(found), None] = of_file(&temperatures, &columns, &all_above, [&by_layers, &by_levels]) else {
                panic!("{temperatures:?}")
            };
            let exact = dot(&by_layers, &change) + dot(&by_levels, &derived(&change));
            assert!((dot(&found, &change) - exact).abs() < 1e-13, "{temperatures:?}");
            let followed = follow(&temperatures, &columns, &change).unwrap();
            assert!(followed.iter().zip(derived(&change)).all(|(one, other)| (one - other).abs() < 1e-13));
        }
        let change = numbers(of_levels, 0.3);
        let [None, Some(found)] =
            of_file(&Temperatures::Levels(Vec::new()), &columns, &all_above, [&by_layers, &by_levels])
        else {
            panic!()
        };
        let derived = layer_temperature(&change, &columns.level_pressure_pa, COUNT);
        let exact = dot(&by_layers, &derived) + dot(&by_levels, &change);
        assert!((dot(&found, &change) - exact).abs() < 1e-13);
        let both = of_file(&Temperatures::Both, &columns, &all_above, [&by_layers, &by_levels]);
        assert_eq!(both, [Some(by_layers), Some(by_levels)]);
    }
}
