//! WRF's layout.

use isobar_core::Real;
use isobar_ysu::constants::GRAVITY;
use isobar_ysu::{AirColumns, Columns, Options};

use super::derive::{self, Raw};
use super::own::{Fields, Reading};
use super::quantity::{self as q, Per, Quantity};
use crate::error::{Error, Place};
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, Field, VariableSpec};

use Dimension::{Layer, SouthNorth, SouthNorthStaggered, Time, WestEast, WestEastStaggered};

/// What WRF subtracts from potential temperature \[K\].
const BASE_TEMPERATURE: f64 = 300.0;

const fn any(name: &'static str, unit: &'static str, per: Per) -> Quantity {
    Quantity::new(name, &[], &[], unit, per, Accepted::FINITE)
}

const THETA: Quantity = any("T", "K", Per::Layer);
const PRESSURE: [Quantity; 2] = [any("P", "Pa", Per::Layer), any("PB", "Pa", Per::Layer)];
const GEOPOTENTIAL: [Quantity; 2] = [any("PH", "m2 s-2", Per::Level), any("PHB", "m2 s-2", Per::Level)];
const HEATING: [Quantity; 2] = [any("RTHRATLW", "K s-1", Per::Layer), any("RTHRATSW", "K s-1", Per::Layer)];
const WEIGHTS: [VariableSpec; 2] = [weight("FNM"), weight("FNP")];

const fn weight(name: &'static str) -> VariableSpec {
    const AXES: &[Axis] = &[Axis::required(Layer), Axis::optional(Time)];
    VariableSpec { name, aliases: &[], standard_names: &[], unit: "1", axes: AXES, accepted: Accepted::FINITE }
}

const fn wind(name: &'static str, axes: &'static [Axis]) -> VariableSpec {
    VariableSpec { name, aliases: &[], standard_names: &[], unit: "m s-1", axes, accepted: q::WIND }
}

const U: VariableSpec = wind(
    "U",
    &[Axis::required(Layer), Axis::optional(Time), Axis::optional(SouthNorth), Axis::required(WestEastStaggered)],
);
const V: VariableSpec = wind(
    "V",
    &[Axis::required(Layer), Axis::optional(Time), Axis::required(SouthNorthStaggered), Axis::optional(WestEast)],
);

pub(super) fn read(file: Dataset, options: &Options) -> Result<Raw, Error> {
    let path = file.path().to_owned();
    let mut reading = Reading::new(file);
    for quantity in PRESSURE.iter().chain(&GEOPOTENTIAL).chain([&THETA, &q::VAPOUR]) {
        reading.need(quantity)?;
    }
    reading.maybe(&q::CLOUD_WATER)?;
    reading.maybe(&q::CLOUD_ICE)?;
    reading.need_as(&U)?;
    reading.need_as(&V)?;
    if options.top_down {
        // RTHRATEN may be multiplied by the column's mass.
        if reading.converts(&q::RADIATIVE_HEATING)? {
            reading.need(&q::RADIATIVE_HEATING)?;
        } else {
            HEATING.iter().try_for_each(|quantity| reading.need(quantity))?;
        }
    }
    for weight in &WEIGHTS {
        if reading.file.has(weight)? {
            reading.need_as(weight)?;
        }
    }
    reading.need(&q::SURFACE_PRESSURE)?;
    reading.surface(options)?;

    let mut fields = reading.arrange("PB")?;
    let count = fields.grid().columns();
    let pressure = sum(&mut fields, &PRESSURE);
    let heights: Vec<f64> = sum(&mut fields, &GEOPOTENTIAL).iter().map(|potential| potential / GRAVITY).collect();
    let exner = derive::exner(&pressure);
    let temperature =
        fields.take(&THETA).iter().zip(&exner).map(|(theta, exner)| (theta + BASE_TEMPERATURE) * exner).collect();
    let refuse = |problem: String| Error::invalid(Place::File(path.clone()), problem);
    let u = faces(&mut fields, "U", 3).map_err(refuse)?;
    let v = faces(&mut fields, "V", 2).map_err(refuse)?;
    let mut radiative_heating = fields.take(&q::RADIATIVE_HEATING);
    if options.top_down && radiative_heating.is_empty() {
        radiative_heating = sum(&mut fields, &HEATING);
    }
    // The same at all times.
    let first = |field: Field| field.values.chunks(field.shape[1]).map(|times| times[0]).collect();
    let weights = WEIGHTS.map(|weight| fields.take_field(weight.name).map_or_else(Vec::new, first));
    let surface = fields.surface();
    let interface_pressure = interfaces(&pressure, &heights, &surface.pressure, &weights, count);
    let columns = Columns {
        air: AirColumns {
            u,
            v,
            temperature,
            vapour: fields.take(&q::VAPOUR),
            cloud_water: fields.take(&q::CLOUD_WATER),
            cloud_ice: fields.take(&q::CLOUD_ICE),
            pressure,
            exner,
            thickness: Vec::new(),
            radiative_heating,
        },
        interface_pressure,
        surface,
        tracers: Vec::new(),
    };
    let derived = vec![
        "temperature = (T + 300 K) exner".to_owned(),
        "exner = ((P + PB) / 1e5 Pa)^(2/7)".to_owned(),
        "interface_pressure: PSFC at the surface, P + PB between layers".to_owned(),
        "interface_height = (PH + PHB) / g".to_owned(),
    ];
    Ok(fields.raw(columns, heights, derived, ["bottom_top", "bottom_top_stag"]))
}

/// The sum of two.
fn sum(fields: &mut Fields, [first, second]: &[Quantity; 2]) -> Vec<f64> {
    let second = fields.take(second);
    fields.take(first).iter().zip(&second).map(|(a, b)| a + b).collect()
}

/// Means of neighbours along an axis of faces.
fn faces(fields: &mut Fields, name: &str, axis: usize) -> Result<Vec<f64>, String> {
    let cells = fields.grid().0.iter().rev().map(|&(.., size)| size).nth(3 - axis).unwrap_or(1);
    let Some(field) = fields.take_field(name) else { return Ok(Vec::new()) };
    let (size, run) = (field.shape[axis], field.shape[axis + 1..].iter().product::<usize>());
    if size != cells + 1 {
        return Err(format!("{name} has {size} faces for {cells} cells; n cells have n + 1 faces"));
    }
    let block = size * run;
    let mean = |block: &[f64]| block.iter().zip(&block[run..]).map(|(a, b)| 0.5 * (a + b)).collect::<Vec<_>>();
    Ok(field.values.chunks_exact(block).flat_map(mean).collect())
}

/// Pressure of interfaces as WRF has it before its physics, but for that of the lowest, which is that of the surface.
fn interfaces(pressure: &[f64], heights: &[f64], surface: &[f64], weights: &[Vec<f64>; 2], count: usize) -> Vec<f64> {
    let layers = pressure.len() / count;
    let mut all = surface.to_vec();
    let middle = |i: usize| 0.5 * (heights[i] + heights[i + count]);
    let [upper, lower] = weights;
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
            all.push(upper * pressure[above] + lower * pressure[below]);
        }
    }
    for column in 0..count {
        let (above, below) = ((layers - 1) * count + column, (layers - 2) * count + column);
        let share = (heights[above + count] - middle(below)) / (middle(above) - middle(below));
        all.push(Real::exp(share * Real::ln(pressure[above]) + (1.0 - share) * Real::ln(pressure[below])));
    }
    all
}
