//! A kernel of cells, put together.

use std::sync::atomic::AtomicUsize;

use isobar_core::FieldMut;
use isobar_launch::{Buffer, Plain};

use super::chemistry::Chemistry;
use super::tables::{DeviceMechanism, DeviceProgram};
use crate::{CellViews, Index, IntegratedViews, Interval, Rosenbrock};

/// What a kernel needs besides the tables of the mechanism.
pub(super) struct Work<'a> {
    pub(super) scheme: &'a Chemistry,
    pub(super) interval: &'a Interval,
    pub(super) program: &'a DeviceProgram,
    pub(super) absolute_tolerance: &'a Buffer<f64>,
    pub(super) relative_tolerance: &'a Buffer<f64>,
    pub(super) coefficients: &'a Buffer<f64>,
    pub(super) wanted_times_s: &'a Buffer<f64>,
    pub(super) counted: &'a Buffer<u32>,
    pub(super) cells: CellViews<'a, f64>,
    pub(super) ends: IntegratedViews<'a, f64>,
    pub(super) cells_per_item: usize,
    pub(super) scratch: FieldMut<'a, f64>,
    pub(super) taken: &'a AtomicUsize,
}

impl<'a> Work<'a> {
    pub(super) fn kernel<I: Index + Plain, const RATES: bool>(
        self,
        mechanism: &'a DeviceMechanism<I>,
    ) -> Rosenbrock<'a, f64, I, RATES> {
        let options = &self.interval.options;
        Rosenbrock {
            mechanism: mechanism.view(),
            coefficients: options.method.tableau().coefficients(self.coefficients.column()),
            control: self.interval.control(),
            program: self.program.view(),
            absolute_tolerance: self.absolute_tolerance.column(),
            relative_tolerance: self.relative_tolerance.column(),
            wanted_times_s: self.wanted_times_s.column(),
            counted: self.counted.column(),
            cells: self.cells,
            ends: self.ends,
            layout: self.scheme.layout(options),
            cells_per_item: self.cells_per_item,
            scratch: self.scratch,
            // A CPU's items are done when the launch returns.
            taken: self.coefficients.device().is_cpu().then_some(self.taken),
        }
    }
}
