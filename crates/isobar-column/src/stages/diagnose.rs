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

impl<R: Precision> Stage<R> for Diagnose {
    fn name(&self) -> &str {
        "diagnose"
    }

    fn reads(&self) -> Vec<Quantity> {
        vec![POTENTIAL_TEMPERATURE, VAPOUR, EXNER, LOG_THICKNESS, WEIGHT_BELOW, CLAMPS]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![TEMPERATURE, LEVEL_TEMPERATURE, THICKNESS, WATER, CLAMPS]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let kernel = DiagnoseKernel {
            theta: fields.read(POTENTIAL_TEMPERATURE)?,
            vapour: fields.read(VAPOUR)?,
            exner: fields.read(EXNER)?,
            log_thickness: fields.read(LOG_THICKNESS)?,
            weight_below: fields.read(WEIGHT_BELOW)?,
            temperature: fields.write(TEMPERATURE)?,
            level_temperature: fields.write(LEVEL_TEMPERATURE)?,
            thickness: fields.write(THICKNESS)?,
            water: fields.write(WATER)?,
            clamps: fields.write(CLAMPS)?,
        };
        fields.launch_built(&Built::Diagnose(kernel))
    }
}
