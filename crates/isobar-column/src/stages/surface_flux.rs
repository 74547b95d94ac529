//! The surface layer.

use isobar_core::Real;

use super::quantity::{
    BOUNDARY_LAYER_HEIGHT, EXCHANGE_HEAT, EXCHANGE_MOISTURE, FRICTION_VELOCITY, INTERFACE_PRESSURE,
    MOISTURE_AVAILABILITY, MOISTURE_FLUX, POTENTIAL_HEAT_FLUX, POTENTIAL_TEMPERATURE, PROFILE_HEAT, PROFILE_MOMENTUM,
    RICHARDSON, ROUGHNESS, ROUGHNESS_HEAT, SENSIBLE_HEAT_FLUX, SURFACE_TEMPERATURE, THICKNESS, VAPOUR, WIND_EAST,
    WIND_EAST_10M, WIND_NORTH, WIND_NORTH_10M, WIND_SPEED,
};
use crate::constants::LATENT_HEAT;
use crate::surface_flux::{Given, SurfaceFlux as SurfaceFluxKernel};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step, Table};

/// Fluxes of heat, water and momentum by a bulk formula: [`crate::surface_flux`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceFlux;

/// The surface layer with fluxes of heat and moisture that are given by the time since the start, for all columns:
/// those in the middle of a step, upward. The friction velocity follows from them and the wind.
#[derive(Clone, Debug, PartialEq)]
pub enum PrescribedFlux {
    /// As energy.
    Energy {
        /// Sensible heat \[W/m^2\].
        sensible_w_per_m2: Table,
        /// Latent heat \[W/m^2\].
        latent_w_per_m2: Table,
    },
    /// Kinematic: times the density of the air at the surface, and its heat capacity, potential enthalpy and moisture.
    Kinematic {
        /// Of potential temperature \[K m/s\].
        heat_k_m_per_s: Table,
        /// Of the mixing ratio of water vapour \[m/s\].
        moisture_m_per_s: Table,
    },
}

kernel_fields!(surface: SurfaceFluxKernel { given: Given<R> } {
    read u_m_per_s: WIND_EAST,
    read v_m_per_s: WIND_NORTH,
    read theta_k: POTENTIAL_TEMPERATURE,
    read vapour_kg_per_kg: VAPOUR,
    read thickness_m: THICKNESS,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    column surface_temperature_k: SURFACE_TEMPERATURE,
    column roughness_m: ROUGHNESS,
    column roughness_heat_m: ROUGHNESS_HEAT,
    column moisture_availability: MOISTURE_AVAILABILITY,
    column boundary_layer_height_m: BOUNDARY_LAYER_HEIGHT,
    write friction_velocity_m_per_s: FRICTION_VELOCITY,
    write profile_momentum: PROFILE_MOMENTUM,
    write profile_heat: PROFILE_HEAT,
    write wind_speed_m_per_s: WIND_SPEED,
    write richardson: RICHARDSON,
    write exchange_heat_w_per_m2_k: EXCHANGE_HEAT,
    write exchange_moisture_kg_per_m2_s: EXCHANGE_MOISTURE,
    write u_10m_m_per_s: WIND_EAST_10M,
    write v_10m_m_per_s: WIND_NORTH_10M,
    write sensible_heat_flux_w_per_m2: SENSIBLE_HEAT_FLUX,
    update potential_heat_flux_w_per_m2: POTENTIAL_HEAT_FLUX,
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
        let kernel = surface::kernel(fields, Given::NONE)?;
        fields.launch_built(&Built::SurfaceFlux(kernel))
    }
}

impl<R: Precision> Stage<R> for PrescribedFlux {
    fn name(&self) -> &str {
        "surface_flux"
    }

    fn reads(&self) -> Vec<Quantity> {
        surface::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        surface::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let now = step.since_start_s(0.5);
        let (kind, heat, moisture) = match self {
            Self::Energy { sensible_w_per_m2, latent_w_per_m2 } => {
                (1, sensible_w_per_m2.at(now), latent_w_per_m2.at(now) / LATENT_HEAT)
            }
            Self::Kinematic { heat_k_m_per_s, moisture_m_per_s } => {
                (2, heat_k_m_per_s.at(now), moisture_m_per_s.at(now))
            }
        };
        let real = <R as Real>::from_f64;
        let kernel = surface::kernel(fields, Given { kind, heat: real(heat), moisture: real(moisture) })?;
        fields.launch_built(&Built::SurfaceFlux(kernel))
    }
}
