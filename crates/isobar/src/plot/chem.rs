//! Chemistry: concentrations against time.

use isobar_kpp::Mechanism;

use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;
use crate::commands::Failure;
use crate::commands::chem::Run;

/// So many cells get a panel.
const CELLS: usize = 3;

/// A panel a cell with the species that the mechanism monitors, or the first ones.
pub(crate) fn draw(mechanism: &Mechanism, run: &Run) -> Result<String, Failure> {
    let count = run.status.len();
    let monitored = mechanism.monitor().iter().chain(mechanism.look_at());
    let mut species: Vec<usize> = Vec::new();
    for i in monitored.filter_map(|name| mechanism.species_index(name)).chain(0..mechanism.variable()) {
        if !species.contains(&i) {
            species.push(i);
        }
    }
    let asked = mechanism.monitor().len();
    species.truncate(if asked > 0 { asked.min(CURVES) } else { CURVES });
    let hours = |time: f64| (time - run.times[0]) / 3600.0;
    let panel = |cell: usize| Panel {
        title: format!("Cell {cell}"),
        x: Axis::linear("time [h]"),
        y: Axis { name: "concentration [molecule cm⁻³]".into(), logarithmic: true },
        curves: species
            .iter()
            .map(|&i| Curve {
                name: mechanism.species()[i].name.clone(),
                points: run
                    .times
                    .iter()
                    .zip(&run.concentrations)
                    .map(|(&time, values)| (hours(time), values[i * count + cell]))
                    // A logarithmic scale has no zero, and nobody looks for less.
                    .filter(|&(_, value)| value >= 1.0)
                    .collect(),
            })
            .collect(),
        width: 400,
    };
    draw_panels(&spread(count, CELLS).into_iter().map(panel).collect::<Vec<_>>())
}
