//! What a chunk of cells and its kernels work with.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use isobar_core::FieldMut;
use isobar_core::fields::REACTION;
use isobar_core::kernel::WARP;
use isobar_launch::{Buffer, Error, Plain, Queue, Shape};

use super::tables::{DeviceMechanism, DeviceProgram, DeviceReduction, DeviceRounds, DeviceSlopes, DeviceTables};
use super::{Chemistry, LEAST_SHARED_BYTES, computes_rates, scratch_of_queues};
use crate::{CellViews, Index, IntegratedViews, Interval, Rosenbrock, VARIABLE_SPECIES};

/// What kernels of one chunk leave to each other, and what follows from the options.
pub struct Workspace {
    pub(super) absolute_tolerance: Buffer<f64>,
    pub(super) relative_tolerance: Buffer<f64>,
    /// Those of the method.
    pub(super) coefficients: Buffer<f64>,
    pub(super) wanted_times_s: Buffer<f64>,
    pub(super) counted: Buffer<u32>,
    /// Where warps compute cells together.
    pub(super) rounds: Option<Arc<DeviceRounds>>,
    /// Where species are left out.
    pub(super) reduction: Option<DeviceReduction>,
    /// Where the Jacobian has derivatives of rate constants.
    pub(super) slopes: Option<Arc<DeviceSlopes>>,
    /// Those that the program gives, if they are frozen.
    pub(super) rate_constant: Buffer<f64>,
    /// The numbers of a GPU's active cells: room for `warps` items, each a warp of cells.
    pub(super) scratch: Buffer<f64>,
    pub(super) warps: usize,
    pub(super) statuses: Buffer<u32>,
}

impl Workspace {
    pub(super) fn new(
        scheme: &Chemistry,
        (queue, tables): (&Queue, &DeviceTables),
        shape: &Shape<Chemistry>,
        items: usize,
    ) -> Result<Self, Error> {
        let (items, options) = (items.next_multiple_of(WARP), &shape.options.options);
        let [absolute, relative] = options.tolerances(shape.extents.size(VARIABLE_SPECIES));
        let on_gpu = !queue.device().is_cpu();
        let rounds = if on_gpu && scheme.layout(options).bytes_per_cell() >= LEAST_SHARED_BYTES {
            tables.rounds(queue, &scheme.mechanism, options)?
        } else {
            None
        };
        // Its derivatives may be others.
        let counts = match scheme.with_slopes(options) {
            Some((Ok(compiled), _)) => compiled,
            _ => &scheme.mechanism,
        };
        let counted = counts.counted(&options.counted_reactions).expect("checked with the sizes");
        let slopes = match scheme.with_slopes(options) {
            Some((Ok(compiled), slopes)) => Some(tables.slopes(queue, compiled, slopes.view())?),
            _ => None,
        };
        let reduction = options.reduction.as_ref();
        let variable = shape.extents.size(VARIABLE_SPECIES);
        let reduction = reduction.map(|reduction| DeviceReduction::new(queue, reduction, variable)).transpose()?;
        let rates = if computes_rates(shape) { shape.extents.size(REACTION) * items } else { 0 };
        let rate_constant = queue.zeros(rates)?;
        let queues = if rounds.is_some() { scratch_of_queues(&shape.extents, items) } else { 0 };
        let mut warps = if on_gpu { scheme.in_flight.min(items).div_ceil(WARP) } else { 0 };
        let scratch = loop {
            match queue.zeros((warps * scheme.scratch_per_warp(shape, rounds.is_some())).max(queues)) {
                // Fewer cells at the same time, before there are fewer on the device.
                Err(Error::OutOfMemory { .. }) if warps > 1 => warps = warps.div_ceil(2),
                scratch => break scratch?,
            }
        };
        Ok(Self {
            absolute_tolerance: queue.upload(&absolute)?,
            relative_tolerance: queue.upload(&relative)?,
            coefficients: queue.upload(&options.method.tableau().numbers())?,
            wanted_times_s: queue.upload(&options.wanted_times_s)?,
            counted: queue.upload(&counted)?,
            rounds,
            reduction,
            slopes,
            rate_constant,
            scratch,
            warps,
            statuses: queue.zeros(items / WARP)?,
        })
    }
}

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
