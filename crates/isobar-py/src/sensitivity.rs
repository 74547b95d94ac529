//! Tangents and adjoints of chemistry: lists of numbers by name, whose shapes the package knows.

use isobar_interface::{CallError, Cells, Perturbation, Setup, UsualFloats};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value, json};

use crate::{errors, values};

/// A mechanism whose integrations are differentiated.
#[pyclass(frozen, module = "isobar._isobar")]
pub(crate) struct Sensitivity(isobar_interface::Sensitivity);

/// Numbers by name: none where they are not given.
fn numbers(lists: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<f64>> {
    match lists.get_item(name)? {
        Some(list) => Ok(list.extract::<PyReadonlyArray1<'_, f64>>()?.as_array().to_vec()),
        None => Ok(vec![]),
    }
}

fn cells(lists: &Bound<'_, PyDict>) -> PyResult<Cells<f64>> {
    Ok(Cells {
        concentration: numbers(lists, "concentration")?,
        rate_constant: numbers(lists, "rate_constant")?,
        rate_input: numbers(lists, "rate_input")?,
        first_step_s: numbers(lists, "first_step_s")?,
        ..Cells::default()
    })
}

/// Does work without Python's lock and without the traps of the caller's program.
fn compute<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, CallError> + Send) -> PyResult<T> {
    let usual = || {
        let _usual = UsualFloats::here();
        work()
    };
    py.detach(usual).map_err(|error| errors::to_python(py, &error))
}

/// Lists by name, and the status of each cell.
fn dictionary<'py, const N: usize>(
    py: Python<'py>,
    lists: [(&str, Vec<f64>); N],
    status: Vec<u32>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, list) in lists {
        all.set_item(name, PyArray1::from_vec(py, list))?;
    }
    all.set_item("status", PyArray1::from_vec(py, status))?;
    Ok(all)
}

#[pymethods]
impl Sensitivity {
    #[new]
    fn new(py: Python<'_>, tables: &Bound<'_, PyDict>, device: &str, threads: usize) -> PyResult<Self> {
        let tables = Value::Object(values::to_map(tables)?);
        let setup = json!({ "device": device, "threads": threads, "tables": tables }).to_string();
        let open = || isobar_interface::Sensitivity::open(&Setup::from_json(&setup)?);
        Ok(Self(compute(py, open)?))
    }

    /// Changes along directions: `change_of_concentration` and `change_of_rate_constant` of the lists.
    fn tangent<'py>(
        &self,
        py: Python<'py>,
        options: &Bound<'py, PyDict>,
        lists: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (options, cells): (Map<String, Value>, _) = (values::to_map(options)?, cells(lists)?);
        let perturbation = Perturbation {
            concentration: numbers(lists, "change_of_concentration")?,
            rate_constant: numbers(lists, "change_of_rate_constant")?,
        };
        let found = compute(py, || self.0.tangent(&cells, &options, &perturbation))?;
        let lists = [
            ("concentration", found.ends.concentration),
            ("rate_constant", found.rate_constant),
            ("change", found.concentration),
        ];
        dictionary(py, lists, found.ends.status)
    }

    /// Gradients of sums with the `weight` of the lists.
    fn adjoint<'py>(
        &self,
        py: Python<'py>,
        options: &Bound<'py, PyDict>,
        lists: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (options, cells): (Map<String, Value>, _) = (values::to_map(options)?, cells(lists)?);
        let weights = numbers(lists, "weight")?;
        let found = compute(py, || self.0.adjoint(&cells, &options, &weights))?;
        let lists = [
            ("concentration", found.ends.concentration),
            ("rate_constant", found.rate_constant),
            ("by_concentration", found.by_concentration),
            ("by_rate_constant", found.by_rate_constant),
        ];
        dictionary(py, lists, found.ends.status)
    }
}
