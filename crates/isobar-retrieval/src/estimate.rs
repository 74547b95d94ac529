//! The iteration of Levenberg and Marquardt towards the most likely state.

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

impl Retrieval<'_> {
    /// Retrieves the state of an atmosphere, which is what was known before, from a measurement. `progress` is told
    /// each iteration and its cost.
    ///
    /// # Errors
    /// Nothing to retrieve or all masked, a priori values out of range, covariances that are singular, or the forward
    /// model's.
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
