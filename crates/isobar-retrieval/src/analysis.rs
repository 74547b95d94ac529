//! What a retrieval is worth: errors, averaging kernels, resolution.

use isobar_core::Real;
use nalgebra::{Cholesky, DMatrix, DVector};

use crate::{Measurement, Prior, StateVector};

/// The diagnostics of a retrieval (Rodgers, Inverse Methods for Atmospheric Sounding, 2000, chapters 2 and 3), in the
/// order of the state and in its units: `K` is the Jacobian, `Sa` the covariance a priori, `Se` that of the
/// measurement.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Analysis {
    /// Covariance of the result, `(Sa^-1 + K^T Se^-1 K)^-1` (Eq. 2.27).
    pub covariance: DMatrix<f64>,
    /// Its correlations.
    pub correlation: DMatrix<f64>,
    /// Gain, or contribution functions: the result by the measurement, `S K^T Se^-1`.
    pub gain: DMatrix<f64>,
    /// Averaging kernel: the result by the true state, `G K`.
    pub averaging_kernel: DMatrix<f64>,
    /// Standard deviation of the result.
    pub total_error: DVector<f64>,
    /// That from the noise of the measurement.
    pub noise_error: DVector<f64>,
    /// That from the error of the forward model.
    pub forward_error: DVector<f64>,
    /// What the measurement contributes: the sum of an averaging kernel's row within its quantity.
    pub contribution: DVector<f64>,
    /// Resolution: one over the diagonal of the averaging kernel, in levels.
    pub resolution: DVector<f64>,
}

impl Analysis {
    /// The diagnostics with a Jacobian by the state; none where the covariance cannot be inverted.
    #[must_use]
    pub fn new(state: &StateVector, prior: &Prior, measurement: &Measurement, kernel: &DMatrix<f64>) -> Option<Self> {
        let variance = measurement.variance();
        let weighted = weighted_transpose(kernel, &variance);
        let information = &prior.inverse + &weighted * kernel;
        // Eq. 2.27.
        let covariance = Cholesky::new(information)?.inverse();
        let gain = &covariance * weighted;
        let averaging_kernel = &gain * kernel;
        let total_error = covariance.diagonal().map(Real::sqrt);
        let of_variance = |variance: &DVector<f64>| {
            DVector::from_fn(state.len(), |i, _| {
                let sum: f64 = gain.row(i).iter().zip(variance.iter()).map(|(g, variance)| g * g * variance).sum();
                Real::sqrt(sum)
            })
        };
        let (noise_error, forward_error) =
            (of_variance(&measurement.noise_variance), of_variance(&measurement.forward_variance));
        let alike = |i: usize, j: usize| state.elements[i].quantity == state.elements[j].quantity;
        let contribution = DVector::from_fn(state.len(), |i, _| {
            (0..state.len()).filter(|&j| alike(i, j)).map(|j| averaging_kernel[(i, j)]).sum()
        });
        Some(Self {
            correlation: DMatrix::from_fn(state.len(), state.len(), |i, j| {
                covariance[(i, j)] / (total_error[i] * total_error[j])
            }),
            resolution: averaging_kernel.diagonal().map(|a| if a == 0.0 { 0.0 } else { 1.0 / a }),
            contribution,
            noise_error,
            forward_error,
            total_error,
            covariance,
            gain,
            averaging_kernel,
        })
    }
}

/// `K^T Se^-1` with a diagonal `Se`.
pub(crate) fn weighted_transpose(kernel: &DMatrix<f64>, variance: &DVector<f64>) -> DMatrix<f64> {
    let mut weighted = kernel.transpose();
    for (mut column, variance) in weighted.column_iter_mut().zip(variance.iter()) {
        column /= *variance;
    }
    weighted
}
