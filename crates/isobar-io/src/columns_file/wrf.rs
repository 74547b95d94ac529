//! Pressure, temperature and heights in WRF's files.

use isobar_core::Real;

use super::{Fields, Per, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, Field, VariableSpec};

use Dimension::{Layer, Time};

/// What WRF subtracts from potential temperature \[K\].
const BASE_TEMPERATURE: f64 = 300.0;

pub(crate) const fn any(name: &'static str, unit: &'static str, per: Per) -> Quantity {
    Quantity::new(name, &[], &[], unit, per, Accepted::FINITE)
}

const THETA: Quantity = any("T", "K", Per::Layer);
const PRESSURE: [Quantity; 2] = [any("P", "Pa", Per::Layer), any("PB", "Pa", Per::Layer)];
const GEOPOTENTIAL: [Quantity; 2] = [any("PH", "m2 s-2", Per::Level), any("PHB", "m2 s-2", Per::Level)];
const WEIGHTS: [VariableSpec; 2] = [weight("FNM"), weight("FNP")];

/// WRF's gravity \[m/s^2\].
const GRAVITY: f64 = 9.81;
const REFERENCE_PRESSURE: f64 = 1e5;

const fn weight(name: &'static str) -> VariableSpec<'static> {
    const AXES: &[Axis] = &[Axis::required(Layer), Axis::optional(Time)];
    VariableSpec { name, aliases: &[], standard_names: &[], unit: "1", axes: AXES, accepted: Accepted::FINITE }
}

/// How notes say that pressures and temperatures of layers and levels were derived.
pub(crate) const TEMPERATURE: &str = "temperature = (T + 300 K) ((P + PB) / 1e5 Pa)^(2/7)";
pub(crate) const LEVEL_PRESSURE: &str = "level_pressure: PSFC at the surface, P + PB between layers";
pub(crate) const LEVEL_TEMPERATURE: &str =
    "level_temperature: between layers as WRF has it, linear in height at both ends";

/// Whether a file is WRF's.
pub(crate) fn is_wrf(file: &Dataset) -> bool {
    ["PB", "PHB"].iter().all(|name| file.has_name(name))
}

/// What becomes [`Air`].
pub(crate) fn read(reading: &mut Reading) -> Result<(), Error> {
    PRESSURE.iter().chain(&GEOPOTENTIAL).chain([&THETA]).try_for_each(|quantity| reading.need(quantity))?;
    for weight in &WEIGHTS {
        if reading.file.has(weight)? {
            reading.need_as(weight)?;
        }
    }
    Ok(())
}

/// The Exner function of a pressure.
pub(crate) fn exner(pressure: &[f64]) -> Vec<f64> {
    pressure.iter().map(|p| Real::powf(p / REFERENCE_PRESSURE, 2.0 / 7.0)).collect()
}

/// Air of layers, and the heights of levels.
pub(crate) struct Air {
    pub(crate) pressure: Vec<f64>,
    pub(crate) exner: Vec<f64>,
    pub(crate) temperature: Vec<f64>,
    pub(crate) heights: Vec<f64>,
    weights: [Vec<f64>; 2],
}

impl Air {
    /// Without weights: between layers all is linear in height.
    pub(crate) fn new(pressure: Vec<f64>, exner: Vec<f64>, temperature: Vec<f64>, heights: Vec<f64>) -> Self {
        Self { pressure, exner, temperature, heights, weights: [Vec::new(), Vec::new()] }
    }

    pub(crate) fn take(fields: &mut Fields) -> Self {
        let pressure = sum(fields, &PRESSURE);
        let heights = sum(fields, &GEOPOTENTIAL).iter().map(|potential| potential / GRAVITY).collect();
        let exner = exner(&pressure);
        let temperature =
            fields.take(&THETA).iter().zip(&exner).map(|(theta, exner)| (theta + BASE_TEMPERATURE) * exner).collect();
        // The same at all times.
        let first = |field: Field| field.values.chunks(field.shape[1]).map(|times| times[0]).collect();
        let weights = WEIGHTS.map(|weight| fields.take_field(weight.name).map_or_else(Vec::new, first));
        Self { pressure, exner, temperature, heights, weights }
    }

    /// Values at levels from those of layers, between layers as WRF has them: by its weights, or linear in height. At
    /// the top `top` extrapolates from the two layers below, of which it gets the values and the share of the upper.
    pub(crate) fn between_layers(
        &self,
        values: &[f64],
        surface: &[f64],
        top: impl Fn(f64, f64, f64) -> f64,
    ) -> Vec<f64> {
        let (count, heights) = (surface.len(), &self.heights);
        let layers = values.len() / count;
        let mut all = surface.to_vec();
        let middle = |i: usize| 0.5 * (heights[i] + heights[i + count]);
        let [upper, lower] = &self.weights;
        for layer in 1..layers {
            for column in 0..count {
                let (above, below) = (layer * count + column, (layer - 1) * count + column);
                let (upper, lower) = match (upper.get(layer), lower.get(layer)) {
                    (Some(&upper), Some(&lower)) => (upper, lower),
                    _ => {
                        let share = (heights[above] - middle(below)) / (middle(above) - middle(below));
                        (share, 1.0 - share)
                    }
                };
                all.push(upper * values[above] + lower * values[below]);
            }
        }
        for column in 0..count {
            let (above, below) = ((layers - 1) * count + column, (layers - 2) * count + column);
            let share = (heights[above + count] - middle(below)) / (middle(above) - middle(below));
            all.push(top(values[above], values[below], share));
        }
        all
    }

    /// Temperature of levels from that of layers: as WRF has it between these, linear in height at both ends.
    pub(crate) fn level_temperature(&self, t: &[f64], count: usize) -> Vec<f64> {
        let heights = &self.heights;
        let linear = |above: f64, below: f64, share: f64| share * above + (1.0 - share) * below;
        let surface = |column: usize| {
            let middle = |layer: usize| 0.5 * (heights[layer * count + column] + heights[(layer + 1) * count + column]);
            let share = (heights[column] - middle(0)) / (middle(1) - middle(0));
            linear(t[count + column], t[column], share)
        };
        self.between_layers(t, &(0..count).map(surface).collect::<Vec<_>>(), linear)
    }

    /// Pressure of interfaces as WRF has it before its physics, but for that of the lowest, which is that of the
    /// surface.
    pub(crate) fn interface_pressure(&self, surface: &[f64]) -> Vec<f64> {
        let logarithmic =
            |above: f64, below: f64, share: f64| Real::exp(share * Real::ln(above) + (1.0 - share) * Real::ln(below));
        self.between_layers(&self.pressure, surface, logarithmic)
    }
}

/// The sum of two.
pub(crate) fn sum(fields: &mut Fields, [first, second]: &[Quantity; 2]) -> Vec<f64> {
    let second = fields.take(second);
    fields.take(first).iter().zip(&second).map(|(a, b)| a + b).collect()
}
