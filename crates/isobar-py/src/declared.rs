//! What is declared of a scheme, as Python's values.

use isobar_interface::{Accepted, Declared, Kind, declared};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::{errors, values};

/// The names of the schemes.
#[pyfunction]
pub(crate) fn schemes() -> Vec<&'static str> {
    isobar_interface::SCHEMES.to_vec()
}

/// What a scheme reads and writes, and its options, as a dictionary.
#[pyfunction]
pub(crate) fn describe<'py>(py: Python<'py>, scheme: &str) -> PyResult<Bound<'py, PyDict>> {
    let known = declared(scheme).map_err(|error| errors::to_python(py, &error))?;
    let dict = PyDict::new(py);
    dict.set_item("name", known.name)?;
    dict.set_item("item", known.item_name)?;
    dict.set_item("top_first", known.top_first)?;
    for (name, fields) in [("inputs", known.inputs), ("outputs", known.outputs)] {
        let fields = fields.iter().map(|declared| field(py, declared)).collect::<PyResult<Vec<_>>>()?;
        dict.set_item(name, PyList::new(py, fields)?)?;
    }
    let required = known.defaults.iter().filter(|(_, default)| default.is_null()).map(|(name, _)| name);
    dict.set_item("required", required.collect::<Vec<_>>())?;
    dict.set_item("options", values::to_python(py, &known.defaults.into())?)?;
    Ok(dict)
}

fn field<'py>(py: Python<'py>, declared: &Declared) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", declared.name)?;
    dict.set_item("dtype", if declared.kind == Kind::Word { "uint32" } else { "float" })?;
    dict.set_item("dimensions", declared.shape.iter().map(|dimension| dimension.0).collect::<Vec<_>>())?;
    dict.set_item("unit", declared.unit)?;
    let accepted = if declared.accepted == Accepted::Anything { String::new() } else { declared.accepted.to_string() };
    dict.set_item("accepted", accepted)?;
    dict.set_item("standard_names", declared.standard_names)?;
    dict.set_item("file_name", declared.file_name)?;
    dict.set_item("aliases", declared.aliases)?;
    dict.set_item("optional", declared.optional)?;
    dict.set_item("doc", declared.doc.split_whitespace().collect::<Vec<_>>().join(" "))?;
    Ok(dict)
}
