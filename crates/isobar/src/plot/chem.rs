//! Chemistry: concentrations against time.

use isobar_kpp::Mechanism;

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, above, draw as draw_panels};
use super::spread;

/// Nobody looks for less, and a logarithmic scale has no zero \[molecule cm^-3\].
const LEAST: f64 = 1.0;
/// The number of cells that get a panel.
const CELLS: usize = 3;

/// Draws concentrations, a panel a cell, with the species that the mechanism monitors, or the first ones.
///
/// `times` are in seconds; `concentrations` has for each of them `[species * cells + cell]` in molecule cm^-3.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw(mechanism: &Mechanism, times: &[f64], concentrations: &[Vec<f64>], cells: usize) -> Result<Figure, Error> {
    let monitored = mechanism.monitor().iter().chain(mechanism.look_at());
    let mut species: Vec<usize> = Vec::new();
    for i in monitored.filter_map(|name| mechanism.species_index(name)).chain(0..mechanism.variable()) {
        if !species.contains(&i) {
            species.push(i);
        }
    }
    let asked = mechanism.monitor().len();
    species.truncate(if asked > 0 { asked.min(CURVES) } else { CURVES });
    let hours = |time: f64| (time - times[0]) / 3600.0;
    let panel = |cell: usize| Panel {
        title: format!("Cell {cell}"),
        x: Axis::linear("time [h]"),
        y: Axis { name: "concentration [molecule cm⁻³]".into(), logarithmic: true },
        curves: species
            .iter()
            .map(|&i| Curve {
                name: mechanism.species()[i].name.clone(),
                points: times
                    .iter()
                    .zip(concentrations)
                    .map(|(&time, values)| (hours(time), above(LEAST, values[i * cells + cell])))
                    .collect(),
            })
            .collect(),
        wide: false,
    };
    draw_panels(&spread(cells, CELLS).into_iter().map(panel).collect::<Vec<_>>())
}
