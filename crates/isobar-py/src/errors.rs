//! Errors as Python's exceptions, which the package declares in `isobar._errors`.

use isobar_interface::{CallError, Category, FieldError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An exception of the package by the name of its class.
fn raised<'py>(py: Python<'py>, class: &str, message: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("isobar._errors")?.getattr(class)?.call1((message,))
}

/// The exception for an error; or what went wrong while it was made.
pub(crate) fn to_python(py: Python<'_>, error: &CallError) -> PyErr {
    let class = match error.category() {
        Category::Kind => "KindError",
        Category::Value if error.variable().is_some() => "FieldError",
        Category::Value if matches!(error, CallError::Field(FieldError::Failed { .. })) => "FieldError",
        Category::Value => "SetupError",
        Category::Name => "UnknownNameError",
        Category::File => "FileError",
        Category::Memory => "OutOfMemoryError",
        Category::Stopped => "StoppedError",
        Category::Device => "DeviceError",
    };
    let made = raised(py, class, &error.to_string()).and_then(|exception| {
        if let Some(variable) = error.variable() {
            exception.setattr("variable", variable)?;
        }
        if let CallError::Field(field) = error {
            describe(&exception, field)?;
        }
        Ok(exception)
    });
    made.map_or_else(|failure| failure, PyErr::from_value)
}

/// Exceptions, not raised, for items that were flagged.
pub(crate) fn list(py: Python<'_>, errors: &[FieldError]) -> PyResult<Vec<Py<PyAny>>> {
    let one = |error: &FieldError| {
        let exception = raised(py, "FieldError", &error.to_string())?;
        describe(&exception, error)?;
        Ok(exception.unbind())
    };
    errors.iter().map(one).collect()
}

/// Gives an exception what is known: variable, item, place, value, accepted, unit.
fn describe(exception: &Bound<'_, PyAny>, error: &FieldError) -> PyResult<()> {
    let (variable, item, place, value, accepted, unit) = match error {
        FieldError::Value { variable, item, place, value, accepted, unit, .. } => {
            (variable, item, place, value, accepted, unit)
        }
        FieldError::Order { variable, item, place, value, wanted, unit, .. } => {
            (variable, item, place, value, wanted, unit)
        }
        FieldError::Failed { item, status, .. } => {
            exception.setattr("item", *item)?;
            return exception.setattr("status", *status);
        }
        FieldError::Size { variable, .. } => return exception.setattr("variable", *variable),
        _ => return Ok(()),
    };
    exception.setattr("variable", *variable)?;
    exception.setattr("item", *item)?;
    let by_dimension = PyDict::new(exception.py());
    for (dimension, index) in place {
        by_dimension.set_item(*dimension, *index)?;
    }
    exception.setattr("place", by_dimension)?;
    exception.setattr("value", *value)?;
    exception.setattr("accepted", accepted.as_str())?;
    exception.setattr("unit", *unit)
}
