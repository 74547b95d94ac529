//! A cell has the same bits whatever its company.

use isobar_rosenbrock::{AnyTables, Batch, Cells, Method, Options, Tables};

use crate::case::case;
use crate::own::{batch, cells, end, mechanism};

/// Cells in another order, or some of them.
fn chosen(cells: &Cells, choice: &[usize]) -> Cells {
    let rows =
        |values: &[f64]| values.chunks(cells.count).flat_map(|row| choice.iter().map(|&cell| row[cell])).collect();
    Cells {
        count: choice.len(),
        concentrations: rows(&cells.concentrations),
        rate_constants: rows(&cells.rate_constants),
        ..Cells::default()
    }
}

/// What a cell ended with, in bits.
fn bits(batch: &Batch, cell: usize) -> Vec<u64> {
    let count = batch.cells().count;
    let outputs = batch.outputs();
    let reals = outputs.times.iter().chain(&outputs.next_step).skip(cell).step_by(count).map(|x| x.to_bits());
    let counters = outputs.counters.iter().skip(cell).step_by(count).map(|&x| u64::from(x));
    end(batch, cell).into_iter().map(f64::to_bits).chain(reals).chain(counters).collect()
}

#[test]
fn a_cell_is_the_same_alone_and_in_any_order() {
    for method in Method::ALL {
        let options = Options::new(method, 1e-4, 1e-6);
        let all = cells(70);
        let mut whole = batch(all.clone(), options.clone());
        whole.integrate(0.0, 50.0).expect("an interval");
        let order: Vec<usize> = (0..70).map(|i| (i * 29 + 3) % 70).collect();
        let mut shuffled = batch(chosen(&all, &order), options.clone());
        shuffled.integrate(0.0, 50.0).expect("an interval");
        for (place, &cell) in order.iter().enumerate() {
            assert_eq!(bits(&shuffled, place), bits(&whole, cell), "{} cell {cell}", method.name());
        }
        for cell in [0, 33, 69] {
            let mut alone = batch(chosen(&all, &[cell]), options.clone());
            alone.integrate(0.0, 50.0).expect("an interval");
            assert_eq!(bits(&alone, 0), bits(&whole, cell), "{} cell {cell}", method.name());
        }
    }
}

#[test]
fn a_failure_changes_no_neighbour() {
    let all = cells(40);
    let mut options = Options::new(Method::Ros3, 1e-4, 1e-6);
    let mut whole = batch(all.clone(), options.clone());
    whole.integrate(0.0, 50.0).expect("an interval");
    let mut bad = all;
    bad.concentrations[7] = f64::NAN;
    bad.rate_constants[40 + 21] = f64::INFINITY;
    // Its square leaves the range of numbers at once.
    bad.concentrations[40 + 30] = 1e300;
    options.max_steps = 100_000;
    let mut batch = Batch::with_bad_cells(mechanism(), None, bad, options).expect("a batch");
    batch.integrate(0.0, 50.0).expect("an interval");
    let failed: Vec<usize> = batch.failures().map(|(cell, _)| cell).collect();
    assert_eq!(failed, [7, 21, 30]);
    for cell in (0..40).filter(|cell| !failed.contains(cell)) {
        assert_eq!(bits(&batch, cell), bits(&whole, cell), "cell {cell}");
    }
    assert_eq!(batch.describe_failure(7), "cell 7: not a finite number (KPP's code -9) at step 0, time 0 s");
    assert!(batch.describe_failure(30).starts_with("cell 30: not a finite number (KPP's code -9) at step "));
}

#[test]
fn wide_tables_hold_the_same() {
    let compiled = mechanism();
    let AnyTables::Narrow(narrow) = compiled.tables() else { panic!("a small mechanism has wide tables") };
    let wide = Tables::<u32>::new(compiled.network(), compiled.pattern()).expect("tables");
    assert_eq!(wide.sizes(), narrow.sizes());
    assert!(wide.bytes() > narrow.bytes());
}

#[test]
fn sums_that_reactions_keep_stay() {
    // A + B + C + D change by nothing but A -> B, B -> C, ... of one each; the third-order reaction turns B to C.
    for method in Method::ALL {
        let mut batch = batch(cells(8), Options::new(method, 1e-6, 1e-8));
        let sum = |batch: &Batch, cell: usize| end(batch, cell)[..4].iter().sum::<f64>();
        let before: Vec<f64> = (0..8).map(|cell| sum(&batch, cell)).collect();
        batch.integrate(0.0, 500.0).expect("an interval");
        for (cell, before) in before.iter().enumerate() {
            let steps = f64::from(batch.outputs().counters[2 * 8 + cell]);
            let change = (sum(&batch, cell) / before - 1.0).abs();
            assert!(change <= crate::tolerances::CONSERVED * steps, "{}: {change} in {steps} steps", method.name());
        }
    }
}

#[test]
fn a_kept_step_saves_the_start() {
    let Some(case) = case("small_strato") else { return };
    let (options, length) = case.options(&case.report, Method::Rodas3);
    let mut batch = Batch::new(case.mechanism.clone(), None, case.cells("", 16), options).expect("a batch");
    let steps = |batch: &Batch| batch.outputs().counters[2 * 16..3 * 16].iter().sum::<u32>();
    batch.integrate(0.0, length).expect("an interval");
    let mut kept = batch.clone();
    kept.keep_steps();
    batch.integrate(length, 2.0 * length).expect("an interval");
    kept.integrate(length, 2.0 * length).expect("an interval");
    assert!(2 * steps(&kept) < steps(&batch), "{} {}", steps(&kept), steps(&batch));
}

/// What both orders of the arithmetic end with.
fn in_both_orders(mut rows: Batch, start: f64, end: f64) {
    let mut rounds = rows.clone();
    rows.integrate(start, end).expect("an interval");
    assert!(rounds.integrate_in_rounds(start, end).expect("an interval"), "there are rounds");
    for cell in 0..rows.cells().count {
        assert_eq!(bits(&rounds, cell), bits(&rows, cell), "cell {cell}");
    }
    assert_eq!(rounds.outputs().status, rows.outputs().status);
}

#[test]
fn a_warps_rounds_give_the_same() {
    for method in Method::ALL {
        let mut all = cells(37);
        all.concentrations[5] = f64::NAN;
        all.concentrations[37 + 30] = 1e300;
        let options = Options::new(method, 1e-4, 1e-6);
        let batch = Batch::with_bad_cells(mechanism(), None, all, options).expect("a batch");
        in_both_orders(batch, 0.0, 50.0);
    }
    for name in ["cbm4", "saprc99", "mecca_mim1", "t1_mozcart", "small_strato"] {
        let Some(case) = case(name) else { return };
        for method in [Method::Ros3, Method::Rodas4] {
            let (options, length) = case.options(&case.report, method);
            let cells = case.cells("", 9);
            let batch = Batch::new(case.mechanism.clone(), None, cells, options).expect("a batch");
            in_both_orders(batch, 0.0, length);
        }
    }
}

/// What the lanes of a warp do at the same time must not meet in shared memory, but for idle ones, which share the
/// first entry.
#[test]
fn lanes_do_not_race() {
    let own = [("own", mechanism())];
    let reference = ["cbm4", "saprc99", "mecca_mim1", "t1_mozcart"];
    let reference = reference.iter().filter_map(|&name| Some((name, case(name)?.mechanism)));
    for (name, mechanism) in own.into_iter().chain(reference) {
        for method in Method::ALL {
            let schedule = mechanism.schedule(&Options::new(method, 1e-3, 1.0)).expect("rounds");
            let rounds = schedule.view();
            // The words of a slot.
            let parts = [(rounds.function, 2), (rounds.jacobian, 2), (rounds.factor, 2), (rounds.solve, 1)];
            for (part, words) in parts {
                let group =
                    |group: u32| (0..32).map(move |lane| rounds.slots.at((part.start + group * 32 + lane) as usize));
                let places = |words: &[u64]| -> Vec<u16> {
                    let places = words.iter().flat_map(|word| [0, 16, 32, 48].map(|shift| (word >> shift) as u16));
                    places.map(|place| place & 0xFFF0).collect()
                };
                for (number, round) in
                    (0..part.groups).flat_map(|number| (0..2 / words).map(move |round| (number, round)))
                {
                    let slots = group(number).map(|slots| places(&slots[round * words..(round + 1) * words]));
                    let busy: Vec<Vec<u16>> = slots.filter(|places| places[0] != 0).collect();
                    for (i, one) in busy.iter().enumerate() {
                        let mut others = busy.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, other)| other);
                        let meets = others.any(|other| other.contains(&one[0]));
                        assert!(!meets, "{name}, {}: group {number}, round {round}", method.name());
                    }
                }
            }
        }
    }
}
