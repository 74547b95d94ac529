//! Units of measurement, as the readers of files know them.

use isobar_io::netcdf::Unit;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The conversion between two units.
fn conversion(from: &str, to: &str) -> PyResult<isobar_io::netcdf::Conversion> {
    let parse = |text: &str| text.parse::<Unit>().map_err(|error| PyValueError::new_err(error.to_string()));
    let conversion = parse(from)?.conversion(&parse(to)?);
    conversion.ok_or_else(|| PyValueError::new_err(format!("its unit is '{from}', which is none of '{to}'")))
}

/// Are values in the one unit those in the other, bit for bit?
#[pyfunction]
pub(crate) fn is_same_unit(from: &str, to: &str) -> PyResult<bool> {
    Ok(conversion(from, to)?.is_identity())
}

/// Values in another unit, as a new array.
#[pyfunction]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    from: &str,
    to: &str,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let conversion = conversion(from, to)?;
    Ok(PyArray1::from_vec(py, values.as_array().iter().map(|&value| conversion.apply(value)).collect()))
}
