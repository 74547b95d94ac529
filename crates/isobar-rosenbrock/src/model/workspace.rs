//! What kernels of a chunk of cells need of a device's memory.

use std::sync::Arc;

use isobar_core::fields::{Extents, REACTION, SPECIES};
use isobar_core::kernel::WARP;
use isobar_launch::{Buffer, Device, Error, Given, Queue, Shape};

use super::chemistry::Chemistry;
use super::tables::{DeviceReduction, DeviceRounds, DeviceSlopes, DeviceTables};
use crate::{CELLS_OF_A_WARP, Rates, VARIABLE_SPECIES};

/// The bytes of a cell from which on a GPU's warps share cells: of smaller ones its caches hold many, so that a lane
/// each is faster (measured: 624 bytes, 6 times, but not so with 5688).
const LEAST_SHARED_BYTES: usize = 2048;

/// The cells of a warp's queue: enough that its start costs nothing, and that few warps are left with the last ones.
pub(super) const CELLS_OF_A_QUEUE: usize = 32;

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
    /// Memory for a chunk of at most so many cells.
    pub(super) fn new(
        scheme: &Chemistry,
        queue: &Queue,
        tables: &DeviceTables,
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
            match queue.zeros((warps * scratch_per_warp(scheme, shape, rounds.is_some())).max(queues)) {
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

/// The bytes of such a memory.
pub(super) fn bytes(scheme: &Chemistry, device: Device, shape: &Shape<Chemistry>, items: usize) -> usize {
    let rates = if computes_rates(shape) { shape.extents.size(REACTION) * items } else { 0 };
    let options = &shape.options.options;
    let reduces = options.reduction.is_some();
    let shared = scheme.layout(options).bytes_per_cell() >= LEAST_SHARED_BYTES;
    let rounds = shared && !options.needs_more() && !reduces;
    let scratch = match device {
        Device::Thread | Device::Cpu => 0,
        Device::Cuda(_) => {
            let lanes = scheme.in_flight.min(items).div_ceil(WARP) * scratch_per_warp(scheme, shape, rounds);
            if rounds { lanes.max(scratch_of_queues(&shape.extents, items)) } else { lanes }
        }
    };
    (rates + scratch) * size_of::<f64>()
}

/// The numbers of scratch that a warp of active cells needs on a GPU; those of queues of warps are for `rounds`.
fn scratch_per_warp(scheme: &Chemistry, shape: &Shape<Chemistry>, rounds: bool) -> usize {
    let Shape { extents, options, .. } = shape;
    let registers = scheme.program.as_ref().map_or(0, |program| program.registers());
    let of_rates = extents.size(SPECIES) + extents.size(REACTION) + registers as usize;
    let rates = if computes_rates(shape) { of_rates } else { 0 };
    let cells = if rounds { 0 } else { scheme.layout(&options.options).entries as usize };
    rates.max(cells) * WARP
}

/// Are rate constants computed before the interval?
fn computes_rates(shape: &Shape<Chemistry>) -> bool {
    shape.given("rate_constant") == Given::Nothing && shape.options.options.rates == Rates::Frozen
}

/// The numbers of scratch of all queues of warps.
fn scratch_of_queues(extents: &Extents, cells: usize) -> usize {
    cells.div_ceil(CELLS_OF_A_QUEUE) * extents.size(REACTION) * CELLS_OF_A_WARP
}
