//! Long-wave radiation: fluxes and heating rates against height.

use isobar_core::Real;
use isobar_longwave::{Columns, Fluxes};

use super::figure::{Error, Figure};
use super::heights::heights_km;
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// Draws fluxes and heating rates against height, with clear sky beside all sky where there are clouds.
///
/// The fluxes are those of the columns, \[W/m^2\] and \[K/day\]; columns with a status are left out.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw<R: Real>(columns: &Columns<f64>, out: &Fluxes<R>) -> Result<Figure, Error> {
    let (count, layers) = (columns.columns(), columns.layers());
    let heights = heights_km(&columns.temperature_k, [&columns.level_pressure_pa, &columns.pressure_pa]);
    let cloudy = columns.is_cloudy();
    let good: Vec<usize> = (0..count).filter(|&column| out.status[column] == 0).collect();
    let chosen: Vec<usize> = spread(good.len(), CURVES / 2).into_iter().map(|i| good[i]).collect();
    let levels = |name: &str, values: &[R], column: usize| Curve {
        name: format!("{name}, column {column}"),
        points: (0..=layers).map(|k| k * count + column).map(|i| (values[i].value(), heights[i])).collect(),
    };
    let rates = |name: &str, values: &[R], column: usize| Curve {
        name: format!("{name}, column {column}"),
        points: (0..layers)
            .map(|k| k * count + column)
            .map(|i| (values[i].value(), 0.5 * (heights[i] + heights[i + count])))
            .collect(),
    };
    let fluxes = chosen
        .iter()
        .flat_map(|&c| [levels("up", &out.up_w_per_m2, c), levels("down", &out.down_w_per_m2, c)])
        .collect();
    let heating = chosen.iter().flat_map(|&c| {
        let clear = cloudy.then(|| rates("clear", &out.heating_clear_k_per_day, c));
        std::iter::once(rates("all sky", &out.heating_k_per_day, c)).chain(clear)
    });
    draw_panels(&[
        panel("Long-wave fluxes", "flux [W m⁻²]", fluxes),
        panel("Heating by long-wave radiation", "heating rate [K day⁻¹]", heating.collect()),
    ])
}

fn panel(title: &str, x: &str, curves: Vec<Curve>) -> Panel {
    Panel { title: title.into(), x: Axis::linear(x), y: Axis::linear("height [km]"), curves, wide: false }
}
