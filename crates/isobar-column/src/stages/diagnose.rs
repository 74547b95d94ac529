//! What follows from the state.

use super::quantity::{
    CLAMPS, EXNER, LEVEL_TEMPERATURE, LOG_THICKNESS, POTENTIAL_TEMPERATURE, TEMPERATURE, THICKNESS, VAPOUR, WATER,
    WEIGHT_BELOW,
};
use crate::diagnose::Diagnose as DiagnoseKernel;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// Temperature of layers and levels, thickness of layers, and water for radiation: [`crate::diagnose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnose;

kernel_fields!(diagnosis: DiagnoseKernel {} {
    read theta_k: POTENTIAL_TEMPERATURE,
    read vapour_kg_per_kg: VAPOUR,
    read exner: EXNER,
    read log_thickness: LOG_THICKNESS,
    read weight_below: WEIGHT_BELOW,
    write temperature_k: TEMPERATURE,
    write level_temperature_k: LEVEL_TEMPERATURE,
    write thickness_m: THICKNESS,
    write water_mol_per_mol: WATER,
    update clamps: CLAMPS,
});

impl<R: Precision> Stage<R> for Diagnose {
    fn name(&self) -> &str {
        "diagnose"
    }

    fn reads(&self) -> Vec<Quantity> {
        diagnosis::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        diagnosis::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let kernel = diagnosis::kernel(fields)?;
        fields.launch_built(&Built::Diagnose(kernel))
    }
}
