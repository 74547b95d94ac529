//! Boundary-layer mixing.

use isobar_core::Real;
use isobar_launch::{Buffer, Plain};
use isobar_ysu::Options;
use isobar_ysu::launch::{MARKS, Views, levels_of_room, load};

use super::quantity::{
    BOUNDARY_LAYER_HEIGHT, CLOUD_ICE, CLOUD_ICE_TENDENCY, CLOUD_WATER, CLOUD_WATER_TENDENCY, COLUMN_HEATING,
    COLUMN_MOISTENING, CONVECTIVE_VELOCITY, CURRENT_EAST, CURRENT_NORTH, DIFFUSIVITY_HEAT, DIFFUSIVITY_MOMENTUM,
    ENTRAINMENT_DEPTH, EXNER, FRICTION_VELOCITY, INTERFACE_PRESSURE, LAND_OR_WATER, MOISTURE_FLUX,
    POTENTIAL_TEMPERATURE_TENDENCY, PRESSURE, PROFILE_HEAT, PROFILE_MOMENTUM, RICHARDSON, ROUGHNESS,
    SENSIBLE_HEAT_FLUX, STRESS_EAST, STRESS_NORTH, SURFACE_PRESSURE, TEMPERATURE, THICKNESS, TRACERS, TRACERS_TENDENCY,
    VAPOUR, VAPOUR_TENDENCY, WIND_EAST, WIND_EAST_10M, WIND_EAST_10M_AFTER, WIND_EAST_TENDENCY, WIND_NORTH,
    WIND_NORTH_10M, WIND_NORTH_10M_AFTER, WIND_NORTH_TENDENCY, WIND_SPEED,
};
use crate::{Error, Fields, Precision, Quantity, Stage, State, Step};

/// What the scheme reads, in the order of its layout.
const INPUTS: [Quantity; 25] = [
    WIND_EAST,
    WIND_NORTH,
    TEMPERATURE,
    VAPOUR,
    CLOUD_WATER,
    CLOUD_ICE,
    PRESSURE,
    EXNER,
    THICKNESS,
    INTERFACE_PRESSURE,
    SURFACE_PRESSURE,
    ROUGHNESS,
    FRICTION_VELOCITY,
    PROFILE_MOMENTUM,
    PROFILE_HEAT,
    LAND_OR_WATER,
    SENSIBLE_HEAT_FLUX,
    MOISTURE_FLUX,
    WIND_SPEED,
    RICHARDSON,
    WIND_EAST_10M,
    WIND_NORTH_10M,
    CURRENT_EAST,
    CURRENT_NORTH,
    TRACERS,
];
/// What it writes, likewise.
const OUTPUTS: [Quantity; 18] = [
    WIND_EAST_TENDENCY,
    WIND_NORTH_TENDENCY,
    POTENTIAL_TEMPERATURE_TENDENCY,
    VAPOUR_TENDENCY,
    CLOUD_WATER_TENDENCY,
    CLOUD_ICE_TENDENCY,
    DIFFUSIVITY_HEAT,
    DIFFUSIVITY_MOMENTUM,
    BOUNDARY_LAYER_HEIGHT,
    CONVECTIVE_VELOCITY,
    ENTRAINMENT_DEPTH,
    WIND_EAST_10M_AFTER,
    WIND_NORTH_10M_AFTER,
    STRESS_EAST,
    STRESS_NORTH,
    COLUMN_HEATING,
    COLUMN_MOISTENING,
    TRACERS_TENDENCY,
];

/// Tendencies by the YSU scheme: [`isobar_ysu`], without top-down mixing and orography.
pub struct Ysu<R: Real + Plain> {
    options: Options,
    marks: Buffer<u32>,
    room: Buffer<R>,
}

impl<R: Precision> Ysu<R> {
    /// For the columns of a state.
    ///
    /// # Errors
    /// Options that the stage has no inputs for or that are out of range, fewer than 4 layers, or what the device
    /// answers.
    pub fn new(state: &State<R>, options: Options) -> Result<Self, Error> {
        let refuse = |problem: &str| Err(Error::Stage { stage: "ysu".into(), problem: problem.into() });
        if options.top_down || options.topographic {
            return refuse("top-down mixing and orography are not part of the column model");
        }
        if !(options.time_step_s > 0.0 && options.time_step_s <= 1e6) {
            return refuse("the time step is not in (0, 1e6] s");
        }
        if state.layers() < 4 {
            return refuse("at least 4 layers are needed");
        }
        let (queue, columns) = (state.queue(), state.columns());
        load(queue)?;
        let room: usize = levels_of_room(state.layers(), state.tracers()).iter().sum();
        Ok(Self { options, marks: queue.zeros(MARKS.len() * columns)?, room: queue.zeros(room * columns)? })
    }
}

impl<R: Precision> Stage<R> for Ysu<R> {
    fn name(&self) -> &str {
        "ysu"
    }

    fn reads(&self) -> Vec<Quantity> {
        INPUTS.to_vec()
    }

    fn writes(&self) -> Vec<Quantity> {
        OUTPUTS.to_vec()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let (columns, tracers) = (fields.columns(), fields.tracers());
        let room = levels_of_room(fields.layers(), tracers);
        let views = Views {
            options: self.options,
            tracers,
            inputs: INPUTS.iter().map(|&quantity| fields.read(quantity)).collect::<Result<_, _>>()?,
            outputs: OUTPUTS.iter().map(|&quantity| fields.write(quantity)).collect::<Result<_, _>>()?,
            marks: self.marks.parts_mut(&MARKS, columns).collect(),
            room: self.room.parts_mut(&room, columns).collect(),
        };
        let queue = fields.queue();
        Ok(views.compute(queue, fields.statuses())?)
    }
}
