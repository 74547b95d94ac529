//! Cells and their results in the memory of one device.

use std::ops::Range;

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut};
use isobar_launch::rows::{gather, reading, row, scatter};
use isobar_launch::{Buffer, Device, Error, Plain, Queue, Staging};

use super::layout::{COUNT_ROWS, Places, Shape};
use super::mechanism::{AnyMechanism, MechanismThere, ProgramThere, RoundsThere};
use super::ptx::load;
use crate::{
    CELLS_OF_A_WARP, CPU_LANES, Cells, Compiled, End, Index, Options, Outputs, RateConstants, RateProgram, Rosenbrock,
    RosenbrockByWarps, Start,
};

/// Cells after an interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Integrated {
    /// Concentrations, `[species * cells + cell]`, as [`Cells::concentrations`]. Those of a cell that failed are of the
    /// time that it reached.
    pub concentrations: Vec<f64>,
    /// Steps, times and status of each cell.
    pub outputs: Outputs,
}

/// Some cells on the device of a queue, with their mechanism and room for their results.
pub struct Resident {
    shape: Shape,
    mechanism: AnyMechanism,
    program: ProgramThere,
    tolerances: [Buffer<f64>; 2],
    /// Those of the method.
    coefficients: Buffer<f64>,
    dense_times: Buffer<f64>,
    /// The cells for which there is room.
    most: usize,
    /// The cells that are here.
    cells: usize,
    /// The same up to whole warps: rows begin where a GPU's memory likes it.
    padded: usize,
    flights: Flights,
    /// Where warps compute cells together.
    rounds: Option<RoundsThere>,
    /// Concentrations, inputs, rate constants.
    values: Buffer<f64>,
    /// The first step of each cell, and that for the next interval.
    steps: [Buffer<f64>; 2],
    results: Buffer<f64>,
    counts: Buffer<u32>,
    statuses: Buffer<u32>,
    to_device: Staging<f64>,
    concentrations_to_host: Staging<f64>,
    results_to_host: Staging<f64>,
    steps_to_host: Staging<f64>,
    counts_to_host: Staging<u32>,
}

/// The cells in flight.
struct Flights {
    /// Items of a kernel at most, a warp of cells in flight each.
    items: usize,
    /// The numbers of all.
    all: usize,
    scratch: Buffer<f64>,
}

/// The bytes of a cell from which on a GPU's warps share cells: of smaller ones its caches hold many, so that a lane
/// each is faster (measured: 624 bytes, 6 times, but not so with 5688).
const LEAST_ROOM: usize = 2048;

/// The cells of a warp's queue: enough that its start costs nothing, and that few warps are left with the last ones.
const CELLS_OF_A_QUEUE: usize = 32;

/// The numbers of a line of the nearest cache.
const LINE: usize = 8;

impl Flights {
    /// For so many items with a room of `entries` numbers a lane, and for a rate program, or for as many queues of
    /// warps as there are.
    fn new(
        queue: &Queue,
        shape: &Shape,
        program: &ProgramThere,
        items: usize,
        rounds: &Option<RoundsThere>,
        cells: usize,
    ) -> Result<Self, Error> {
        let rates = if shape.computes_rates() {
            shape.species() + shape.reactions() + program.view().registers as usize
        } else {
            0
        };
        let entries = if rounds.is_some() { 0 } else { shape.room.entries as usize };
        let numbers = rates.max(entries) * WARP;
        let queues =
            if rounds.is_some() { cells.div_ceil(CELLS_OF_A_QUEUE) * shape.reactions() * CELLS_OF_A_WARP } else { 0 };
        let all = (items * numbers).max(queues);
        Ok(Self { items, all, scratch: queue.zeros(all + LINE)? })
    }

    /// How many cells an item takes, that none is left over; no fewer than it has in flight.
    fn cells_per_item(&self, cells: usize, queue: &Queue) -> usize {
        let team = if queue.device().is_cpu() { CPU_LANES } else { WARP };
        cells.div_ceil(self.items).max(team)
    }

    /// The numbers, from the start of a line of the cache on.
    fn view(&mut self) -> FieldMut<'_, f64> {
        let all = self.scratch.item_fastest_mut(1, self.all + LINE);
        let bytes = LINE * size_of::<f64>();
        let ahead = (bytes - all.as_ptr() as usize % bytes) % bytes / size_of::<f64>();
        all.range(ahead..ahead + self.all)
    }
}

impl Resident {
    /// Room for so many cells, of which `in_flight` are integrated at the same time (rounded up to a warp; on a CPU its
    /// threads say how many).
    ///
    /// `cells` and `options` are checked ([`Cells::validate_sizes`]); of the cells only the kinds of values count here.
    ///
    /// # Errors
    /// More than [`Resident::most_cells`], [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(
        queue: &Queue,
        mechanism: &Compiled,
        program: Option<&RateProgram>,
        (cells, options): (&Cells, &Options),
        count: usize,
        in_flight: usize,
    ) -> Result<Self, Error> {
        load(queue)?;
        let shape = Shape::new(mechanism, program, cells, options);
        let most = Self::most_cells_of(&shape);
        if count > most {
            let what = format!("{count} cells are too many at a time: at most {most} of this mechanism");
            return Err(Error::Driver { device: queue.device(), doing: "take cells", what });
        }
        let room = count.next_multiple_of(WARP);
        let there = ProgramThere::new(queue, program)?;
        let items = match queue.device() {
            Device::Thread | Device::Cpu => {
                items_of_threads(room, shape.room.entries as usize * WARP * size_of::<f64>())
            }
            Device::Cuda(_) => in_flight.min(room).div_ceil(WARP).max(1),
        };
        let schedule = match queue.device() {
            Device::Cuda(_) if shape.room.bytes_per_cell() >= LEAST_ROOM => mechanism.schedule(options),
            _ => None,
        };
        let rounds = schedule.as_ref().map(|schedule| RoundsThere::new(queue, schedule)).transpose()?;
        let [absolute, relative] = options.tolerances(shape.sizes.variable as usize);
        let rows = |rows: &[usize]| rows.iter().sum::<usize>() * room;
        let (values, results, counts) = (rows(&shape.rows()), rows(&shape.result_rows()), rows(&COUNT_ROWS));
        Ok(Self {
            mechanism: AnyMechanism::new(queue, mechanism.tables())?,
            tolerances: [queue.upload(&absolute)?, queue.upload(&relative)?],
            coefficients: queue.upload(&options.method.tableau().numbers())?,
            dense_times: queue.upload(&options.dense_times)?,
            most: room,
            cells: 0,
            padded: 0,
            flights: Flights::new(queue, &shape, &there, items, &rounds, room)?,
            rounds,
            program: there,
            values: queue.zeros(values)?,
            steps: [queue.zeros(room)?, queue.zeros(room)?],
            results: queue.zeros(results)?,
            counts: queue.zeros(counts)?,
            statuses: queue.zeros(items.max(room.div_ceil(CELLS_OF_A_QUEUE)))?,
            to_device: queue.staging(shape.loaded() * room)?,
            concentrations_to_host: queue.staging(shape.species() * room)?,
            results_to_host: queue.staging(results)?,
            steps_to_host: queue.staging(room)?,
            counts_to_host: queue.staging(counts)?,
            shape,
        })
    }

    /// The most cells that can be taken at a time: kernels compute places in a field with 32 bits.
    #[must_use]
    pub fn most_cells(mechanism: &Compiled, program: Option<&RateProgram>, cells: &Cells, options: &Options) -> usize {
        Self::most_cells_of(&Shape::new(mechanism, program, cells, options))
    }

    pub(super) fn most_cells_of(shape: &Shape) -> usize {
        let rows = shape.rows().into_iter().chain(shape.result_rows()).max().unwrap_or(1);
        (i32::MAX as usize / rows.max(COUNT_ROWS[0]) / WARP * WARP).max(WARP)
    }

    /// The cells for which there is room.
    #[must_use]
    pub fn room(&self) -> usize {
        self.most
    }

    /// The bytes that each cell takes on a device, and that each cell in flight takes besides.
    #[must_use]
    pub fn bytes_per_cell(
        mechanism: &Compiled,
        program: Option<&RateProgram>,
        cells: &Cells,
        options: &Options,
    ) -> [usize; 2] {
        Self::bytes_per_cell_of(&Shape::new(mechanism, program, cells, options))
    }

    pub(super) fn bytes_per_cell_of(shape: &Shape) -> [usize; 2] {
        [shape.bytes_per_cell(), shape.room.bytes_per_cell()]
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Takes the cells of a range, for which there is room, to the device.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn load(&mut self, queue: &Queue, cells: &Cells, range: &Range<usize>) -> Result<(), Error> {
        // What was sent before has to have left the staging.
        queue.synchronize()?;
        self.cells = range.len();
        self.padded = range.len().next_multiple_of(WARP);
        let len = self.shape.loaded() * self.padded;
        gather(&self.shape.arrays(cells), cells.count, range, self.padded, &mut self.to_device[..len]);
        // SAFETY: the staging is the resident's own, and only touched above, after a synchronization.
        unsafe { queue.send(&self.to_device, len, &mut self.values)? };
        let [first, _] = &mut self.steps;
        match cells.first_step.get(range.clone()) {
            Some(steps) => queue.upload_into(steps, first),
            None => queue.upload_into(&vec![0.0; range.len()], first),
        }
    }

    /// Integrates the cells over an interval \[s\], by the queue with which they were loaded. Concentrations stay here,
    /// so that the next interval can follow.
    ///
    /// # Errors
    /// What the driver answers; on a GPU also later, by [`Resident::outputs`]. The interval is not checked:
    /// [`Options::validate_interval`].
    pub fn compute(&mut self, queue: &Queue, interval: &Range<f64>) -> Result<(), Error> {
        if self.shape.computes_rates() {
            self.rates(queue, interval.start)?;
        }
        let changes = self.shape.options.rates_change();
        let Self { shape, mechanism, program, tolerances, dense_times, cells, padded, flights, rounds, .. } = self;
        let (values, results, counts) = (&mut self.values, &mut self.results, &mut self.counts);
        let [first_step, next_step] = &mut self.steps;
        let mut work = Work {
            queue,
            shape,
            interval,
            program,
            tolerances,
            coefficients: &self.coefficients,
            dense_times,
            sizes: (*cells, *padded),
            flights,
            values,
            first_step,
            next_step,
            results,
            counts,
            statuses: &mut self.statuses,
        };
        match (mechanism, changes) {
            (AnyMechanism::Narrow(tables), false) => match rounds {
                Some(rounds) => work.by_warps(tables, rounds),
                None => work.by_lanes::<u16, false>(tables),
            },
            (AnyMechanism::Narrow(tables), true) => work.by_lanes::<u16, true>(tables),
            (AnyMechanism::Wide(tables), false) => work.by_lanes::<u32, false>(tables),
            (AnyMechanism::Wide(tables), true) => work.by_lanes::<u32, true>(tables),
        }
    }

    /// Concentrations `(species, cell)` and inputs of the rate program `(input, cell)` here on the device, for a kernel
    /// to write.
    #[doc(hidden)]
    pub fn starts(&mut self) -> [FieldMut<'_, f64>; 2] {
        let mut values = self.values.parts_mut(&self.shape.rows(), self.padded);
        let cells = 0..self.cells;
        // A part without rows has a place but no values.
        let mut part = || {
            values.next().filter(|part| part.levels() > 0).map_or(FieldMut::empty(), |part| part.range(cells.clone()))
        };
        [part(), part()]
    }

    /// Concentrations `(species, cell)` and the status of each cell here on the device, for a kernel to read.
    #[doc(hidden)]
    #[must_use]
    pub fn ends(&self) -> (Field<'_, f64>, Column<'_, u32>) {
        let concentrations = self.values.parts(&self.shape.rows(), self.padded).next().expect("concentrations");
        let status = self.counts.parts(&COUNT_ROWS, self.padded).nth(1).expect("statuses");
        (concentrations.range(0..self.cells), row(&status, self.cells))
    }

    /// The first step of each cell \[s\] of the next interval, 0 for the usual one.
    ///
    /// # Errors
    /// What the driver answers.
    #[doc(hidden)]
    pub fn first_steps(&self, queue: &Queue) -> Result<Vec<f64>, Error> {
        queue.to_host_range(&self.steps[0], 0..self.cells)
    }

    /// Sets them.
    ///
    /// # Errors
    /// [`Error::TooShort`], or what the driver answers.
    #[doc(hidden)]
    pub fn set_first_steps(&mut self, queue: &Queue, steps: &[f64]) -> Result<(), Error> {
        queue.upload_into(steps, &mut self.steps[0])
    }

    /// The first step of each cell's next interval is what this one ended with.
    pub fn keep_steps(&mut self) {
        self.steps.swap(0, 1);
    }

    /// Computes rate constants of all cells.
    fn rates(&mut self, queue: &Queue, time: f64) -> Result<(), Error> {
        let cells_per_item = self.flights.cells_per_item(self.cells, queue);
        let mut values = self.values.parts_mut(&self.shape.rows(), self.padded);
        let mut part = || values.next().expect("as many as there are kinds of rows").range(0..self.cells);
        // SAFETY: the kernel writes rate constants only.
        let (concentrations, inputs) = unsafe { (reading(&part()), reading(&part())) };
        let kernel = RateConstants {
            program: self.program.view(),
            inputs,
            concentrations,
            time,
            rate_constants: part(),
            cells_per_item,
            scratch: self.flights.view(),
        };
        queue.launch(&kernel, &mut self.statuses)
    }

    /// Copies the results to their places among those of all cells, from `first` on.
    ///
    /// # Errors
    /// What the driver answers.
    pub(super) fn store(&mut self, queue: &Queue, places: &Places<'_>, first: usize) -> Result<(), Error> {
        let (cells, padded) = (self.cells, self.padded);
        let concentrations = self.shape.species() * padded;
        let results = self.shape.result_rows().iter().sum::<usize>() * padded;
        let counts = COUNT_ROWS.iter().sum::<usize>() * padded;
        // SAFETY: the stagings are the resident's own, and looked at after the synchronization.
        unsafe {
            queue.receive(&self.values, concentrations, &mut self.concentrations_to_host)?;
            queue.receive(&self.results, results, &mut self.results_to_host)?;
            queue.receive(&self.steps[1], padded, &mut self.steps_to_host)?;
            queue.receive(&self.counts, counts, &mut self.counts_to_host)?;
        }
        queue.synchronize()?;
        scatter(&self.concentrations_to_host[..concentrations], padded, &[places.concentrations], first, cells);
        scatter(&self.results_to_host[..results], padded, &places.results, first, cells);
        scatter(&self.steps_to_host[..padded], padded, &[places.next_step], first, cells);
        scatter(&self.counts_to_host[..counts], padded, &places.counts, first, cells);
        Ok(())
    }

    /// The results of the last interval.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn outputs(&mut self, queue: &Queue) -> Result<Integrated, Error> {
        let cells = self.cells;
        let mut concentrations = vec![0.0; self.shape.species() * cells];
        let mut outputs = self.shape.results(cells);
        self.store(queue, &Places::new(&mut concentrations, &mut outputs, cells), 0)?;
        Ok(Integrated { concentrations, outputs })
    }
}

/// What a kernel needs besides the tables.
struct Work<'a> {
    queue: &'a Queue,
    shape: &'a Shape,
    interval: &'a Range<f64>,
    program: &'a ProgramThere,
    tolerances: &'a [Buffer<f64>; 2],
    coefficients: &'a Buffer<f64>,
    dense_times: &'a Buffer<f64>,
    /// Cells, and those of a row.
    sizes: (usize, usize),
    flights: &'a mut Flights,
    values: &'a mut Buffer<f64>,
    first_step: &'a Buffer<f64>,
    next_step: &'a mut Buffer<f64>,
    results: &'a mut Buffer<f64>,
    counts: &'a mut Buffer<u32>,
    statuses: &'a mut Buffer<u32>,
}

impl Work<'_> {
    /// A cell a lane, or on a CPU a few for a thread.
    fn by_lanes<I: Index + Plain, const RATES: bool>(&mut self, tables: &MechanismThere<I>) -> Result<(), Error> {
        let cells_per_item = self.flights.cells_per_item(self.sizes.0, self.queue);
        let queue = self.queue;
        let (kernel, statuses) = self.kernel::<I, RATES>(tables, cells_per_item);
        queue.launch(&kernel, statuses)
    }

    fn by_warps(&mut self, tables: &MechanismThere<u16>, rounds: &RoundsThere) -> Result<(), Error> {
        let queue = self.queue;
        let (mut cells, statuses) = self.kernel(tables, CELLS_OF_A_QUEUE);
        cells.room = rounds.room();
        queue.launch(&RosenbrockByWarps { cells, rounds: rounds.view() }, statuses)
    }

    /// The kernel, and room for its statuses.
    fn kernel<'a, I: Index + Plain, const RATES: bool>(
        &'a mut self,
        tables: &'a MechanismThere<I>,
        cells_per_item: usize,
    ) -> (Rosenbrock<'a, f64, I, RATES>, &'a mut Buffer<u32>) {
        let (cells, padded) = self.sizes;
        let mut values = self.values.parts_mut(&self.shape.rows(), padded);
        let mut value = || values.next().expect("as many as there are kinds of rows").range(0..cells);
        let concentrations = value();
        // SAFETY: the kernel writes concentrations only.
        let (inputs, rate_constants) = unsafe { (reading(&value()), reading(&value())) };
        let mut results = self.results.parts_mut(&self.shape.result_rows(), padded);
        let mut result = || results.next().expect("as many as there are kinds of results").range(0..cells);
        let mut counts = self.counts.parts_mut(&COUNT_ROWS, padded);
        let mut count = || counts.next().expect("counters and statuses").range(0..cells);
        // SAFETY: a buffer of steps has one for each cell.
        let first_step = unsafe { Column::from_raw(self.first_step.column().as_ptr(), cells, 1) };
        let kernel = Rosenbrock {
            mechanism: tables.view(),
            coefficients: self.shape.options.method.tableau().coefficients(self.coefficients.column()),
            control: self.shape.options.control(self.interval.start, self.interval.end),
            program: self.program.view(),
            start: Start {
                rate_constants,
                inputs,
                first_step,
                absolute_tolerance: self.tolerances[0].column(),
                relative_tolerance: self.tolerances[1].column(),
            },
            end: End {
                concentrations,
                counters: count(),
                times: result(),
                next_step: self.next_step.item_fastest_mut(1, cells),
                status: count(),
                dense: result(),
            },
            dense_times: self.dense_times.column(),
            room: self.shape.room,
            cells_per_item,
            scratch: self.flights.view(),
        };
        (kernel, self.statuses)
    }
}

/// Items for the threads of a CPU: some each, that none waits long for the last, while what they have in flight does
/// not fill the memory.
fn items_of_threads(cells: usize, bytes: usize) -> usize {
    const ITEMS: usize = 8;
    const BYTES: usize = 1 << 30;
    let threads = rayon::current_num_threads();
    let fitting = (BYTES / bytes).clamp(threads, ITEMS * threads);
    cells.div_ceil(2 * CPU_LANES).clamp(1, fitting)
}
