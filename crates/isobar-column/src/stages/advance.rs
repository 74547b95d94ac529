//! A step in time.

use isobar_core::Real;
use isobar_launch::{Buffer, Plain};

use super::quantity::{
    EXNER, GEOSTROPHIC_EAST, GEOSTROPHIC_NORTH, HEAT_GAINED, HEATING, INTERFACE_PRESSURE, LATITUDE, MOISTURE_FLUX,
    POTENTIAL_TEMPERATURE, POTENTIAL_TEMPERATURE_TENDENCY, SENSIBLE_HEAT_FLUX, TRACERS, TRACERS_GAINED,
    TRACERS_TENDENCY, VAPOUR, VAPOUR_TENDENCY, WATER_GAINED, WIND_EAST, WIND_EAST_TENDENCY, WIND_NORTH,
    WIND_NORTH_TENDENCY,
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

impl<R: Precision> Stage<R> for Advance<R> {
    fn name(&self) -> &str {
        "advance"
    }

    fn reads(&self) -> Vec<Quantity> {
        vec![
            WIND_EAST_TENDENCY,
            WIND_NORTH_TENDENCY,
            POTENTIAL_TEMPERATURE_TENDENCY,
            VAPOUR_TENDENCY,
            HEATING,
            EXNER,
            GEOSTROPHIC_EAST,
            GEOSTROPHIC_NORTH,
            LATITUDE,
            SENSIBLE_HEAT_FLUX,
            MOISTURE_FLUX,
            INTERFACE_PRESSURE,
            TRACERS_TENDENCY,
            WIND_EAST,
            WIND_NORTH,
            POTENTIAL_TEMPERATURE,
            VAPOUR,
            HEAT_GAINED,
            WATER_GAINED,
            TRACERS,
            TRACERS_GAINED,
        ]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![WIND_EAST, WIND_NORTH, POTENTIAL_TEMPERATURE, VAPOUR, HEAT_GAINED, WATER_GAINED, TRACERS, TRACERS_GAINED]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let length = <R as Real>::from_f64(step.length_s);
        let kernel = AdvanceKernel {
            step: length,
            u_tendency: fields.read(WIND_EAST_TENDENCY)?,
            v_tendency: fields.read(WIND_NORTH_TENDENCY)?,
            theta_tendency: fields.read(POTENTIAL_TEMPERATURE_TENDENCY)?,
            vapour_tendency: fields.read(VAPOUR_TENDENCY)?,
            heating: fields.read(HEATING)?,
            exner: fields.read(EXNER)?,
            u_geostrophic: fields.read(GEOSTROPHIC_EAST)?,
            v_geostrophic: fields.read(GEOSTROPHIC_NORTH)?,
            interface_pressure: fields.read(INTERFACE_PRESSURE)?,
            latitude_deg: fields.read_column(LATITUDE)?,
            sensible_heat_flux: fields.read_column(SENSIBLE_HEAT_FLUX)?,
            moisture_flux: fields.read_column(MOISTURE_FLUX)?,
            u: fields.write(WIND_EAST)?,
            v: fields.write(WIND_NORTH)?,
            theta: fields.write(POTENTIAL_TEMPERATURE)?,
            vapour: fields.write(VAPOUR)?,
            heat_gained: fields.write(HEAT_GAINED)?,
            water_gained: fields.write(WATER_GAINED)?,
            flags: fields.flags(),
        };
        fields.launch_built(&Built::Advance(kernel))?;
        if fields.tracers() == 0 {
            return Ok(());
        }
        let kernel = AdvanceTracers {
            step: length,
            interface_pressure: fields.read(INTERFACE_PRESSURE)?,
            tendencies: fields.read(TRACERS_TENDENCY)?,
            emission: self.emission.column(),
            tracers: fields.write(TRACERS)?,
            gained: fields.write(TRACERS_GAINED)?,
        };
        fields.launch_built(&Built::AdvanceTracers(kernel))
    }
}
