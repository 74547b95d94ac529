//! Long-wave and short-wave radiation: fluxes and heating rates against height.

use isobar_core::Real;
use isobar_radiation::{Columns, Fluxes};

use super::figure::{Error, Figure};
use super::heights::heights_km;
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// Draws fluxes and heating rates of the spectra that were computed against height.
///
/// The fluxes are those of the columns, \[W/m^2\] and \[K/day\]; columns with a status are left out.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw<R: Real>(columns: &Columns<f64>, out: &Fluxes<R>) -> Result<Figure, Error> {
    let count = out.status.len();
    let heights = heights_km(&columns.temperature_k, [&columns.level_pressure_pa, &columns.pressure_pa]);
    let middles: Vec<f64> = heights.iter().zip(&heights[count..]).map(|(below, above)| 0.5 * (below + above)).collect();
    let good: Vec<usize> = (0..count).filter(|&column| out.status[column] == 0).collect();
    let chosen: Vec<usize> = spread(good.len(), CURVES / 2).into_iter().map(|i| good[i]).collect();
    let curve = |name: &str, values: &[R], heights: &[f64], column: usize| Curve {
        name: format!("{name}, column {column}"),
        points: (column..values.len()).step_by(count).map(|i| (values[i].value(), heights[i])).collect(),
    };
    let two = |[(first, of_first), (second, of_second)]: [(&str, &[R]); 2], heights: &[f64]| -> Vec<Curve> {
        let both = |&column: &usize| {
            let curves = [(first, of_first), (second, of_second)].into_iter().filter(|(_, values)| !values.is_empty());
            curves.map(|(name, values)| curve(name, values, heights, column)).collect::<Vec<_>>()
        };
        chosen.iter().flat_map(both).collect()
    };
    let fluxes = [
        ("Long-wave fluxes", &out.longwave_up_w_per_m2, &out.longwave_down_w_per_m2),
        ("Short-wave fluxes", &out.shortwave_up_w_per_m2, &out.shortwave_down_w_per_m2),
    ];
    let mut panels: Vec<Panel> = fluxes
        .into_iter()
        .filter(|(_, up, _)| !up.is_empty())
        .map(|(title, up, down)| panel(title, "flux [W m⁻²]", two([("up", up), ("down", down)], &heights)))
        .collect();
    let rates =
        [("long wave", &out.longwave_heating_k_per_day[..]), ("short wave", &out.shortwave_heating_k_per_day[..])];
    panels.push(panel("Heating by radiation", "heating rate [K day⁻¹]", two(rates, &middles)));
    draw_panels(&panels)
}

fn panel(title: &str, x: &str, curves: Vec<Curve>) -> Panel {
    Panel { title: title.into(), x: Axis::linear(x), y: Axis::linear("height [km]"), curves, wide: false }
}
