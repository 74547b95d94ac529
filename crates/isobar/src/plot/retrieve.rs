//! A retrieval: profiles with their errors, averaging kernels, and how the measurement is fitted.

use isobar_core::Real;
use isobar_io::Control;
use isobar_retrieval::Estimate;

use super::figure::{Error, Figure};
use super::kernel::profiles;
use super::panel::{Axis, CURVES, Curve, Panel, draw as draw_panels};
use super::spread;

/// More would not fit a page.
const MOST_PANELS: usize = 6;

/// Draws profiles before and after with their standard deviations, averaging kernels where there is an analysis, and
/// what the fit leaves of the measurement, in standard deviations.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw(estimate: &Estimate, control: &Control) -> Result<Figure, Error> {
    let mut panels = Vec::new();
    let each = if estimate.analysis.is_some() { 2 } else { 1 };
    for (name, places) in profiles(&estimate.state).into_iter().take((MOST_PANELS - 1) / each) {
        panels.push(profile(estimate, &name, &places));
        panels.extend(averaging_kernels(estimate, &name, &places));
    }
    panels.push(fit(estimate, control));
    draw_panels(&panels)
}

/// Before, after, and one standard deviation to both sides.
fn profile(estimate: &Estimate, name: &str, places: &[usize]) -> Panel {
    let values = estimate.state.values(&estimate.atmosphere);
    let quantity = estimate.state.elements[places[0]].quantity;
    let axis = match quantity.unit() {
        "1" => format!("mixing ratio of {name} [1]"),
        unit => format!("{} [{}]", name.to_lowercase().replace('_', " "), unit.replace("-1", "⁻¹")),
    };
    let curve = |name: &str, value: &dyn Fn(usize) -> f64| Curve {
        name: name.into(),
        points: places.iter().map(|&i| (value(i), estimate.state.elements[i].label.height_km)).collect(),
    };
    let mut curves = vec![curve("before", &|i| estimate.prior.values[i]), curve("retrieved", &|i| values[i])];
    if let Some(analysis) = &estimate.analysis {
        curves.push(curve("minus its error", &|i| values[i] - analysis.total_error[i]));
        curves.push(curve("plus its error", &|i| values[i] + analysis.total_error[i]));
    }
    Panel { title: name.into(), x: Axis::linear(axis), y: Axis::linear("height [km]"), curves, wide: false }
}

/// Some rows of the averaging kernel.
fn averaging_kernels(estimate: &Estimate, name: &str, places: &[usize]) -> Option<Panel> {
    let analysis = estimate.analysis.as_ref()?;
    let height = |i: usize| estimate.state.elements[i].label.height_km;
    let curve = |row: usize| Curve {
        name: format!("{:.1} km", height(places[row])),
        points: places.iter().map(|&i| (analysis.averaging_kernel[(places[row], i)], height(i))).collect(),
    };
    Some(Panel {
        title: format!("Averaging kernels, {name}"),
        x: Axis::linear("averaging kernel [1]"),
        y: Axis::linear("height [km]"),
        curves: spread(places.len(), CURVES).into_iter().map(curve).collect(),
        wide: false,
    })
}

/// Measured less computed, in standard deviations of the measurement.
fn fit(estimate: &Estimate, control: &Control) -> Panel {
    let channels = control.wavenumbers_per_cm.len();
    let variance = estimate.measurement.variance();
    let curve = |channel: usize| Curve {
        name: format!("{} cm⁻¹", control.wavenumbers_per_cm[channel]),
        points: estimate
            .measurement
            .indices
            .iter()
            .enumerate()
            .filter(|(_, place)| **place % channels == channel)
            .map(|(i, &place)| {
                let residual = estimate.measurement.values[i] - estimate.observation.radiance[place];
                let ray = &estimate.observation.rays[place / channels];
                (residual / Real::sqrt(variance[i]), ray.view_point.height_km)
            })
            .collect(),
    };
    Panel {
        title: "Residual".into(),
        x: Axis::linear("measured less computed [standard deviations]"),
        y: Axis::linear("view point height [km]"),
        curves: spread(channels, CURVES).into_iter().map(curve).collect(),
        wide: false,
    }
}
