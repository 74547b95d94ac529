//! Closed forms and what must not matter: chains of decay, the order of species and of cells, when a run starts.

use isobar_kpp::{Mechanism, Reader};
use isobar_rosenbrock::{Cells, Chemistry, Device, Integrated, Method, Options, Rates};

fn read(text: &str) -> Mechanism {
    Reader::new().read_text("test.kpp", text).unwrap_or_else(|error| panic!("{error}"))
}

fn run(mechanism: &Mechanism, cells: &Cells<f64>, options: &Options, start_s: f64, length_s: f64) -> Integrated<f64> {
    let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let done = chemistry.on(&[Device::Thread]).run(cells, &options.lasting(start_s, length_s));
    done.unwrap_or_else(|error| panic!("{error}"))
}

/// Cells that start from the mechanism's values times a factor each.
fn cells(mechanism: &Mechanism, factors: &[f64]) -> Cells<f64> {
    let row = |&start: &f64| factors.iter().map(move |factor| start * factor);
    Cells {
        concentration: mechanism.initial().iter().flat_map(row).collect(),
        rate_input: mechanism.input_values(&[], factors.len()).expect("inputs"),
        first_step_s: vec![0.0; factors.len()],
        ..Cells::default()
    }
}

/// Bateman (1910): `N_n(t) = N_1 prod_{i<n} l_i sum_i exp(-l_i t) / prod_{j != i} (l_j - l_i)`.
#[test]
#[allow(clippy::disallowed_methods, reason = "another exponential than the program's")]
fn a_chain_of_decays_is_batemans() {
    const RATES: [f64; 5] = [1e-1, 3e-3, 2e-2, 7e-4, 5e-5];
    let mut text = String::from("#DEFVAR N0; N1; N2; N3; N4; N5; #INITVALUES N0 = 1e9; #EQUATIONS\n");
    for (i, rate) in RATES.iter().enumerate() {
        text += &format!("N{i} = N{} : {rate:e};\n", i + 1);
    }
    let mechanism = read(&text);
    let start = cells(&mechanism, &[1.0]);
    for time in [10.0, 300.0, 5000.0] {
        for method in Method::ALL {
            let mut options = Options::new(method, 1e-7, 1.0);
            if method == Method::Rang3 {
                // Its error estimate is zero here, where all is linear, so that steps have to be bounded.
                options.max_step_s = Some(2e-3 * f64::min(time, 500.0));
            }
            let done = run(&mechanism, &start, &options, 0.0, time);
            for n in 0..RATES.len() {
                let before: f64 = RATES[..n].iter().product();
                let term = |i: usize| {
                    let others = (0..=n).filter(|&j| j != i).map(|j| RATES[j] - RATES[i]);
                    (-RATES[i] * time).exp() / others.product::<f64>()
                };
                let want = 1e9 * before * (0..=n).map(term).sum::<f64>();
                let got = done.concentration[mechanism.species_index(&format!("N{n}")).expect("a species")];
                // Local errors of 1e-7 add up over some hundred steps at most; sums of Bateman cancel to 1e-9 of 1e9.
                assert!((got - want).abs() <= 1e-5 * want + 10.0, "{} N{n} at {time}: {got} {want}", method.name());
            }
        }
    }
}

const SPECIES: [&str; 6] = ["A", "B", "D", "E", "F", "G"];
const EQUATIONS: [&str; 6] = [
    "A + B = D : 1.0E-3;",
    "D = A + E : 0.02;",
    "E + E = F : 5.0E-4*C(ind_A);",
    "F + B = G + A : 2.0E-3;",
    "G = B + D : 0.1;",
    "B = E : 0.01;",
];

fn in_order(species: [usize; 6]) -> Mechanism {
    let declared: String = species.iter().map(|&i| format!("{} = IGNORE; ", SPECIES[i])).collect();
    let values: String = (0..6).map(|i| format!("{} = {}.0; ", SPECIES[i], 10 * (i + 1))).collect();
    read(&format!("#DEFVAR {declared}\n#INITVALUES {values}\n#EQUATIONS {}", EQUATIONS.concat()))
}

#[test]
fn the_order_of_species_and_cells_does_not_matter() {
    let mut options = Options::new(Method::Rodas3, 1e-5, 1e-6);
    options.rates = Rates::Stage;
    let factors = [1.0, 0.5, 3.0, 0.1, 2.0];
    let (one, other) = (in_order([0, 1, 2, 3, 4, 5]), in_order([4, 2, 5, 0, 3, 1]));
    let first = run(&one, &cells(&one, &factors), &options, 0.0, 100.0);
    let second = run(&other, &cells(&other, &factors), &options, 0.0, 100.0);
    assert_eq!(first.counters, second.counters);
    for name in SPECIES {
        let row = |mechanism: &Mechanism, done: &Integrated<f64>| {
            let species = mechanism.species_index(name).expect("a species");
            done.concentration[species * factors.len()..][..factors.len()].to_vec()
        };
        for (a, b) in row(&one, &first).into_iter().zip(row(&other, &second)) {
            // Another order of elimination rounds otherwise, some tens of steps long.
            assert!((a - b).abs() <= 1e-11 * (a.abs() + 1.0), "{name}: {a} {b}");
        }
    }
    // Cells have the same bits wherever they stand.
    let order = [3, 0, 4, 1, 2];
    let moved = run(&one, &cells(&one, &order.map(|cell| factors[cell])), &options, 0.0, 100.0);
    for (place, cell) in order.into_iter().enumerate() {
        for species in 0..6 {
            let at = |done: &Integrated<f64>, cell: usize| done.concentration[species * 5 + cell].to_bits();
            assert_eq!(at(&moved, place), at(&first, cell));
        }
    }
}

#[test]
fn when_a_run_starts_does_not_matter() {
    let mechanism = in_order([0, 1, 2, 3, 4, 5]);
    let start = cells(&mechanism, &[1.0, 0.3]);
    for method in Method::ALL {
        for rates in [Rates::Frozen, Rates::Stage] {
            let mut options = Options::new(method, 1e-6, 1e-6);
            options.rates = rates;
            let early = run(&mechanism, &start, &options, 0.0, 600.0);
            for start_s in [1e7, 1.7e9, -1e12, 1e20, 1e300] {
                let late = run(&mechanism, &start, &options, start_s, 600.0);
                assert_eq!(late.counters, early.counters, "{} {start_s}", method.name());
                assert_eq!(late.concentration, early.concentration, "{} {start_s}", method.name());
                assert!((late.time_reached_s[0] - start_s - 600.0).abs() <= start_s.abs() * f64::EPSILON + 1e-9);
            }
        }
    }
}

/// A rate that follows the absolute time gets it: `A' = -2 (t - t0) / tau^2 A` from t0 on is a Gaussian.
#[test]
#[allow(clippy::disallowed_methods, reason = "another exponential than the program's")]
fn rates_follow_the_absolute_time() {
    for (start_s, allowed) in [(0.0, 1e-7), (1e9, 1e-6)] {
        let rate = format!("2.0E-4*(TIME - {start_s:e})");
        let mechanism = read(&format!("#DEFVAR A; B; #INITVALUES A = 1e6; #EQUATIONS A = B : {rate};"));
        let mut options = Options::new(Method::Rodas4, 1e-9, 1e-6);
        (options.rates, options.autonomous) = (Rates::Stage, false);
        let done = run(&mechanism, &cells(&mechanism, &[1.0]), &options, start_s, 150.0);
        let want = 1e6 * (-1e-4_f64 * 150.0 * 150.0).exp();
        let got = done.concentration[mechanism.species_index("A").expect("a species")];
        // Numbers around 1e9 s are 1.2e-7 s apart, of 150 s, and each stage has one.
        assert!((got - want).abs() < allowed * want, "{start_s}: {got} {want}");
    }
}
