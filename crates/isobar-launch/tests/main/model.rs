//! A scheme of a few lines, run by a model in every way: in place, in chunks, in any layout, without memory, with bad
//! items, stopped on the way.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use isobar_core::fields::{self, Declared, Extents, InputSet as _, LAYER, LEVEL, OwnedInputs, OwnedOutputs};
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};
use isobar_launch::{BadItems, Buffer, Device, Error, Job, Model, Ptx, Queue, RunError, Scheme, Shape};

isobar_core::fields! {
    /// Columns of air over a ground.
    inputs Columns, ColumnViews {
        /// Temperature of the layers.
        temperature_k: Real [LAYER] "K" .within(100.0, 400.0);
        /// What is added to each layer.
        offset_k: Real [LAYER] "K" .optional();
        /// Temperature of the ground.
        ground_k: Real [] "K" .within(100.0, 400.0);
        /// A number a column, which comes out again.
        number: Word [] "1";
    }
}

isobar_core::fields! {
    /// Sums from the ground up.
    outputs Sums, SumViews {
        /// Sum up to each level, that of the ground first.
        sum_k: Real [LEVEL] "K";
        /// The highest layer's temperature, if it is wanted.
        top_k: Real [] "K";
        /// The number.
        number: Word [] "1";
        /// What became of each column.
        status: Word [] "1";
    }
}

/// A column's sums.
#[derive(Clone, Copy)]
struct SumUp<'a> {
    inputs: ColumnViews<'a, f64>,
    outputs: SumViews<'a, f64>,
    factor: f64,
}

// SAFETY: an item writes its own column, and reads nothing that is written.
unsafe impl Kernel for SumUp<'_> {
    const NAME: &'static str = "sum_up";
    const PRECISION: &'static str = f64::NAME;
    const TEAM: Team = Team::Lane;

    fn items(&self) -> usize {
        self.inputs.temperature_k.items()
    }

    unsafe fn item<const W: usize>(&self, index: usize, _lanes: Lanes<W>) -> Status {
        let Self { inputs, outputs, factor } = self;
        let mut sum = inputs.ground_k.at(index);
        outputs.sum_k.set(0, index, sum);
        let layers = inputs.temperature_k.levels();
        for layer in 0..layers {
            let offset = if inputs.offset_k.is_empty() { 0.0 } else { inputs.offset_k.at(layer, index) };
            sum += factor * (inputs.temperature_k.at(layer, index) + offset);
            outputs.sum_k.set(layer + 1, index, sum);
        }
        if !outputs.top_k.is_empty() {
            outputs.top_k.set(0, index, inputs.temperature_k.at(layers - 1, index));
            outputs.status.set(0, index, Status::OK.0);
        }
        outputs.number.set(0, index, inputs.number.at(index));
        Status::OK
    }
}

#[derive(Clone, PartialEq)]
struct Options {
    factor: f64,
    top: bool,
}

const OPTIONS: Options = Options { factor: 0.5, top: true };

#[derive(Default)]
struct Summing;

thread_local! {
    /// How many workspaces this thread has made.
    static WORKSPACES: Cell<usize> = const { Cell::new(0) };
}

struct Workspace {
    statuses: Buffer<u32>,
}

impl Scheme for Summing {
    type Real = f64;
    type Inputs<'a> = ColumnViews<'a, f64>;
    type Results = Sums<f64>;
    type Options = Options;
    type Tables = ();
    type Workspace = Workspace;
    const ITEM: &'static str = "column";
    const PTX: &'static [Ptx] = &[];
    const CONTINUES: &'static [(&'static str, &'static str)] =
        &[("ground_k", "top_k"), ("number", "number"), ("offset_k", "nothing")];

    fn shares_memory(made_for: &Options, options: &Options) -> bool {
        made_for.top == options.top
    }

    fn extents(&self, inputs: &ColumnViews<'_, f64>, _options: &Options) -> Result<Extents, fields::Error> {
        Ok(Extents::new(inputs.ground_k.len()).with(LAYER, inputs.temperature_k.levels()))
    }

    fn wants(&self, declared: &'static Declared, _extents: &Extents, options: &Options) -> bool {
        declared.name != "top_k" || options.top
    }

    fn chunk_items(&self, _device: Device, _extents: &Extents) -> usize {
        64
    }

    fn tables(&self, _queue: &Queue) -> Result<(), Error> {
        Ok(())
    }

    fn workspace_bytes(&self, _device: Device, _shape: &Shape<Self>, items: usize) -> usize {
        items * size_of::<u32>()
    }

    fn workspace(&self, queue: &Queue, _tables: &(), _shape: &Shape<Self>, items: usize) -> Result<Workspace, Error> {
        WORKSPACES.set(WORKSPACES.get() + 1);
        Ok(Workspace { statuses: queue.zeros(items)? })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        let kernel = SumUp { inputs: job.inputs, outputs: job.outputs, factor: job.options.factor };
        job.queue.launch(&kernel, &mut job.workspace.statuses)
    }
}

const COUNT: usize = 1000;
const LAYERS: usize = 7;

fn columns() -> Columns<f64> {
    Columns {
        temperature_k: (0..COUNT * LAYERS).map(|i| 200.0 + (i * 7919 % 1000) as f64 / 10.0).collect(),
        offset_k: vec![0.25],
        ground_k: (0..COUNT).map(|i| 250.0 + i as f64 / 100.0).collect(),
        number: (0..COUNT as u32).collect(),
    }
}

fn extents() -> Extents {
    Extents::new(COUNT).with(LAYER, LAYERS)
}

fn views(columns: &Columns<f64>) -> ColumnViews<'_, f64> {
    columns.views(&extents(), "column").unwrap()
}

fn expected() -> Sums<f64> {
    Model::new(Summing, &[Device::Thread]).run(views(&columns()), &OPTIONS).unwrap()
}

#[test]
fn the_results_do_not_depend_on_devices_and_chunks() {
    let (columns, expected) = (columns(), expected());
    assert_eq!(expected.sum_k[COUNT], expected.sum_k[0] + 0.5 * (columns.temperature_k[0] + 0.25));
    assert_eq!(expected.number, columns.number);
    assert_eq!(expected.status, [0; COUNT]);
    for devices in [[Device::Thread], [Device::Cpu]] {
        let whole = Model::new(Summing, &devices).run(views(&columns), &OPTIONS).unwrap();
        assert_eq!(whole, expected);
        for items in [1, 33, 999, 5000] {
            let model = Model::new(Summing, &devices).items_per_chunk(items);
            let mut results = Sums { sum_k: vec![f64::NAN; COUNT * (LAYERS + 1)], ..Sums::default() };
            for _ in 0..2 {
                model.run_into(views(&columns), &OPTIONS, &mut results).unwrap();
                assert_eq!(results, expected, "{items} items a chunk");
            }
        }
    }
}

#[test]
fn devices_share_a_batch_and_none_is_an_error() {
    let both = Model::new(Summing, &[Device::Thread, Device::Cpu]).run(views(&columns()), &OPTIONS).unwrap();
    assert_eq!(both, expected());
    let error = Model::new(Summing, &[]).run(views(&columns()), &OPTIONS).unwrap_err();
    assert_eq!(error.to_string(), "a model needs at least one device");
}

#[test]
fn results_that_are_not_wanted_take_no_memory() {
    let columns = columns();
    let results = Model::new(Summing, &[Device::Cpu]).run(views(&columns), &Options { top: false, ..OPTIONS }).unwrap();
    assert!(results.top_k.is_empty());
    // Nor does the kernel write a status then.
    assert_eq!(results.status, [0; COUNT]);
    assert_eq!(results.sum_k, expected().sum_k);
}

#[test]
fn every_layout_gives_the_same_bits() {
    let (columns, expected) = (columns(), expected());
    let by_level: Vec<f64> =
        (0..COUNT * LAYERS).map(|i| columns.temperature_k[i % LAYERS * COUNT + i / LAYERS]).collect();
    let top_first: Vec<f64> =
        (0..LAYERS).rev().flat_map(|layer| columns.temperature_k[layer * COUNT..][..COUNT].to_vec()).collect();
    let temperatures = [
        Field::level_fastest(&by_level, LAYERS, COUNT),
        Field::item_fastest(&top_first, LAYERS, COUNT).levels_reversed(),
    ];
    for temperature_k in temperatures {
        let inputs = ColumnViews { temperature_k, ..views(&columns) };
        for model in [Model::new(Summing, &[Device::Cpu]), Model::new(Summing, &[Device::Cpu]).items_per_chunk(100)] {
            assert_eq!(model.run(inputs, &OPTIONS).unwrap(), expected);
        }
    }
}

#[test]
fn results_go_to_memory_of_the_callers_in_any_layout() {
    let (columns, expected, rows) = (columns(), expected(), LAYERS + 1);
    for model in [Model::new(Summing, &[Device::Cpu]), Model::new(Summing, &[Device::Cpu]).items_per_chunk(100)] {
        let mut by_column = vec![f64::NAN; COUNT * rows];
        let mut rest = Sums::default();
        rest.resize(&extents(), &|declared| declared.name != "sum_k").unwrap();
        let sum_k = FieldMut::level_fastest(&mut by_column, rows, COUNT);
        let results = SumViews { sum_k, ..rest.views(COUNT) };
        model.run_views(views(&columns), &OPTIONS, &results).unwrap();
        assert!((0..COUNT * rows).all(|i| by_column[i] == expected.sum_k[i % rows * COUNT + i / rows]));
        assert_eq!(
            (rest.top_k, rest.number, rest.status),
            (expected.top_k.clone(), expected.number.clone(), vec![0; COUNT])
        );

        let mut top_k = vec![-1.0; COUNT];
        let mut rest = Sums::default();
        rest.resize(&extents(), &|declared| declared.name != "top_k").unwrap();
        let results = SumViews { top_k: FieldMut::item_fastest(&mut top_k, 1, COUNT), ..rest.views(COUNT) };
        model.run_views(views(&columns), &Options { top: false, ..OPTIONS }, &results).unwrap();
        assert_eq!(
            (top_k, rest.sum_k),
            (vec![-1.0; COUNT], expected.sum_k.clone()),
            "what is not wanted is not written"
        );

        let mut small = Sums::default();
        small.resize(&extents().with_items(COUNT - 1), &|_| true).unwrap();
        let error = model.run_views(views(&columns), &OPTIONS, &small.views(COUNT - 1)).unwrap_err();
        assert_eq!(error.to_string(), "sum_k has 7992 values instead of 8000 = 8 levels x 1000 columns");
    }
}

#[test]
fn memory_that_does_not_hold_a_chunk_makes_smaller_ones() {
    let (columns, expected) = (columns(), expected());
    // 100 columns of 8 layers and a number in doubles are more than 4 kB.
    let model = Model::new(Summing, &[Device::Cpu]).items_per_chunk(100).largest_allocation(4096);
    assert_eq!(model.run(views(&columns), &OPTIONS).unwrap(), expected);
    // In place, the workspace alone has to fit.
    let model = Model::new(Summing, &[Device::Cpu]).largest_allocation(40);
    assert_eq!(model.run(views(&columns), &OPTIONS).unwrap(), expected);
    let error = Model::new(Summing, &[Device::Cpu]).largest_allocation(1).run(views(&columns), &OPTIONS).unwrap_err();
    assert!(matches!(error, RunError::Interrupted { source: Error::OutOfMemory { .. }, done: 0, items: COUNT, .. }));
}

#[test]
fn bad_items_stop_or_are_flagged() {
    let (mut columns, expected) = (columns(), expected());
    columns.temperature_k[3 * COUNT + 17] = 99.0;
    columns.ground_k[500] = f64::NAN;
    let error = Model::new(Summing, &[Device::Cpu]).run(views(&columns), &OPTIONS).unwrap_err();
    let first = "temperature_k at column 17, layer 3 is 99, which is not in [100, 400] K";
    assert_eq!(error.to_string(), first);
    for model in [Model::new(Summing, &[Device::Thread]), Model::new(Summing, &[Device::Cpu]).items_per_chunk(64)] {
        let mut results = Sums::default();
        let refused = model.bad_items(BadItems::Flag).run_into(views(&columns), &OPTIONS, &mut results).unwrap();
        assert_eq!(refused.iter().map(fields::Error::item).collect::<Vec<_>>(), [Some(17), Some(500)]);
        assert_eq!(refused[0].to_string(), first);
        for item in 0..COUNT {
            let bad = item == 17 || item == 500;
            assert_eq!(results.status[item], if bad { Status::OUT_OF_RANGE.0 } else { 0 });
            for level in 0..=LAYERS {
                let (got, wanted) = (results.sum_k[level * COUNT + item], expected.sum_k[level * COUNT + item]);
                assert!(if bad { got.is_nan() } else { got == wanted });
            }
        }
    }
}

#[test]
fn sizes_are_checked() {
    let columns = Columns { ground_k: vec![280.0; COUNT - 1], ..columns() };
    let error = columns.views(&extents(), "column").unwrap_err();
    assert_eq!(error.to_string(), "ground_k has 999 values instead of 1000 = 1000 columns");
    // Views of other sizes than the others' are refused before a kernel sees them.
    let (good, short) = (self::columns(), vec![250.0; 8]);
    let inputs = ColumnViews { temperature_k: Field::item_fastest(&short, 1, 8), ..views(&good) };
    let error = Model::new(Summing, &[Device::Cpu]).run(inputs, &OPTIONS).unwrap_err();
    assert_eq!(error.to_string(), "temperature_k has 8 values instead of 1000 = 1 layer x 1000 columns");
    let inputs = ColumnViews { ground_k: Column::empty(), ..views(&good) };
    assert_eq!(
        Model::new(Summing, &[Device::Cpu]).run(inputs, &OPTIONS).unwrap_err().to_string(),
        "a batch needs at least one column"
    );
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_finished() {
    let (columns, expected) = (columns(), expected());
    let stop = Arc::new(AtomicBool::new(false));
    let setter = stop.clone();
    let model = Model::new(Summing, &[Device::Cpu]).items_per_chunk(100).stop_on(stop).progress(move |done| {
        setter.fetch_or(done >= 300, Ordering::Relaxed);
    });
    let mut results = Sums::default();
    let error = model.run_into(views(&columns), &OPTIONS, &mut results).unwrap_err();
    // Chunks that other threads have begun by then are finished, too.
    let finished = results.status.iter().filter(|&&status| status == Status::OK.0).count();
    assert!((300..COUNT).contains(&finished) && finished.is_multiple_of(100), "{finished}");
    assert_eq!(error.to_string(), format!("the run was stopped ({finished} of 1000 columns were finished)"));
    for item in 0..COUNT {
        let is_finished = results.status[item] == Status::OK.0;
        assert!(is_finished || results.status[item] == Status::NOT_COMPUTED.0);
        assert!(!is_finished || results.sum_k[COUNT + item] == expected.sum_k[COUNT + item]);
    }
}

/// Items that were done have their results, the others say that they have none, and computed later they have the same
/// bits.
#[test]
fn a_device_that_is_lost_keeps_what_is_finished() {
    let (columns, expected) = (columns(), expected());
    // In place, in chunks, and with another device that might go on.
    let models = [
        (Model::new(Summing, &[Device::Cpu]), 64, 320),
        (Model::new(Summing, &[Device::Cpu]).items_per_chunk(100), 100, 300),
        (Model::new(Summing, &[Device::Thread, Device::Cpu]).items_per_chunk(100), 100, 300),
    ];
    for (model, chunk, after) in models {
        let mut results = Sums::default();
        let error = model.lost_after(after).run_into(views(&columns), &OPTIONS, &mut results).unwrap_err();
        let RunError::Interrupted { source: Error::DeviceLost { .. }, done, items: COUNT, .. } = error else {
            panic!("{error}")
        };
        assert!((after..COUNT).contains(&done) && done % chunk == 0, "{done}");
        let (left, finished): (Vec<usize>, Vec<usize>) =
            (0..COUNT).partition(|&item| results.status[item] == Status::NOT_COMPUTED.0);
        assert_eq!(finished.len(), done);
        // What is left, in a process of its own: a new model.
        let rest = Model::new(Summing, &[Device::Cpu]).run(views(&columns).range(&(left[0]..COUNT)), &OPTIONS).unwrap();
        let rest_of = COUNT - left[0];
        for level in 0..=LAYERS {
            for &item in &finished {
                assert_eq!(results.sum_k[level * COUNT + item], expected.sum_k[level * COUNT + item]);
            }
            for &item in &left {
                let got = rest.sum_k[level * rest_of + item - left[0]];
                assert_eq!(got.to_bits(), expected.sum_k[level * COUNT + item].to_bits());
            }
        }
    }
}

#[test]
fn a_batch_that_stays_on_its_devices_is_computed_again() {
    let (columns, expected) = (columns(), expected());
    let model = Model::new(Summing, &[Device::Cpu, Device::Thread]).largest_allocation(40_000);
    let mut resident = model.resident(views(&columns), &OPTIONS).unwrap();
    // Whole warps of 8 numbers and a word in, 9 numbers and two words out, and a word between.
    assert_eq!(resident.device_bytes(), 2 * 512 * (8 * 17 + 4 * 4));
    // Another one in the same order.
    let mut beside = model.resident_beside(&resident, views(&columns), &OPTIONS).unwrap();
    assert!(beside.queues().all(|queue| resident.queues().any(|other| Arc::ptr_eq(queue, other))));
    let mut results = Sums::default();
    for factor in [3.0, 0.5] {
        resident.compute(&Options { factor, ..OPTIONS }).unwrap();
        beside.compute(&Options { factor, ..OPTIONS }).unwrap();
    }
    resident.synchronize().unwrap();
    for resident in [&mut resident, &mut beside] {
        resident.results_into(&mut results).unwrap();
        assert_eq!(results, expected);
    }
}

#[test]
fn what_a_batch_ends_with_is_what_it_goes_on_from() {
    let mut columns = columns();
    // As many parts as there are allocations of 40 kB, and a last warp that is not full.
    let model = Model::new(Summing, &[Device::Cpu, Device::Thread]).largest_allocation(40_000);
    let mut resident = model.resident(views(&columns), &OPTIONS).unwrap();
    for _ in 0..3 {
        resident.compute(&OPTIONS).unwrap();
        let expected = Model::new(Summing, &[Device::Thread]).run(views(&columns), &OPTIONS).unwrap();
        let mut results = Sums::default();
        resident.results_into(&mut results).unwrap();
        assert_eq!(results, expected);
        resident.advance().unwrap();
        columns.ground_k = expected.top_k;
    }
    // What is not wanted is not there to go on from.
    let options = Options { top: false, ..OPTIONS };
    let mut resident = model.resident(views(&columns), &options).unwrap();
    let expected = model.run(views(&columns), &options).unwrap();
    let mut results = Sums::default();
    for _ in 0..2 {
        resident.compute(&options).unwrap();
        resident.advance().unwrap();
        resident.results_into(&mut results).unwrap();
        assert_eq!(results, expected);
    }
}

#[test]
fn memory_serves_other_options() {
    let columns = columns();
    for model in [Model::new(Summing, &[Device::Thread]), Model::new(Summing, &[Device::Thread]).items_per_chunk(100)] {
        let before = WORKSPACES.get();
        for factor in [0.5, 2.0, 3.0] {
            model.run(views(&columns), &Options { factor, ..OPTIONS }).unwrap();
        }
        assert_eq!(WORKSPACES.get() - before, 1);
        model.run(views(&columns), &Options { top: false, ..OPTIONS }).unwrap();
        assert_eq!(WORKSPACES.get() - before, 2);
    }
}

#[test]
fn what_is_not_checked_is_computed() {
    let mut columns = columns();
    columns.ground_k[5] = 99.0;
    let model = Model::new(Summing, &[Device::Cpu]).bad_items(BadItems::Compute);
    let refused = model.check(views(&columns), &OPTIONS).unwrap();
    assert_eq!(refused.iter().map(fields::Error::item).collect::<Vec<_>>(), [Some(5)]);
    let mut results = Sums::default();
    assert!(model.run_into(views(&columns), &OPTIONS, &mut results).unwrap().is_empty());
    assert_eq!((results.sum_k[5], results.status[5]), (99.0, 0));
    assert!(model.resident(views(&columns), &OPTIONS).is_ok());
}

/// The sums of [`Summing`], where each thread of a CPU takes columns, of which the memory holds a limited number at a
/// time.
struct Alone {
    most: usize,
    threads: Mutex<HashSet<ThreadId>>,
    sizes: Mutex<Vec<usize>>,
}

impl Alone {
    fn new(most: usize) -> Self {
        Self { most, threads: Mutex::default(), sizes: Mutex::default() }
    }
}

impl Scheme for Alone {
    type Real = f64;
    type Inputs<'a> = ColumnViews<'a, f64>;
    type Results = Sums<f64>;
    type Options = Options;
    type Tables = ();
    type Workspace = Workspace;
    const ITEM: &'static str = Summing::ITEM;
    const PTX: &'static [Ptx] = &[];
    const HOST_VIEWS: bool = true;

    fn job_a_thread(&self) -> bool {
        true
    }

    fn extents(&self, inputs: &ColumnViews<'_, f64>, options: &Options) -> Result<Extents, fields::Error> {
        Summing.extents(inputs, options)
    }

    fn chunk_items(&self, _device: Device, extents: &Extents) -> usize {
        extents.items().div_ceil(100)
    }

    fn tables(&self, _queue: &Queue) -> Result<(), Error> {
        Ok(())
    }

    fn workspace_bytes(&self, _device: Device, _shape: &Shape<Self>, _items: usize) -> usize {
        0
    }

    fn workspace(&self, queue: &Queue, _tables: &(), _shape: &Shape<Self>, items: usize) -> Result<Workspace, Error> {
        Ok(Workspace { statuses: queue.zeros(items)? })
    }

    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error> {
        if job.extents.items() > self.most {
            return Err(Error::OutOfMemory { device: job.queue.device(), bytes: job.extents.items() });
        }
        self.threads.lock().unwrap().insert(std::thread::current().id());
        self.sizes.lock().unwrap().push(job.extents.items());
        let kernel = SumUp { inputs: job.inputs, outputs: job.outputs, factor: job.options.factor };
        job.queue.launch(&kernel, &mut job.workspace.statuses)
    }
}

/// Whatever the size of a chunk is, the caller's memory is what is computed in.
#[test]
fn threads_take_jobs() {
    let (columns, expected) = (columns(), expected());
    let model = |most, device| Model::new(Alone::new(most), &[device]);
    let threads = |model: &Model<Alone>| model.scheme().threads.lock().unwrap().clone();
    for most in [10, 3] {
        let of_pool = model(most, Device::Cpu);
        let results = isobar_launch::with_threads(2, || of_pool.run(views(&columns), &OPTIONS).unwrap()).unwrap();
        assert_eq!(results, expected);
        assert!((1..=2).contains(&threads(&of_pool).len()));
        let alone = model(most, Device::Thread).items_per_chunk(7);
        assert_eq!(alone.run(views(&columns), &OPTIONS).unwrap(), expected);
        assert_eq!(threads(&alone), HashSet::from([std::thread::current().id()]));
    }
    let (alone, mut results) = (model(0, Device::Thread), Sums::default());
    let error = alone.run_into(views(&columns), &OPTIONS, &mut results).unwrap_err();
    assert!(matches!(error, RunError::Interrupted { source: Error::OutOfMemory { .. }, done: 0, items: COUNT, .. }));
    assert_eq!(results.status, [Status::NOT_COMPUTED.0; COUNT]);
    let error = alone.resident(views(&columns), &OPTIONS).err().unwrap();
    assert_eq!(error.to_string(), "columns do not stay on a device");
}

/// A chunk is a hundredth of what a device has to do, and not of the whole batch.
#[test]
fn devices_have_shares() {
    let model = |devices: &[Device]| Model::new(Alone::new(COUNT), devices);
    for (devices, size) in [(&[Device::Thread] as &[_], 10), (&[Device::Thread; 2], 5), (&[Device::Thread; 3], 4)] {
        let model = model(devices);
        assert_eq!(model.run(views(&columns()), &OPTIONS).unwrap(), expected());
        assert_eq!(*model.scheme().sizes.lock().unwrap(), vec![size; COUNT.div_ceil(size)]);
    }
}

/// In the memory of a device, as a GPU has it: the same bits, statuses that are written by nobody are right, and no
/// value is looked at by the host.
#[test]
fn a_batch_in_the_memory_of_a_device() {
    use isobar_launch::Watch;
    let (columns, expected) = (columns(), expected());
    let nowhere = Watch::default();
    for device in [Device::Thread, Device::Cpu] {
        // The second has too little memory for all of them at once.
        for bytes in [usize::MAX, 4 * 300] {
            let model = Model::new(Summing, &[device]).largest_allocation(bytes);
            let mut results = Sums::<f64>::default();
            results.resize(&extents(), &|_| true).unwrap();
            results.status.fill(77);
            // SAFETY: a CPU's memory is the host's, and nobody else has these.
            unsafe { model.run_on(device, views(&columns), &OPTIONS, &results.views(COUNT), nowhere).unwrap() };
            assert_eq!(results, expected);
        }
    }
    let model = Model::new(Summing, &[Device::Thread]);
    let mut results = expected.clone();
    let mut run = |device, columns: &Columns<f64>, watch: Watch<'_>| {
        // SAFETY: as above.
        unsafe { model.run_on(device, views(columns), &OPTIONS, &results.views(COUNT), watch) }
    };
    // A temperature out of range is computed.
    let mut hot = self::columns();
    hot.temperature_k[0] = 5000.0;
    run(Device::Thread, &hot, nowhere).unwrap();
    let error = run(Device::Cpu, &columns, nowhere).unwrap_err();
    assert_eq!(error.to_string(), "the arrays are on cpu, and the model computes on thread");
    let stop = AtomicBool::new(true);
    let watch = Watch { stop: Some(&stop), progress: None };
    let error = run(Device::Thread, &columns, watch).unwrap_err();
    assert_eq!(error.to_string(), "the run was stopped (0 of 1000 columns were finished)");
    let done = Mutex::new(Vec::new());
    let tell = |items: usize| done.lock().unwrap().push(items);
    run(Device::Thread, &columns, Watch { stop: None, progress: Some(&tell) }).unwrap();
    assert_eq!(*done.lock().unwrap(), [COUNT]);
    let mut short = Sums::<f64>::default();
    short.resize(&Extents::new(COUNT - 1).with(LAYER, LAYERS), &|_| true).unwrap();
    // SAFETY: as above.
    let error = unsafe {
        model.run_on(Device::Thread, views(&columns), &OPTIONS, &short.views(COUNT - 1), nowhere).unwrap_err()
    };
    assert!(matches!(error, RunError::Batch(fields::Error::Size { variable: "sum_k", .. })), "{error}");
}

/// In the order of a stream, of which a CPU knows nothing: the same bits, at once, and all columns at a time.
#[test]
fn a_batch_in_the_order_of_a_stream() {
    use isobar_launch::ForeignStream;
    let (columns, expected) = (columns(), expected());
    for device in [Device::Thread, Device::Cpu] {
        for (bytes, fits) in [(usize::MAX, true), (4 * 300, false)] {
            let model = Model::new(Summing, &[device]).largest_allocation(bytes);
            let mut results = Sums::<f64>::default();
            results.resize(&extents(), &|_| true).unwrap();
            results.status.fill(77);
            let stream = (device, ForeignStream(0));
            // SAFETY: a CPU's memory is the host's, and nobody else has these.
            let enqueued = unsafe { model.enqueue_on(stream, views(&columns), &OPTIONS, &results.views(COUNT)) };
            match enqueued {
                Ok(()) => assert!(fits && results == expected),
                Err(RunError::Device(Error::OutOfMemory { .. })) => assert!(!fits),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// A run that is watched is stopped by itself, and tells how far it is.
#[test]
fn one_run_of_a_model_is_watched() {
    use isobar_launch::Watch;
    let model = Model::new(Summing, &[Device::Thread]);
    let columns = columns();
    let mut results = Sums::<f64>::default();
    results.resize(&extents(), &|_| true).unwrap();
    let (stop, told) = (AtomicBool::new(false), Mutex::new(0));
    let tell = |done: usize| {
        *told.lock().unwrap() = done;
        stop.store(done >= 128, Ordering::Relaxed);
    };
    let watch = Watch { stop: Some(&stop), progress: Some(&tell) };
    let error = model.run_watched(views(&columns), &OPTIONS, &results.views(COUNT), watch).unwrap_err();
    assert_eq!(error.to_string(), "the run was stopped (128 of 1000 columns were finished)");
    assert_eq!(*told.lock().unwrap(), 128);
    assert_eq!((results.status[127], results.status[128]), (Status::OK.0, Status::NOT_COMPUTED.0));
    model.run_into(views(&columns), &OPTIONS, &mut results).unwrap();
    assert_eq!(results, expected());
}
