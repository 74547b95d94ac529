//! A scheme on its devices, called with arrays by name.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use isobar_interface::{
    Array, Axes, Call, CallError, Declared, Device, Element, FileChoices, ItemsAxis, Location, Setup, UsualFloats,
    declared, open,
};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde_json::{Map, Value};

use crate::arrays::{self, Single};
use crate::elements::wanted;
use crate::foreign::{self, Kept};
use crate::made::Made;
use crate::results::{results, warn, warn_of};
use crate::{errors, values};

/// How often a thread that computes itself looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Fields of a file, options, what was derived, and the items without values.
type OfFile<'py> = (Bound<'py, PyDict>, Bound<'py, PyAny>, Vec<String>, Vec<usize>);

/// A scheme on its devices. The package's classes are made of it.
#[pyclass(subclass, frozen, module = "isobar._isobar")]
pub(crate) struct Model {
    name: &'static str,
    setup: Setup,
    /// Precision of all calls, or that of their arrays.
    precision: Option<Element>,
    axes: Axes,
    /// Options of all calls.
    options: Map<String, Value>,
    inputs: &'static [Declared],
    outputs: &'static [Declared],
    /// In single and in double precision, made when they are needed.
    made: [OnceLock<Made>; 2],
    making: Mutex<()>,
}

#[pymethods]
impl Model {
    /// A scheme by name, with its files (`tables`), on `device`.
    #[new]
    #[pyo3(signature = (
        scheme, *, tables = None, device = "cpu", precision = None, threads = 0, bad_items = "stop",
        items_axis = "first", top_first = None, options = None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        scheme: &str,
        tables: Option<&Bound<'_, PyDict>>,
        device: &str,
        precision: Option<&str>,
        threads: usize,
        bad_items: &str,
        items_axis: &str,
        top_first: Option<bool>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        arrays::load(py);
        let raise = |error: CallError| errors::to_python(py, &error);
        let known = declared(scheme).map_err(raise)?;
        let precision = match precision {
            None => None,
            Some("f32" | "float32" | "single") => Some(Element::F32),
            Some("f64" | "float64" | "double") => Some(Element::F64),
            Some(other) => return Err(raise(CallError::name("precision", other, ["f32", "f64"]))),
        };
        let always_f64 = matches!(known.name, "chemistry" | "infrared");
        if always_f64 && known.name == "chemistry" && precision == Some(Element::F32) {
            return Err(raise(CallError::Setup("chemistry is computed in double precision only".to_owned())));
        }
        let mut setup = serde_json::json!({ "device": device, "threads": threads, "bad_items": bad_items });
        setup["tables"] = match tables {
            Some(tables) => values::to_map(tables)?.into(),
            None => Map::new().into(),
        };
        let setup = Setup::from_json(&setup.to_string()).map_err(raise)?;
        let items = items_of(py, items_axis)?;
        let options = options.map(values::to_map).transpose()?.unwrap_or_default();
        let model = Self {
            name: known.name,
            setup,
            precision: if always_f64 { Some(precision.unwrap_or(Element::F64)) } else { precision },
            axes: Axes { items, top_first },
            options,
            inputs: known.inputs,
            outputs: known.outputs,
            made: [OnceLock::new(), OnceLock::new()],
            making: Mutex::default(),
        };
        // Files, devices and options that are wrong are said now; options may lack what calls give.
        let made = model.made(py, model.precision.unwrap_or(Element::F64))?;
        warn_of(py, made.scheme.notes().iter().cloned())?;
        let mut options = model.options.clone();
        for (name, _) in made.scheme.defaults().iter().filter(|(_, value)| value.is_null()) {
            if !options.contains_key(name) && name != "atmosphere" {
                options.insert(name.clone(), 1.0.into());
            }
        }
        if model.name != "infrared" || options.contains_key("atmosphere") {
            made.scheme.options(&options).map_err(raise)?;
        }
        Ok(model)
    }

    /// The scheme's name.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.name
    }

    /// The devices.
    #[getter]
    fn devices(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let made = self.made(py, self.precision.unwrap_or(Element::F64))?;
        Ok(made.scheme.devices().iter().map(ToString::to_string).collect())
    }

    /// What its files say: species, bands, g-points and so on.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, self.made(py, self.precision.unwrap_or(Element::F64))?.scheme.facts())
    }

    /// Computes a batch: fields by name, and options of this call.
    #[pyo3(signature = (*, out = None, stream = None, items_axis = None, top_first = None, **fields))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyDict>>,
        stream: Option<&Bound<'py, PyAny>>,
        items_axis: Option<&str>,
        top_first: Option<bool>,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let raise = |error: CallError| errors::to_python(py, &error);
        let items = items_axis.map_or(Ok(self.axes.items), |axis| items_of(py, axis))?;
        let axes = Axes { items, top_first: top_first.or(self.axes.top_first) };
        // By the place of its declaration, and what is no field.
        let mut given: Vec<Option<Bound<'py, PyAny>>> = vec![None; self.inputs.len()];
        let mut changes = Map::new();
        for (name, value) in fields.into_iter().flatten() {
            let name = name.cast_into::<PyString>()?;
            let name = name.to_str()?;
            match self.inputs.iter().position(|declared| declared.name == name) {
                Some(_) if value.is_none() => {}
                Some(index) => given[index] = Some(value),
                None => drop(changes.insert(name.to_owned(), self.option(py, name, &value)?)),
            }
        }
        let by_arrays = || given.iter().flatten().find_map(arrays::precision_of);
        let precision = self.precision.or_else(by_arrays).unwrap_or(Element::F64);
        let made = self.made(py, precision)?;
        let precision = made.scheme.precision();
        let options = made.options(&self.options, changes).map_err(raise)?;
        let mut singles: Vec<Single> = Vec::new();
        let mut kept = Kept::new(stream.map(foreign::stream).transpose()?);
        let mut on_gpu: Option<&Bound<'py, PyAny>> = None;
        let mut inputs: Vec<Option<Array>> = Vec::with_capacity(given.len());
        for (declared, value) in self.inputs.iter().zip(&given) {
            let one = |value| arrays::input(declared, value, precision, (&mut singles, &mut kept));
            let array = value.as_ref().map(one).transpose()?;
            if array.is_some_and(|array| array.location() != Location::Host) {
                on_gpu = on_gpu.or(value.as_ref());
            }
            inputs.push(array);
        }
        let stop = AtomicBool::new(false);
        let call = Call { inputs: &inputs, axes, options: &options, stop: Some(&stop), progress: None };
        let plan = made.scheme.plan(&call).map_err(raise)?;
        warn_of(py, made.scheme.doubts(&call).map_err(raise)?)?;
        let results = results(py)?;
        let mut outputs: Vec<Option<Array>> = vec![None; self.outputs.len()];
        if let Some(out) = out {
            self.take(out, precision, &plan.outputs, (&mut outputs, &mut kept), &results)?;
        }
        for ((declared, shape), output) in self.outputs.iter().zip(&plan.outputs).zip(&mut outputs) {
            let (Some(shape), None) = (shape, &output) else { continue };
            if kept.stream.is_some() {
                let problem = "is a result: with a stream, give an array for it (out=)".to_owned();
                return Err(raise(CallError::Kind { variable: declared.name, problem }));
            }
            let (element, items) = (wanted(declared, precision), plan.items.len());
            if let Some(beside) = on_gpu {
                let array = foreign::new(declared, beside, element, shape, items, axes.items)?;
                let view = foreign::view(declared, &array, precision, true, &mut kept)?;
                // SAFETY: it was made here, and nobody else has it.
                *output = Some(unsafe { view.writable() });
                results.set_item(declared.name, array)?;
                continue;
            }
            let array = arrays::new(py, element, shape, items, axes.items)?;
            *output = Some(arrays::view(declared, &array, precision, true)?);
            results.set_item(declared.name, array)?;
        }
        if let Some(stream) = kept.stream {
            // SAFETY: a stream of the arrays' GPU, and arrays that stay, are what the caller has to give.
            let enqueue = || unsafe { made.scheme.enqueue(&call, &outputs, stream) };
            return py.detach(enqueue).map(|()| results).map_err(raise);
        }
        let (flagged, doubts) = self.compute(py, made, call, &stop, &outputs)?;
        warn_of(py, doubts)?;
        if !flagged.is_empty() {
            results.setattr("errors", errors::list(py, &flagged)?)?;
        }
        Ok(results)
    }

    /// The fields of a NetCDF file as the command reads it: a dictionary of name and (dimensions, array) with the items
    /// last and in the scheme's own order, what the file says of options, what was derived, and the items without
    /// values, in whose places others stand.
    #[pyo3(signature = (path, choices = None))]
    fn _read<'py>(
        &self,
        py: Python<'py>,
        path: std::path::PathBuf,
        choices: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<OfFile<'py>> {
        let raise = |error: CallError| errors::to_python(py, &error);
        let precision = self.precision.unwrap_or(Element::F64);
        let made = self.made(py, precision)?;
        let choices = choices.map(values::to_map).transpose()?.unwrap_or_default();
        let choices = FileChoices::from_map(&choices).map_err(raise)?;
        let mut options = self.options.clone();
        for (name, _) in made.scheme.defaults().iter().filter(|(_, value)| value.is_null()) {
            // What calls give does not matter to a file.
            options.entry(name.clone()).or_insert_with(|| 1.0.into());
        }
        let options = made.scheme.options(&options).map_err(raise)?;
        let read = || {
            let _usual = UsualFloats::here();
            made.scheme.read(&path, &options, &choices)
        };
        let read = py.detach(read).map_err(raise)?;
        let fields = PyDict::new(py);
        for field in read.fields {
            let names: Vec<&str> = field.declared.shape.iter().map(|dimension| dimension.0).collect();
            let array = arrays::filled(py, wanted(field.declared, precision), &field.shape, &field.values)?;
            fields.set_item(field.declared.name, (names, array))?;
        }
        read.notes.iter().try_for_each(|text| warn(py, text))?;
        Ok((fields, values::to_python(py, &read.options.into())?, read.derived, read.masked))
    }

    fn __repr__(&self) -> String {
        format!("<isobar {} on {}>", self.name, self.setup.device)
    }
}

impl Model {
    /// The scheme in a precision.
    fn made(&self, py: Python<'_>, precision: Element) -> PyResult<&Made> {
        let place = &self.made[usize::from(precision == Element::F64)];
        if let Some(made) = place.get() {
            return Ok(made);
        }
        let make = || {
            let _usual = UsualFloats::here();
            let _one_at_a_time = self.making.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if place.get().is_none() {
                let setup = Setup { precision, ..self.setup.clone() };
                let made = Made { scheme: open(self.name, &setup)?, last: Mutex::default() };
                let _ = place.set(made);
            }
            Ok(place.get().expect("it was made"))
        };
        // Files are read without Python's lock.
        py.detach(make).map_err(|error| errors::to_python(py, &error))
    }

    /// An option of a call.
    fn option(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
        let made = self.made(py, self.precision.unwrap_or(Element::F64))?;
        let known = made.scheme.defaults();
        let is_option = known.contains_key(name)
            || known.values().filter_map(Value::as_object).any(|group| group.contains_key(name));
        if !is_option {
            let fields = self.inputs.iter().map(|declared| declared.name);
            let groups = known.values().filter_map(Value::as_object).flat_map(Map::keys);
            let names = fields.chain(known.keys().chain(groups).map(String::as_str));
            return Err(errors::to_python(py, &CallError::name("field or option", name, names)));
        }
        values::to_json(name, value)
    }

    /// Results into arrays of the caller.
    fn take<'py>(
        &self,
        out: &Bound<'py, PyDict>,
        precision: Element,
        wanted: &[Option<Vec<usize>>],
        (outputs, kept): (&mut [Option<Array>], &mut Kept),
        results: &Bound<'py, PyDict>,
    ) -> PyResult<()> {
        let py = out.py();
        for (name, array) in out {
            let name = name.cast_into::<PyString>()?;
            let name = name.to_str()?;
            let Some(index) = self.outputs.iter().position(|declared| declared.name == name) else {
                let error = CallError::name("result", name, self.outputs.iter().map(|declared| declared.name));
                return Err(errors::to_python(py, &error));
            };
            let declared = &self.outputs[index];
            if wanted[index].is_none() {
                let problem = "is no result of these inputs and options".to_owned();
                return Err(errors::to_python(py, &CallError::Shape { variable: declared.name, problem }));
            }
            if let Some(name) = ["mask", "units", "unit"].into_iter().find(|name| array.hasattr(name).unwrap_or(false))
            {
                let problem = format!("is {} with {name}, and results go to plain arrays", array.get_type().name()?);
                return Err(errors::to_python(py, &CallError::Kind { variable: declared.name, problem }));
            }
            let Ok(numpy) = array.cast::<PyUntypedArray>() else {
                if foreign::is_array(&array) {
                    outputs[index] = Some(foreign::view(declared, &array, precision, true, kept)?);
                    results.set_item(declared.name, array)?;
                    continue;
                }
                let problem = format!("is {}, and results go to NumPy arrays", array.get_type().name()?);
                return Err(errors::to_python(py, &CallError::Kind { variable: declared.name, problem }));
            };
            outputs[index] = Some(arrays::view(declared, numpy, precision, true)?);
            results.set_item(declared.name, array)?;
        }
        Ok(())
    }

    /// Computes without Python's lock; Ctrl-C ends it.
    fn compute(
        &self,
        py: Python<'_>,
        made: &Made,
        call: Call<'_>,
        stop: &AtomicBool,
        outputs: &[Option<Array>],
    ) -> PyResult<(Vec<isobar_interface::FieldError>, Vec<String>)> {
        let raised: Mutex<Option<PyErr>> = Mutex::default();
        // Signals are handled by Python's main thread alone; elsewhere this does nothing.
        let look = || {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                stop.store(true, Ordering::Relaxed);
                raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
            }
        };
        let itself = made.scheme.devices().iter().all(|&device| device == Device::Thread);
        let looked = Mutex::new(Instant::now());
        let look_seldom = |_: usize| {
            let mut looked = looked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if looked.elapsed() >= LOOK {
                look();
                *looked = Instant::now();
            }
        };
        let call = Call { progress: if itself { Some(&look_seldom) } else { None }, ..call };
        let mut tick = || look();
        let computed = py.detach(|| {
            let _usual = UsualFloats::here();
            made.scheme.run_ticking(&call, outputs, Some(&mut tick))
        });
        if let Some(error) = raised.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Err(error);
        }
        computed.map_err(|error| errors::to_python(py, &error))
    }
}

/// `first` or `last`.
fn items_of(py: Python<'_>, axis: &str) -> PyResult<ItemsAxis> {
    match axis {
        "first" => Ok(ItemsAxis::First),
        "last" => Ok(ItemsAxis::Last),
        other => Err(errors::to_python(py, &CallError::name("items_axis", other, ["first", "last"]))),
    }
}
