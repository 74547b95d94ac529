//! Atmospheres, rays and results as dictionaries of arrays.

use isobar_core::Status;
use isobar_ega::jacobian::Elements;
use isobar_interface::CallError;
use isobar_io::{Control, Observation};
use isobar_raytrace::{Atmosphere, Position, Ray};
use nalgebra::DMatrix;
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::{arrays, errors};

/// The names of a ray's numbers.
const RAY: [&str; 7] = [
    "time_s",
    "observer_height_km",
    "observer_longitude_deg",
    "observer_latitude_deg",
    "view_point_height_km",
    "view_point_longitude_deg",
    "view_point_latitude_deg",
];

/// What dictionaries of rays have beside them: results, and what was measured.
const OF_RAYS: [&str; 6] =
    ["tangent_height_km", "tangent_longitude_deg", "tangent_latitude_deg", "radiance", "transmittance", "status"];

/// What the cloud of an atmosphere has.
pub(super) const CLOUD: [&str; 3] = ["height_km", "depth_km", "extinction_per_km"];
/// What the surface of an atmosphere has.
pub(super) const SURFACE: [&str; 4] = ["height_km", "pressure_hpa", "temperature_k", "emissivity"];

/// The unit of what an atmosphere or rays have, by the end of its name; that of a gas is one of amounts.
fn unit_of(name: &str) -> &'static str {
    const UNITS: [(&str, &str); 8] = [
        ("_per_km", "km-1"),
        ("_km", "km"),
        ("_hpa", "hPa"),
        ("_k", "K"),
        ("_deg", "degree"),
        ("_s", "s"),
        ("radiance", "W m-2 sr-1 cm"),
        ("emissivity", "1"),
    ];
    UNITS.iter().find(|(end, _)| name.ends_with(end)).map_or("mol mol-1", |(_, unit)| unit)
}

/// The numbers of an array or a list of any shape and precision, row by row; none where there are other things.
fn in_double(value: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    let array = value.py().import("numpy").ok()?.call_method1("asarray", (value,)).ok()?;
    let kind: String = array.getattr("dtype").ok()?.getattr("kind").ok()?.extract().ok()?;
    if !["f", "i", "u"].contains(&kind.as_str()) {
        // Lists of what becomes numbers one by one, as those of arrays without axes do.
        return value.extract().ok();
    }
    let wide = array.call_method1("astype", ("f8",)).ok()?;
    Some(wide.extract::<PyReadonlyArrayDyn<'_, f64>>().ok()?.as_array().iter().copied().collect())
}

/// Numbers of an array or a list, as many as are wanted; what is masked is NaN.
pub(super) fn numbers(name: &str, value: &Bound<'_, PyAny>, count: Option<usize>) -> PyResult<Vec<f64>> {
    let py = value.py();
    let value = &arrays::plain(name, unit_of(name), value)?;
    let all = in_double(value).ok_or_else(|| {
        let problem = format!("{name} is {}, and an array or a list of numbers is wanted", value.get_type());
        errors::to_python(py, &CallError::Setup(problem))
    })?;
    match count {
        Some(count) if all.len() != count => {
            let problem = format!("{name} has {} values instead of {count}", all.len());
            Err(errors::to_python(py, &CallError::Setup(problem)))
        }
        _ => Ok(all),
    }
}

pub(super) fn required(dict: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<f64>> {
    match dict.get_item(name)? {
        Some(value) => numbers(name, &value, None),
        None => Err(errors::to_python(dict.py(), &CallError::Setup(format!("{name} is missing")))),
    }
}

pub(super) fn one(dict: &Bound<'_, PyDict>, name: &str) -> PyResult<f64> {
    match dict.get_item(name)? {
        Some(value) => {
            let one = PyList::new(dict.py(), [arrays::plain(name, unit_of(name), &value)?])?;
            Ok(numbers(name, one.as_any(), Some(1))?[0])
        }
        None => Err(errors::to_python(dict.py(), &CallError::Setup(format!("{name} is missing")))),
    }
}

pub(super) fn part<'py>(dict: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
    let part = dict.get_item(name)?.filter(|part| !part.is_none());
    part.map(|part| as_dictionary(name, part)).transpose()
}

pub(super) fn as_dictionary<'py>(name: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let (py, kind) = (value.py(), value.get_type().to_string());
    let wrong = |_| CallError::Setup(format!("{name} is {kind}, and a dictionary is wanted"));
    value.cast_into::<PyDict>().map_err(wrong).map_err(|error| errors::to_python(py, &error))
}

/// Refuses a key that is none.
pub(super) fn only(dict: &Bound<'_, PyDict>, what: &'static str, known: &[&str]) -> PyResult<()> {
    for key in dict.keys() {
        let name = key.str()?;
        let name = name.to_str()?;
        if !known.contains(&name) {
            return Err(errors::to_python(dict.py(), &CallError::name(what, name, known.iter().copied())));
        }
    }
    Ok(())
}

/// Refuses an array or lists of another shape than that of these dimensions.
pub(super) fn has_shape(
    name: &'static str,
    value: &Bound<'_, PyAny>,
    wanted: [usize; 2],
    dimensions: [&str; 2],
) -> PyResult<()> {
    let py = value.py();
    let plain = arrays::plain(name, unit_of(name), value)?;
    let shape: Vec<usize> = py.import("numpy")?.call_method1("shape", (plain,))?.extract()?;
    if shape != wanted {
        let [rows, columns] = wanted;
        let problem =
            format!("has the shape {shape:?}, and ({}) is wanted: [{rows}, {columns}]", dimensions.join(", "));
        return Err(errors::to_python(py, &CallError::Shape { variable: name, problem }));
    }
    Ok(())
}

/// Rays of a dictionary.
pub(super) fn rays_of(dict: &Bound<'_, PyDict>) -> PyResult<Vec<Ray>> {
    only(dict, "part of rays", &[&RAY[..], &OF_RAYS[..]].concat())?;
    let height = required(dict, "view_point_height_km")?;
    let count = height.len();
    let mut all = Vec::with_capacity(RAY.len());
    for name in RAY {
        all.push(match dict.get_item(name)? {
            Some(value) => numbers(name, &value, Some(count))?,
            None if name == "time_s" => vec![0.0; count],
            None => return Err(errors::to_python(dict.py(), &CallError::Setup(format!("{name} is missing")))),
        });
    }
    let position = |ray: usize, first: usize| Position {
        height_km: all[first][ray],
        longitude_deg: all[first + 1][ray],
        latitude_deg: all[first + 2][ray],
    };
    let ray = |ray: usize| Ray { time_s: all[0][ray], observer: position(ray, 1), view_point: position(ray, 4) };
    Ok((0..count).map(ray).collect())
}

pub(super) fn atmosphere_dict<'py>(
    py: Python<'py>,
    atmosphere: &Atmosphere,
    control: &Control,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let array = |values: &[f64]| PyArray1::from_slice(py, values);
    for (name, values) in [
        ("time_s", &atmosphere.time_s),
        ("height_km", &atmosphere.height_km),
        ("longitude_deg", &atmosphere.longitude_deg),
        ("latitude_deg", &atmosphere.latitude_deg),
        ("pressure_hpa", &atmosphere.pressure_hpa),
        ("temperature_k", &atmosphere.temperature_k),
    ] {
        dict.set_item(name, array(values))?;
    }
    let gases = PyDict::new(py);
    for (gas, values) in control.emitters.iter().zip(&atmosphere.mixing_ratio) {
        gases.set_item(gas, array(values))?;
    }
    dict.set_item("mixing_ratio", gases)?;
    let windows: Vec<_> = atmosphere.extinction_per_km.iter().map(|values| array(values)).collect();
    dict.set_item("extinction_per_km", windows)?;
    if let Some(cloud) = &atmosphere.cloud {
        let of = PyDict::new(py);
        of.set_item("height_km", cloud.height_km)?;
        of.set_item("depth_km", cloud.depth_km)?;
        of.set_item("extinction_per_km", array(&cloud.extinction_per_km))?;
        dict.set_item("cloud", of)?;
    }
    if let Some(surface) = &atmosphere.surface {
        let of = PyDict::new(py);
        of.set_item("height_km", surface.height_km)?;
        of.set_item("pressure_hpa", surface.pressure_hpa)?;
        of.set_item("temperature_k", surface.temperature_k)?;
        of.set_item("emissivity", array(&surface.emissivity))?;
        dict.set_item("surface", of)?;
    }
    Ok(dict)
}

pub(super) fn observation_dict<'py>(
    py: Python<'py>,
    observation: &Observation,
    channels: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let numbers: [fn(&Ray) -> f64; 7] = [
        |ray| ray.time_s,
        |ray| ray.observer.height_km,
        |ray| ray.observer.longitude_deg,
        |ray| ray.observer.latitude_deg,
        |ray| ray.view_point.height_km,
        |ray| ray.view_point.longitude_deg,
        |ray| ray.view_point.latitude_deg,
    ];
    for (name, number) in RAY.iter().zip(numbers) {
        dict.set_item(name, PyArray1::from_vec(py, observation.rays.iter().map(number).collect()))?;
    }
    tangents(&dict, &observation.tangent_points)?;
    dict.set_item("radiance", matrix(py, &observation.radiance, channels)?)?;
    dict.set_item("transmittance", matrix(py, &observation.transmittance, channels)?)?;
    Ok(dict)
}

/// A number of a position.
type OfPosition = fn(&Position) -> f64;

pub(super) fn tangents(dict: &Bound<'_, PyDict>, points: &[Position]) -> PyResult<()> {
    let names: [(&str, OfPosition); 3] = [
        ("tangent_height_km", |point| point.height_km),
        ("tangent_longitude_deg", |point| point.longitude_deg),
        ("tangent_latitude_deg", |point| point.latitude_deg),
    ];
    names.iter().try_for_each(|(name, number)| {
        dict.set_item(name, PyArray1::from_vec(dict.py(), points.iter().map(number).collect()))
    })
}

/// `(ray, channel)`.
pub(super) fn matrix<'py>(py: Python<'py>, values: &[f64], channels: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_slice(py, values).reshape([values.len() / channels.max(1), channels])
}

/// A matrix, row by row.
pub(super) fn square<'py>(py: Python<'py>, values: &DMatrix<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let by_rows: Vec<f64> = values.transpose().as_slice().to_vec();
    PyArray1::from_vec(py, by_rows).reshape([values.nrows(), values.ncols()])
}

pub(super) fn statuses<'py>(py: Python<'py>, statuses: &[Status]) -> Bound<'py, PyArray1<u32>> {
    PyArray1::from_vec(py, statuses.iter().map(|status| status.0).collect())
}

/// Puts derivatives by all elements, the last axis, under the names of what they are by.
pub(super) fn by_elements(
    out: &Bound<'_, PyDict>,
    gases_in_order: &[String],
    elements: Elements,
    all: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = out.py();
    let part = |first: usize, last: usize| {
        all.get_item((py.Ellipsis(), pyo3::types::PySlice::new(py, first as isize, last as isize, 1)))
    };
    let levels = elements.levels;
    out.set_item("pressure_hpa", part(0, levels)?)?;
    out.set_item("temperature_k", part(levels, 2 * levels)?)?;
    let gases = PyDict::new(py);
    for (number, gas) in gases_in_order.iter().enumerate() {
        gases.set_item(gas, part(elements.mixing_ratio(number, 0), elements.mixing_ratio(number, 0) + levels)?)?;
    }
    out.set_item("mixing_ratio", gases)?;
    let windows = (0..elements.windows).map(|window| {
        let first = elements.extinction(window, 0);
        part(first, first + levels)
    });
    out.set_item("extinction_per_km", windows.collect::<PyResult<Vec<_>>>()?)?;
    if elements.cloud_nodes > 0 {
        out.set_item("cloud", part(elements.cloud_height(), elements.surface_height())?)?;
    }
    if elements.surface_nodes > 0 {
        out.set_item("surface", part(elements.surface_height(), elements.count())?)?;
    }
    out.set_item("derivative", all)
}
