//! The dictionary of results, and warnings, as Python's.

use std::ffi::CString;

use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An empty `isobar.Results`.
pub(crate) fn results(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    static CLASS: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
    let class =
        CLASS.get_or_try_init(py, || Ok::<_, PyErr>(py.import("isobar._results")?.getattr("Results")?.unbind()))?;
    let results = class.bind(py).call0()?.cast_into::<PyDict>();
    results.map_err(|_| PyTypeError::new_err("isobar.Results is no dictionary"))
}

/// Warns of each.
pub(crate) fn warn_of(py: Python<'_>, texts: impl IntoIterator<Item = String>) -> PyResult<()> {
    texts.into_iter().try_for_each(|text| warn(py, &text))
}

/// Warns as Python does, where the caller of ours called.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 2)
}
