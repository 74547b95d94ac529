//! The iteration of Levenberg and Marquardt towards the most likely state.

use isobar_core::Real;
use isobar_ega::launch::InfraredModel;
use isobar_io::{Control, Observation, RetrievalControl};
use isobar_raytrace::{Atmosphere, Ray};
use nalgebra::DMatrix;

use crate::kernel::kernel;
use crate::search::Search;
use crate::{Analysis, Derivative, Error, Measurement, Prior, StateVector};

/// A retrieval, ready for atmospheres and measurements.
pub struct Retrieval<'a> {
    /// The forward model.
    pub model: &'a InfraredModel<f64>,
    /// The control file, for names of gases and channels.
    pub control: &'a Control,
    /// What it says of the retrieval.
    pub options: &'a RetrievalControl,
    /// How the Jacobian is computed.
    pub derivative: Derivative,
}

/// The result of a retrieval.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

impl Estimate {
    /// Chi-squared: the squares of what is left of the measurement and of the way from the a priori state, each by its
    /// variance. Its expectation is the number of measured values, with a variance of twice that (Rodgers 2000, 12.3).
    #[must_use]
    pub fn chi_squared(&self) -> f64 {
        self.costs.last().map_or(f64::NAN, |cost| cost * self.measurement.len() as f64)
    }

    /// How many standard deviations chi-squared lies above its expectation: of its cube root, which is nearly normal
    /// (Wilson and Hilferty 1931, doi:10.1073/pnas.17.12.684).
    #[must_use]
    pub fn chi_squared_deviations(&self) -> f64 {
        let variance = 2.0 / (9.0 * self.measurement.len() as f64);
        let root = Real::powf(self.chi_squared() / self.measurement.len() as f64, 1.0 / 3.0);
        (root - (1.0 - variance)) / Real::sqrt(variance)
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

    /// The Jacobian of all radiances by a state.
    pub(crate) fn kernel(
        &self,
        atmosphere: &Atmosphere,
        rays: &[Ray],
        state: &StateVector,
    ) -> Result<DMatrix<f64>, Error> {
        Ok(kernel(self.model, atmosphere, rays, state, self.derivative, &|_, _| {})?.matrix)
    }
}
