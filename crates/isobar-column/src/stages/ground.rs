//! The ground.

use isobar_core::Real;

use super::quantity::{
    COSINE_OF_ZENITH, EMISSION_DERIVATIVE, EMISSION_TEMPERATURE, FLUX_DOWN, FLUX_UP, GROUND_AMPLITUDE,
    GROUND_CONDUCTANCE, GROUND_CONDUCTED, GROUND_FORCING, GROUND_MEAN, GROUND_RESPONSE, GROUND_SLOPE, SHORTWAVE_DOWN,
    SHORTWAVE_UP, SURFACE_TEMPERATURE,
};
use crate::ground::{Ground as GroundKernel, Parameters};
use crate::sun::hour_angle;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, Step, Table};

/// How the ground's temperature comes about: [`crate::ground`].
#[derive(Clone, Debug, PartialEq)]
pub enum GroundKind {
    /// Mean and amplitude are given, and the hour of the day at which it is warmest.
    Given {
        /// The hour, 0 to 24.
        warmest_hour: f64,
    },
    /// The mean is the start's, and its change by the time since the start is given.
    Prescribed {
        /// \[K\]
        change_k: Table,
    },
    /// A slab with an energy balance, of radiation as it was called last: the stage comes after that. The temperature
    /// changes in [`super::Advance`], together with the air.
    Slab {
        /// \[J/(m^2 K)\].
        heat_capacity_j_per_m2_k: f64,
        /// To the ground below \[W/(m^2 K)\].
        conductance_w_per_m2_k: f64,
        /// Where its sunlight comes from.
        sunlight: Sunlight,
    },
}

/// The sunlight that a slab takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sunlight {
    /// What the short wave leaves at the ground.
    Shortwave,
    /// So much of the Sun's outside of the air.
    Part {
        /// Of the air, 0 to 1.
        transmittance: f64,
        /// Of the ground, 0 to 1.
        albedo: f64,
    },
}

/// The temperature of the ground at the end of a step, or what warms it: [`crate::ground`].
#[derive(Clone, Debug, PartialEq)]
pub struct Ground(pub GroundKind);

kernel_fields!(ground: GroundKernel { parameters: Parameters<R> } {
    column mean_temperature_k: GROUND_MEAN,
    column amplitude_k: GROUND_AMPLITUDE,
    column cosine_of_zenith: COSINE_OF_ZENITH,
    read flux_up_w_per_m2: FLUX_UP,
    read flux_down_w_per_m2: FLUX_DOWN,
    read shortwave_up_w_per_m2: SHORTWAVE_UP,
    read shortwave_down_w_per_m2: SHORTWAVE_DOWN,
    column emission_derivative_w_per_m2_k: EMISSION_DERIVATIVE,
    column emission_temperature_k: EMISSION_TEMPERATURE,
    update temperature_k: SURFACE_TEMPERATURE,
    write forcing_w_per_m2: GROUND_FORCING,
    write slope_w_per_m2_k: GROUND_SLOPE,
    write response_k_m2_per_w: GROUND_RESPONSE,
    write conducted_w_per_m2: GROUND_CONDUCTED,
    write conductance_w_per_m2_k: GROUND_CONDUCTANCE,
});

impl<R: Precision> Stage<R> for Ground {
    fn name(&self) -> &str {
        "ground"
    }

    fn reads(&self) -> Vec<Quantity> {
        ground::reads()
    }

    fn writes(&self) -> Vec<Quantity> {
        ground::writes()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let real = <R as Real>::from_f64;
        let none = Parameters {
            slab: 0,
            phase: R::ZERO,
            change_k: R::ZERO,
            step_s: real(step.length_s),
            heat_capacity_j_per_m2_k: R::ONE,
            shortwave: 0,
            transmittance: R::ZERO,
            albedo: R::ZERO,
            conductance_w_per_m2_k: R::ZERO,
        };
        let parameters = match &self.0 {
            GroundKind::Given { warmest_hour } => {
                // Noon has the hour angle 0.
                let since = hour_angle(step.time_s + step.length_s) - hour_angle(3600.0 * *warmest_hour);
                Parameters { phase: real(Real::cos(since)), ..none }
            }
            GroundKind::Prescribed { change_k } => {
                Parameters { change_k: real(change_k.at(step.since_start_s(1.0))), ..none }
            }
            GroundKind::Slab { heat_capacity_j_per_m2_k, conductance_w_per_m2_k, sunlight } => {
                let slab = Parameters {
                    slab: 1,
                    heat_capacity_j_per_m2_k: real(*heat_capacity_j_per_m2_k),
                    conductance_w_per_m2_k: real(*conductance_w_per_m2_k),
                    ..none
                };
                match sunlight {
                    Sunlight::Shortwave => Parameters { shortwave: 1, ..slab },
                    Sunlight::Part { transmittance, albedo } => {
                        Parameters { transmittance: real(*transmittance), albedo: real(*albedo), ..slab }
                    }
                }
            }
        };
        let kernel = ground::kernel(fields, parameters)?;
        fields.launch_built(&Built::Ground(kernel))
    }
}
