//! Results that are kept as the run goes on.

use isobar_launch::Precision;
use isobar_launch::column::stages::Budget;
use isobar_launch::column::stages::quantity as q;
use isobar_launch::column::{Quantity, State, Step};

use super::setup::Setup;
use crate::commands::Failure;

/// What is kept of every column.
const KEPT: [Quantity; 34] = [
    q::POTENTIAL_TEMPERATURE,
    q::TEMPERATURE,
    q::VAPOUR,
    q::WIND_EAST,
    q::WIND_NORTH,
    q::THICKNESS,
    q::DIFFUSIVITY_HEAT,
    q::DIFFUSIVITY_MOMENTUM,
    q::HEATING,
    q::FLUX_UP,
    q::FLUX_DOWN,
    q::COSINE_OF_ZENITH,
    q::PHOTOLYSIS_FACTOR,
    q::SURFACE_TEMPERATURE,
    q::FRICTION_VELOCITY,
    q::RICHARDSON,
    q::WIND_EAST_10M,
    q::WIND_NORTH_10M,
    q::WIND_SPEED,
    q::SENSIBLE_HEAT_FLUX,
    q::MOISTURE_FLUX,
    q::BOUNDARY_LAYER_HEIGHT,
    q::CONVECTIVE_VELOCITY,
    q::ENTRAINMENT_DEPTH,
    q::COLUMN_HEATING,
    q::COLUMN_MOISTENING,
    q::HEAT_GAINED,
    q::WATER_GAINED,
    q::ENTHALPY,
    q::WATER_CONTENT,
    q::CLAMPS,
    q::TRACERS,
    q::TRACERS_GAINED,
    q::TRACERS_CONTENT,
];
/// What is made for a record.
const BUDGETS: [Quantity; 3] = [q::ENTHALPY, q::WATER_CONTENT, q::TRACERS_CONTENT];
/// What does not change.
const CONSTANT: [Quantity; 5] = [q::PRESSURE, q::INTERFACE_PRESSURE, q::EXNER, q::LATITUDE, q::LONGITUDE];

/// Results at some times.
pub(crate) struct Records<R> {
    pub(crate) times: Vec<f64>,
    /// Fields with their values, time by time.
    pub(crate) fields: Vec<(Quantity, Vec<R>)>,
    /// Fields that are the same at all times.
    pub(crate) constant: Vec<(Quantity, Vec<R>)>,
}

impl<R: Precision> Records<R> {
    /// Nothing yet, of what a state has.
    pub(super) fn new(setup: &Setup, state: &State<R>) -> Self {
        let has = |quantity: &Quantity| {
            let values = quantity.shape.per_column(setup.layers(), setup.initial.tracers);
            values > 0 && (BUDGETS.contains(quantity) || state.quantities().any(|other| other == *quantity))
        };
        let fields = KEPT.into_iter().filter(has).map(|quantity| (quantity, Vec::new())).collect();
        Self { times: Vec::new(), fields, constant: Vec::new() }
    }

    /// Takes over what a state has at a time.
    pub(super) fn add(&mut self, state: &mut State<R>, time_s: f64) -> Result<(), Failure> {
        state.apply(&mut Budget, &Step::first(0.0))?;
        self.keep_constants(state)?;
        self.times.push(time_s);
        let exner = self.constant(q::EXNER).expect("it is constant").to_vec();
        for (quantity, values) in &mut self.fields {
            if *quantity == q::TEMPERATURE {
                // The state's is that before the step.
                let theta = state.to_host(q::POTENTIAL_TEMPERATURE)?;
                values.extend(theta.iter().zip(&exner).map(|(&theta, &exner)| theta * exner));
            } else {
                values.extend(state.to_host(*quantity)?);
            }
        }
        Ok(())
    }

    /// Takes over what stays the same.
    pub(super) fn keep_constants(&mut self, state: &State<R>) -> Result<(), Failure> {
        if self.constant.is_empty() {
            let read = |quantity| Ok::<_, Failure>((quantity, state.to_host(quantity)?));
            self.constant = CONSTANT.into_iter().map(read).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// The values of a field at the record of a number, if it is kept.
    pub(crate) fn at(&self, quantity: Quantity, record: usize) -> Option<&[R]> {
        let (_, values) = self.fields.iter().find(|(other, _)| *other == quantity)?;
        let size = values.len() / self.times.len();
        values.get(record * size..(record + 1) * size)
    }

    /// The values of a field that stays the same.
    pub(crate) fn constant(&self, quantity: Quantity) -> Option<&[R]> {
        self.constant.iter().find(|(other, _)| *other == quantity).map(|(_, values)| &values[..])
    }
}
