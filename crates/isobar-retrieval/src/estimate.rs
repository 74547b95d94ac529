//! The result of a retrieval.

use isobar_core::Real;
use isobar_io::Observation;
use isobar_raytrace::Atmosphere;
use nalgebra::DMatrix;

use crate::{Analysis, Measurement, Prior, StateVector};

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
    /// The most likely atmosphere, its pressure hydrostatic where the forward model makes it so.
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
    /// variance. Its expectation is the number of measured values, with a variance of twice that (Rodgers 2000, section
    /// 12.3).
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
