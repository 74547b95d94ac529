//! Tangents and adjoints of chemistry, whose cells are in vectors.

use std::sync::Arc;

use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Adjoint, Cells, Chemistry, Device, Interval, Perturbation, Tangent};
use serde_json::{Map, Value};

use super::Setup;
use super::chemistry::{interval, of_tables};
use crate::error::CallError;
use crate::threads;

/// A mechanism whose integrations are differentiated, on threads of a CPU. Lists of numbers have the cell as the
/// fastest index: see [`Perturbation`], [`Tangent`] and [`Adjoint`].
pub struct Sensitivity {
    mechanism: Arc<Mechanism>,
    chemistry: Chemistry,
    threads: usize,
}

impl Sensitivity {
    /// Reads the mechanism of a setup for `chemistry`.
    ///
    /// # Errors
    /// Tables that are none or cannot be read; a device that is no CPU.
    pub fn open(setup: &Setup) -> Result<Self, CallError> {
        let devices = setup.on_cpus("tangents and adjoints are")?;
        let mechanism = Arc::new(of_tables(setup)?);
        let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
        let threads = if devices == [Device::Thread] { 1 } else { setup.threads };
        Ok(Self { mechanism, chemistry, threads })
    }

    /// Changes of final concentrations along directions. Options are those of a call of `chemistry`.
    ///
    /// # Errors
    /// As [`Chemistry::tangent`]; options that are none.
    pub fn tangent(
        &self,
        cells: &Cells<f64>,
        options: &Map<String, Value>,
        perturbation: &Perturbation,
    ) -> Result<Tangent, CallError> {
        let interval = self.interval(options)?;
        Ok(threads::install(self.threads, || self.chemistry.tangent(cells, &interval, perturbation))??)
    }

    /// Gradients of sums of final concentrations with these weights. Options are those of a call of `chemistry`.
    ///
    /// # Errors
    /// As [`Chemistry::adjoint`]; options that are none.
    pub fn adjoint(
        &self,
        cells: &Cells<f64>,
        options: &Map<String, Value>,
        weights: &[f64],
    ) -> Result<Adjoint, CallError> {
        let interval = self.interval(options)?;
        Ok(threads::install(self.threads, || self.chemistry.adjoint(cells, &interval, weights))??)
    }

    fn interval(&self, options: &Map<String, Value>) -> Result<Interval, CallError> {
        interval(&self.mechanism, options)
    }
}
