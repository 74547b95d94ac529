//! What derivatives by pressures have of what follows from pressures.

use isobar_radiation::Columns;

use super::neighbours::{Law, Neighbours};
use crate::columns_file::{BelowGround, FilePressures, Temperatures};

/// Derivatives by the pressures of layers and levels.
type ByPressures = [Vec<f64>; 2];

/// No derivative by either.
pub(super) const BOTH: [Option<Vec<f64>>; 2] = [None, None];

/// Adds those of water paths that are parts of the layers' masses.
pub(super) fn by_paths(by: &[Vec<f64>; 4], columns: &Columns<f64>, [_, of_levels]: &mut ByPressures) {
    let (count, levels) = (columns.columns(), &columns.level_pressure_pa);
    let Columns { liquid_path_g_per_m2: liquid, ice_path_g_per_m2: ice, .. } = columns;
    let Columns { rain_path_g_per_m2: rain, snow_path_g_per_m2: snow, .. } = columns;
    for (by, path) in by.iter().zip([liquid, ice, rain, snow]) {
        for (at, (by, path)) in by.iter().zip(path).enumerate() {
            let slope = by * path / (levels[at] - levels[at + count]);
            of_levels[at] += slope;
            of_levels[at + count] -= slope;
        }
    }
}

/// Adds those of temperatures that were derived from others by pressures; `by` is by those of layers and of levels.
pub(super) fn by_temperatures(
    temperatures: &Temperatures,
    columns: &Columns<f64>,
    below_ground: &BelowGround,
    by: [&[f64]; 2],
    found: &mut ByPressures,
) {
    let count = columns.columns();
    let Columns { temperature_k: temperature, level_pressure_pa, .. } = columns;
    match temperatures {
        Temperatures::Both | Temperatures::Layers(_) => (),
        Temperatures::Levels(levels) => {
            let levels = if levels.is_empty() { &columns.level_temperature_k } else { levels };
            for (at, by) in by[0].iter().enumerate() {
                let sum = level_pressure_pa[at] + level_pressure_pa[at + count];
                for level in [at, at + count] {
                    found[1][level] += by * (levels[level] - temperature[at]) / sum;
                }
            }
        }
        Temperatures::LayersByPressure => by_neighbours(Law::Pressure, columns, below_ground, by, found),
        Temperatures::LayersByLogarithm => by_neighbours(Law::Logarithm, columns, below_ground, by, found),
    }
}

/// Those of temperatures between layers and of the parts of layers.
fn by_neighbours(
    law: Law,
    columns: &Columns<f64>,
    below_ground: &BelowGround,
    [by_layers, by_levels]: [&[f64]; 2],
    [of_layers, of_levels]: &mut ByPressures,
) {
    let neighbours = Neighbours::of(columns, below_ground);
    let (temperature, count) = (neighbours.temperatures_of_file(columns), neighbours.count());
    for (at, by) in by_levels.iter().enumerate() {
        let pair = neighbours.of_level(at / count, at % count);
        let [of_level, of_pair @ ..] = pair.slopes(law, &temperature);
        of_levels[at] += by * of_level;
        for (at, slope) in pair.at.into_iter().zip(of_pair) {
            // That of a layer with parts is the same in all columns.
            if !neighbours.is_divided(at) {
                of_layers[at] += by * slope;
            }
        }
    }
    for (at, by) in by_layers.iter().enumerate() {
        if let Some(pair) = neighbours.of_part(at / count, at % count) {
            of_layers[at] += by * pair.slopes(law, &temperature)[0];
        }
    }
}

/// Adds those of temperatures that are potential temperatures in the file.
pub(super) fn by_potential_temperature(
    pressures: &FilePressures,
    columns: &Columns<f64>,
    by: &[f64],
    [of_layers, _]: &mut ByPressures,
) {
    if !matches!(pressures, FilePressures::Interfaces(_)) {
        return;
    }
    let air = columns.temperature_k.iter().zip(&columns.pressure_pa);
    for ((of_layer, by), (temperature, pressure)) in of_layers.iter_mut().zip(by).zip(air) {
        *of_layer += by * 2.0 / 7.0 * temperature / pressure;
    }
}

/// Derivatives by the pressure of the surface, if others follow from it.
pub(super) fn by_surface_pressure(
    pressures: &FilePressures,
    columns: &Columns<f64>,
    by: &ByPressures,
) -> Option<Vec<f64>> {
    let count = columns.columns();
    match pressures {
        FilePressures::Both | FilePressures::Levels | FilePressures::Layers { has_surface: false } => None,
        // It is that of the lowest level.
        FilePressures::Layers { has_surface: true } | FilePressures::Interfaces(_) => Some(by[1][..count].to_vec()),
        FilePressures::Surface { slopes, .. } => {
            let mut of_surface = vec![0.0; count];
            for (by, slopes) in by.iter().zip(slopes) {
                let is_of_all = slopes.len() < by.len();
                for (at, by) in by.iter().enumerate() {
                    of_surface[at % count] += by * slopes[if is_of_all { at / count } else { at }];
                }
            }
            Some(of_surface)
        }
    }
}

/// Derivatives by the pressures of layers and levels that the file has, from those by both.
pub(super) fn by_pressures(
    pressures: &FilePressures,
    columns: &Columns<f64>,
    [mut of_layers, mut of_levels]: ByPressures,
) -> [Option<Vec<f64>>; 2] {
    let (count, layers) = (columns.columns(), columns.layers());
    // A level's part in the pressure of the layer below and of that above.
    let mut share = |level: usize, column: usize, [below, above]: [f64; 2]| {
        let upper = level.clamp(1, layers - 1) * count + column;
        let by = of_levels[level * count + column];
        of_layers[upper - count] += by * below;
        of_layers[upper] += by * above;
    };
    let each = (0..=layers).flat_map(|level| (0..count).map(move |column| (level, column)));
    match pressures {
        FilePressures::Both => (),
        FilePressures::Surface { .. } => return BOTH,
        FilePressures::Levels => {
            for (at, by) in of_layers.iter().enumerate() {
                of_levels[at] += 0.5 * by;
                of_levels[at + count] += 0.5 * by;
            }
            return [None, Some(of_levels)];
        }
        FilePressures::Layers { has_surface } => {
            for (level, column) in each {
                let is_space = columns.level_pressure_pa[level * count + column] == 0.0;
                let parts = match level {
                    0 if *has_surface => continue,
                    0 => [1.5, -0.5],
                    _ if level == layers && is_space => continue,
                    _ if level == layers => [-0.5, 1.5],
                    _ => [0.5; 2],
                };
                share(level, column, parts);
            }
            return [Some(of_layers), None];
        }
        FilePressures::Interfaces(weights) => {
            for (level, column) in each.filter(|(level, _)| *level > 0) {
                let upper = level.min(layers - 1);
                let of_even = weights[level * count + column];
                let of_upper = if upper.is_multiple_of(2) { of_even } else { 1.0 - of_even };
                let mut parts = [1.0 - of_upper, of_upper];
                if level == layers {
                    // Of the logarithm.
                    let pressure = columns.level_pressure_pa[level * count + column];
                    let of_pair = [upper - 1, upper].map(|layer| columns.pressure_pa[layer * count + column]);
                    parts = [parts[0] * pressure / of_pair[0], parts[1] * pressure / of_pair[1]];
                }
                share(level, column, parts);
            }
            return [Some(of_layers), None];
        }
    }
    [Some(of_layers), Some(of_levels)]
}

#[cfg(test)]
mod tests {
    use super::super::derive::{layer_temperature, level_temperature};
    use super::*;

    /// Temperatures by the pressures of columns.
    type Derived<'a> = &'a dyn Fn(&Columns<f64>) -> Vec<f64>;

    /// Central differences of what is derived, by each pressure in turn.
    #[test]
    fn derived_temperatures_change_with_pressures() {
        let columns = Columns {
            pressure_pa: vec![9e4, 6e4, 3e4, 8e3],
            level_pressure_pa: vec![1e5, 8e4, 4.5e4, 2e4, 1e3],
            temperature_k: vec![285.0, 270.0, 240.0, 215.0],
            surface_temperature_k: vec![290.0],
            ..Columns::default()
        };
        let levels = [288.0, 279.0, 255.0, 226.0, 212.0];
        let layers = columns.temperature_k.clone();
        let of_layers =
            Columns { temperature_k: layer_temperature(&levels, &columns.level_pressure_pa, 1), ..columns.clone() };
        let by_levels = |columns: &Columns<f64>| layer_temperature(&levels, &columns.level_pressure_pa, 1);
        let all_above = BelowGround::default();
        let by =
            |law: Law, columns: &Columns<f64>| level_temperature(&layers, law, Neighbours::of(columns, &all_above));
        let by_pressure = |columns: &Columns<f64>| by(Law::Pressure, columns);
        let by_logarithm = |columns: &Columns<f64>| by(Law::Logarithm, columns);
        // With the temperatures that they are of: of layers, or of levels.
        let ways: [(Temperatures, &Columns<f64>, bool, Derived<'_>); 3] = [
            (Temperatures::Levels(levels.to_vec()), &of_layers, true, &by_levels),
            (Temperatures::LayersByPressure, &columns, false, &by_pressure),
            (Temperatures::LayersByLogarithm, &columns, false, &by_logarithm),
        ];
        for (temperatures, columns, are_layers, derived) in ways {
            let weights: Vec<f64> = (0..derived(columns).len()).map(|i| 0.3 + 0.4 * i as f64).collect();
            let sum = |columns: &Columns<f64>| -> f64 {
                derived(columns).iter().zip(&weights).map(|(value, weight)| value * weight).sum()
            };
            let mut found = [vec![0.0; 4], vec![0.0; 5]];
            let by = if are_layers { [&weights[..], &[]] } else { [&[], &weights[..]] };
            by_temperatures(&temperatures, columns, &all_above, by, &mut found);
            for (kind, found) in found.iter().enumerate() {
                for (at, slope) in found.iter().enumerate() {
                    let moved = |step: f64| {
                        let mut columns = columns.clone();
                        let pressures =
                            if kind == 0 { &mut columns.pressure_pa } else { &mut columns.level_pressure_pa };
                        pressures[at] += step;
                        sum(&columns)
                    };
                    let difference = moved(0.5) - moved(-0.5);
                    assert!((slope - difference).abs() < 1e-9, "{temperatures:?} {kind} {at}: {slope} {difference}");
                }
            }
        }
    }
}
