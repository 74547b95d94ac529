//! Chemical kinetics in pieces and by threads against the core's own batch, with failures, and what is refused.

mod stratosphere;

use std::sync::Arc;

use isobar_launch::{Device, Queue, with_threads};
use isobar_rosenbrock::launch::{Chemistry, Integrated, Resident};
use isobar_rosenbrock::{Batch, Cells, Method, Options, Rates, outcome};
use stratosphere::{cells, options, stratosphere};

const INTERVAL: std::ops::Range<f64> = 43_200.0..45_000.0;

/// What the core's own batch makes of the cells, on one thread.
fn expected(cells: &Cells, options: &Options) -> Integrated {
    let mechanism = stratosphere();
    let (compiled, program) = (mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let mut batch = Batch::with_bad_cells(compiled, program, cells.clone(), options.clone()).unwrap();
    batch.integrate(INTERVAL.start, INTERVAL.end).unwrap();
    Integrated { concentrations: batch.cells().concentrations.clone(), outputs: batch.outputs().clone() }
}

fn model() -> Chemistry {
    let mechanism = stratosphere();
    Chemistry::new(&[Device::Cpu], mechanism.compiled().clone(), Some(mechanism.program().clone()))
}

#[test]
fn threads_and_pieces_change_no_bit() {
    let mechanism = stratosphere();
    for (method, rates) in [(Method::Rodas3, Rates::Frozen), (Method::Ros3, Rates::Stage)] {
        let mut options = options(method);
        options.rates = rates;
        let all = cells(&mechanism, 203);
        let expected = self::expected(&all, &options);
        assert!(expected.outputs.status.iter().all(|&status| status == 0));
        for threads in [1, 3] {
            let run = || model().run(&all, &options, INTERVAL, &|_| {});
            assert!(with_threads(threads, run).unwrap().unwrap() == expected, "{threads} threads");
        }
        // In chunks, with memory that is kept, for fewer cells and all again.
        let model = model().cells_per_chunk(64);
        for count in [203, 70, 203] {
            let some = cells(&mechanism, count);
            assert!(model.run(&some, &options, INTERVAL, &|_| {}).unwrap() == self::expected(&some, &options));
        }
    }
}

#[test]
fn cells_stay_for_the_next_interval() {
    let mechanism = stratosphere();
    let (all, options) = (cells(&mechanism, 40), options(Method::Ros4));
    let (compiled, program) = (mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let mut batch = Batch::new(compiled.clone(), program.clone(), all.clone(), options.clone()).unwrap();
    let queue = Queue::new(Device::Cpu).unwrap();
    let mut resident = Resident::new(&queue, &compiled, program.as_deref(), (&all, &options), 40, 32).unwrap();
    resident.load(&queue, &all, &(0..40)).unwrap();
    for hour in 12..15 {
        let interval = f64::from(hour) * 3600.0..f64::from(hour + 1) * 3600.0;
        batch.integrate(interval.start, interval.end).unwrap();
        batch.keep_steps();
        resident.compute(&queue, &interval).unwrap();
        let done = resident.outputs(&queue).unwrap();
        assert!(done.concentrations == batch.cells().concentrations && done.outputs == *batch.outputs(), "{hour} h");
        resident.keep_steps();
    }
}

#[test]
fn a_failure_spares_the_others_in_chunks() {
    let mechanism = stratosphere();
    let options = options(Method::Rodas3);
    let good = cells(&mechanism, 100);
    let mut bad = good.clone();
    bad.concentrations[4 * 100 + 50] = f64::NAN;
    let model = model().cells_per_chunk(40);
    let message = model.run(&bad, &options, INTERVAL, &|_| {}).unwrap_err().to_string();
    assert!(message.starts_with("concentration 4 at cell 50 is NaN, which is not a finite number"), "{message}");
    let (done, whole) = (model.run_any(&bad, &options, INTERVAL, &|_| {}).unwrap(), expected(&good, &options));
    for cell in 0..100 {
        let status = if cell == 50 { outcome::NOT_FINITE.0 } else { 0 };
        assert_eq!(done.outputs.status[cell], status);
        for i in (0..10).filter(|_| cell != 50) {
            assert_eq!(done.concentrations[i * 100 + cell].to_bits(), whole.concentrations[i * 100 + cell].to_bits());
        }
    }
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::atomic::AtomicUsize::new(0);
    let store = |done| last.store(done, std::sync::atomic::Ordering::Relaxed);
    let all = cells(&stratosphere(), 50);
    model().cells_per_chunk(20).run(&all, &options(Method::Ros2), 0.0..1.0, &store).unwrap();
    assert_eq!(last.into_inner(), 50);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let mechanism = stratosphere();
    let all = cells(&mechanism, 3);
    let message = |cells: &Cells, options: &Options, interval: std::ops::Range<f64>| {
        model().run(cells, options, interval, &|_| {}).unwrap_err().to_string()
    };
    let usual = options(Method::Ros3);
    assert_eq!(message(&all, &usual, 5.0..1.0), "the interval runs from 5 s to 1 s");
    assert!(message(&all, &Options::new(Method::Ros3, 0.0, 1.0), INTERVAL).contains("relative tolerance"));
    let mut short = all.clone();
    short.inputs.pop();
    assert!(message(&short, &usual, INTERVAL).starts_with("inputs has 5 values instead of 6"));
    let without = Chemistry::new(&[Device::Cpu], Arc::clone(mechanism.compiled()), None);
    let message = without.run(&all, &usual, INTERVAL, &|_| {}).unwrap_err().to_string();
    assert!(message.starts_with("rate_constants has 0 values"), "{message}");
}
