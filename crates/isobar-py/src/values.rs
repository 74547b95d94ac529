//! Python's values as JSON, and back.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

/// Numbers, texts, paths, lists, arrays and dictionaries as JSON.
pub(crate) fn to_json(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<i64>()?.into());
    }
    if value.is_instance_of::<PyFloat>() {
        let number: f64 = value.extract()?;
        let json = serde_json::Number::from_f64(number);
        return json.map(Value::Number).ok_or_else(|| {
            PyErr::new::<pyo3::exceptions::PyValueError, _>(format!("{name} is {number}, which is not a finite number"))
        });
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.into());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let key: String = key.extract()?;
            let value = to_json(&key, &value)?;
            Ok((key, value))
        };
        return Ok(Value::Object(dict.iter().map(entry).collect::<PyResult<_>>()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.map(|value| to_json(name, &value?)).collect::<PyResult<Vec<_>>>().map(Value::Array);
    }
    // NumPy's arrays and numbers; paths.
    if let Ok(list) = value.call_method0("tolist") {
        return to_json(name, &list);
    }
    if let Ok(path) = value.call_method0("__fspath__") {
        return to_json(name, &path);
    }
    Err(PyTypeError::new_err(format!("{name} is {}, which is no option", value.get_type().name()?)))
}

/// A dictionary of options.
pub(crate) fn to_map(dict: &Bound<'_, PyDict>) -> PyResult<Map<String, Value>> {
    match to_json("options", dict)? {
        Value::Object(map) => Ok(map),
        _ => unreachable!("a dictionary is an object"),
    }
}

/// JSON as Python's values.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into_pyobject(py)?.into_any(),
            None => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
