//! The surface layer.

use super::quantity::{
    BOUNDARY_LAYER_HEIGHT, EXCHANGE, FRICTION_VELOCITY, INTERFACE_PRESSURE, MOISTURE_AVAILABILITY, MOISTURE_FLUX,
    POTENTIAL_TEMPERATURE, PROFILE_HEAT, PROFILE_MOMENTUM, RICHARDSON, ROUGHNESS, SENSIBLE_HEAT_FLUX,
    SURFACE_TEMPERATURE, THICKNESS, VAPOUR, WIND_EAST, WIND_EAST_10M, WIND_NORTH, WIND_NORTH_10M, WIND_SPEED,
};
use crate::surface_flux::SurfaceFlux as SurfaceFluxKernel;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step};

/// Fluxes of heat, water and momentum by a bulk formula: [`crate::surface_flux`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceFlux;

kernel_fields!(surface: SurfaceFluxKernel {} {
    read u_m_per_s: WIND_EAST,
    read v_m_per_s: WIND_NORTH,
    read theta_k: POTENTIAL_TEMPERATURE,
    read vapour_kg_per_kg: VAPOUR,
    read thickness_m: THICKNESS,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    column surface_temperature_k: SURFACE_TEMPERATURE,
    column roughness_m: ROUGHNESS,
    column moisture_availability: MOISTURE_AVAILABILITY,
    column boundary_layer_height_m: BOUNDARY_LAYER_HEIGHT,
    write friction_velocity_m_per_s: FRICTION_VELOCITY,
    write profile_momentum: PROFILE_MOMENTUM,
    write profile_heat: PROFILE_HEAT,
    write wind_speed_m_per_s: WIND_SPEED,
    write richardson: RICHARDSON,
    write exchange_kg_per_m2_s: EXCHANGE,
    write u_10m_m_per_s: WIND_EAST_10M,
    write v_10m_m_per_s: WIND_NORTH_10M,
    update sensible_heat_flux_w_per_m2: SENSIBLE_HEAT_FLUX,
    update moisture_flux_kg_per_m2_s: MOISTURE_FLUX,
});

impl<R: Precision> Stage<R> for SurfaceFlux {
    fn name(&self) -> &str {
        "surface_flux"
    }

    fn reads(&self) -> Vec<Quantity> {
        surface::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        surface::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let kernel = surface::kernel(fields)?;
        fields.launch_built(&Built::SurfaceFlux(kernel))
    }
}
