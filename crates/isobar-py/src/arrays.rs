//! NumPy's arrays as those of the interface, and new ones for results.

use isobar_interface::{Array, CallError, Declared, Element, ItemsAxis, Location};
use numpy::npyffi::flags::NPY_ARRAY_WRITEABLE;
use numpy::prelude::*;
use numpy::{PyArray, PyUntypedArray, dtype};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyFloat, PyInt};

use crate::elements::{element_of, numpy_name, wanted};
use crate::errors;
use crate::foreign::{self, Kept};

/// Numbers that are given as such stand here while they are used.
pub(crate) type Single = Box<[u8; 8]>;

/// An array of another type than a field has.
fn wrong_type(
    py: Python<'_>,
    declared: &'static Declared,
    array: &Bound<'_, PyUntypedArray>,
    wanted: Element,
) -> PyErr {
    let has = array.dtype().str().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    let wanted = numpy_name(wanted);
    let problem = format!("has dtype {has}, and {wanted} is wanted: {}.astype(numpy.{wanted})", declared.name);
    errors::to_python(py, &CallError::Kind { variable: declared.name, problem })
}

/// NumPy's array, in place.
pub(crate) fn view(
    declared: &'static Declared,
    array: &Bound<'_, PyUntypedArray>,
    precision: Element,
    to_write: bool,
) -> PyResult<Array> {
    let (py, wanted) = (array.py(), wanted(declared, precision));
    if element_of(&array.dtype()) != Some(wanted) {
        return Err(wrong_type(py, declared, array, wanted));
    }
    // SAFETY: NumPy's object is alive, and its fields are read only.
    let (start, flags) = unsafe { ((*array.as_array_ptr()).fields.data, (*array.as_array_ptr()).fields.flags) };
    // SAFETY: NumPy's array has its elements there, and the caller holds it during the call. That no other thread of
    // Python writes it meanwhile is asked for in the documents, as NumPy does itself.
    let view = unsafe { Array::new(start.cast::<u8>(), wanted, array.shape(), array.strides(), Location::Host) };
    let view = view.map_err(|error| errors::to_python(py, &error))?;
    if to_write && flags & NPY_ARRAY_WRITEABLE != 0 {
        // SAFETY: NumPy lets it be written; likewise.
        return Ok(unsafe { view.writable() });
    }
    Ok(view)
}

/// An array or a number of any library without a mask and in the unit that is wanted: see `isobar._inputs`.
pub(crate) fn plain<'py>(name: &str, unit: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static PLAIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    // Durations and dates are arrays, too, of counts of any unit.
    let is_of_numbers = |array: &Bound<'_, PyUntypedArray>| !matches!(array.dtype().kind(), b'm' | b'M');
    let is_array = value.is_exact_instance_of::<PyUntypedArray>();
    let is_plain = (is_array && value.cast::<PyUntypedArray>().is_ok_and(is_of_numbers))
        || value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyInt>()
        || foreign::is_bare(value)?;
    if is_plain {
        return Ok(value.clone());
    }
    let load = || Ok::<_, PyErr>(py.import("isobar._inputs")?.getattr("plain")?.unbind());
    PLAIN.get_or_try_init(py, load)?.bind(py).call1((name, unit, value))
}

/// Do all elements begin where numbers may?
fn is_aligned(array: &Bound<'_, PyUntypedArray>) -> bool {
    let bytes = array.dtype().itemsize().max(1);
    // SAFETY: NumPy's object is alive, and its field is read only.
    let start = unsafe { (*array.as_array_ptr()).fields.data };
    let many = array.shape().iter().zip(array.strides()).filter(|&(&size, _)| size > 1);
    start.addr().is_multiple_of(bytes) && many.map(|(_, stride)| stride).all(|stride| stride % bytes as isize == 0)
}

/// An input: NumPy's array, in place, or a number for all items. One that lies otherwise than numbers may, as in what
/// another process has sent, is copied.
pub(crate) fn input(
    declared: &'static Declared,
    value: &Bound<'_, PyAny>,
    precision: Element,
    (singles, kept): (&mut Vec<Single>, &mut Kept),
) -> PyResult<Array> {
    let py = value.py();
    let value = &plain(declared.name, declared.unit, value)?;
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        if is_aligned(array) {
            kept.push(value.clone().unbind());
            return view(declared, array, precision, false);
        }
        let order = [("order", "K")].into_py_dict(py)?;
        let copy = array.call_method("copy", (), Some(&order))?.cast_into::<PyUntypedArray>()?;
        kept.push(copy.clone().into_any().unbind());
        return view(declared, &copy, precision, false);
    }
    if !value.is_instance_of::<PyFloat>() && foreign::is_array(value) {
        return foreign::view(declared, value, precision, false, kept);
    }
    let number = match value.extract::<f64>() {
        Ok(number) if !value.hasattr("__len__")? => number,
        _ => {
            let problem = format!(
                "is {}, and a NumPy array or a number is wanted: numpy.asarray({}, numpy.{})",
                value.get_type().name()?,
                declared.name,
                numpy_name(wanted(declared, precision))
            );
            return Err(errors::to_python(py, &CallError::Kind { variable: declared.name, problem }));
        }
    };
    let mut bytes: Single = Box::default();
    let wanted = wanted(declared, precision);
    match wanted {
        Element::F32 => bytes[..4].copy_from_slice(&(number as f32).to_ne_bytes()),
        Element::F64 => bytes.copy_from_slice(&number.to_ne_bytes()),
        Element::U32 => {
            let word = value.extract::<u32>().map_err(|_| {
                let problem = format!("is {number}, and a whole number from 0 to {} is wanted", u32::MAX);
                errors::to_python(py, &CallError::Kind { variable: declared.name, problem })
            })?;
            bytes[..4].copy_from_slice(&word.to_ne_bytes());
        }
    }
    singles.push(bytes);
    let start = singles.last().expect("one was put there").as_ptr();
    // SAFETY: the number stays in its box while the caller holds the list.
    let view = unsafe { Array::new(start, wanted, &[], &[], Location::Host) };
    view.map_err(|error| errors::to_python(py, &error))
}

/// A new array of zeros for a result, of a shape whose first or last axes are those of the items, which are neighbours
/// in memory in any case.
pub(crate) fn new<'py>(
    py: Python<'py>,
    element: Element,
    shape: &[usize],
    items: usize,
    axis: ItemsAxis,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    fn of<'py, T: numpy::Element>(py: Python<'py>, shape: &[usize], moved: usize) -> PyResult<Bound<'py, PyAny>> {
        if moved == 0 || moved == shape.len() {
            return Ok(PyArray::<T, _>::zeros(py, shape, false).into_any());
        }
        let memory: Vec<usize> = shape[moved..].iter().chain(&shape[..moved]).copied().collect();
        let own = shape.len() - moved;
        let order: Vec<usize> = (own..shape.len()).chain(0..own).collect();
        Ok(PyArray::<T, _>::zeros(py, memory, false).permute(Some(order))?.into_any())
    }
    let moved = if axis == ItemsAxis::First { items } else { 0 };
    let array = match element {
        Element::F32 => of::<f32>(py, shape, moved),
        Element::F64 => of::<f64>(py, shape, moved),
        Element::U32 => of::<u32>(py, shape, moved),
    };
    Ok(array?.cast_into::<PyUntypedArray>()?)
}

/// A new array of numbers.
pub(crate) fn filled<'py>(
    py: Python<'py>,
    element: Element,
    shape: &[usize],
    values: &[f64],
) -> PyResult<Bound<'py, PyAny>> {
    fn of<'py, T: numpy::Element>(py: Python<'py>, shape: &[usize], values: Vec<T>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyArray::from_vec(py, values).reshape(shape.to_vec())?.into_any())
    }
    match element {
        Element::F32 => of(py, shape, values.iter().map(|&value| value as f32).collect()),
        Element::F64 => of(py, shape, values.to_vec()),
        Element::U32 => of(py, shape, values.iter().map(|&value| value as u32).collect()),
    }
}

/// The precision that an array has, if it is one of numbers.
pub(crate) fn precision_of(value: &Bound<'_, PyAny>) -> Option<Element> {
    let Ok(array) = value.cast::<PyUntypedArray>() else {
        // Other libraries' arrays say it by name: `torch.float32`, `float32`.
        let name = value.getattr("dtype").ok()?.str().ok()?.to_string();
        return match name.rsplit('.').next() {
            Some("float32") => Some(Element::F32),
            Some("float64") => Some(Element::F64),
            _ => None,
        };
    };
    element_of(&array.dtype()).filter(|element| *element != Element::U32)
}

/// NumPy's type, so that the module is loaded.
pub(crate) fn load(py: Python<'_>) {
    let _ = dtype::<f64>(py);
}
