//! Moments of phase functions.

use isobar::adding::azimuth::phase_function::{self, Part, ScatteringAngles};
use isobar_interface::{CallError, FieldError};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::to_python;

/// `count` moments of two of Henyey and Greenstein's phase functions.
#[pyfunction]
pub(crate) fn henyey_greenstein_moments<'py>(
    py: Python<'py>,
    forward: f64,
    backward: f64,
    share: f64,
    count: usize,
) -> Bound<'py, PyArray1<f64>> {
    phase_function::double_henyey_greenstein(forward, backward, share, count).into_pyarray(py)
}

/// The moments of Rayleigh's phase function.
#[pyfunction]
pub(crate) fn rayleigh_moments(py: Python<'_>, depolarization: f64) -> Bound<'_, PyArray1<f64>> {
    phase_function::rayleigh(depolarization).to_vec().into_pyarray(py)
}

/// Moments of tables, a row each.
#[pyfunction]
pub(crate) fn tabulated_moments<'py>(
    py: Python<'py>,
    degrees: PyReadonlyArray1<'py, f64>,
    tables: PyReadonlyArray2<'py, f64>,
    count: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let raise = |error: FieldError| to_python(py, &CallError::Field(error));
    let degrees: Vec<f64> = degrees.as_array().to_vec();
    let tables = tables.as_array();
    let angles = ScatteringAngles::new(&degrees, count).map_err(raise)?;
    let mut moments = Array2::zeros((tables.nrows(), count));
    for (table, mut row) in tables.rows().into_iter().zip(moments.rows_mut()) {
        let found = angles.moments(&table.to_vec()).map_err(raise)?;
        row.assign(&numpy::ndarray::ArrayView1::from(&found.moments));
    }
    Ok(moments.into_pyarray(py))
}

/// Optical depth, single-scattering albedo and moments of a layer of several species.
#[pyfunction]
pub(crate) fn mixed_moments<'py>(
    py: Python<'py>,
    optical_depth: PyReadonlyArray1<'py, f64>,
    albedo: PyReadonlyArray1<'py, f64>,
    moments: PyReadonlyArray2<'py, f64>,
) -> (f64, f64, Bound<'py, PyArray1<f64>>) {
    let rows: Vec<Vec<f64>> = moments.as_array().rows().into_iter().map(|row| row.to_vec()).collect();
    let numbers = optical_depth.as_array().to_vec().into_iter().zip(albedo.as_array().to_vec());
    let part = |((optical_depth, single_scattering_albedo), moments)| Part {
        optical_depth,
        single_scattering_albedo,
        moments,
    };
    let parts: Vec<Part<'_>> = numbers.zip(rows.iter().map(Vec::as_slice)).map(part).collect();
    let mixed = phase_function::mixture(&parts, moments.as_array().ncols());
    (mixed.optical_depth, mixed.single_scattering_albedo, mixed.moments.into_pyarray(py))
}
