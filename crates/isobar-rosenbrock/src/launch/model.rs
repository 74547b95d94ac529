//! A batch of cells of any size, shared by devices chunk by chunk.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use isobar_core::kernel::WARP;
use isobar_launch::workers::{WORKERS, share};
use isobar_launch::{Device, Error, Queue};

use super::layout::{Places, Shape};
use super::resident::{Integrated, Resident};
use crate::{Cells, Compiled, Options, RateProgram};

/// Why cells could not be integrated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChemistryError {
    /// The cells or the options.
    #[error(transparent)]
    Cells(#[from] crate::Error),
    /// A device.
    #[error(transparent)]
    Device(#[from] Error),
}

/// A mechanism on some devices.
///
/// ```
/// use std::sync::Arc;
/// use isobar_launch::Device;
/// use isobar_rosenbrock::launch::Chemistry;
/// use isobar_rosenbrock::{Cells, Compiled, Method, Network, Options, Reaction};
///
/// // A -> B with a rate constant of 0.01 /s.
/// let reaction = Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] };
/// let mechanism = Arc::new(Compiled::new(Network::new(2, 0, vec![reaction])?)?);
/// let cells = Cells { count: 1, concentrations: vec![1e9, 0.0], rate_constants: vec![0.01], ..Cells::default() };
/// let options = Options::new(Method::Rodas4, 1e-6, 1.0);
/// let done = Chemistry::new(&[Device::Cpu], mechanism, None).run(&cells, &options, 0.0..100.0, &|_| {})?;
/// assert_eq!(done.outputs.status, [0]);
/// assert!((done.concentrations[0] - 1e9 * (-1.0_f64).exp()).abs() < 1e4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Chemistry {
    devices: Vec<Device>,
    mechanism: Arc<Compiled>,
    program: Option<Arc<RateProgram>>,
    cells_per_chunk: Option<usize>,
    cells_in_flight: usize,
    /// Queues with their memory that no run is using.
    idle: Mutex<Vec<Slot>>,
}

/// A queue with room for some cells.
struct Slot {
    queue: Queue,
    resident: Resident,
}

/// Cells that a worker of a GPU takes at a time, and the CPU.
const CHUNK: usize = 1 << 17;
const CPU_CHUNK: usize = 1 << 15;

impl Chemistry {
    /// Cells in flight on a GPU, unless [`Chemistry::cells_in_flight`] or its memory says otherwise.
    pub const IN_FLIGHT: usize = 1 << 17;

    /// A mechanism with the program of its rate constants, where they are not given with the cells, on devices that
    /// share each batch.
    #[must_use]
    pub fn new(devices: &[Device], mechanism: Arc<Compiled>, program: Option<Arc<RateProgram>>) -> Self {
        let devices = devices.to_vec();
        Self {
            devices,
            mechanism,
            program,
            cells_per_chunk: None,
            cells_in_flight: Self::IN_FLIGHT,
            idle: Mutex::default(),
        }
    }

    /// Takes so many cells at a time; the results do not depend on it.
    #[must_use]
    pub fn cells_per_chunk(mut self, cells: usize) -> Self {
        self.cells_per_chunk = Some(cells.max(1));
        self
    }

    /// A GPU integrates at most so many cells at the same time; the results do not depend on it.
    #[must_use]
    pub fn cells_in_flight(mut self, cells: usize) -> Self {
        self.cells_in_flight = cells.max(1);
        self
    }

    /// Integrates cells over an interval \[s\]. `progress` is told now and then how many cells are done.
    ///
    /// A cell that fails has its status in the outputs, and all others are right.
    ///
    /// # Errors
    /// Options, an interval, sizes or values that do not fit, or a device that fails.
    pub fn run(
        &self,
        cells: &Cells,
        options: &Options,
        interval: Range<f64>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Integrated, ChemistryError> {
        cells.validate_sizes(&self.mechanism, self.program.as_deref(), options)?;
        cells.validate_values(&self.mechanism, options)?;
        self.run_any(cells, options, interval, progress)
    }

    /// The same with values that are not checked: cells with some that are no finite numbers fail with
    /// [`crate::outcome::NOT_FINITE`], and all others are computed.
    ///
    /// # Errors
    /// As [`Chemistry::run`], but for values.
    pub fn run_any(
        &self,
        cells: &Cells,
        options: &Options,
        interval: Range<f64>,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Integrated, ChemistryError> {
        cells.validate_sizes(&self.mechanism, self.program.as_deref(), options)?;
        options.validate_interval(interval.start, interval.end)?;
        let shape = Shape::new(&self.mechanism, self.program.as_deref(), cells, options);
        let mut concentrations = vec![0.0; cells.concentrations.len()];
        let mut outputs = shape.results(cells.count);
        let places = Places::new(&mut concentrations, &mut outputs, cells.count);
        share(&self.devices, cells.count, progress, |device, remaining| {
            let Slot { queue, mut resident } = self.slot(device, cells, &shape)?;
            let size = resident.room().min(self.chunk(device));
            while let Some(range) = remaining.take(size) {
                resident.load(&queue, cells, &range)?;
                resident.compute(&queue, &interval)?;
                resident.store(&queue, &places, range.start)?;
                remaining.done(range.len());
            }
            self.idle.lock().expect("no worker panics").push(Slot { queue, resident });
            Ok(())
        })?;
        Ok(Integrated { concentrations, outputs })
    }

    fn chunk(&self, device: Device) -> usize {
        self.cells_per_chunk.unwrap_or(if device.is_cpu() { CPU_CHUNK } else { CHUNK })
    }

    /// An idle slot on a device that fits the batch, or a new one.
    fn slot(&self, device: Device, cells: &Cells, shape: &Shape) -> Result<Slot, Error> {
        let size = self.chunk(device).min(cells.count).min(Resident::most_cells_of(shape));
        let mut idle = self.idle.lock().expect("no worker panics");
        let fits = |slot: &Slot| slot.resident.room() >= size && slot.resident.shape() == shape;
        // What does not fit now gives its memory back.
        idle.retain(|slot| slot.queue.device() != device || fits(slot));
        if let Some(known) = idle.iter().position(|slot| slot.queue.device() == device) {
            return Ok(idle.swap_remove(known));
        }
        drop(idle);
        let queue = Queue::parallel(device)?;
        let (size, in_flight) = fitting(&queue, size, self.cells_in_flight.div_ceil(WORKERS), shape);
        let (mechanism, program) = (&self.mechanism, self.program.as_deref());
        let resident = Resident::new(&queue, mechanism, program, (cells, &shape.options), size, in_flight)?;
        Ok(Slot { queue, resident })
    }
}

/// How many cells, and how many of them in flight, one of a device's workers can have with the memory that is free:
/// cells in flight get at most half of its share.
fn fitting(queue: &Queue, cells: usize, in_flight: usize, shape: &Shape) -> (usize, usize) {
    let Some(free) = queue.free_bytes() else { return (cells, in_flight) };
    let share = free / 100 * 80 / WORKERS;
    let [own, flying] = Resident::bytes_per_cell_of(shape);
    let in_flight = in_flight.min(cells).min(share / 2 / flying).next_multiple_of(WARP);
    let left = share.saturating_sub(in_flight * flying);
    ((left / own / WARP * WARP).clamp(WARP, cells.max(WARP)).min(cells), in_flight)
}
