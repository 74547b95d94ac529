//! Extents of reactions: what they sum up to is how concentrations change, to round-off and with any tolerance; alone
//! they have closed forms, and the order of their method.

use std::sync::Arc;

use isobar_core::Real;
use isobar_rosenbrock::{
    BadItems, Cells, Chemistry, Compiled, Device, Integrated, Method, Model, Negative, Network, Options, Rates,
    Reaction,
};

use crate::case::case;
use crate::own::{cells, integrate, mechanism, of_cell};

/// Roundings of what all reactions of a species made and lost together; the solution of the equations has some more
/// than the sums.
const CLOSES: f64 = 1e-13;
/// As above, where df/dt is a difference of rates that is divided by 1.5e-14 s or more and multiplied by a step's
/// square.
const CLOSES_WITH_TIME: f64 = 1e-7;

fn counting_all(mechanism: &Compiled, mut options: Options) -> Options {
    options.counted_reactions = (0..mechanism.network().reactions().len() as u32).collect();
    options
}

/// How far the sums of extents are off the change, of what was made and lost, at most.
fn imbalance(mechanism: &Compiled, start: &[f64], done: &Integrated<f64>) -> f64 {
    let network = mechanism.network();
    let cells = done.status.len();
    let mut worst = 0.0_f64;
    for cell in (0..cells).filter(|&cell| done.status[cell] == 0) {
        let (mut change, mut gross) = (vec![0.0; network.variable()], vec![0.0_f64; network.variable()]);
        for (reaction, extent) in network.reactions().iter().zip(of_cell(&done.extent_of_reaction, cells, cell)) {
            for &(species, net) in reaction.net.iter().filter(|(species, _)| *species < network.variable()) {
                change[species] += net * extent;
                gross[species] += (net * extent).abs();
            }
        }
        let (before, after) = (of_cell(start, cells, cell), of_cell(&done.concentration, cells, cell));
        for species in 0..network.variable() {
            let size = gross[species].max(before[species].abs());
            let off = (after[species] - before[species] - change[species]).abs();
            if size > 0.0 {
                worst = worst.max(off / size);
            }
        }
    }
    worst
}

#[test]
fn extents_sum_up_to_the_change_with_any_tolerance() {
    let (mechanism, start) = (mechanism(), cells(20));
    for method in Method::ALL {
        for tolerance in [0.3, 1e-2, 1e-6] {
            let options = counting_all(&mechanism, Options::new(method, tolerance, 1e-3 * tolerance));
            let done = integrate(&mechanism, &start, &options, 0.0..40.0);
            let off = imbalance(&mechanism, &start.concentration, &done);
            assert!(off < CLOSES, "{} {tolerance}: {off:e}", method.name());
        }
    }
}

#[test]
fn extents_of_large_mechanisms_sum_up_to_the_change() {
    for name in ["small_strato", "mecca_mim1"] {
        let Some(case) = case(name) else { return };
        let start = case.cells("", 16);
        for method in Method::ALL {
            let (mut options, length) = case.options(&case.report, method);
            options.negative = Negative::Keep;
            let options = counting_all(&case.mechanism, options);
            let done = integrate(&case.mechanism, &start, &options, 0.0..length);
            let off = imbalance(&case.mechanism, &start.concentration, &done);
            println!("{name} {}: closes within {off:.1e}", method.name());
            assert!(off < CLOSES, "{name} {}: {off:e}", method.name());
        }
    }
}

/// What is counted changes no bit of the rest.
#[test]
fn counting_changes_nothing_else() {
    let (mechanism, start) = (mechanism(), cells(20));
    let options = Options::new(Method::Rodas3, 1e-4, 1e-6);
    let usual = integrate(&mechanism, &start, &options, 0.0..40.0);
    let mut counted = integrate(&mechanism, &start, &counting_all(&mechanism, options), 0.0..40.0);
    assert!(usual.extent_of_reaction.is_empty() && counted.extent_of_reaction.len() == 5 * 20);
    counted.extent_of_reaction.clear();
    assert_eq!(usual, counted);
}

/// A -> B at k, and the same with a rate that a program makes of the time or of what reacts.
#[test]
fn decay_happens_as_often_as_the_formula_says() {
    let mechanism = isobar_kpp::Reader::new()
        .read_text("decay.kpp", "#DEFVAR A; B; D; #EQUATIONS A = B : 0.01; A + M = D : 1.0E-3*TIME; #DEFFIX M;")
        .unwrap_or_else(|error| panic!("{error}"));
    let a = mechanism.species_index("A").expect("a species");
    let mut concentration = vec![0.0; mechanism.species().len()];
    (concentration[a], concentration[mechanism.species_index("M").expect("a species")]) = (1e9, 1.0);
    let start = Cells { concentration, first_step_s: vec![0.0], ..Cells::default() };
    let mut options = counting_all(mechanism.compiled(), Options::new(Method::Rodas4, 1e-9, 1e-3));
    (options.rates, options.autonomous) = (Rates::Stage, false);
    let model = of(mechanism.compiled(), Some(mechanism.program().clone()));
    let length = 20.0;
    let done = model.run(&start, &options.over(0.0..length)).expect("an interval");
    // A = exp(-0.01 t - 0.0005 t^2); the first reaction's part by Simpson's rule with steps of 0.02 s.
    let left = |t: f64| 1e9 * Real::exp(-0.01 * t - 0.0005 * t * t);
    let steps = 1000;
    let weight = |i: u32| if i == 0 || i == steps { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let first = 0.01 * length / f64::from(3 * steps)
        * (0..=steps).map(|i| weight(i) * left(length * f64::from(i) / f64::from(steps))).sum::<f64>();
    let second = 1e9 - left(length) - first;
    for (got, want) in done.extent_of_reaction.iter().zip([first, second]) {
        assert!((got / want - 1.0).abs() < 1e-8, "{got} instead of {want}");
    }
    let off = imbalance(mechanism.compiled(), &start.concentration, &done);
    assert!(off < CLOSES_WITH_TIME, "{off:e}");
}

/// Rates that read what reacts: their derivatives, and those of their sums, are in the extents as in the matrix.
#[test]
fn rates_that_read_concentrations_close() {
    let sum = (0..7).map(|i| format!("C(ind_S{i})")).collect::<Vec<_>>().join(" + ");
    let mut text = String::from("#DEFVAR P; Q;");
    (0..7).for_each(|i| text += &format!(" S{i};"));
    text += &format!("\n#INLINE F90_RCONST\nRO2 = {sum}\n#ENDINLINE\n#EQUATIONS\n");
    for i in 0..7 {
        text += &format!("S{i} + Q = S{} + P : 1.0E-3*RO2*EXP(-{i}.0/300.0);\n", (i + 2) % 7);
        text += &format!("2 S{i} = P : 1.0E-4*SQRT(RO2) + 1.0E-4*C(ind_Q)**1.5;\n");
    }
    let mechanism = isobar_kpp::Reader::new().read_text("sums.kpp", &text).unwrap_or_else(|error| panic!("{error}"));
    let (count, species) = (5, mechanism.species().len());
    let start = Cells {
        concentration: (0..species * count).map(|i| (1 + i * 37 % 101) as f64 / 50.0).collect(),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    };
    for method in Method::ALL {
        let mut options = counting_all(mechanism.compiled(), Options::new(method, 1e-2, 1e-4));
        options.rates = Rates::Stage;
        let model = of(mechanism.compiled(), Some(mechanism.program().clone()));
        let done = model.run(&start, &options.over(0.0..100.0)).expect("an interval");
        let off = imbalance(mechanism.compiled(), &start.concentration, &done);
        assert!(off < CLOSES, "{}: {off:e}", method.name());
    }
}

fn of(mechanism: &Arc<Compiled>, program: Option<Arc<isobar_rosenbrock::RateProgram>>) -> Model<Chemistry> {
    Chemistry::new(mechanism.clone(), program).on(&[Device::Thread]).bad_items(BadItems::Compute)
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a logarithm in a test")]
fn extents_have_the_order_of_the_method() {
    let extents = |method: Method, steps: u32| {
        let step = 0.4 / f64::from(steps);
        let mut options = counting_all(&mechanism(), Options::new(method, 1e-3, 1e-6));
        (options.first_step_s, options.min_step_s, options.max_step_s) = (step, step, Some(step));
        integrate(&mechanism(), &cells(1), &options, 0.0..0.4).extent_of_reaction
    };
    let exact = extents(Method::Rodas4, 8192);
    for (method, order) in Method::ALL.into_iter().zip([2.0, 3.0, 4.0, 3.0, 4.0, 3.0, 3.0]) {
        let error = |steps| {
            let got = extents(method, steps);
            got.iter().zip(&exact).fold(0.0_f64, |most, (got, exact)| most.max((got - exact).abs()))
        };
        let got = (error(128) / error(256)).log2();
        assert!((got - order).abs() < 0.35, "{}: order {got}", method.name());
    }
}

#[test]
fn reactions_that_are_not_there_are_refused() {
    let mut options = Options::new(Method::Ros3, 1e-3, 1e-6);
    options.counted_reactions = vec![1, 5];
    let model = of(&mechanism(), None);
    let error = model.run(&cells(1), &options.over(0.0..1.0)).expect_err("there are five").to_string();
    assert!(error.contains("reaction 5 is to be counted, but there are 5"), "{error}");
    options.counted_reactions = vec![2, 0];
    let done = model.run(&cells(1), &options.over(0.0..1.0)).expect("an interval");
    let all = integrate(&mechanism(), &cells(1), &counting_all(&mechanism(), options), 0.0..1.0);
    assert_eq!(done.extent_of_reaction, [all.extent_of_reaction[2], all.extent_of_reaction[0]]);
    let single = Network::new(1, 0, vec![Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0)] }]);
    assert!(Compiled::new(single.expect("a network")).expect("tables").counted(&[1]).is_err());
}
