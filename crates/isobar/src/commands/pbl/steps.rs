//! The scheme, applied once or more.

use isobar_core::{Real, Status};
use isobar_io::BoundaryLayerInput;
use isobar_launch::Device;
use isobar_ysu::launch::{BoundaryLayer, Precision};
use isobar_ysu::{AirColumns, Outputs};

use super::Pbl;
use crate::commands::Failure;

/// What comes out.
pub(crate) struct Run<R> {
    /// Results of the last time.
    pub(crate) outputs: Outputs<R>,
    /// The air after it.
    pub(crate) state: AirColumns<f64>,
    /// Status of each column.
    pub(crate) status: Vec<Status>,
    /// The columns that were left out, and why.
    pub(crate) left_out: Vec<(usize, String)>,
}

impl<R: Precision> Run<R> {
    /// The state is kept in double precision; the surface, pressures and thicknesses stay.
    pub(super) fn new(
        options: &Pbl,
        input: &BoundaryLayerInput,
        devices: &[Device],
        done: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, Failure> {
        let model = BoundaryLayer::<R>::new(devices);
        let count = input.columns.columns();
        let scheme = options.scheme();
        let mut status = vec![Status::OK; count];
        let mut left_out = Vec::new();
        for bad in &input.bad {
            status[bad.column] = bad.status;
            left_out.push((bad.column, bad.text.clone()));
        }
        let mut columns = input.columns.clone();
        let mut outputs = Outputs::default();
        for step in 0..options.times() {
            let before = step as usize * count;
            outputs = model.run(&columns.rounded(), &scheme, &|columns| done(before + columns))?;
            advance(&mut columns.air, &outputs, options.dt);
            for column in 0..count {
                let problem = match Status(outputs.status[column]) {
                    Status::OK => columns.check_column(column, &scheme).err().map(|problem| problem.to_string()),
                    status => Some(format!("column {column} has status {}", status.0)),
                };
                let Some(problem) = problem else { continue };
                let problem = format!("after {} s: {problem}", f64::from(step + 1) * options.dt);
                if !options.keep_going {
                    return Err(Failure(problem));
                }
                if status[column].is_ok() {
                    status[column] = match Status(outputs.status[column]) {
                        Status::OK => Status::OUT_OF_RANGE,
                        status => status,
                    };
                    left_out.push((column, problem));
                }
                // It is computed on from the start, and nobody sees it.
                reset(&mut columns.air, &input.columns.air, column, count);
            }
        }
        Ok(Self { outputs, state: columns.air, status, left_out })
    }
}

/// Adds the tendencies of a time step.
fn advance<R: Real>(air: &mut AirColumns<f64>, outputs: &Outputs<R>, step: f64) {
    let add = |state: &mut [f64], tendency: &[R]| {
        state.iter_mut().zip(tendency).for_each(|(x, tendency)| *x += step * tendency.value());
    };
    add(&mut air.u, &outputs.u);
    add(&mut air.v, &outputs.v);
    add(&mut air.vapour, &outputs.vapour);
    add(&mut air.cloud_water, &outputs.cloud_water);
    add(&mut air.cloud_ice, &outputs.cloud_ice);
    for ((temperature, exner), theta) in air.temperature.iter_mut().zip(&air.exner).zip(&outputs.theta) {
        *temperature += step * theta.value() * exner;
    }
}

/// Gives a column its former state.
fn reset(air: &mut AirColumns<f64>, former: &AirColumns<f64>, column: usize, count: usize) {
    for (state, former) in [
        (&mut air.u, &former.u),
        (&mut air.v, &former.v),
        (&mut air.temperature, &former.temperature),
        (&mut air.vapour, &former.vapour),
        (&mut air.cloud_water, &former.cloud_water),
        (&mut air.cloud_ice, &former.cloud_ice),
    ] {
        for (x, former) in state.iter_mut().zip(former).skip(column).step_by(count) {
            *x = *former;
        }
    }
}
