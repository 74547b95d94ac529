//! A step in time.

use isobar_core::{Column, FieldMut, Real};
use isobar_launch::{Buffer, Plain};

use super::quantity::{
    COLUMN_HEATING, COLUMN_MOISTENING, DIFFUSIVITY_HEAT, EMISSION_TEMPERATURE, EXCHANGE_HEAT, EXCHANGE_MOISTURE, EXNER,
    GEOSTROPHIC_EAST, GEOSTROPHIC_NORTH, GROUND_CONDUCTANCE, GROUND_CONDUCTED, GROUND_FORCING, GROUND_HEAT_FLUX,
    GROUND_HEAT_GAINED, GROUND_RESPONSE, GROUND_SLOPE, HEAT_GAINED, HEATING, HEATING_DERIVATIVE, INTERFACE_PRESSURE,
    LATITUDE, MOISTURE_FLUX, POTENTIAL_HEAT_FLUX, POTENTIAL_TEMPERATURE, POTENTIAL_TEMPERATURE_TENDENCY, PRESSURE,
    SENSIBLE_HEAT_FLUX, SHORTWAVE_HEATING, SURFACE_TEMPERATURE, THICKNESS, TRACERS, TRACERS_GAINED, TRACERS_TENDENCY,
    VAPOUR, VAPOUR_TENDENCY, WATER_GAINED, WIND_EAST, WIND_EAST_TENDENCY, WIND_NORTH, WIND_NORTH_TENDENCY,
};
use crate::advance::{Advance as AdvanceKernel, AdvanceTracers};
use crate::exchange::Exchange;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// The state after a step: what flows through the surface ([`crate::exchange`]), and then the step itself
/// ([`crate::advance`]).
pub struct Advance<R: Real + Plain> {
    emission: Buffer<R>,
    /// The exchange's own.
    share: Buffer<R>,
}

impl<R: Precision> Advance<R> {
    /// With the emission of each tracer of a state at the surface \[mol/(m^2 s)\].
    ///
    /// # Errors
    /// Not one finite emission for each tracer, or what the device answers.
    pub fn new(state: &State<R>, emission: &[f64]) -> Result<Self, Error> {
        if emission.len() != state.tracers() || !emission.iter().all(|x| x.is_finite()) {
            let problem = format!("{emission:?} are not the finite emissions of {} tracers", state.tracers());
            return Err(Error::Stage { stage: "advance".into(), problem });
        }
        let emission: Vec<R> = emission.iter().map(|&x| <R as Real>::from_f64(x)).collect();
        let queue = state.queue();
        Ok(Self { emission: queue.upload(&emission)?, share: queue.zeros(state.layers() * state.columns())? })
    }
}

kernel_fields!(surface: Exchange { step_s: R, step: u32, share: FieldMut<'s, R>, words: FieldMut<'s, u32> } {
    read diffusivity_heat_m2_per_s: DIFFUSIVITY_HEAT,
    read pressure_pa: PRESSURE,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    read thickness_m: THICKNESS,
    read exner: EXNER,
    read heating_k_per_day: HEATING,
    read heating_derivative_per_day: HEATING_DERIVATIVE,
    read shortwave_heating_k_per_day: SHORTWAVE_HEATING,
    column emission_temperature_k: EMISSION_TEMPERATURE,
    column exchange_heat_w_per_m2_k: EXCHANGE_HEAT,
    column exchange_moisture_kg_per_m2_s: EXCHANGE_MOISTURE,
    column forcing_w_per_m2: GROUND_FORCING,
    column slope_w_per_m2_k: GROUND_SLOPE,
    column response_k_m2_per_w: GROUND_RESPONSE,
    column conducted_w_per_m2: GROUND_CONDUCTED,
    column conductance_w_per_m2_k: GROUND_CONDUCTANCE,
    update theta_tendency_k_per_s: POTENTIAL_TEMPERATURE_TENDENCY,
    update vapour_tendency_per_s: VAPOUR_TENDENCY,
    update surface_temperature_k: SURFACE_TEMPERATURE,
    update sensible_heat_flux_w_per_m2: SENSIBLE_HEAT_FLUX,
    update potential_heat_flux_w_per_m2: POTENTIAL_HEAT_FLUX,
    update moisture_flux_kg_per_m2_s: MOISTURE_FLUX,
    update column_heating_w_per_m2: COLUMN_HEATING,
    update column_moistening_w_per_m2: COLUMN_MOISTENING,
    write ground_heat_flux_w_per_m2: GROUND_HEAT_FLUX,
    update ground_heat_gained_j_per_m2: GROUND_HEAT_GAINED,
});

kernel_fields!(air: AdvanceKernel { step_s: R, step: u32, words: FieldMut<'s, u32> } {
    read u_tendency_m_per_s2: WIND_EAST_TENDENCY,
    read v_tendency_m_per_s2: WIND_NORTH_TENDENCY,
    read theta_tendency_k_per_s: POTENTIAL_TEMPERATURE_TENDENCY,
    read vapour_tendency_per_s: VAPOUR_TENDENCY,
    read heating_k_per_day: HEATING,
    read heating_derivative_per_day: HEATING_DERIVATIVE,
    read shortwave_heating_k_per_day: SHORTWAVE_HEATING,
    column surface_temperature_k: SURFACE_TEMPERATURE,
    column emission_temperature_k: EMISSION_TEMPERATURE,
    read exner: EXNER,
    read u_geostrophic_m_per_s: GEOSTROPHIC_EAST,
    read v_geostrophic_m_per_s: GEOSTROPHIC_NORTH,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    column latitude_deg: LATITUDE,
    column potential_heat_flux_w_per_m2: POTENTIAL_HEAT_FLUX,
    column moisture_flux_kg_per_m2_s: MOISTURE_FLUX,
    update u_m_per_s: WIND_EAST,
    update v_m_per_s: WIND_NORTH,
    update theta_k: POTENTIAL_TEMPERATURE,
    update vapour_kg_per_kg: VAPOUR,
    update heat_gained_j_per_m2: HEAT_GAINED,
    update water_gained_kg_per_m2: WATER_GAINED,
});

kernel_fields!(tracers: AdvanceTracers {
    step_s: R, step: u32, emission_mol_per_m2_s: Column<'s, R>, words: FieldMut<'s, u32>
} {
    read interface_pressure_pa: INTERFACE_PRESSURE,
    read tendencies_per_s: TRACERS_TENDENCY,
    update tracers: TRACERS,
    update gained_mol_per_m2: TRACERS_GAINED,
});

impl<R: Precision> Stage<R> for Advance<R> {
    fn name(&self) -> &str {
        "advance"
    }

    fn reads(&self) -> Vec<Quantity> {
        [surface::reads(), air::reads(), tracers::reads()].concat()
    }

    fn writes(&self) -> Vec<Quantity> {
        [surface::writes(), air::writes(), tracers::writes()].concat()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let (length, number) = (<R as Real>::from_f64(step.length_s), step.short_number());
        let words = fields.words();
        let share = self.share.item_fastest_mut(fields.layers(), fields.columns());
        let kernel = surface::kernel(fields, length, number, share, words)?;
        fields.launch_built(&Built::Exchange(kernel))?;
        fields.next_kernel();
        let kernel = air::kernel(fields, length, number, words)?;
        fields.launch_built(&Built::Advance(kernel))?;
        if fields.tracers() == 0 {
            return Ok(());
        }
        fields.next_kernel();
        let kernel = tracers::kernel(fields, length, number, self.emission.column(), words)?;
        fields.launch_built(&Built::AdvanceTracers(kernel))
    }

    fn advances(&self) -> bool {
        true
    }
}
