//! Radiances, Jacobians and retrievals of JURASSIC's cases: atmospheres and rays as dictionaries of arrays.
//!
//! These are small beside what is computed of them, and copied.

mod dictionaries;
mod faults;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use isobar::jurassic::{above_warning, estimate_warnings};
use isobar_core::Status;
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::{Infrared, InfraredModel};
use isobar_ega::{ForwardSetup, TableData};
use isobar_interface::ATMOSPHERE;
use isobar_interface::{CallError, UsualFloats, check_windows, install_ticking, missing_gases};
use isobar_io::{
    Control, Observation, atmosphere_remarks, observation_remark, read_atmosphere, read_observation, read_setup,
    read_tables, table_warnings,
};
use isobar_launch::{Device, parse_devices};
use isobar_raytrace::{Atmosphere, CloudLayer, Position, Ray, SurfaceLayer};
use isobar_retrieval::{Derivative, Estimate, Retrieval};
use numpy::PyArray1;
use numpy::prelude::*;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{errors, results, values};
use dictionaries::{
    CLOUD, SURFACE, as_dictionary, atmosphere_dict, by_elements, has_shape, matrix, numbers, observation_dict, one,
    only, part, rays_of, required, square, statuses, tangents,
};
use faults::{file_error, infrared_error, retrieval_error, setup_error};

/// A control file with its tables, on devices.
#[pyclass(subclass, frozen, module = "isobar._isobar")]
pub(crate) struct Jurassic {
    control: Control,
    setup: ForwardSetup,
    model: AnyModel,
    threads: usize,
    stop: Arc<AtomicBool>,
}

/// In either precision.
enum AnyModel {
    F32(InfraredModel<f32>),
    F64(InfraredModel<f64>),
}

/// Does work without the traps of the caller's program.
fn usual<T>(work: impl FnOnce() -> T) -> T {
    let _usual = UsualFloats::here();
    work()
}

#[pymethods]
impl Jurassic {
    #[new]
    #[pyo3(signature = (
        control, *, settings = None, jurassic_exact = false, device = "cpu", precision = "f64", threads = 0
    ))]
    fn new(
        py: Python<'_>,
        control: PathBuf,
        settings: Option<&Bound<'_, PyDict>>,
        jurassic_exact: bool,
        device: &str,
        precision: &str,
        threads: usize,
    ) -> PyResult<Self> {
        let settings = settings.map(values::to_map).transpose()?.unwrap_or_default();
        let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let settings: Vec<(String, String)> = settings.iter().map(|(key, value)| (key.clone(), text(value))).collect();
        let make = || -> Result<(Self, Vec<String>), CallError> {
            let (control, complaints) = Control::read(&control, &settings).map_err(file_error)?;
            control.require_channels().map_err(file_error)?;
            let setup = ForwardSetup { jurassic_exact, ..read_setup(&control).map_err(file_error)? };
            let set = read_tables(&control).map_err(file_error)?;
            let complaints = complaints.iter().map(ToString::to_string);
            let notes = complaints.chain(table_warnings(&control, &set, jurassic_exact)).collect();
            let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), jurassic_exact);
            let tables = Arc::new(tables.map_err(file_error)?);
            let devices: Vec<Device> = parse_devices(device)?;
            let stop = Arc::new(AtomicBool::new(false));
            let model = match precision {
                "f32" => {
                    let infrared = Infrared::<f32>::new(&setup, tables).map_err(setup_error)?;
                    AnyModel::F32(infrared.on(&devices).stop_on(stop.clone()))
                }
                "f64" => {
                    let infrared = Infrared::<f64>::new(&setup, tables).map_err(setup_error)?;
                    AnyModel::F64(infrared.on(&devices).stop_on(stop.clone()))
                }
                other => return Err(CallError::name("precision", other, ["f32", "f64"])),
            };
            Ok((Self { control, setup, model, threads, stop }, notes))
        };
        let (case, notes) = py.detach(|| usual(make)).map_err(|error| errors::to_python(py, &error))?;
        results::warn_of(py, notes)?;
        Ok(case)
    }

    /// The gases, in the order of their tables.
    #[getter]
    fn gases(&self) -> Vec<String> {
        self.control.emitters.clone()
    }

    /// The channels \[cm^-1\].
    #[getter]
    fn wavenumbers_per_cm(&self) -> Vec<f64> {
        self.control.wavenumbers_per_cm.clone()
    }

    /// An atmosphere of a file: a dictionary of arrays.
    fn read_atmosphere<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let atmosphere = read_atmosphere(&path, &self.control);
        let atmosphere = atmosphere.map_err(|error| errors::to_python(py, &file_error(error)))?;
        results::warn_of(py, atmosphere_remarks(&path, &self.control))?;
        atmosphere_dict(py, &atmosphere, &self.control)
    }

    /// Rays of a file, with what it has of their radiances: a dictionary of arrays.
    fn read_observation<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let observation = read_observation(&path, &self.control);
        let observation = observation.map_err(|error| errors::to_python(py, &file_error(error)))?;
        results::warn_of(py, observation_remark(&path, &self.control))?;
        observation_dict(py, &observation, self.control.wavenumbers_per_cm.len())
    }

    /// Radiances of rays through an atmosphere.
    fn forward<'py>(
        &self,
        py: Python<'py>,
        atmosphere: &Bound<'py, PyDict>,
        rays: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (atmosphere, rays) = self.case(atmosphere, rays)?;
        let found = self.compute(py, || match &self.model {
            AnyModel::F32(model) => model.run(&atmosphere, &rays).map_err(infrared_error),
            AnyModel::F64(model) => model.run(&atmosphere, &rays).map_err(infrared_error),
        })?;
        let outside = found.outside_tables(&self.control.emitters);
        results::warn_of(py, outside.into_iter().map(|line| format!("{line}; extrapolated")))?;
        results::warn_of(py, found.early_ends())?;
        let out = self.seen(py, [&found.radiance, &found.transmittance], &found.tangent_points, &found.statuses)?;
        out.set_item("points", PyArray1::from_vec(py, found.points))?;
        Ok(out)
    }

    /// Radiances of rays through an atmosphere, and their exact derivatives by all that describes it.
    #[pyo3(signature = (atmosphere, rays, *, frozen_path = false))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        atmosphere: &Bound<'py, PyDict>,
        rays: &Bound<'py, PyDict>,
        frozen_path: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (atmosphere, rays) = self.case(atmosphere, rays)?;
        let model = self.double(py)?;
        let geometry = if frozen_path { Geometry::Frozen } else { Geometry::Moving };
        let found =
            self.compute(py, || model.jacobian(&atmosphere, &rays, geometry, &|_| {}).map_err(infrared_error))?;
        results::warn_of(py, self.compute(py, || model.remarks(&atmosphere, &rays).map_err(infrared_error))?)?;
        let out = self.seen(py, [&found.radiance, &found.transmittance], &found.tangent_points, &found.statuses)?;
        let shape = [rays.len(), self.control.wavenumbers_per_cm.len(), found.elements.count()];
        let all = PyArray1::from_vec(py, found.derivative).reshape(shape)?;
        by_elements(&out, &self.control.emitters, found.elements, all.as_any())?;
        Ok(out)
    }

    /// Radiances of rays through an atmosphere, and the derivatives of their weighted sum by all that describes it.
    #[pyo3(signature = (atmosphere, rays, weights, *, frozen_path = false))]
    fn pullback<'py>(
        &self,
        py: Python<'py>,
        atmosphere: &Bound<'py, PyDict>,
        rays: &Bound<'py, PyDict>,
        weights: &Bound<'py, PyAny>,
        frozen_path: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (atmosphere, rays) = self.case(atmosphere, rays)?;
        let channels = self.control.wavenumbers_per_cm.len();
        has_shape("weights", weights, [rays.len(), channels], ["ray", "channel"])?;
        let weights = numbers("weights", weights, Some(rays.len() * channels))?;
        if let Some(bad) = weights.iter().position(|weight| !weight.is_finite()) {
            let (ray, channel) = (bad / channels, bad % channels);
            let problem =
                format!("weights of ray {ray}, channel {channel}: {}, and a finite number is wanted", weights[bad]);
            return Err(errors::to_python(py, &CallError::Setup(problem)));
        }
        let model = self.double(py)?;
        let geometry = if frozen_path { Geometry::Frozen } else { Geometry::Moving };
        let gradients = self.compute(py, || {
            model.pullback(&[(&atmosphere, &rays)], &[&weights], geometry, &|_| {}).map_err(infrared_error)
        })?;
        let found = gradients.cases.into_iter().next().expect("one case");
        let found = found.map_err(|error| errors::to_python(py, &infrared_error(error)))?;
        results::warn_of(py, self.compute(py, || model.remarks(&atmosphere, &rays).map_err(infrared_error))?)?;
        let out = self.seen(py, [&found.radiance, &found.transmittance], &found.tangent_points, &found.statuses)?;
        by_elements(&out, &self.control.emitters, found.elements, PyArray1::from_vec(py, found.gradient).as_any())?;
        Ok(out)
    }

    /// The most likely atmosphere, given one that was known before and measured radiances, as the control file says.
    #[pyo3(signature = (atmosphere, observation, *, frozen_path = false))]
    fn retrieve<'py>(
        &self,
        py: Python<'py>,
        atmosphere: &Bound<'py, PyDict>,
        observation: &Bound<'py, PyDict>,
        frozen_path: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let before = self.atmosphere(atmosphere)?;
        let measured = self.observation(observation)?;
        results::warn_of(py, self.setup.field_of_view.as_ref().and_then(|view| view.beyond(&measured.rays)))?;
        let model = self.double(py)?;
        let options = self.control.retrieval().map_err(|error| errors::to_python(py, &file_error(error)))?;
        results::warn_of(py, options.remarks(&self.control))?;
        let derivative = Derivative::Exact(if frozen_path { Geometry::Frozen } else { Geometry::Moving });
        let job = Retrieval { model, control: &self.control, options: &options, derivative };
        let estimate: Estimate =
            self.compute(py, || job.run(&before, &measured, &|_, _| {}).map_err(retrieval_error))?;
        let lines = self.compute(py, || estimate_warnings(model, &estimate).map_err(infrared_error))?;
        results::warn_of(py, lines)?;
        let out = crate::results::results(py)?;
        let labels = estimate.state.labels();
        out.set_item("state", PyArray1::from_vec(py, estimate.state.values(&estimate.atmosphere)))?;
        out.set_item("state_before", PyArray1::from_vec(py, estimate.prior.values.as_slice().to_vec()))?;
        out.set_item("names", labels.iter().map(|label| label.name.as_str()).collect::<Vec<_>>())?;
        out.set_item("height_km", PyArray1::from_vec(py, labels.iter().map(|label| label.height_km).collect()))?;
        out.set_item("kernel", square(py, &estimate.kernel)?)?;
        out.set_item("covariance_before", square(py, &estimate.prior.covariance)?)?;
        if let Some(analysis) = &estimate.analysis {
            out.set_item("covariance", square(py, &analysis.covariance)?)?;
            out.set_item("gain", square(py, &analysis.gain)?)?;
            out.set_item("averaging_kernel", square(py, &analysis.averaging_kernel)?)?;
            for (name, vector) in [
                ("total_error", &analysis.total_error),
                ("noise_error", &analysis.noise_error),
                ("forward_error", &analysis.forward_error),
                ("contribution", &analysis.contribution),
                ("resolution", &analysis.resolution),
            ] {
                out.set_item(name, PyArray1::from_vec(py, vector.as_slice().to_vec()))?;
            }
        }
        out.set_item("costs", PyArray1::from_vec(py, estimate.costs))?;
        out.set_item("converged", estimate.converged)?;
        out.set_item("atmosphere", atmosphere_dict(py, &estimate.atmosphere, &self.control)?)?;
        let channels = self.control.wavenumbers_per_cm.len();
        out.set_item("observation", observation_dict(py, &estimate.observation, channels)?)?;
        Ok(out)
    }
}

impl Jurassic {
    fn double(&self, py: Python<'_>) -> PyResult<&InfraredModel<f64>> {
        match &self.model {
            AnyModel::F64(model) => Ok(model),
            AnyModel::F32(_) => {
                let text = "derivatives and retrievals are computed in double precision only: precision=\"f64\"";
                Err(errors::to_python(py, &CallError::Setup(text.to_owned())))
            }
        }
    }

    /// Radiances and transmittances of rays, and what became of these.
    fn seen<'py>(
        &self,
        py: Python<'py>,
        [radiance, transmittance]: [&[f64]; 2],
        tangent_points: &[Position],
        found: &[Status],
    ) -> PyResult<Bound<'py, PyDict>> {
        results::warn_of(py, self.setup.without_temperature(radiance, |ray: usize| found[ray].is_ok()))?;
        let (out, channels) = (results::results(py)?, self.control.wavenumbers_per_cm.len());
        out.set_item("radiance", matrix(py, radiance, channels)?)?;
        out.set_item("transmittance", matrix(py, transmittance, channels)?)?;
        tangents(&out, tangent_points)?;
        out.set_item("status", statuses(py, found))?;
        Ok(out)
    }

    /// Computes without Python's lock; Ctrl-C ends it.
    fn compute<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> Result<T, CallError> + Send) -> PyResult<T> {
        self.stop.store(false, Ordering::Relaxed);
        let raised: Mutex<Option<PyErr>> = Mutex::default();
        let mut tick = || {
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.stop.store(true, Ordering::Relaxed);
                raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        let done = py.detach(|| usual(|| install_ticking(self.threads, work, &mut tick)));
        if let Some(error) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        done.and_then(|done| done).map_err(|error| errors::to_python(py, &error))
    }

    /// An atmosphere and rays of dictionaries.
    fn case(&self, atmosphere: &Bound<'_, PyDict>, rays: &Bound<'_, PyDict>) -> PyResult<(Atmosphere, Vec<Ray>)> {
        let py = rays.py();
        let (atmosphere, rays) = (self.atmosphere(atmosphere)?, rays_of(rays)?);
        results::warn_of(py, self.setup.field_of_view.as_ref().and_then(|view| view.beyond(&rays)))?;
        results::warn_of(py, above_warning(&atmosphere, &rays))?;
        Ok((atmosphere, rays))
    }

    /// An atmosphere of a dictionary.
    fn atmosphere(&self, dict: &Bound<'_, PyDict>) -> PyResult<Atmosphere> {
        let py = dict.py();
        let raise = |error: CallError| errors::to_python(py, &error);
        only(dict, "part of an atmosphere", &ATMOSPHERE)?;
        let [height, pressure, temperature] =
            ["height_km", "pressure_hpa", "temperature_k"].map(|name| required(dict, name));
        let mut atmosphere =
            Atmosphere::new(height?, pressure?, temperature?).map_err(|error| raise(setup_error(error)))?;
        let count = atmosphere.levels();
        for (name, place) in [
            ("time_s", &mut atmosphere.time_s),
            ("longitude_deg", &mut atmosphere.longitude_deg),
            ("latitude_deg", &mut atmosphere.latitude_deg),
        ] {
            if let Some(value) = dict.get_item(name)? {
                *place = numbers(name, &value, Some(count))?;
            }
        }
        let gases = dict.get_item("mixing_ratio")?;
        let gases = gases.map(|gases| as_dictionary("mixing_ratio", gases)).transpose()?;
        if let Some(gases) = &gases {
            for name in gases.keys() {
                let name: String = name.extract()?;
                if !self.control.emitters.contains(&name) {
                    let known = self.control.emitters.iter().map(String::as_str);
                    return Err(raise(CallError::name("gas", &name, known)));
                }
            }
        }
        let has = |gas: &str| gases.as_ref().is_some_and(|gases| gases.contains(gas).unwrap_or(false));
        results::warn_of(py, missing_gases(&self.control.emitters, has))?;
        for gas in &self.control.emitters {
            let given = gases.as_ref().map(|gases| gases.get_item(gas)).transpose()?.flatten();
            let given = given.map(|value| numbers(gas, &value, Some(count))).transpose()?;
            atmosphere.mixing_ratio.push(given.unwrap_or_else(|| vec![0.0; count]));
        }
        if let Some(windows) = dict.get_item("extinction_per_km")? {
            for window in windows.try_iter()? {
                atmosphere.extinction_per_km.push(numbers("extinction_per_km", &window?, Some(count))?);
            }
        }
        check_windows(&atmosphere, &self.control).map_err(raise)?;
        if let Some(cloud) = part(dict, "cloud")? {
            only(&cloud, "part of a cloud", &CLOUD)?;
            let [height, depth] = ["height_km", "depth_km"].map(|name| one(&cloud, name));
            let extinction_per_km = required(&cloud, "extinction_per_km")?;
            atmosphere.cloud = Some(CloudLayer { height_km: height?, depth_km: depth?, extinction_per_km });
        }
        if let Some(surface) = part(dict, "surface")? {
            only(&surface, "part of a surface", &SURFACE)?;
            let [height, pressure, temperature] =
                ["height_km", "pressure_hpa", "temperature_k"].map(|name| one(&surface, name));
            atmosphere.surface = Some(SurfaceLayer {
                height_km: height?,
                pressure_hpa: pressure?,
                temperature_k: temperature?,
                emissivity: required(&surface, "emissivity")?,
            });
        }
        atmosphere.validate().map_err(|error| raise(setup_error(error)))?;
        self.setup.prepare(&atmosphere).map_err(|error| raise(setup_error(error)))?;
        let outside = self.setup.outside_sources(&atmosphere).map(|line| format!("{line}; extrapolated"));
        results::warn_of(py, self.setup.remarks(&atmosphere).into_iter().chain(outside))?;
        Ok(atmosphere)
    }

    /// A measurement of a dictionary.
    fn observation(&self, dict: &Bound<'_, PyDict>) -> PyResult<Observation> {
        let rays = rays_of(dict)?;
        let channels = self.control.wavenumbers_per_cm.len();
        let values = rays.len() * channels;
        let Some(given) = dict.get_item("radiance")? else {
            return Err(errors::to_python(dict.py(), &CallError::Setup("radiance is missing".to_owned())));
        };
        has_shape("radiance", &given, [rays.len(), channels], ["ray", "channel"])?;
        let radiance = numbers("radiance", &given, None)?;
        let tangent_points = rays.iter().map(|ray| ray.view_point).collect();
        Ok(Observation { rays, tangent_points, radiance, transmittance: vec![f64::NAN; values] })
    }
}
