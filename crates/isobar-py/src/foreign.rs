//! Arrays of other libraries, in place, by DLPack and `__cuda_array_interface__`: CuPy's, PyTorch's, JAX's.

use std::ffi::c_void;

use isobar_interface::{Array, CallError, Declared, Element, ForeignStream, ItemsAxis, Location};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::{elements, errors};

/// What keeps the arrays of a call where they are.
pub(crate) struct Kept {
    held: Vec<Py<PyAny>>,
    /// The stream of the caller's whose order the call keeps, if there is one.
    pub(crate) stream: Option<ForeignStream>,
}

impl Kept {
    pub(crate) fn new(stream: Option<ForeignStream>) -> Self {
        Self { held: Vec::new(), stream }
    }

    pub(crate) fn push(&mut self, array: Py<PyAny>) {
        self.held.push(array);
    }
}

/// The handle in a stream of PyTorch, CuPy or another library, or a number.
pub(crate) fn stream(value: &Bound<'_, PyAny>) -> PyResult<ForeignStream> {
    // NVIDIA's protocol, then the libraries' own names.
    if value.hasattr("__cuda_stream__")? {
        let (_, handle): (usize, usize) = value.call_method0("__cuda_stream__")?.extract()?;
        return Ok(ForeignStream(handle));
    }
    for name in ["cuda_stream", "ptr"] {
        if value.hasattr(name)? {
            return Ok(ForeignStream(value.getattr(name)?.extract()?));
        }
    }
    value.extract().map(ForeignStream).map_err(|_| {
        let text = "is no stream: a stream of PyTorch or CuPy is wanted, or the handle of one, a number";
        let problem = format!("a {} {text}", value.get_type());
        errors::to_python(value.py(), &CallError::Setup(format!("stream: {problem}")))
    })
}

/// DLPack's names of devices.
const CPU: i32 = 1;
const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;

/// `DLTensor` of `dlpack.h`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2],
    axes: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    offset: u64,
}

/// Is it such an array?
pub(crate) fn is_array(value: &Bound<'_, PyAny>) -> bool {
    value.hasattr("__dlpack__").unwrap_or(false) || value.hasattr("__cuda_array_interface__").unwrap_or(false)
}

/// Is it an array of a library whose arrays have neither masks nor units?
pub(crate) fn is_bare(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let module = value.get_type().module()?;
    Ok(matches!(module.to_str()?.split('.').next(), Some("torch" | "cupy" | "jax" | "jaxlib")))
}

/// The array, which the capsules in `kept` keep where they are.
pub(crate) fn view(
    declared: &'static Declared,
    value: &Bound<'_, PyAny>,
    precision: Element,
    to_write: bool,
    kept: &mut Kept,
) -> PyResult<Array> {
    let wanted = elements::wanted(declared, precision);
    if value.hasattr("__dlpack__")? {
        by_dlpack(declared, value, wanted, to_write, kept)
    } else {
        by_interface(declared, value, wanted, to_write)
    }
}

fn refuse(py: Python<'_>, declared: &'static Declared, problem: String) -> PyErr {
    errors::to_python(py, &CallError::Kind { variable: declared.name, problem })
}

fn by_dlpack(
    declared: &'static Declared,
    value: &Bound<'_, PyAny>,
    wanted: Element,
    to_write: bool,
    kept: &mut Kept,
) -> PyResult<Array> {
    let py = value.py();
    let (kind, number): (i32, i32) = value.call_method0("__dlpack_device__")?.extract()?;
    let location = match kind {
        CPU | CUDA_HOST => Location::Host,
        CUDA | CUDA_MANAGED => Location::Cuda(number as u32),
        other => return Err(refuse(py, declared, format!("lies on a device of DLPack's type {other}"))),
    };
    let arguments = PyDict::new(py);
    if location != Location::Host {
        // What was written on other streams is there on the legacy one, and the model waits for all of them; or the
        // call has a stream, which knows its order.
        arguments.set_item("stream", if kept.stream.is_some() { -1 } else { 1 })?;
    }
    let capsule = value.call_method("__dlpack__", (), Some(&arguments))?;
    let capsule = capsule.cast_into::<PyCapsule>()?;
    // SAFETY: a capsule of this name has a DLManagedTensor, which begins with the tensor, and lives as long as the
    // capsule, which is kept.
    let tensor = unsafe {
        let pointer = pyo3::ffi::PyCapsule_GetPointer(capsule.as_ptr(), c"dltensor".as_ptr());
        match pointer.cast::<Tensor>().as_ref() {
            Some(tensor) => tensor,
            None => return Err(PyErr::fetch(py)),
        }
    };
    let element = match (tensor.code, tensor.bits, tensor.lanes) {
        (2, 32, 1) => Some(Element::F32),
        (2, 64, 1) => Some(Element::F64),
        (1, 32, 1) => Some(Element::U32),
        // Signed words, which some libraries have alone: statuses and counts are below 2^31.
        (0, 32, 1) if wanted == Element::U32 => Some(Element::U32),
        _ => None,
    };
    if element != Some(wanted) {
        let kind = ["int", "uint", "float"].get(usize::from(tensor.code)).copied().unwrap_or("other");
        let problem = format!("is {kind}{}, and {} is wanted", tensor.bits, elements::numpy_name(wanted));
        return Err(refuse(py, declared, problem));
    }
    let axes = tensor.axes as usize;
    let list = |pointer: *const i64| -> Vec<i64> {
        if axes == 0 || pointer.is_null() {
            return Vec::new();
        }
        // SAFETY: DLPack has one number an axis.
        unsafe { std::slice::from_raw_parts(pointer, axes) }.to_vec()
    };
    let shape: Vec<usize> = list(tensor.shape).into_iter().map(|size| size as usize).collect();
    let strides = list(tensor.strides);
    let bytes = wanted.bytes() as isize;
    let strides: Vec<isize> =
        if strides.is_empty() { compact(&shape, bytes) } else { strides.iter().map(|&s| s as isize * bytes).collect() };
    let start = tensor.data.cast::<u8>().wrapping_add(tensor.offset as usize);
    kept.push(capsule.into_any().unbind());
    // SAFETY: the producer has its elements there, as long as the capsule is kept.
    let view = unsafe { Array::new(start, wanted, &shape, &strides, location) };
    let view = view.map_err(|error| errors::to_python(py, &error))?;
    let immutable = value.get_type().module()?.to_str()?.starts_with("jax");
    // SAFETY: only what its library lets be written.
    Ok(if to_write && !immutable { unsafe { view.writable() } } else { view })
}

/// Strides of an array without gaps, the last axis the fastest.
fn compact(shape: &[usize], bytes: isize) -> Vec<isize> {
    let mut strides = vec![bytes; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as isize;
    }
    strides
}

fn by_interface(
    declared: &'static Declared,
    value: &Bound<'_, PyAny>,
    wanted: Element,
    to_write: bool,
) -> PyResult<Array> {
    let py = value.py();
    let interface = value.getattr("__cuda_array_interface__")?;
    let (start, fixed): (usize, bool) = interface.get_item("data")?.extract()?;
    let shape: Vec<usize> = interface.get_item("shape")?.extract()?;
    let kind: String = interface.get_item("typestr")?.extract()?;
    let own = match wanted {
        Element::F32 => "<f4",
        Element::F64 => "<f8",
        Element::U32 => "<u4",
    };
    if kind != own {
        let problem = format!("has dtype {kind}, and {} is wanted", elements::numpy_name(wanted));
        return Err(refuse(py, declared, problem));
    }
    let strides = interface.call_method1("get", ("strides",))?;
    let strides: Option<Vec<isize>> = strides.extract()?;
    let strides = strides.unwrap_or_else(|| compact(&shape, wanted.bytes() as isize));
    // The protocol does not tell the GPU: libraries with several of them have DLPack.
    let pointer = std::ptr::with_exposed_provenance::<u8>(start);
    // SAFETY: the producer has its elements there, and the caller holds it during the call.
    let view = unsafe { Array::new(pointer, wanted, &shape, &strides, Location::Cuda(0)) };
    let view = view.map_err(|error| errors::to_python(py, &error))?;
    // SAFETY: the producer lets it be written.
    Ok(if to_write && !fixed { unsafe { view.writable() } } else { view })
}

/// A new array for a result beside an array of an input, by the library of that, items neighbours in memory.
pub(crate) fn new<'py>(
    declared: &'static Declared,
    beside: &Bound<'py, PyAny>,
    element: Element,
    shape: &[usize],
    items: usize,
    axis: ItemsAxis,
) -> PyResult<Bound<'py, PyAny>> {
    let py = beside.py();
    let moved = if axis == ItemsAxis::First { items } else { 0 };
    let memory: Vec<usize> = shape[moved..].iter().chain(&shape[..moved]).copied().collect();
    let own = shape.len() - moved;
    let order: Vec<usize> = (own..shape.len()).chain(0..own).collect();
    let module = beside.get_type().module()?;
    let library = module.to_str()?.split('.').next().unwrap_or("").to_owned();
    let memory = PyTuple::new(py, memory)?;
    match library.as_str() {
        "torch" => {
            let torch = py.import("torch")?;
            // Not all versions have words without a sign.
            let name = if element == Element::U32 { "int32" } else { elements::numpy_name(element) };
            let arguments = PyDict::new(py);
            arguments.set_item("dtype", torch.getattr(name)?)?;
            arguments.set_item("device", beside.getattr("device")?)?;
            torch.call_method("zeros", (memory,), Some(&arguments))?.call_method1("permute", (order,))
        }
        "cupy" => {
            let cupy = py.import("cupy")?;
            let arguments = PyDict::new(py);
            arguments.set_item("dtype", elements::numpy_name(element))?;
            let device = beside.getattr("device")?;
            device.call_method0("__enter__")?;
            let made = cupy.call_method("zeros", (memory,), Some(&arguments));
            device.call_method1("__exit__", (py.None(), py.None(), py.None()))?;
            made?.call_method1("transpose", (order,))
        }
        "jax" | "jaxlib" => {
            if moved > 0 && moved < shape.len() {
                let problem = "is a result beside JAX's arrays, whose last axis is the fastest in memory: \
                               items_axis=\"last\""
                    .to_owned();
                return Err(refuse(py, declared, problem));
            }
            // Nobody else has its buffer yet, into which the results go before anybody reads it.
            let arguments = PyDict::new(py);
            arguments.set_item("dtype", elements::numpy_name(element))?;
            let zeros = py.import("jax.numpy")?.call_method("zeros", (memory,), Some(&arguments))?;
            py.import("jax")?.call_method1("device_put", (zeros, beside.getattr("device")?))
        }
        other => {
            let problem = format!("is a result beside arrays of {other}: give an array for it (out=)");
            Err(refuse(py, declared, problem))
        }
    }
}
