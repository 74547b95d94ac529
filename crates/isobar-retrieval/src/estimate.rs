//! The iteration of Levenberg and Marquardt towards the most likely state.

use isobar_io::{Control, Observation, RetrievalControl};
use isobar_launch::infrared::Infrared;
use isobar_raytrace::{Atmosphere, Ray};
use nalgebra::{Cholesky, DMatrix, DVector};

use crate::analysis::weighted_transpose;
use crate::kernel::kernel;
use crate::{Analysis, Derivative, Error, Measurement, Prior, StateVector};

/// The damping at first.
const FIRST_DAMPING: f64 = 1e-3;
/// How it changes.
const DAMPING_FACTOR: f64 = 10.0;
/// Steps that may be refused in an iteration.
const MOST_REFUSALS: usize = 20;

/// A retrieval, ready for atmospheres and measurements.
pub struct Retrieval<'a> {
    /// The forward model.
    pub model: &'a Infrared<'a, f64>,
    /// The control file, for names of gases and channels.
    pub control: &'a Control,
    /// What it says of the retrieval.
    pub options: &'a RetrievalControl,
    /// How the Jacobian is computed.
    pub derivative: Derivative,
}

/// The result of a retrieval.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// What was retrieved.
    pub state: StateVector,
    /// What was known before.
    pub prior: Prior,
    /// What was measured.
    pub measurement: Measurement,
    /// The most likely atmosphere.
    pub atmosphere: Atmosphere,
    /// Its radiances, with the geometry and mask of the measurement.
    pub observation: Observation,
    /// The cost a measured value, at first and after each iteration.
    pub costs: Vec<f64>,
    /// Did a step become small enough, within the iterations that are allowed?
    pub converged: bool,
    /// The Jacobian that was computed last.
    pub kernel: DMatrix<f64>,
    /// Errors and averaging kernels, if wanted.
    pub analysis: Option<Analysis>,
}

/// Where the iteration is.
struct Position {
    values: DVector<f64>,
    atmosphere: Atmosphere,
    observation: Observation,
    /// Measured less computed.
    residual: DVector<f64>,
    cost: f64,
}

impl Retrieval<'_> {
    /// Retrieves the state of an atmosphere, which is what was known before, from a measurement. `progress` is told each iteration and its cost.
    ///
    /// # Errors
    /// Nothing to retrieve or all masked, a priori values out of range, covariances that are singular, or the forward model's.
    pub fn run(
        &self,
        before: &Atmosphere,
        measured: &Observation,
        progress: &dyn Fn(usize, f64),
    ) -> Result<Estimate, Error> {
        let state = StateVector::new(self.control, self.options, before)?;
        state.check(before)?;
        let measurement = Measurement::new(measured, self.control, self.options)?;
        let prior = Prior::new(&state, &state.values(before), self.options)?;
        let variance = measurement.variance();
        let count = state.len() as f64;

        let go = |values: DVector<f64>| self.position(&state, &prior, &measurement, measured, before, values);
        let mut here = go(prior.values.clone())?;
        let mut costs = vec![here.cost];
        progress(0, here.cost);
        let mut matrix = self.jacobian(&state, &measurement, &here.atmosphere, &measured.rays)?;
        let mut weighted = weighted_transpose(&matrix, &variance);
        let mut information = &weighted * &matrix;
        let mut damping = FIRST_DAMPING;
        let mut converged = false;
        for iteration in 1..=self.options.most_iterations {
            let judged = iteration == 1 || iteration % self.options.kernel_recomputation == 0;
            if iteration > 1 && judged {
                matrix = self.jacobian(&state, &measurement, &here.atmosphere, &measured.rays)?;
                weighted = weighted_transpose(&matrix, &variance);
                information = &weighted * &matrix;
            }
            let right = &weighted * &here.residual - &prior.inverse * (&here.values - &prior.values);
            let mut taken = None;
            for _ in 0..MOST_REFUSALS {
                let left = &prior.inverse * (1.0 + damping) + &information;
                let factors = Cholesky::new(left).ok_or(Error::SingularEquations { iteration })?;
                let step = factors.solve(&right);
                let there = go(&here.values + &step)?;
                if there.cost > here.cost {
                    damping *= DAMPING_FACTOR;
                } else {
                    damping /= DAMPING_FACTOR;
                    here = there;
                    taken = Some(step);
                    break;
                }
            }
            costs.push(here.cost);
            progress(iteration, here.cost);
            // JURASSIC goes on with the last step that it refused; a state that nothing improves is the end.
            let Some(step) = taken else { break };
            if judged && step.dot(&right) / count < self.options.convergence {
                converged = true;
                break;
            }
        }
        let analysis = match self.options.analysis {
            true => Analysis::new(&state, &prior, &measurement, &matrix),
            false => None,
        };
        Ok(Estimate {
            atmosphere: here.atmosphere,
            observation: here.observation,
            kernel: matrix,
            state,
            prior,
            measurement,
            costs,
            converged,
            analysis,
        })
    }

    fn jacobian(
        &self,
        state: &StateVector,
        measurement: &Measurement,
        atmosphere: &Atmosphere,
        rays: &[Ray],
    ) -> Result<DMatrix<f64>, Error> {
        let all = kernel(self.model, atmosphere, rays, state, self.derivative, &|_, _| {})?;
        Ok(all.matrix.select_rows(&measurement.places))
    }

    /// The forward model at some values, and their cost.
    fn position(
        &self,
        state: &StateVector,
        prior: &Prior,
        measurement: &Measurement,
        measured: &Observation,
        before: &Atmosphere,
        values: DVector<f64>,
    ) -> Result<Position, Error> {
        let atmosphere = state.put(before, values.as_slice());
        let found = self.model.run(&atmosphere, &measured.rays, &|_| {})?;
        found.check()?;
        let residual = &measurement.values - measurement.of(&found.radiance, self.control.wavenumbers_per_cm.len())?;
        let away = &values - &prior.values;
        let misfit: f64 =
            residual.iter().zip(measurement.variance().iter()).map(|(d, variance)| d * d / variance).sum();
        let cost = (misfit + away.dot(&(&prior.inverse * &away))) / measurement.len() as f64;
        let masked = |(&measured, &radiance): (&f64, &f64)| if measured.is_finite() { radiance } else { f64::NAN };
        let observation = Observation {
            rays: measured.rays.clone(),
            tangent_points: found.tangent_points,
            radiance: measured.radiance.iter().zip(&found.radiance).map(masked).collect(),
            transmittance: found.transmittance,
        };
        Ok(Position { values, atmosphere, observation, residual, cost })
    }
}
