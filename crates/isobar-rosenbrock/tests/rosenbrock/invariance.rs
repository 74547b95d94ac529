//! A cell has the same bits whatever its company.

use std::sync::Arc;

use isobar_core::Real;
use isobar_rosenbrock::{AnyTables, Cells, Compiled, Integrated, Method, Options, Reduction, Tables};

use crate::case::case;
use crate::in_numbers::Setup;
use crate::own::{cells, integrate, mechanism, of_cell};

/// Cells in another order, or some of them.
fn chosen(cells: &Cells<f64>, choice: &[usize]) -> Cells<f64> {
    let count = cells.first_step_s.len();
    let rows = |values: &[f64]| values.chunks(count).flat_map(|row| choice.iter().map(|&cell| row[cell])).collect();
    Cells {
        concentration: rows(&cells.concentration),
        rate_constant: rows(&cells.rate_constant),
        rate_input: vec![],
        first_step_s: rows(&cells.first_step_s),
        reduction_threshold: rows(&cells.reduction_threshold),
        reduction_target: rows(&cells.reduction_target),
    }
}

/// What a cell ended with, in bits.
fn bits(done: &Integrated<f64>, cell: usize) -> Vec<u64> {
    let of = |values: &[f64]| of_cell(values, done.status.len(), cell).into_iter().map(f64::to_bits);
    let counters = of_cell(&done.counters, done.status.len(), cell).into_iter().map(u64::from);
    let steps = [&done.time_reached_s, &done.last_step_s, &done.next_step_s, &done.first_step_s];
    let (kept, threshold) = (of_cell(&done.kept, done.status.len(), cell), of(&done.threshold));
    let kept = kept.into_iter().map(u64::from).chain(threshold);
    of(&done.concentration).chain(steps.into_iter().flat_map(|values| of(values))).chain(counters).chain(kept).collect()
}

#[test]
fn a_cell_is_the_same_alone_and_in_any_order() {
    for method in Method::ALL {
        let options = Options::new(method, 1e-4, 1e-6);
        let all = cells(70);
        let after = |cells: &Cells<f64>| integrate(&mechanism(), cells, &options, 0.0..50.0);
        let whole = after(&all);
        let order: Vec<usize> = (0..70).map(|i| (i * 29 + 3) % 70).collect();
        let shuffled = after(&chosen(&all, &order));
        for (place, &cell) in order.iter().enumerate() {
            assert_eq!(bits(&shuffled, place), bits(&whole, cell), "{} cell {cell}", method.name());
        }
        for cell in [0, 33, 69] {
            assert_eq!(bits(&after(&chosen(&all, &[cell])), 0), bits(&whole, cell), "{} cell {cell}", method.name());
        }
    }
}

/// Cells that leave out other species than their neighbours do, and failures among them.
#[test]
fn what_others_solve_for_changes_no_bit() {
    let count = 70;
    let mut all = cells(count);
    // From none that is left out to all of them.
    all.reduction_threshold =
        (0..count).map(|cell| Real::powf(10.0, f64::from(cell as u32 % 16) / 3.0 - 3.0)).collect();
    all.concentration[3] = f64::NAN;
    all.concentration[count + 30] = 1e300;
    let mut options = Options::new(Method::Rodas3, 1e-4, 1e-6);
    for append in [false, true] {
        options.reduction = Some(Reduction { append, ..Reduction::default() });
        let after = |cells: &Cells<f64>| integrate(&mechanism(), cells, &options, 0.0..50.0);
        let whole = after(&all);
        let kept: Vec<u32> = (0..count).map(|cell| of_cell(&whole.kept, count, cell).iter().sum()).collect();
        assert!((0..=4).all(|number| kept.contains(&number)), "{kept:?}");
        assert_eq!(whole.failures().map(|(cell, _)| cell).collect::<Vec<_>>(), [3, 30]);
        // What attempted no step had no reason to leave anything out.
        assert_eq!((kept[3], whole.threshold[3]), (4, 0.0));
        let order: Vec<usize> = (0..count).map(|i| (i * 29 + 3) % count).collect();
        let shuffled = after(&chosen(&all, &order));
        for (place, &cell) in order.iter().enumerate() {
            assert_eq!(bits(&shuffled, place), bits(&whole, cell), "cell {cell}");
            assert_eq!(bits(&after(&chosen(&all, &[cell])), 0), bits(&whole, cell), "cell {cell}");
        }
    }
}

/// With a threshold below all production and loss, all species are solved for, and the result is the usual one.
#[test]
fn a_reduction_by_nothing_changes_nothing() {
    let all = cells(20);
    for method in Method::ALL {
        let mut options = Options::new(method, 1e-4, 1e-6);
        let usual = integrate(&mechanism(), &all, &options, 0.0..50.0);
        options.reduction = Some(Reduction { threshold: 1e-30, keep: vec![3], ..Reduction::default() });
        let mut done = integrate(&mechanism(), &all, &options, 0.0..50.0);
        assert!(done.kept.iter().all(|&kept| kept == 1));
        assert!(done.threshold.iter().all(|&threshold| threshold == 1e-30));
        (done.kept, done.threshold) = (vec![], vec![]);
        assert!(done == usual, "{}", method.name());
    }
}

#[test]
fn a_failure_changes_no_neighbour() {
    let all = cells(40);
    let mut options = Options::new(Method::Ros3, 1e-4, 1e-6);
    let whole = integrate(&mechanism(), &all, &options, 0.0..50.0);
    let mut bad = all;
    bad.concentration[7] = f64::NAN;
    bad.rate_constant[40 + 21] = f64::INFINITY;
    // Its square leaves the range of numbers at once.
    bad.concentration[40 + 30] = 1e300;
    options.max_steps = 100_000;
    let done = integrate(&mechanism(), &bad, &options, 0.0..50.0);
    let failed: Vec<usize> = done.failures().map(|(cell, _)| cell).collect();
    assert_eq!(failed, [7, 21, 30]);
    for cell in (0..40).filter(|cell| !failed.contains(cell)) {
        assert_eq!(bits(&done, cell), bits(&whole, cell), "cell {cell}");
    }
    assert_eq!(done.describe(7), "cell 7: not a finite number (KPP's code -9) at step 0, time 0 s");
    assert!(done.describe(30).starts_with("cell 30: not a finite number (KPP's code -9) at step "));
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
        let all = cells(8);
        let done = integrate(&mechanism(), &all, &Options::new(method, 1e-6, 1e-8), 0.0..500.0);
        let sum = |values: &[f64], cell: usize| of_cell(values, 8, cell)[..4].iter().sum::<f64>();
        for cell in 0..8 {
            let (before, after) = (sum(&all.concentration, cell), sum(&done.concentration, cell));
            let steps = f64::from(done.counters[2 * 8 + cell]);
            let change = (after / before - 1.0).abs();
            assert!(change <= crate::tolerances::CONSERVED * steps, "{}: {change} in {steps} steps", method.name());
        }
    }
}

#[test]
fn a_kept_step_saves_the_start() {
    let Some(case) = case("small_strato") else { return };
    let (options, length) = case.options(&case.report, Method::Rodas3);
    let mut cells = case.cells("", 16);
    let first = integrate(&case.mechanism, &cells, &options, 0.0..length);
    cells.advance(&first);
    let mut forgotten = cells.clone();
    forgotten.first_step_s.fill(0.0);
    let steps = |cells: &Cells<f64>| {
        let done = integrate(&case.mechanism, cells, &options, length..2.0 * length);
        done.counters[2 * 16..3 * 16].iter().sum::<u32>()
    };
    assert!(2 * steps(&cells) < steps(&forgotten), "{} {}", steps(&cells), steps(&forgotten));
}

/// What both orders of the arithmetic end with.
fn in_both_orders(mechanism: &Arc<Compiled>, cells: &Cells<f64>, options: Options, end: f64) {
    let count = cells.first_step_s.len();
    let setup = Setup { mechanism: mechanism.clone(), program: None, options, interval: [0.0, end], cells: count };
    let rows = [&cells.concentration[..], &cells.rate_constant].concat();
    let (by_rows, in_rounds) = (setup.run(&rows), setup.run_in_rounds(&rows).expect("there are rounds"));
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&in_rounds.concentrations), bits(&by_rows.concentrations));
    assert_eq!(bits(&in_rounds.times), bits(&by_rows.times));
    assert_eq!((in_rounds.counters, in_rounds.status), (by_rows.counters, by_rows.status));
}

#[test]
fn a_warps_rounds_give_the_same() {
    for method in Method::ALL {
        let mut all = cells(37);
        all.concentration[5] = f64::NAN;
        all.concentration[37 + 30] = 1e300;
        in_both_orders(&mechanism(), &all, Options::new(method, 1e-4, 1e-6), 50.0);
    }
    for name in ["cbm4", "saprc99", "mecca_mim1", "t1_mozcart", "small_strato"] {
        let Some(case) = case(name) else { return };
        for method in [Method::Ros3, Method::Rodas4] {
            let (options, length) = case.options(&case.report, method);
            in_both_orders(&case.mechanism, &case.cells("", 9), options, length);
        }
    }
}

/// What the lanes of a warp do at the same time must not meet in shared memory, idle ones included.
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
                    let lanes: Vec<Vec<u16>> = slots.collect();
                    for (i, one) in lanes.iter().enumerate() {
                        let mut others = lanes.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, other)| other);
                        let meets = others.any(|other| other.contains(&one[0]));
                        assert!(!meets, "{name}, {}: group {number}, round {round}", method.name());
                    }
                }
            }
        }
    }
}
