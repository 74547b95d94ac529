//! The surface layer.

use super::quantity::{
    BOUNDARY_LAYER_HEIGHT, FRICTION_VELOCITY, INTERFACE_PRESSURE, MOISTURE_AVAILABILITY, MOISTURE_FLUX,
    POTENTIAL_TEMPERATURE, PROFILE_HEAT, PROFILE_MOMENTUM, RICHARDSON, ROUGHNESS, SENSIBLE_HEAT_FLUX,
    SURFACE_TEMPERATURE, THICKNESS, VAPOUR, WIND_EAST, WIND_EAST_10M, WIND_NORTH, WIND_NORTH_10M, WIND_SPEED,
};
use crate::surface_flux::SurfaceFlux as SurfaceFluxKernel;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// Fluxes of heat, water and momentum by a bulk formula: [`crate::surface_flux`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceFlux;

impl<R: Precision> Stage<R> for SurfaceFlux {
    fn name(&self) -> &str {
        "surface_flux"
    }

    fn reads(&self) -> Vec<Quantity> {
        vec![
            WIND_EAST,
            WIND_NORTH,
            POTENTIAL_TEMPERATURE,
            VAPOUR,
            THICKNESS,
            INTERFACE_PRESSURE,
            SURFACE_TEMPERATURE,
            ROUGHNESS,
            MOISTURE_AVAILABILITY,
            BOUNDARY_LAYER_HEIGHT,
            SENSIBLE_HEAT_FLUX,
            MOISTURE_FLUX,
        ]
    }

    fn writes(&self) -> Vec<Quantity> {
        vec![
            FRICTION_VELOCITY,
            PROFILE_MOMENTUM,
            PROFILE_HEAT,
            WIND_SPEED,
            RICHARDSON,
            WIND_EAST_10M,
            WIND_NORTH_10M,
            SENSIBLE_HEAT_FLUX,
            MOISTURE_FLUX,
        ]
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let kernel = SurfaceFluxKernel {
            u: fields.read(WIND_EAST)?,
            v: fields.read(WIND_NORTH)?,
            theta: fields.read(POTENTIAL_TEMPERATURE)?,
            vapour: fields.read(VAPOUR)?,
            thickness: fields.read(THICKNESS)?,
            interface_pressure: fields.read(INTERFACE_PRESSURE)?,
            surface_temperature: fields.read_column(SURFACE_TEMPERATURE)?,
            roughness: fields.read_column(ROUGHNESS)?,
            moisture_availability: fields.read_column(MOISTURE_AVAILABILITY)?,
            boundary_layer_height: fields.read_column(BOUNDARY_LAYER_HEIGHT)?,
            friction_velocity: fields.write(FRICTION_VELOCITY)?,
            profile_momentum: fields.write(PROFILE_MOMENTUM)?,
            profile_heat: fields.write(PROFILE_HEAT)?,
            wind_speed: fields.write(WIND_SPEED)?,
            richardson: fields.write(RICHARDSON)?,
            u_10m: fields.write(WIND_EAST_10M)?,
            v_10m: fields.write(WIND_NORTH_10M)?,
            sensible_heat_flux: fields.write(SENSIBLE_HEAT_FLUX)?,
            moisture_flux: fields.write(MOISTURE_FLUX)?,
        };
        fields.launch_built(&Built::SurfaceFlux(kernel))
    }
}
