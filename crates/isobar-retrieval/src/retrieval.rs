//! What is retrieved, and with what.

use isobar_ega::launch::InfraredModel;
use isobar_io::{Control, RetrievalControl};
use isobar_raytrace::{Atmosphere, Ray};
use nalgebra::DMatrix;

use crate::kernel::kernel;
use crate::{Derivative, Error, StateVector};

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

impl Retrieval<'_> {
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
