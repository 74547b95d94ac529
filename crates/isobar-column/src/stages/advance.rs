//! A step in time.

use isobar_core::{Column, FieldMut, Real};
use isobar_launch::{Buffer, Plain};

use super::quantity::{
    EMISSION_TEMPERATURE, EXNER, GEOSTROPHIC_EAST, GEOSTROPHIC_NORTH, HEAT_GAINED, HEATING, HEATING_DERIVATIVE,
    INTERFACE_PRESSURE, LATITUDE, MOISTURE_FLUX, POTENTIAL_TEMPERATURE, POTENTIAL_TEMPERATURE_TENDENCY,
    SENSIBLE_HEAT_FLUX, SHORTWAVE_HEATING, SURFACE_TEMPERATURE, TRACERS, TRACERS_GAINED, TRACERS_TENDENCY, VAPOUR,
    VAPOUR_TENDENCY, WATER_GAINED, WIND_EAST, WIND_EAST_TENDENCY, WIND_NORTH, WIND_NORTH_TENDENCY,
};
use crate::advance::{Advance as AdvanceKernel, AdvanceTracers};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// The state after a step: [`crate::advance`].
pub struct Advance<R: Real + Plain> {
    emission: Buffer<R>,
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
        Ok(Self { emission: state.queue().upload(&emission)? })
    }
}

kernel_fields!(air: AdvanceKernel { step_s: R, flags: FieldMut<'s, u32> } {
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
    column sensible_heat_flux_w_per_m2: SENSIBLE_HEAT_FLUX,
    column moisture_flux_kg_per_m2_s: MOISTURE_FLUX,
    update u_m_per_s: WIND_EAST,
    update v_m_per_s: WIND_NORTH,
    update theta_k: POTENTIAL_TEMPERATURE,
    update vapour_kg_per_kg: VAPOUR,
    update heat_gained_j_per_m2: HEAT_GAINED,
    update water_gained_kg_per_m2: WATER_GAINED,
});

kernel_fields!(tracers: AdvanceTracers { step_s: R, emission_mol_per_m2_s: Column<'s, R> } {
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
        [air::reads(), tracers::reads()].concat()
    }

    fn writes(&self) -> Vec<Quantity> {
        [air::writes(), tracers::writes()].concat()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let length = <R as Real>::from_f64(step.length_s);
        let flags = fields.flags();
        let kernel = air::kernel(fields, length, flags)?;
        fields.launch_built(&Built::Advance(kernel))?;
        if fields.tracers() == 0 {
            return Ok(());
        }
        let kernel = tracers::kernel(fields, length, self.emission.column())?;
        fields.launch_built(&Built::AdvanceTracers(kernel))
    }
}
