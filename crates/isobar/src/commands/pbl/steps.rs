//! The scheme, applied once or more.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::fields::{Error as Invalid, OwnedInputs};
use isobar_core::{Real, Status};
use isobar_io::BoundaryLayerInput;
use isobar_launch::Model;
use isobar_ysu::{BoundaryLayers, ColumnViews, Columns, Device, Launched, Precision, Results};

use super::options::Pbl;
use super::surface::Below;
use crate::program::failure::Failure;

/// What comes out.
pub(crate) struct Run<R> {
    /// Results of the last time.
    pub(crate) outputs: Results<R>,
    /// Those of the surface layer, where it is computed.
    pub(crate) surface: Option<isobar_surface::Results<R>>,
    /// The columns after it.
    pub(crate) state: Columns<f64>,
    /// Status of each column.
    pub(crate) status: Vec<Status>,
    /// The columns that were left out, and why.
    pub(crate) left_out: Vec<(usize, String)>,
}

impl<R: Precision + isobar_surface::Precision> Run<R> {
    /// The state is kept in double precision; the surface, pressures and what else the file has stay, and what was
    /// derived from the state follows it. Columns are `numbered` in what is said of them.
    pub(super) fn new(
        options: &Pbl,
        scheme: &impl Launched,
        input: &BoundaryLayerInput,
        devices: &[Device],
        (numbered, done): (&dyn Fn(usize) -> usize, impl Fn(usize) + Send + Sync + 'static),
    ) -> Result<Self, Failure> {
        let before = Arc::new(AtomicUsize::new(0));
        let in_steps_before = before.clone();
        let model = on(scheme, devices).progress(move |columns| done(before.load(Ordering::Relaxed) + columns));
        let count = input.air.columns.columns();
        let mut status = vec![Status::OK; count];
        let mut left_out: Vec<(usize, String)> = Vec::new();
        input.air.left_out().for_each(|(column, why)| status[column] = why);
        left_out.extend(input.air.bad.iter().map(|bad| (bad.column, bad.text.clone())));
        let mut columns = input.air.columns.clone();
        let mut outputs = Results::default();
        let mut below = match input.surface.as_ref().zip(options.surface.with(&options.constants)) {
            Some((surface, of_surface)) => {
                Some(Below::<R>::new((surface, input.has_step_before), of_surface, &mut columns, devices)?)
            }
            None => None,
        };
        for step in 0..options.times() {
            in_steps_before.store(step as usize * count, Ordering::Relaxed);
            if step > 0 {
                input.diagnosed.derive(&mut columns);
            }
            if let Some(below) = &mut below {
                below.step(&mut columns)?;
            }
            model.run_into(&columns.rounded(), scheme, &mut outputs)?;
            if let Some(below) = &mut below {
                below.grow(&outputs.height_m);
            }
            advance(&mut columns, &outputs, options.dt);
            let mut problems: Vec<Option<String>> = vec![None; count];
            let of_surface = below.as_mut().map_or(Ok(Vec::new()), |below| below.check(&columns))?;
            let of_air = ColumnViews::try_from(&columns)?.check(&columns.extents(), 0..count);
            for mut problem in of_surface.into_iter().chain(of_air) {
                let column = problem.item().expect("of a column");
                if let Invalid::Value { item, .. } | Invalid::Order { item, .. } = &mut problem {
                    *item = numbered(column);
                }
                problems[column] = Some(problem.to_string());
            }
            let mut bad = Vec::new();
            for (column, problem) in problems.into_iter().enumerate() {
                let problem = match Status(outputs.status[column]) {
                    Status::OK => problem,
                    status => Some(format!("column {} has status {}", numbered(column), status.0)),
                };
                let Some(problem) = problem else { continue };
                let problem = format!("after {} s: {problem}", f64::from(step + 1) * options.dt);
                if !options.bad.keep_going {
                    return Err(Failure::new(problem));
                }
                if status[column].is_ok() {
                    status[column] = match Status(outputs.status[column]) {
                        Status::OK => Status::OUT_OF_RANGE,
                        status => status,
                    };
                    left_out.push((column, problem));
                }
                bad.push(column);
            }
            if !bad.is_empty() {
                // They are computed on from the start, and nobody sees them.
                reset(&mut columns, &input.air.columns, &bad, count);
                if let (Some(below), Some(surface)) = (&mut below, &input.surface) {
                    reset(&mut below.surface, surface, &bad, count);
                }
            }
        }
        let surface = below.map(|below| below.results);
        Ok(Self { outputs, surface, state: columns, status, left_out })
    }
}

/// The scheme that has these options.
fn on<R: Precision, O: Launched>(_options: &O, devices: &[Device]) -> Model<BoundaryLayers<R, O>> {
    BoundaryLayers::on(devices)
}

/// Adds the tendencies of a time step.
fn advance<R: Real>(air: &mut Columns<f64>, outputs: &Results<R>, step: f64) {
    let add = |state: &mut [f64], tendency: &[R]| {
        state.iter_mut().zip(tendency).for_each(|(x, tendency)| *x += step * tendency.value());
    };
    add(&mut air.u_m_per_s, &outputs.u_tendency_m_per_s2);
    add(&mut air.v_m_per_s, &outputs.v_tendency_m_per_s2);
    add(&mut air.vapour_kg_per_kg, &outputs.vapour_tendency_kg_per_kg_s);
    add(&mut air.cloud_water_kg_per_kg, &outputs.cloud_water_tendency_kg_per_kg_s);
    add(&mut air.cloud_ice_kg_per_kg, &outputs.cloud_ice_tendency_kg_per_kg_s);
    if !outputs.turbulent_energy_m2_per_s2.is_empty() {
        air.turbulent_energy_m2_per_s2 =
            outputs.turbulent_energy_m2_per_s2.iter().map(|energy| energy.value()).collect();
    }
    for ((temperature, exner), theta) in
        air.temperature_k.iter_mut().zip(&air.exner).zip(&outputs.theta_tendency_k_per_s)
    {
        *temperature += step * theta.value() * exner;
    }
}

/// Gives columns their former state.
fn reset<C: OwnedInputs<f64> + Clone>(columns: &mut C, former: &C, which: &[usize], count: usize) {
    let mut former = former.clone();
    let mut rows = Vec::new();
    former.each_real(&mut |_, values| rows.push(std::mem::take(values)));
    let mut rows = rows.into_iter();
    columns.each_real(&mut |_, values| {
        let former = rows.next().expect("the same fields");
        for (row, former) in values.chunks_mut(count).zip(former.chunks(count)) {
            which.iter().for_each(|&column| row[column] = former[column]);
        }
    });
}
