//! Derivatives by the temperatures that a file has, from those by the temperatures of layers and levels.

use isobar_radiation::Columns;

use super::derive::{level_temperature, level_temperature_by_logarithm};
use crate::columns_file::{ColumnsInput, Temperatures};

impl ColumnsInput<Columns<f64>> {
    /// Derivatives by the temperatures that the file has, of layers and of levels: those by temperatures that were
    /// derived from these are in them. None for temperatures that the file does not have.
    ///
    /// `by_layers` and `by_levels` are the derivatives by both kinds of the columns, `[layer or level * columns +
    /// column]`, with the others held; either may be empty, for 0.
    #[must_use]
    pub fn by_temperatures(&self, by_layers: &[f64], by_levels: &[f64]) -> [Option<Vec<f64>>; 2] {
        let columns = &self.columns;
        let (count, layers) = (columns.columns(), columns.layers());
        let or_nothing =
            |values: &[f64], size: usize| if values.is_empty() { vec![0.0; size] } else { values.to_vec() };
        let mut of_layers = or_nothing(by_layers, layers * count);
        let mut of_levels = or_nothing(by_levels, (layers + 1) * count);
        let weights = match &self.temperatures {
            Temperatures::Both => return [Some(of_layers), (!by_levels.is_empty()).then_some(of_levels)],
            Temperatures::Levels => {
                for (at, by) in of_layers.iter().enumerate() {
                    let [below, above] = [at, at + count].map(|level| columns.level_pressure_pa[level]);
                    of_levels[at] += by * below / (below + above);
                    of_levels[at + count] += by * above / (below + above);
                }
                return [None, Some(of_levels)];
            }
            Temperatures::Layers(weights) => weights.clone(),
            Temperatures::LayersByPressure => {
                level_temperature(&of_even_layers(layers, count), [&columns.level_pressure_pa, &columns.pressure_pa])
            }
            Temperatures::LayersByLogarithm => {
                let indicator = Columns { temperature_k: of_even_layers(layers, count), ..columns.clone() };
                level_temperature_by_logarithm(&indicator)
            }
        };
        for (level, row) in of_levels.chunks(count).enumerate() {
            let upper = level.clamp(1, layers - 1);
            for (column, by) in row.iter().enumerate() {
                let of_even = weights[level * count + column];
                let of_upper = if upper.is_multiple_of(2) { of_even } else { 1.0 - of_even };
                of_layers[upper * count + column] += by * of_upper;
                of_layers[(upper - 1) * count + column] += by * (1.0 - of_upper);
            }
        }
        [Some(of_layers), None]
    }
}

/// 1 in layers of even numbers, else 0. Levels have temperatures by the two layers next to them, of which one is even:
/// its weight is the level's temperature if layers have these.
pub(super) fn of_even_layers(layers: usize, count: usize) -> Vec<f64> {
    (0..layers * count).map(|at| if (at / count).is_multiple_of(2) { 1.0 } else { 0.0 }).collect()
}
