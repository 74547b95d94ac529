//! Jacobians: the rows of some measured values, a panel a quantity.

use isobar_io::Label;
use isobar_retrieval::StateVector;
use nalgebra::DMatrix;

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// More would not fit a page.
const MOST_PANELS: usize = 6;

/// Draws derivatives against height: a panel a quantity of the state, a curve a measured value.
///
/// `matrix` has a row for each of `rows` and a column for each element of the state.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw(state: &StateVector, rows: &[Label], matrix: &DMatrix<f64>) -> Result<Figure, Error> {
    let panels: Vec<Panel> = profiles(state)
        .into_iter()
        .take(MOST_PANELS)
        .map(|(name, columns)| {
            let curve = |row: usize| Curve {
                name: format!("{} cm⁻¹ at {:.1} km", short(&rows[row].name), rows[row].height_km),
                points: columns.iter().map(|&c| (matrix[(row, c)], state.elements[c].label.height_km)).collect(),
            };
            let per = match state.elements[columns[0]].quantity.unit() {
                "1" => String::new(),
                "km-1" => " km".into(),
                unit => format!(" {unit}⁻¹"),
            };
            Panel {
                title: format!("Derivative by {name}"),
                x: Axis::linear(format!("derivative [W/(m² sr cm⁻¹){per}]")),
                y: Axis::linear("height [km]"),
                curves: spread(rows.len(), CURVES).into_iter().map(curve).collect(),
                wide: false,
            }
        })
        .collect();
    draw_panels(&panels)
}

/// A wavenumber without the zeros at its end.
fn short(wavenumber: &str) -> &str {
    if wavenumber.contains('.') { wavenumber.trim_end_matches('0').trim_end_matches('.') } else { wavenumber }
}

/// The profiles of a state: names, and the places of their elements.
pub(super) fn profiles(state: &StateVector) -> Vec<(String, Vec<usize>)> {
    let mut profiles: Vec<(String, Vec<usize>)> = Vec::new();
    for (i, element) in state.elements.iter().enumerate() {
        match profiles.last_mut() {
            Some((name, places)) if *name == element.label.name => places.push(i),
            _ => profiles.push((element.label.name.clone(), vec![i])),
        }
    }
    // A number alone is no profile.
    profiles.retain(|(_, places)| places.len() > 1);
    profiles
}
