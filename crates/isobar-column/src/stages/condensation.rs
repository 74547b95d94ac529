//! Large-scale condensation.

use isobar_core::FieldMut;

use super::quantity::{
    EXNER, HEAT_GAINED, INTERFACE_PRESSURE, POTENTIAL_TEMPERATURE, PRECIPITATION, PRESSURE, VAPOUR, WATER_GAINED,
};
use crate::condensation::Condensation as CondensationKernel;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// What is supersaturated condenses and falls out: [`crate::condensation`]. It comes after [`super::Advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condensation {
    evaporates: bool,
}

const NAME: &str = "condensation";

impl Condensation {
    /// For a state, in which nothing fell out so far unless it says so. Does what falls evaporate in layers that are
    /// not saturated?
    ///
    /// # Errors
    /// What the device answers.
    pub fn new<R: Precision>(state: &mut State<R>, evaporates: bool) -> Result<Self, Error> {
        state.make(PRECIPITATION, NAME)?;
        Ok(Self { evaporates })
    }
}

kernel_fields!(air: CondensationKernel { step: u32, evaporates: u32, words: FieldMut<'s, u32> } {
    read exner: EXNER,
    read pressure_pa: PRESSURE,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    update theta_k: POTENTIAL_TEMPERATURE,
    update vapour_kg_per_kg: VAPOUR,
    update heat_gained_j_per_m2: HEAT_GAINED,
    update water_gained_kg_per_m2: WATER_GAINED,
    update precipitation_kg_per_m2: PRECIPITATION,
});

impl<R: Precision> Stage<R> for Condensation {
    fn name(&self) -> &str {
        NAME
    }

    fn reads(&self) -> Vec<Quantity> {
        air::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        air::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let words = fields.words();
        let kernel = air::kernel(fields, step.short_number(), u32::from(self.evaporates), words)?;
        fields.launch_built(&Built::Condensation(kernel))
    }

    fn advances(&self) -> bool {
        true
    }
}
