//! The Jacobian of a measurement by a state.

use isobar_core::Status;
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::{InfraredModel, Jacobian};
use isobar_raytrace::{Atmosphere, Ray};
use nalgebra::DMatrix;

use crate::{Error, StateVector};

/// How derivatives are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Derivative {
    /// Exactly, by the forward model itself; the path follows the state or not.
    Exact(Geometry),
    /// By one-sided differences, with JURASSIC's steps.
    Finite,
}

/// Radiances and their derivatives by the elements of a state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Kernel {
    /// Radiances or brightness temperatures, `ray * channels + channel`.
    pub radiance: Vec<f64>,
    /// Their derivatives, a row each and a column an element.
    pub matrix: DMatrix<f64>,
}

/// The Jacobian of rays through an atmosphere. `progress` is told what is done, rays or runs, and of how many.
///
/// # Errors
/// As [`InfraredModel::run`], or a ray that cannot be traced.
pub fn kernel(
    model: &InfraredModel<f64>,
    atmosphere: &Atmosphere,
    rays: &[Ray],
    state: &StateVector,
    derivative: Derivative,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Kernel, Error> {
    let found: Jacobian = match derivative {
        Derivative::Exact(geometry) => {
            model.jacobian(atmosphere, rays, geometry, &|done| progress(done, rays.len()))?
        }
        Derivative::Finite => {
            let values = state.values(atmosphere);
            let steps: Vec<(usize, f64)> = state
                .elements
                .iter()
                .zip(values)
                .map(|(element, value)| (element.number, element.quantity.step(value)))
                .collect();
            model.finite_jacobian(atmosphere, rays, &steps, &|done| progress(done, steps.len()))?
        }
    };
    check_rays(&found.statuses)?;
    let matrix = columns(&found, state);
    Ok(Kernel { radiance: found.radiance, matrix })
}

/// The first ray that could not be computed, as an error.
pub(crate) fn check_rays(statuses: &[Status]) -> Result<(), Error> {
    match statuses.iter().position(|status| !status.is_ok()) {
        None => Ok(()),
        Some(ray) => {
            let reason = isobar_raytrace::one_ray::reason(statuses[ray]);
            Err(isobar_raytrace::Error::Ray { ray, reason }.into())
        }
    }
}

/// The derivatives by the elements of a state, by which alone or by all they are.
pub(crate) fn columns(found: &Jacobian, state: &StateVector) -> DMatrix<f64> {
    let count = found.columns();
    if found.by.is_some() {
        return DMatrix::from_row_slice(found.radiance.len(), count, &found.derivative);
    }
    let at = |row: usize, column: usize| found.derivative[row * count + state.elements[column].number];
    DMatrix::from_fn(found.radiance.len(), state.len(), at)
}
