//! The iteration of Levenberg and Marquardt towards the most likely state, state by state: whoever drives it computes
//! what each proposed state would be measured as. Equations are those of Rodgers, Inverse Methods for Atmospheric
//! Sounding, 2000.

use isobar_ega::launch::{Jacobian, Radiances};
use isobar_io::{Observation, is_measured};
use isobar_raytrace::{Atmosphere, Position, Ray};
use nalgebra::{DMatrix, DVector};

use crate::analysis::weighted_transpose;
use crate::kernel::columns;
use crate::limits::{DAMPING_FACTOR, FIRST_DAMPING, MOST_REFUSALS, SMALL_STATE};
use crate::step::{Step, within_limits};
use crate::{Analysis, Error, Estimate, Measurement, Prior, Retrieval, StateVector};

/// What a state would be measured as.
pub(crate) struct Evaluation {
    radiance: Vec<f64>,
    transmittance: Vec<f64>,
    tangent_points: Vec<Position>,
    /// Derivatives by the state, if they came along.
    kernel: Option<DMatrix<f64>>,
}

impl From<Radiances> for Evaluation {
    fn from(found: Radiances) -> Self {
        let (radiance, transmittance, tangent_points) = (found.radiance, found.transmittance, found.tangent_points);
        Self { radiance, transmittance, tangent_points, kernel: None }
    }
}

impl Evaluation {
    /// With the derivatives by a state, if there are any.
    pub(crate) fn with_kernel(found: Jacobian, state: &StateVector) -> Self {
        let kernel = (!found.derivative.is_empty()).then(|| columns(&found, state));
        let (radiance, transmittance, tangent_points) = (found.radiance, found.transmittance, found.tangent_points);
        Self { radiance, transmittance, tangent_points, kernel }
    }
}

/// Where the iteration is.
struct Iterate {
    values: DVector<f64>,
    atmosphere: Atmosphere,
    observation: Observation,
    /// Measured less computed.
    residual: DVector<f64>,
    cost: f64,
    kernel: Option<DMatrix<f64>>,
}

/// Levenberg's and Marquardt's iteration in progress.
pub(crate) struct Search<'a> {
    job: &'a Retrieval<'a>,
    before: &'a Atmosphere,
    measured: &'a Observation,
    pub(crate) state: StateVector,
    /// The elements of the atmosphere that the state's are.
    elements: Vec<usize>,
    /// The least and the largest value of each.
    limits: Vec<(f64, f64)>,
    prior: Prior,
    measurement: Measurement,
    variance: DVector<f64>,
    /// Nowhere until the a priori state has been evaluated.
    here: Option<Iterate>,
    /// What is to be evaluated; nothing at the end.
    proposed: Option<(DVector<f64>, Atmosphere)>,
    /// Is it the state where the iteration is, whose Jacobian is missing?
    lacks_kernel: bool,
    /// Are Jacobians evaluated with those of others, and not here?
    together: bool,
    /// The length of the step that leads there.
    step_length: f64,
    /// Less the gradient of the cost.
    right: DVector<f64>,
    matrix: DMatrix<f64>,
    weighted: DMatrix<f64>,
    information: DMatrix<f64>,
    damping: f64,
    refusals: usize,
    iteration: usize,
    /// Does this iteration decide about convergence?
    judged: bool,
    costs: Vec<f64>,
    converged: bool,
}

impl<'a> Search<'a> {
    /// Begins at the a priori state.
    pub(crate) fn new(
        job: &'a Retrieval<'a>,
        before: &'a Atmosphere,
        measured: &'a Observation,
    ) -> Result<Self, Error> {
        let state = StateVector::new(job.control, job.options, before)?;
        state.check(before)?;
        let measurement = Measurement::new(measured, job.control, job.options)?;
        let prior = Prior::new(&state, &state.values(before), job.options)?;
        let first = (prior.values.clone(), state.put(before, prior.values.as_slice()));
        Ok(Self {
            job,
            before,
            measured,
            variance: measurement.variance(),
            elements: state.elements.iter().map(|element| element.number).collect(),
            limits: state.elements.iter().map(|element| element.quantity.limits()).collect(),
            state,
            prior,
            measurement,
            here: None,
            proposed: Some(first),
            lacks_kernel: false,
            together: false,
            step_length: f64::INFINITY,
            right: DVector::zeros(0),
            matrix: DMatrix::zeros(0, 0),
            weighted: DMatrix::zeros(0, 0),
            information: DMatrix::zeros(0, 0),
            damping: FIRST_DAMPING,
            refusals: 0,
            iteration: 0,
            judged: true,
            costs: Vec::new(),
            converged: false,
        })
    }

    /// One of many: whoever drives it evaluates Jacobians with those of others.
    pub(crate) fn together(self) -> Self {
        Self { together: true, ..self }
    }

    /// What has to be evaluated next; nothing at the end.
    pub(crate) fn proposal(&self) -> Option<(&Atmosphere, &'a [Ray])> {
        self.proposed.as_ref().map(|(_, atmosphere)| (atmosphere, &self.measured.rays[..]))
    }

    /// The elements by which derivatives are wanted.
    pub(crate) fn elements(&self) -> &[usize] {
        &self.elements
    }

    /// Is nothing proposed any more?
    pub(crate) fn has_ended(&self) -> bool {
        self.proposed.is_none()
    }

    /// How many steps of this iteration were refused.
    pub(crate) fn refusals(&self) -> usize {
        self.refusals
    }

    /// The states that will be proposed if the proposed one is refused, and so on: at least as many as were refused
    /// before. A small state has enough of them to make `at_once` with the proposed one: whoever evaluates many states
    /// at once has these in the same time, and their equations take less.
    pub(crate) fn if_refused(&self, at_once: usize) -> Vec<Atmosphere> {
        if self.here.is_none() || self.lacks_kernel {
            return Vec::new();
        }
        let at_once = if self.elements.len() <= SMALL_STATE { at_once } else { 0 };
        let last = MOST_REFUSALS.min((2 * self.refusals + 1).max(self.refusals + at_once));
        let dampings = (self.refusals + 1..last).scan(self.damping, |damping, _| {
            *damping *= DAMPING_FACTOR;
            Some(*damping)
        });
        let proposed = dampings.map_while(|damping| self.step_with(damping).ok());
        proposed.map(|step| self.state.put(self.before, step.values.as_slice())).collect()
    }

    /// If the proposed state is taken, is its Jacobian likely to be needed? Not where it is likely refused.
    pub(crate) fn wants_kernel(&self) -> bool {
        let next = self.iteration + 1;
        let goes_on = next <= self.job.options.most_iterations && self.is_judged(next) && !self.ends();
        self.here.is_none() || self.lacks_kernel || (goes_on && self.refusals == 0)
    }

    /// Is that iteration with a new Jacobian, and does it decide about convergence?
    fn is_judged(&self, iteration: usize) -> bool {
        iteration == 1 || iteration.is_multiple_of(self.job.options.kernel_recomputation)
    }

    /// Is the step so small that the proposed state is the last, if it is taken? `dx^T S^-1 dx`, divided by the number
    /// of the state's elements, is held against the limit of convergence (Eq. 5.29).
    fn ends(&self) -> bool {
        let small = self.step_length / (self.state.len() as f64) < self.job.options.convergence;
        self.judged && small
    }

    /// Takes or refuses the state that was proposed, and proposes another. `progress` is told each iteration and its
    /// cost.
    pub(crate) fn judge(&mut self, found: Evaluation, progress: &dyn Fn(usize, f64)) -> Result<(), Error> {
        let there = self.iterate(found)?;
        if std::mem::take(&mut self.lacks_kernel) {
            self.here = Some(there);
            self.linearise()?;
            return self.step_on();
        }
        match &self.here {
            // What is not finite is nowhere to begin, and never better than what is.
            None if !there.cost.is_finite() => Err(Error::Cost { cost: there.cost }),
            None => {
                self.here = Some(there);
                self.linearise()?;
                self.count(progress);
                self.next_iteration()
            }
            Some(here) if there.cost.is_nan() || there.cost > here.cost => {
                self.damping *= DAMPING_FACTOR;
                self.refusals += 1;
                if self.refusals < MOST_REFUSALS {
                    return self.propose();
                }
                // JURASSIC goes on with the last step that it refused; a state that nothing improves is the end.
                self.count(progress);
                self.proposed = None;
                Ok(())
            }
            Some(_) => {
                self.damping /= DAMPING_FACTOR;
                self.here = Some(there);
                self.count(progress);
                if self.ends() {
                    self.converged = true;
                    self.proposed = None;
                    return Ok(());
                }
                self.next_iteration()
            }
        }
    }

    /// The result, when nothing is proposed any more.
    pub(crate) fn finish(self) -> Estimate {
        let here = self.here.expect("the a priori state was evaluated");
        let analysis = match self.job.options.analysis {
            true => Analysis::new(&self.state, &self.prior, &self.measurement, &self.matrix),
            false => None,
        };
        // The pressure that the forward model took.
        let mut atmosphere = here.atmosphere;
        let control = self.job.control;
        if let Some(reference_km) = control.hydrostatic_reference_km {
            let water = control.emitters.iter().position(|gas| gas.eq_ignore_ascii_case("H2O"));
            atmosphere.make_hydrostatic(reference_km, water);
        }
        Estimate {
            atmosphere,
            observation: here.observation,
            kernel: self.matrix,
            state: self.state,
            prior: self.prior,
            measurement: self.measurement,
            costs: self.costs,
            converged: self.converged,
            analysis,
        }
    }

    fn here(&self) -> &Iterate {
        self.here.as_ref().expect("the a priori state was evaluated")
    }

    /// Notes the cost of an iteration.
    fn count(&mut self, progress: &dyn Fn(usize, f64)) {
        let cost = self.here().cost;
        self.costs.push(cost);
        progress(self.iteration, cost);
    }

    fn next_iteration(&mut self) -> Result<(), Error> {
        self.iteration += 1;
        if self.iteration > self.job.options.most_iterations {
            self.proposed = None;
            return Ok(());
        }
        self.judged = self.is_judged(self.iteration);
        if self.iteration > 1 && self.judged {
            let here = self.here();
            if self.together && here.kernel.is_none() {
                self.proposed = Some((here.values.clone(), here.atmosphere.clone()));
                self.lacks_kernel = true;
                return Ok(());
            }
            self.linearise()?;
        }
        self.step_on()
    }

    /// Proposes the first step of an iteration.
    fn step_on(&mut self) -> Result<(), Error> {
        let here = self.here();
        // The bracket on the right of Eq. 5.36.
        self.right = &self.weighted * &here.residual - &self.prior.inverse * (&here.values - &self.prior.values);
        self.refusals = 0;
        self.propose()
    }

    /// The Jacobian where the iteration is: that which came along, or a new one.
    fn linearise(&mut self) -> Result<(), Error> {
        let here = self.here.as_mut().expect("the a priori state was evaluated");
        let all = match here.kernel.take() {
            Some(kernel) => kernel,
            None => self.job.kernel(&here.atmosphere, &self.measured.rays, &self.state)?,
        };
        self.matrix = all.select_rows(&self.measurement.indices);
        self.weighted = weighted_transpose(&self.matrix, &self.variance);
        self.information = &self.weighted * &self.matrix;
        Ok(())
    }

    fn propose(&mut self) -> Result<(), Error> {
        let Step { values, length } = self.step_with(self.damping)?;
        let atmosphere = self.state.put(self.before, values.as_slice());
        self.step_length = length;
        self.proposed = Some((values, atmosphere));
        Ok(())
    }

    /// The step with a damping (Eq. 5.36), within the limits of the state:
    ///
    /// ```text
    /// dx = [(1 + gamma) Sa^-1 + K^T Se^-1 K]^-1 (K^T Se^-1 [y - F(x)] - Sa^-1 [x - xa])
    /// ```
    fn step_with(&self, damping: f64) -> Result<Step, Error> {
        let left = &self.prior.inverse * (1.0 + damping) + &self.information;
        let step = within_limits(left, &self.right, &self.here().values, &self.limits);
        step.ok_or(Error::SingularEquations { iteration: self.iteration })
    }

    /// What was proposed, with its cost: Eq. 5.3 over the number of measured values.
    fn iterate(&mut self, found: Evaluation) -> Result<Iterate, Error> {
        let (values, atmosphere) = self.proposed.take().expect("a state was proposed");
        let channels = self.job.control.wavenumbers_per_cm.len();
        let residual = &self.measurement.values - self.measurement.of(&found.radiance, channels)?;
        let away = &values - &self.prior.values;
        let misfit: f64 = residual.iter().zip(self.variance.iter()).map(|(d, variance)| d * d / variance).sum();
        let cost = (misfit + away.dot(&(&self.prior.inverse * &away))) / self.measurement.len() as f64;
        let masked = |(&measured, &radiance): (&f64, &f64)| if is_measured(measured) { radiance } else { f64::NAN };
        let observation = Observation {
            rays: self.measured.rays.clone(),
            tangent_points: found.tangent_points,
            radiance: self.measured.radiance.iter().zip(&found.radiance).map(masked).collect(),
            transmittance: found.transmittance,
        };
        Ok(Iterate { values, atmosphere, observation, residual, cost, kernel: found.kernel })
    }
}

impl Retrieval<'_> {
    /// Retrieves the state of an atmosphere, which is what was known before, from a measurement. `progress` is told
    /// each iteration and its cost.
    ///
    /// # Errors
    /// Nothing to retrieve or nothing measured, a priori values out of range, covariances that are singular, a cost
    /// that is not finite, or the forward model's.
    pub fn run(
        &self,
        before: &Atmosphere,
        measured: &Observation,
        progress: &dyn Fn(usize, f64),
    ) -> Result<Estimate, Error> {
        let mut search = Search::new(self, before, measured)?;
        while let Some((atmosphere, rays)) = search.proposal() {
            let found = self.model.run(atmosphere, rays)?;
            found.check()?;
            search.judge(found.into(), progress)?;
        }
        Ok(search.finish())
    }
}
