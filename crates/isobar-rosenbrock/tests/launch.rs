//! Chemical kinetics in chunks, by threads, from any layout, in little memory and through time, with failures, and what
//! is refused.

mod stratosphere;

use std::sync::Arc;

use isobar_core::fields::InputSet;
use isobar_core::{Column, Field};
use isobar_launch::with_threads;
use isobar_rosenbrock::{
    BadItems, CellViews, Cells, Chemistry, Device, Integrated, Method, Model, Options, Rates, outcome,
};
use stratosphere::{cells, options, stratosphere};

const INTERVAL_S: std::ops::Range<f64> = 43_200.0..45_000.0;

fn on(device: Device) -> Model<Chemistry> {
    let mechanism = stratosphere();
    Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone())).on(&[device])
}

/// What one thread makes of the cells.
fn expected(cells: &Cells<f64>, options: &Options) -> Integrated<f64> {
    let model = on(Device::Thread).bad_items(BadItems::Compute);
    model.run(cells, &options.over(INTERVAL_S)).unwrap()
}

#[test]
fn threads_and_chunks_change_no_bit() {
    let mechanism = stratosphere();
    for (method, rates) in [(Method::Rodas3, Rates::Frozen), (Method::Ros3, Rates::Stage)] {
        let mut options = options(method);
        options.rates = rates;
        let interval = options.over(INTERVAL_S);
        let all = cells(&mechanism, 203);
        let expected = self::expected(&all, &options);
        assert!(expected.status.iter().all(|&status| status == 0));
        for threads in [1, 3] {
            let run = || on(Device::Cpu).run(&all, &interval);
            assert!(with_threads(threads, run).unwrap().unwrap() == expected, "{threads} threads");
        }
        // In chunks, with memory that is kept, for fewer cells and all again; and in memory that holds few.
        for model in [on(Device::Cpu).items_per_chunk(64), on(Device::Cpu).largest_allocation(20_000)] {
            for count in [203, 70, 203] {
                let some = cells(&mechanism, count);
                assert!(model.run(&some, &interval).unwrap() == self::expected(&some, &options));
            }
        }
        let model = on(Device::Cpu).items_per_chunk(200).largest_allocation(20_000);
        assert!(model.run(&all, &interval).unwrap() == expected);
    }
}

#[test]
fn any_layout_gives_the_same_bits() {
    let mechanism = stratosphere();
    let (all, options) = (cells(&mechanism, 50), options(Method::Ros3));
    let species = mechanism.species().len();
    let by_cell: Vec<f64> = (0..50 * species).map(|i| all.concentration[i % species * 50 + i / species]).collect();
    let reversed: Vec<f64> = all.rate_input.chunks(50).rev().flatten().copied().collect();
    let views = CellViews {
        concentration: Field::level_fastest(&by_cell, species, 50),
        rate_constant: Field::empty(),
        rate_input: Field::item_fastest(&reversed, 2, 50).levels_reversed(),
        first_step_s: Column::from(&all.first_step_s[..]),
        ..CellViews::empty()
    };
    let expected = expected(&all, &options);
    for model in [on(Device::Thread), on(Device::Cpu).items_per_chunk(20)] {
        assert!(model.run(views, &options.over(INTERVAL_S)).unwrap() == expected);
    }
}

#[test]
fn given_rate_constants_are_those_of_the_program() {
    let mechanism = stratosphere();
    let (all, options) = (cells(&mechanism, 20), options(Method::Ros3));
    let of = |values: &[f64], cell: usize| values.iter().skip(cell).step_by(20).copied().collect::<Vec<_>>();
    let rates = (0..20).map(|cell| {
        let (concentrations, inputs) = (of(&all.concentration, cell), of(&all.rate_input, cell));
        mechanism.program().rate_constants(&concentrations, &inputs, INTERVAL_S.start)
    });
    let rates: Vec<Vec<f64>> = rates.collect();
    let given = (0..mechanism.reactions().len()).flat_map(|i| rates.iter().map(move |rates| rates[i])).collect();
    let given = Cells { rate_constant: given, rate_input: vec![], ..all.clone() };
    assert!(expected(&given, &options) == expected(&all, &options));
}

#[test]
fn cells_stay_for_the_next_interval() {
    let mechanism = stratosphere();
    let (mut all, options) = (cells(&mechanism, 40), options(Method::Ros4));
    let (thread, model) = (on(Device::Thread).bad_items(BadItems::Compute), on(Device::Cpu));
    let mut resident = model.resident(&all, &options.over(INTERVAL_S)).unwrap();
    let mut done = Integrated::default();
    for hour in 12..15 {
        let interval = options.over(f64::from(hour) * 3600.0..f64::from(hour + 1) * 3600.0);
        resident.compute(&interval).unwrap();
        resident.results_into(&mut done).unwrap();
        assert!(done == thread.run(&all, &interval).unwrap(), "{hour} h");
        all.advance(&done);
        resident.advance().unwrap();
    }
}

#[test]
fn a_failure_spares_the_others_in_chunks() {
    let mechanism = stratosphere();
    let options = options(Method::Rodas3);
    let good = cells(&mechanism, 100);
    let mut bad = good.clone();
    bad.concentration[4 * 100 + 50] = f64::NAN;
    let model = || on(Device::Cpu).items_per_chunk(40);
    let message = model().run(&bad, &options.over(INTERVAL_S)).unwrap_err().to_string();
    assert_eq!(message, "concentration at cell 50, species 4 is NaN, which is not in [-10, inf)");
    let whole = expected(&good, &options);
    for (bad_items, status) in
        [(BadItems::Compute, outcome::NOT_FINITE), (BadItems::Flag, isobar_core::Status::OUT_OF_RANGE)]
    {
        let done = model().bad_items(bad_items).run(&bad, &options.over(INTERVAL_S)).unwrap();
        for cell in 0..100 {
            assert_eq!(done.status[cell], if cell == 50 { status.0 } else { 0 });
            for i in (0..10).filter(|_| cell != 50) {
                assert_eq!(done.concentration[i * 100 + cell].to_bits(), whole.concentration[i * 100 + cell].to_bits());
            }
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let mechanism = stratosphere();
    let all = cells(&mechanism, 3);
    let message = |cells: &Cells<f64>, options: &Options, interval_s: std::ops::Range<f64>| {
        on(Device::Thread).run(cells, &options.over(interval_s)).unwrap_err().to_string()
    };
    let usual = options(Method::Ros3);
    assert_eq!(message(&all, &usual, 5.0..1.0), "the interval runs from 5 s to 1 s");
    assert!(message(&all, &Options::new(Method::Ros3, 0.0, 1.0), INTERVAL_S).contains("relative tolerance"));
    let mut short = all.clone();
    short.rate_input.pop();
    assert_eq!(message(&short, &usual, INTERVAL_S), "rate_input has 5 values instead of 6 = 2 inputs x 3 cells");
    short.rate_input.clear();
    assert_eq!(message(&short, &usual, INTERVAL_S), "rate_input has 0 values instead of 6 = 2 inputs x 3 cells");
    let without = Chemistry::new(Arc::clone(mechanism.compiled()), None).on(&[Device::Thread]);
    let message = without.run(&all, &usual.over(INTERVAL_S)).unwrap_err().to_string();
    assert_eq!(message, "rate_constant has 0 values instead of 69 = 23 reactions x 3 cells");
}
