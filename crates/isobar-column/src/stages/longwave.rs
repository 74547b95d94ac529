//! Long-wave radiation.

use std::sync::Arc;

use isobar_core::Field;
use isobar_launch::Plain;
use isobar_longwave::launch::{DeviceTables, Shared, SharedViews};
use isobar_longwave::{Options, TableData, constants};

use super::quantity::{
    FLUX_DOWN, FLUX_UP, HEATING, INTERFACE_PRESSURE, LEVEL_TEMPERATURE, OZONE, PRESSURE, SURFACE_TEMPERATURE,
    TEMPERATURE, TRACERS, WATER,
};
use crate::constants::{GRAVITY, HEAT_CAPACITY};
use crate::rcemip;
use crate::{Error, Fields, Precision, Quantity, Stage, State, Step};

/// Where ozone comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ozone {
    /// The field [`OZONE`].
    #[default]
    Field,
    /// The tracer of this number.
    Tracer(usize),
}

/// Gases that are mixed well, and the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongwaveOptions {
    /// Ozone.
    pub ozone: Ozone,
    /// Mole fractions of carbon dioxide, nitrous oxide, carbon monoxide, methane and oxygen \[mol/mol\].
    pub mixed: [f64; 5],
    /// Emissivity of the surface, 0 to 1.
    pub emissivity: f64,
}

/// RCEMIP's gases and a black surface.
impl Default for LongwaveOptions {
    fn default() -> Self {
        Self { ozone: Ozone::Field, mixed: [rcemip::CO2, rcemip::N2O, 0.0, rcemip::CH4, 0.209], emissivity: 1.0 }
    }
}

/// Long-wave fluxes and heating under clear sky, as [`isobar_longwave`] has them. Heat capacity and gravity are the
/// column model's, so that the heating is the divergence of the fluxes there.
pub struct Longwave<R: isobar_core::Real + Plain> {
    shared: Shared<R>,
    ozone: Ozone,
}

impl<R: Precision> Longwave<R> {
    /// With a k-distribution, for the columns of a state.
    ///
    /// # Errors
    /// A tracer that is not there, mole fractions or an emissivity out of range, or what the device answers.
    pub fn new(state: &State<R>, tables: &TableData<R>, options: &LongwaveOptions) -> Result<Self, Error> {
        let refuse = |problem: String| Err(Error::Stage { stage: "longwave".into(), problem });
        if let Ozone::Tracer(number) = options.ozone
            && number >= state.tracers()
        {
            return refuse(format!("there is no tracer {number}: there are {}", state.tracers()));
        }
        for value in options.mixed.into_iter().chain([options.emissivity]) {
            if !(0.0..=1.0).contains(&value) {
                return refuse(format!("{value} is no mole fraction or emissivity in [0, 1]"));
            }
        }
        let scheme = Options { heat_capacity: constants::GRAVITY / GRAVITY * HEAT_CAPACITY, ..Options::default() };
        let tables = Arc::new(DeviceTables::new(state.queue(), tables)?);
        let shape = (state.layers(), state.columns());
        let shared = Shared::new(state.queue(), tables, shape, &scheme, (options.mixed, options.emissivity))?;
        Ok(Self { shared, ozone: options.ozone })
    }
}

impl<R: Precision> Stage<R> for Longwave<R> {
    fn name(&self) -> &str {
        "longwave"
    }

    fn reads(&self) -> Vec<Quantity> {
        let ozone = if self.ozone == Ozone::Field { OZONE } else { TRACERS };
        vec![PRESSURE, INTERFACE_PRESSURE, TEMPERATURE, LEVEL_TEMPERATURE, WATER, ozone, SURFACE_TEMPERATURE]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![FLUX_UP, FLUX_DOWN, HEATING]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let ozone = match self.ozone {
            Ozone::Field => fields.read(OZONE)?,
            Ozone::Tracer(number) => {
                let (all, columns) = (fields.read(TRACERS)?, fields.columns());
                let (level, item) = all.strides();
                let start = all.as_ptr().wrapping_add(number * columns);
                // SAFETY: the items of one tracer, in each layer.
                unsafe { Field::from_raw(start, all.levels(), columns, level, item) }
            }
        };
        let views = SharedViews {
            inputs: [
                fields.read(PRESSURE)?,
                fields.read(INTERFACE_PRESSURE)?,
                fields.read(TEMPERATURE)?,
                fields.read(LEVEL_TEMPERATURE)?,
                fields.read(WATER)?,
                ozone,
                fields.read(SURFACE_TEMPERATURE)?,
            ],
            outputs: [fields.write(FLUX_UP)?, fields.write(FLUX_DOWN)?, fields.write(HEATING)?],
        };
        Ok(self.shared.compute(fields.queue(), views)?)
    }
}
