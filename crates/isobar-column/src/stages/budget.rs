//! What columns hold.

use super::quantity::{
    ENTHALPY, INTERFACE_PRESSURE, POTENTIAL_TEMPERATURE, TRACERS, TRACERS_CONTENT, VAPOUR, WATER_CONTENT,
};
use crate::budget::Budget as BudgetKernel;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// Potential enthalpy, water and tracers of each column: [`crate::budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget;

impl<R: Precision> Stage<R> for Budget {
    fn name(&self) -> &str {
        "budget"
    }

    fn reads(&self) -> Vec<Quantity> {
        vec![INTERFACE_PRESSURE, POTENTIAL_TEMPERATURE, VAPOUR, TRACERS]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![ENTHALPY, WATER_CONTENT, TRACERS_CONTENT]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let kernel = BudgetKernel {
            interface_pressure: fields.read(INTERFACE_PRESSURE)?,
            theta: fields.read(POTENTIAL_TEMPERATURE)?,
            vapour: fields.read(VAPOUR)?,
            tracers: fields.read(TRACERS)?,
            enthalpy: fields.write(ENTHALPY)?,
            water: fields.write(WATER_CONTENT)?,
            tracer_amounts: fields.write(TRACERS_CONTENT)?,
        };
        fields.launch_built(&Built::Budget(kernel))
    }
}
