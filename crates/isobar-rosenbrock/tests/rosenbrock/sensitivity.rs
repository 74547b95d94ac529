//! Tangents and adjoints: each other's transposes, the core's own derivatives, closed forms, and what they keep.

use std::sync::Arc;

use isobar_core::{Dual, Real};
use isobar_rosenbrock::{
    Adjoint, Cells, Chemistry, Compiled, Device, Instruction, Method, Negative, Network, Operation, Options,
    Perturbation, RateProgram, Rates, Reaction, Tangent,
};

use crate::case::case;
use crate::in_numbers::Setup;
use crate::own;
use crate::tolerances::TRANSPOSE;

/// Numbers in (-1, 1), the same each time.
fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn tangent(
    mechanism: &Arc<Compiled>,
    cells: &Cells<f64>,
    options: &Options,
    length_s: f64,
    p: &Perturbation,
) -> Tangent {
    let chemistry = Chemistry::new(mechanism.clone(), None);
    chemistry.tangent(cells, &options.over(0.0..length_s), p).unwrap_or_else(|error| panic!("{error}"))
}

fn adjoint(mechanism: &Arc<Compiled>, cells: &Cells<f64>, options: &Options, length_s: f64, w: &[f64]) -> Adjoint {
    let chemistry = Chemistry::new(mechanism.clone(), None);
    chemistry.adjoint(cells, &options.over(0.0..length_s), w).unwrap_or_else(|error| panic!("{error}"))
}

/// The sums of products of two directions and two weighted sums, cell by cell: by the tangent and by the adjoint, to
/// the largest term of the worst. Changes are shares of what changes, weights such that each final concentration
/// counts alike.
fn transposes(name: &str, mechanism: &Arc<Compiled>, cells: &Cells<f64>, options: &Options, length_s: f64) {
    let count = cells.first_step_s.len();
    let (all, rates) = (&cells.concentration, &cells.rate_constant);
    let shares = |of: &[f64], seed: u64| -> Vec<f64> {
        let twice = [of, of].concat();
        numbers(twice.len(), seed).iter().zip(&twice).map(|(share, value)| share * (value.abs() + 1e-6)).collect()
    };
    let change = Perturbation { concentration: shares(all, 1), rate_constant: shares(rates, 2) };
    let forward = tangent(mechanism, cells, options, length_s, &change);
    assert_eq!(forward.ends.failures().count(), 0, "{name}");
    let ends = [&forward.ends.concentration[..], &forward.ends.concentration].concat();
    let weights: Vec<_> =
        numbers(ends.len(), 3).iter().zip(&ends).map(|(weight, end)| weight / (end.abs() + 1e-3)).collect();
    let back = adjoint(mechanism, cells, options, length_s, &weights);
    assert_eq!(back.ends, forward.ends, "{name}");
    // What was integrated has the bits of a run.
    assert_eq!(forward.ends, own::integrate(mechanism, cells, options, 0.0..length_s), "{name}");
    let mut worst = 0.0_f64;
    for cell in 0..count {
        for (direction, sum) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let of = |values: &[f64], rows: usize, number: usize| {
                own::of_cell(&values[number * rows..][..rows], count, cell)
            };
            let products = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).map(|(a, b)| a * b).collect::<Vec<_>>();
            let (species, reactions) = (all.len(), rates.len());
            let by_tangent = products(of(&weights, species, sum), of(&forward.concentration, species, direction));
            let by_adjoint = [
                products(of(&back.by_concentration, species, sum), of(&change.concentration, species, direction)),
                products(of(&back.by_rate_constant, reactions, sum), of(&change.rate_constant, reactions, direction)),
            ]
            .concat();
            let largest = by_tangent.iter().chain(&by_adjoint).fold(0.0_f64, |most, term| most.max(term.abs()));
            let error = (by_tangent.iter().sum::<f64>() - by_adjoint.iter().sum::<f64>()).abs() / largest;
            assert!(largest > 0.0 && error.is_finite(), "{name}: largest {largest}");
            worst = worst.max(error);
        }
    }
    let steps = forward.ends.counters[2 * count..3 * count].iter().max();
    println!("{name}: {worst:.1e} of the largest term, up to {steps:?} steps");
    assert!(worst <= TRANSPOSE, "{name}: {worst:e}");
}

#[test]
fn adjoints_are_transposed_tangents() {
    // More cells than lanes, of several lengths of runs.
    let cells = own::cells(20);
    for method in Method::ALL {
        for negative in [Negative::Keep, Negative::Clip] {
            let mut options = Options::new(method, 1e-4, 1e-8);
            options.negative = negative;
            transposes(&format!("{}, {negative:?}", method.name()), &own::mechanism(), &cells, &options, 40.0);
        }
    }
}

#[test]
fn adjoints_of_large_mechanisms_are_transposed_tangents() {
    for (name, count) in [("small_strato", 20), ("cbm4", 4), ("saprc99", 4), ("mecca_mim1", 4), ("mcm", 1)] {
        let Some(case) = case(name) else { return };
        let cells = case.cells("", count);
        for method in if name == "mcm" { &[Method::Rodas3][..] } else { &Method::ALL } {
            let (options, length_s) = case.options(&case.report, *method);
            transposes(&format!("{name}, {}", method.name()), &case.mechanism, &cells, &options, length_s);
        }
    }
}

#[test]
fn adjoints_of_full_chemistry_are_transposed_tangents() {
    let Some(case) = crate::full_chemistry::case("") else { return };
    let cells = case.cells("", 4);
    for method in Method::ALL {
        let options = Options::new(method, 5e-3, 0.01);
        transposes(&format!("fullchem, {}", method.name()), &case.mechanism, &cells, &options, 900.0);
    }
}

/// The kernel on dual numbers differentiates the same steps.
fn is_derivative(name: &str, setup: &Setup, cells: &Cells<f64>, variables: [usize; 5]) {
    let (count, species) = (cells.first_step_s.len(), setup.species());
    let rows = [&cells.concentration[..], &cells.rate_constant].concat();
    let mut dual: Vec<Dual<f64, 5>> = rows.iter().map(|&x| Dual::constant(x)).collect();
    let reactions = cells.rate_constant.len() / count;
    let mut change =
        Perturbation { concentration: vec![0.0; 5 * species * count], rate_constant: vec![0.0; 5 * reactions * count] };
    for (number, row) in variables.into_iter().enumerate() {
        for cell in 0..count {
            let x = &mut dual[row * count + cell];
            *x = Dual::variable(x.value, number);
            let place = |rows: usize, row: usize| (number * rows + row) * count + cell;
            if row < species {
                change.concentration[place(species, row)] = 1.0;
            } else {
                change.rate_constant[place(reactions, row - species)] = 1.0;
            }
        }
    }
    let exact = setup.run(&dual);
    let [_, end] = setup.interval;
    let found = tangent(&setup.mechanism, cells, &setup.options, end, &change);
    let variable = setup.mechanism.network().variable();
    let mut worst = 0.0_f64;
    for number in 0..5 {
        let of = |i: usize| found.concentration[number * species * count + i];
        // Of the largest change of the cell.
        let all = || exact.concentrations[..variable * count].iter().enumerate();
        for cell in 0..count {
            let own = || all().filter(|(i, _)| i % count == cell);
            let largest = own().fold(0.0_f64, |most, (_, x)| most.max(x.derivative[number].abs()));
            for (i, x) in own() {
                assert_eq!(x.value.to_bits(), found.ends.concentration[i].to_bits(), "{name}");
                worst = worst.max((x.derivative[number] - of(i)).abs() / largest);
            }
        }
    }
    println!("{name}: {worst:.1e} of the largest");
    assert!(worst <= TRANSPOSE, "{name}: {worst:e}");
}

#[test]
fn tangents_are_the_cores_own_derivatives() {
    let cells = own::cells(18);
    for method in Method::ALL {
        for negative in [Negative::Keep, Negative::Clip] {
            let mut options = Options::new(method, 1e-4, 1e-8);
            options.negative = negative;
            let setup = Setup { mechanism: own::mechanism(), program: None, options, interval: [0.0, 40.0], cells: 18 };
            // A, B, the fixed F, the rate constants of A -> B and of the reaction of third order.
            is_derivative(&format!("{}, {negative:?}", method.name()), &setup, &cells, [0, 1, 4, 5, 5 + 4]);
        }
    }
    let Some(case) = case("saprc99") else { return };
    let (options, length_s) = case.options(&case.report, Method::Rodas3);
    let cells = case.cells("", 2);
    let setup = Setup { mechanism: case.mechanism, program: None, options, interval: [0.0, length_s], cells: 2 };
    let species = setup.species();
    is_derivative("saprc99", &setup, &cells, [73, 72, 40, species, species + 20]);
}

/// What becomes 0 does not depend on anything any more: A -> B, 2 B -> C, and A lost at a constant rate.
#[test]
fn what_is_clipped_has_no_derivative() {
    let reaction = |reactants: &[(usize, u32)], net: &[(usize, f64)]| Reaction {
        reactants: reactants.to_vec(),
        net: net.to_vec(),
    };
    let reactions = vec![
        reaction(&[(0, 1)], &[(0, -1.0), (1, 1.0)]),
        reaction(&[(1, 2)], &[(1, -2.0), (2, 1.0)]),
        reaction(&[], &[(0, -1.0)]),
    ];
    let mechanism = Arc::new(Compiled::new(Network::new(3, 0, reactions).expect("a network")).expect("tables"));
    // A is used up in the second of two cells alone.
    let cells = Cells {
        concentration: vec![3.0, 1.0, 0.1, 0.1, 0.0, 0.0],
        rate_constant: vec![0.1, 0.1, 0.3, 0.3, 0.02, 0.2],
        first_step_s: vec![0.0; 2],
        ..Cells::default()
    };
    for method in Method::ALL {
        let mut options = Options::new(method, 1e-3, 1e-6);
        (options.negative, options.max_step_s) = (Negative::Clip, Some(0.5));
        let done = own::integrate(&mechanism, &cells, &options, 0.0..10.0);
        assert_eq!((done.concentration[0] > 0.0, done.concentration[1]), (true, 0.0));
        transposes(&format!("{}, clipped", method.name()), &mechanism, &cells, &options, 10.0);
        let setup = Setup { mechanism: mechanism.clone(), program: None, options, interval: [0.0, 10.0], cells: 2 };
        is_derivative(&format!("{}, clipped", method.name()), &setup, &cells, [0, 1, 3, 4, 5]);
    }
}

/// A -> B -> C, and an emission of A: Bateman's chain, whose solution and derivatives are known.
#[test]
fn a_chain_has_the_derivatives_of_its_closed_form() {
    let reaction = |reactants: &[(usize, u32)], net: &[(usize, f64)]| Reaction {
        reactants: reactants.to_vec(),
        net: net.to_vec(),
    };
    let reactions = vec![
        reaction(&[(0, 1)], &[(0, -1.0), (1, 1.0)]),
        reaction(&[(1, 1)], &[(1, -1.0), (2, 1.0)]),
        reaction(&[], &[(0, 1.0)]),
    ];
    let mechanism = Arc::new(Compiled::new(Network::new(3, 0, reactions).expect("a network")).expect("tables"));
    let (a, k, l, e, t) = (2.0, 0.03, 0.07, 0.05, 20.0_f64);
    let cells = Cells {
        concentration: vec![a, 0.0, 0.0],
        rate_constant: vec![k, l, e],
        first_step_s: vec![0.0],
        ..Cells::default()
    };
    // The final B, by A and by the three rate constants.
    let (f, g) = (Real::exp(-k * t), Real::exp(-l * t));
    let b = |a: f64, k: f64, l: f64, e: f64| {
        let (f, g) = (Real::exp(-k * t), Real::exp(-l * t));
        (k * a - e) * (f - g) / (l - k) + e * (1.0 - g) / l
    };
    let by_a = k * (f - g) / (l - k);
    let by_k = a * (f - g) / (l - k) + (k * a - e) * (-t * f / (l - k) + (f - g) / ((l - k) * (l - k)));
    let by_l = (k * a - e) * (t * g / (l - k) - (f - g) / ((l - k) * (l - k))) + e * (t * g / l - (1.0 - g) / (l * l));
    let by_e = (1.0 - g) / l - (f - g) / (l - k);
    for method in Method::ALL {
        let mut options = Options::new(method, 1e-3, 1e-3);
        // Steps are as long as they may be: Ros2 has order 2.
        options.max_step_s = Some(if method == Method::Ros2 { 0.005 } else { 0.05 });
        let found = adjoint(&mechanism, &cells, &options, t, &[0.0, 1.0, 0.0]);
        assert_eq!(found.ends.failures().count(), 0, "{}", found.ends.describe(0));
        let near = |found: f64, exact: f64, what: &str| {
            assert!((found / exact - 1.0).abs() < 1e-6, "{}, {what}: {found} {exact}", method.name());
        };
        near(found.ends.concentration[1], b(a, k, l, e), "the value");
        near(found.by_concentration[0], by_a, "by A");
        near(found.by_concentration[1], g, "by B");
        assert_eq!(found.by_concentration[2], 0.0, "B does not follow from C");
        for (i, exact) in [by_k, by_l, by_e].into_iter().enumerate() {
            near(found.by_rate_constant[i], exact, "by a rate constant");
        }
    }
}

/// What reactions keep, changes keep, too: A + B + C of the system without D.
#[test]
fn what_is_kept_is_kept_by_changes() {
    let cells = own::cells(5);
    for method in Method::ALL {
        let options = Options::new(method, 1e-4, 1e-8);
        // The sum of A, B, C and D minus what the fixed F gives is kept: by any rate constant it does not change.
        let weights: Vec<_> = (0..5 * 5).map(|i| if i < 20 { 1.0 } else { 0.0 }).collect();
        let found = adjoint(&own::mechanism(), &cells, &options, 40.0, &weights);
        for (i, by) in found.by_concentration.iter().enumerate() {
            let exact = if i < 20 { 1.0 } else { 0.0 };
            assert!((by - exact).abs() < 1e-11, "{}: {by} by {i}", method.name());
        }
        for (by, constant) in found.by_rate_constant.iter().zip(&cells.rate_constant) {
            assert!((by * constant).abs() < 1e-11, "{}: {by} by a rate constant", method.name());
        }
    }
}

#[test]
fn no_change_gives_none_and_bits_do_not_depend_on_company() {
    let (mechanism, options) = (own::mechanism(), Options::new(Method::Rodas4, 1e-4, 1e-8));
    let cells = own::cells(37);
    let still = Perturbation { concentration: vec![0.0; 5 * 37], rate_constant: vec![0.0; 5 * 37] };
    let none = tangent(&mechanism, &cells, &options, 40.0, &still);
    assert!(none.concentration.iter().all(|change| change.to_bits() << 1 == 0));
    assert_eq!(none.concentration.len(), 5 * 37);
    assert!(tangent(&mechanism, &cells, &options, 40.0, &Perturbation::default()).concentration.is_empty());
    // Alone, or among others on any number of threads.
    let weights = numbers(5 * 37, 7);
    let change = Perturbation { concentration: numbers(5 * 37, 8), rate_constant: numbers(5 * 37, 9) };
    let (all, along) =
        (adjoint(&mechanism, &cells, &options, 40.0, &weights), tangent(&mechanism, &cells, &options, 40.0, &change));
    for cell in [0, 15, 16, 36] {
        let of = |values: &[f64]| own::of_cell(values, 37, cell);
        let one = Cells {
            concentration: of(&cells.concentration),
            rate_constant: of(&cells.rate_constant),
            first_step_s: vec![0.0],
            ..Cells::default()
        };
        let pool = isobar_launch::thread_pool(1).expect("a thread");
        let (alone, own) = pool.install(|| {
            let own =
                Perturbation { concentration: of(&change.concentration), rate_constant: of(&change.rate_constant) };
            (adjoint(&mechanism, &one, &options, 40.0, &of(&weights)), tangent(&mechanism, &one, &options, 40.0, &own))
        });
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(alone.by_concentration), bits(of(&all.by_concentration)), "cell {cell}");
        assert_eq!(bits(alone.by_rate_constant), bits(of(&all.by_rate_constant)), "cell {cell}");
        assert_eq!(bits(own.concentration), bits(of(&along.concentration)), "cell {cell}");
    }
}

/// Rate constants of a program are those of the start of the interval.
#[test]
fn rate_constants_may_come_from_a_program() {
    let instruction = |operation, target, left| Instruction { operation, target, left, right: 0 };
    let instructions = (0..5)
        .flat_map(|reaction| [instruction(Operation::Input, 0, reaction), instruction(Operation::Store, reaction, 0)]);
    let program = RateProgram::new(instructions.collect(), vec![], [5, 5, 5]).expect("a program");
    let (given, options) = (own::cells(3), Options::new(Method::Ros3, 1e-4, 1e-8));
    let inputs = Cells {
        rate_input: given.rate_constant.clone(),
        rate_constant: vec![],
        first_step_s: vec![0.0; 3],
        ..given.clone()
    };
    let weights = numbers(15, 4);
    let by_program = Chemistry::new(own::mechanism(), Some(Arc::new(program)));
    let found = by_program.adjoint(&inputs, &options.over(0.0..40.0), &weights).expect("cells");
    assert_eq!(found, adjoint(&own::mechanism(), &given, &options, 40.0, &weights));
    assert_eq!(found.rate_constant, given.rate_constant);
}

#[test]
fn what_has_no_derivatives_is_refused() {
    let cells = own::cells(2);
    let refusal = |change: &dyn Fn(&mut Options), perturbation: &Perturbation| {
        let mut options = Options::default();
        change(&mut options);
        let chemistry = Chemistry::new(own::mechanism(), None);
        chemistry.tangent(&cells, &options.over(0.0..10.0), perturbation).expect_err("not valid").to_string()
    };
    let of_species = |count: usize| Perturbation { concentration: vec![1.0; count], ..Perturbation::default() };
    let none = Perturbation::default();
    let head = "tangents and adjoints are not computed with";
    assert_eq!(
        refusal(&|o| o.rates = Rates::Stage, &none),
        format!("{head} rate constants that change within the interval")
    );
    assert_eq!(refusal(&|o| o.wanted_times_s = vec![1.0], &none), format!("{head} wanted times"));
    assert_eq!(refusal(&|o| o.counted_reactions = vec![1], &none), format!("{head} counted reactions"));
    assert_eq!(
        refusal(&|o| o.reduction = Some(Default::default()), &none),
        format!("{head} a reduction of the mechanism")
    );
    assert_eq!(refusal(&|o| o.max_steps = 0, &none), "no step is allowed");
    assert_eq!(
        refusal(&|_| {}, &of_species(11)),
        "the change of concentrations has 11 values, which is no multiple of 10, one a species (5) and cell (2)"
    );
    let mut wrong = of_species(10);
    wrong.concentration[7] = f64::NAN;
    assert_eq!(
        refusal(&|_| {}, &wrong),
        "the change of concentrations at cell 1, species 3 is NaN, which is not a finite number"
    );
    let two = Perturbation { concentration: vec![1.0; 10], rate_constant: vec![1.0; 20] };
    assert_eq!(refusal(&|_| {}, &two), "concentrations change in 1 directions, but rate constants in 2");
    let chemistry = Chemistry::new(own::mechanism(), None);
    let error = chemistry.adjoint(&cells, &Options::default().over(0.0..1.0), &[f64::INFINITY; 10]).expect_err("wrong");
    assert_eq!(error.to_string(), "the weight at cell 0, species 0 is inf, which is not a finite number");
    let mut bad = cells.clone();
    bad.concentration[3] = f64::NAN;
    assert!(chemistry.adjoint(&bad, &Options::default().over(0.0..1.0), &[]).is_err());
    // The run itself would take it.
    assert!(
        Chemistry::new(own::mechanism(), None)
            .on(&[Device::Thread])
            .run(&cells, &Options::default().over(0.0..1.0))
            .is_ok()
    );
}
