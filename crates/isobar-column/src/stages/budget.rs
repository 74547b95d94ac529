//! What columns hold.

use super::quantity::{
    ENTHALPY, INTERFACE_PRESSURE, POTENTIAL_TEMPERATURE, TRACERS, TRACERS_CONTENT, VAPOUR, WATER_CONTENT,
};
use crate::budget::Budget as BudgetKernel;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// Potential enthalpy, water and tracers of each column: [`crate::budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget;

kernel_fields!(contents: BudgetKernel {} {
    read interface_pressure_pa: INTERFACE_PRESSURE,
    read theta_k: POTENTIAL_TEMPERATURE,
    read vapour_kg_per_kg: VAPOUR,
    read tracers: TRACERS,
    write enthalpy_j_per_m2: ENTHALPY,
    write water_kg_per_m2: WATER_CONTENT,
    write tracer_amounts_mol_per_m2: TRACERS_CONTENT,
});

impl<R: Precision> Stage<R> for Budget {
    fn name(&self) -> &str {
        "budget"
    }

    fn reads(&self) -> Vec<Quantity> {
        contents::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        contents::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let kernel = contents::kernel(fields)?;
        fields.launch_built(&Built::Budget(kernel))
    }
}
