//! The boundary layer: profiles before and after, diffusivities, and the height of the layer.

use isobar_core::{Real, Status};
use isobar_ysu::{Columns, Results};

use super::figure::{Error, Figure};
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// The height above which nothing is shown, in heights of the highest boundary layer.
const ABOVE: f64 = 1.6;
/// The least number of layers that are shown.
const LEAST_LAYERS: usize = 6;

/// Draws profiles before and after, diffusivities of heat, and the heights of boundary layers.
///
/// The results are those of the last step; columns whose status is not success are left out.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw<R: Real>(
    (before, after): (&Columns<f64>, &Columns<f64>),
    results: &Results<R>,
    status: &[Status],
) -> Result<Figure, Error> {
    let profiles = Profiles::new(before, results, status);
    let theta =
        |temperature: &[f64]| -> Vec<f64> { temperature.iter().zip(&before.exner).map(|(t, x)| t / x).collect() };
    let grams = |vapour: &[f64]| -> Vec<f64> { vapour.iter().map(|q| 1e3 * q).collect() };
    let speed =
        |u: &[f64], v: &[f64]| -> Vec<f64> { u.iter().zip(v).map(|(u, v)| Real::sqrt(u * u + v * v)).collect() };
    draw_panels(&[
        profiles.pair("potential temperature [K]", &theta(&before.temperature_k), &theta(&after.temperature_k)),
        profiles.pair("water vapour [g kg⁻¹]", &grams(&before.vapour_kg_per_kg), &grams(&after.vapour_kg_per_kg)),
        profiles.pair(
            "wind speed [m s⁻¹]",
            &speed(&before.u_m_per_s, &before.v_m_per_s),
            &speed(&after.u_m_per_s, &after.v_m_per_s),
        ),
        profiles.diffusivity(results),
    ])
}

/// A few columns, up to a height.
struct Profiles {
    count: usize,
    columns: Vec<usize>,
    /// Layers that are shown.
    layers: usize,
    /// The heights of interfaces \[km\], `[interface * columns + column]`.
    interface_km: Vec<f64>,
}

impl Profiles {
    fn new<R: Real>(air: &Columns<f64>, results: &Results<R>, status: &[Status]) -> Self {
        let count = air.columns();
        let good: Vec<usize> = (0..count).filter(|&column| status[column].is_ok()).collect();
        let columns: Vec<usize> = spread(good.len(), CURVES / 2).into_iter().map(|i| good[i]).collect();
        let mut interface_km = vec![0.0; count];
        for (i, thickness) in air.thickness_m.iter().enumerate() {
            interface_km.push(interface_km[i] + 1e-3 * thickness);
        }
        let highest = columns.iter().map(|&column| results.height_m[column].value()).fold(0.0, f64::max);
        let layers = air.layers();
        let shown = |layer: &usize| columns.iter().any(|c| interface_km[layer * count + c] < 1e-3 * ABOVE * highest);
        let shown = (0..layers).take_while(shown).count();
        Self { count, columns, layers: shown.max(LEAST_LAYERS).min(layers), interface_km }
    }

    fn panel(title: &str, x: &str, curves: Vec<Curve>) -> Panel {
        Panel { title: title.into(), x: Axis::linear(x), y: Axis::linear("height [km]"), curves, wide: false }
    }

    /// Values of layers before and after.
    fn pair(&self, name: &str, before: &[f64], after: &[f64]) -> Panel {
        let middle = |layer: usize, column: usize| {
            let i = layer * self.count + column;
            0.5 * (self.interface_km[i] + self.interface_km[i + self.count])
        };
        let curve = |when: &str, values: &[f64], column: usize| Curve {
            name: format!("{when}, column {column}"),
            points: (0..self.layers).map(|k| (values[k * self.count + column], middle(k, column))).collect(),
        };
        let both = |&column: &usize| [curve("before", before, column), curve("after", after, column)];
        Self::panel("Before and after", name, self.columns.iter().flat_map(both).collect())
    }

    /// Diffusivities of heat, and the heights of the boundary layers as lines across.
    fn diffusivity<R: Real>(&self, results: &Results<R>) -> Panel {
        let largest = |column: usize| {
            let values = (0..self.layers).map(|k| results.diffusivity_heat_m2_per_s[k * self.count + column].value());
            values.fold(0.0, f64::max)
        };
        let both = |&column: &usize| {
            let at = |k: usize| k * self.count + column;
            let height_km = 1e-3 * results.height_m[column].value();
            [
                Curve {
                    name: format!("K, column {column}"),
                    points: (0..self.layers)
                        .map(|k| (results.diffusivity_heat_m2_per_s[at(k)].value(), self.interface_km[at(k)]))
                        .collect(),
                },
                Curve {
                    name: format!("h, column {column}"),
                    points: vec![(0.0, height_km), (largest(column), height_km)],
                },
            ]
        };
        Self::panel(
            "Diffusivity of heat and height of the layer",
            "diffusivity [m² s⁻¹]",
            self.columns.iter().flat_map(both).collect(),
        )
    }
}
