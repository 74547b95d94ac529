//! Rates that read the concentrations of variable species: their derivatives are in the Jacobian, so that methods keep
//! their orders.

use isobar_kpp::{Mechanism, Reader};
use isobar_rosenbrock::{BadItems, Cells, Chemistry, Device, Integrated, Method, Options, Rates};

fn read(text: &str) -> Mechanism {
    Reader::new().read_text("test.kpp", text).unwrap_or_else(|error| panic!("{error}"))
}

/// One cell that starts from the mechanism's values, with rates of each stage.
fn integrate(mechanism: &Mechanism, mut options: Options, length_s: f64) -> Integrated<f64> {
    options.rates = Rates::Stage;
    let cells = Cells {
        concentration: mechanism.initial().to_vec(),
        rate_input: mechanism.input_values(&[], 1).expect("inputs"),
        first_step_s: vec![0.0],
        ..Cells::default()
    };
    let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
    let done = model.run(&cells, &options.over(0.0..length_s)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(done.failures().count(), 0, "{}", done.describe(0));
    done
}

fn value(mechanism: &Mechanism, done: &Integrated<f64>, name: &str) -> f64 {
    done.concentration[mechanism.species_index(name).expect("a species")]
}

/// Rates of every operation that has a derivative, of one species, of a few, and of sums of many, one in another.
const ALL: &str = "
#DEFVAR A = IGNORE; B = IGNORE; D = IGNORE; E = IGNORE; S1 = IGNORE; S2 = IGNORE; S3 = IGNORE; S4 = IGNORE;
S5 = IGNORE; S6 = IGNORE; S7 = IGNORE;
#DEFFIX M = IGNORE;
#INITVALUES CFACTOR = 1.0; A = 1.0; B = 0.5; D = 0.2; E = 0.8; M = 2.0;
S1 = 0.1; S2 = 0.2; S3 = 0.3; S4 = 0.4; S5 = 0.5; S6 = 0.6; S7 = 0.7;
#INLINE F90_RCONST
  RO2 = C(ind_S1) + C(ind_S2) + C(ind_S3) + C(ind_S4) + C(ind_S5) + C(ind_S6)
  ALL = RO2 - 0.5*C(ind_S7)
#ENDINLINE
#EQUATIONS
A = B : 0.5*EXP(-C(ind_B))/(1.0 + C(ind_A)**2);
B = A : 0.3*SQRT(1.0 + C(ind_A)) + LOG(2.0 + C(ind_B)) - LOG10(3. + C(ind_D));
B + D = E : (1.0 + C(ind_D))**1.5 + C(ind_M)**C(ind_A);
E = D + A : 0.2*TANH(C(ind_E)) + 0.1*ATAN(C(ind_A)) + ABS(C(ind_B) + 1.);
D = B : 0.1*SIN(C(ind_A)) + 0.2*COS(C(ind_E)) + 0.1*TAN(0.5*C(ind_D));
A = E : MIN(0.3*C(ind_E), 9.0) + MAX(C(ind_D), -1.0) + MERGE(C(ind_B), 0.0, TIME < 1e9);
S1 = S2 : RO2; S2 = S3 : 0.3*ALL; S3 = S4 : RO2*ALL; S4 = S5 : EXP(-RO2); S5 = S6 : 0.4*RO2*C(ind_A);
S6 = S7 : 0.1*RO2 + 0.2*C(ind_S7); S7 + A = S1 + B : 0.05*ALL;
";

#[test]
#[allow(clippy::disallowed_methods, reason = "a logarithm in a test")]
fn methods_keep_their_orders() {
    let mechanism = read(ALL);
    let exact = integrate(&mechanism, Options::new(Method::Rodas4, 1e-12, 1e-14), 1.0).concentration;
    for (method, order) in Method::ALL.into_iter().zip([2.0, 3.0, 4.0, 3.0, 4.0, 3.0, 3.0]) {
        let error = |steps: u32| {
            let step = 1.0 / f64::from(steps);
            let mut options = Options::new(method, 1e-3, 1e-6);
            (options.first_step_s, options.min_step_s, options.max_step_s) = (step, step, Some(step));
            let done = integrate(&mechanism, options, 1.0);
            done.concentration.iter().zip(&exact).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
        };
        let got = (error(32) / error(64)).log2();
        // Terms of the next order are some h = 0.03 times rates of about 5 a second, a tenth. Without the derivatives
        // the order is 2 for Ros2, whose order they do not change, and 1 for the others.
        assert!((got - order).abs() < 0.3, "{}: order {got}", method.name());
    }
}

/// What mass action says in other words: the same functions and Jacobians, and so the same steps.
#[track_caller]
fn same(one: &str, other: &str, length_s: f64) {
    let (one, other) = (read(one), read(other));
    for method in Method::ALL {
        let run = |mechanism: &Mechanism| integrate(mechanism, Options::new(method, 1e-5, 1e-7), length_s);
        let (got, want) = (run(&one), run(&other));
        assert_eq!(got.counters, want.counters, "{}", method.name());
        for species in one.species() {
            let [got, want] = [(&one, &got), (&other, &want)].map(|(m, done)| value(m, done, &species.name));
            // Sums of the same terms in another order, through some hundred steps.
            let name = (method.name(), &species.name);
            assert!((got - want).abs() <= 1e-11 * want.abs().max(1e-3), "{name:?}: {got} {want}");
        }
    }
}

#[test]
fn a_rate_of_one_species_is_mass_action() {
    let start = "#DEFVAR A = IGNORE; B = IGNORE; D = IGNORE; #INITVALUES A = 1.0; B = 0.5; #EQUATIONS ";
    let rates = "A = B : 3.0*C(ind_A); B = D : 40.0*VAR(ind_A)*C(ind_B)**2;";
    same(&format!("{start}{rates}"), &format!("{start} A + A = A + B : 3.0; A + 3B = A + 2B + D : 40.0;"), 2.0);
}

#[test]
fn a_rate_of_a_sum_is_mass_action() {
    let names: Vec<String> = (0..8).map(|i| format!("R{i}")).collect();
    let declared: String = names.iter().map(|name| format!("{name} = IGNORE; ")).collect();
    let values: String = names.iter().enumerate().map(|(i, name)| format!("{name} = {}; ", i + 1)).collect();
    let start = format!("#DEFVAR {declared} P = IGNORE; #INITVALUES {values}\n");
    let sum = names.iter().map(|name| format!("C(ind_{name})")).collect::<Vec<_>>().join(" + ");
    let (mut of_sum, mut of_pairs) = (String::new(), String::new());
    for (i, name) in names.iter().enumerate() {
        of_sum += &format!("{name} = P : {}*RO2;\n", 0.1 * (i + 1) as f64);
        for other in &names {
            of_pairs += &format!("{name} + {other} = P + {other} : {};\n", 0.1 * (i + 1) as f64);
        }
    }
    let one = format!("{start}#INLINE F90_RCONST\nRO2 = {sum}\n#ENDINLINE\n#EQUATIONS {of_sum}");
    same(&one, &format!("{start}#EQUATIONS {of_pairs}"), 1.0);
}

/// A root of nothing has an infinite derivative, which would fail the cell.
#[test]
fn a_derivative_that_is_infinite_is_left_out() {
    let mechanism = read("#DEFVAR A; B; #INITVALUES B = 1.0; #EQUATIONS B = A : 1.0 + SQRT(C(ind_A)) + C(ind_A)**0.5;");
    let done = integrate(&mechanism, Options::new(Method::Rodas4, 1e-6, 1e-8), 1.0);
    let (a, b) = (value(&mechanism, &done, "A"), value(&mechanism, &done, "B"));
    assert!(a > 0.7 && (a + b - 1.0).abs() < 1e-12, "{a} {b}");
}

/// The sum of all peroxy radicals has a row of its own: without, the factors of the matrix would be half full.
#[test]
fn mcm_stays_sparse() {
    let Some(mechanism) = crate::reference::read("mcm") else { return };
    let mut options = Options::new(Method::Ros2, 1e-3, 1.0);
    let plain = mechanism.compiled().layout(&options, 0).entries;
    options.rates = Rates::Stage;
    let chemistry = Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let bytes = chemistry.bytes_per_cell(&options.over(0.0..1.0)).expect("a mechanism");
    // Registers and derivatives are the most of it.
    assert!(bytes < 2 * 8 * plain as usize, "{bytes} instead of {}", 8 * plain);
}
