//! Runs of KPP's generated code, cell by cell.

use isobar_core::Status;
use isobar_golden::{Agreement, Value, json, numbers};
use isobar_rosenbrock::{CELLS_OF_A_WARP, Cells, Error, Integrated, Method, Negative, Options, Rates, outcome};

use crate::case::{Case, case};
use crate::own::integrate;
use crate::tolerances::{AFTER_REJECTIONS, CONCENTRATION, RATE, STEP, SUM};

const MECHANISMS: [&str; 8] =
    ["small_strato", "carbon", "cbm4", "strato", "saprc99", "mecca_mim1", "t1_mozcart", "mcm"];

#[test]
fn rates_function_and_jacobian_are_kpps() {
    for name in MECHANISMS {
        let Some(case) = case(name) else { return };
        let [rates, function, jacobian] = ["rates", "vdot", "jac"].map(|what| case.array(&format!("eval_{what}.npy")));
        let (start, constants) = (case.array("conc_init.npy"), case.array("rconst.npy"));
        let network = case.mechanism.network();
        for cell in 0..rates.0[0] {
            let row =
                |(shape, values): &(Vec<usize>, Vec<f64>)| values[cell * shape[1]..(cell + 1) * shape[1]].to_vec();
            let got = case.mechanism.evaluate(&row(&start), &row(&constants)).expect("an evaluation");
            let mut terms = vec![0.0; network.variable()];
            for ((reaction, got), want) in network.reactions().iter().zip(&got.rates).zip(row(&rates)) {
                // The reference leaves out the rates of reactions without effect.
                assert!(reaction.net.is_empty() || (got - want).abs() <= RATE * want.abs(), "{name}: {got} {want}");
                reaction.net.iter().for_each(|&(species, factor)| terms[species] += (factor * got).abs());
            }
            for ((got, want), terms) in got.function.iter().zip(row(&function)).zip(&terms) {
                assert!((got - want).abs() <= SUM * terms, "{name}: {got} {want}");
            }
            let pattern = case.mechanism.pattern();
            for (place, (got, want)) in got.jacobian.iter().zip(row(&jacobian)).enumerate() {
                // Terms of one entry have the sign of its row's gains and losses: the diagonal is as large as any sum
                // of them.
                let species = pattern.column[place];
                let scale = terms.iter().sum::<f64>() / start.1[cell * start.0[1] + species].max(1e-30);
                assert!((got - want).abs() <= SUM * want.abs().max(scale * 1e-3), "{name} entry {place}: {got} {want}");
            }
        }
    }
}

/// Cells integrated as the report of a case says, and with which options.
fn run(case: &Case, method: Method) -> (Options, Integrated<f64>) {
    let (options, length) = case.options(&case.report, method);
    let done = integrate(&case.mechanism, &case.cells("", usize::MAX), &options, 0.0..length);
    (options, done)
}

/// The methods of which the reference has runs; Rodas3.1 has those of the full chemistry.
const METHODS: [Method; 5] = [Method::Ros2, Method::Ros3, Method::Ros4, Method::Rodas3, Method::Rodas4];

/// Compares cells with a run of the reference: counters, concentrations, times.
fn compare(
    case: &Case,
    (options, done): &(Options, Integrated<f64>),
    run: &str,
    (name, agreement): (&str, &mut Agreement),
    tolerance: f64,
) {
    let count = done.status.len();
    let atol = options.absolute_tolerance[0];
    let variable = case.mechanism.network().variable();
    let (shape, want) = case.array(&format!("{run}_conc.npy"));
    let (_, counters) = case.integers(&format!("{run}_istatus.npy"));
    let (_, times) = case.array(&format!("{run}_rstatus.npy"));
    let mut worst = 0.0_f64;
    for cell in 0..count {
        assert!(done.status[cell] == 0, "{name} {run}: {}", done.describe(cell));
        let got: Vec<i32> = (0..8).map(|i| done.counters[i * count + cell] as i32).collect();
        assert_eq!(got, counters[8 * cell..8 * cell + 8], "{name} {run} cell {cell}");
        for i in 0..variable {
            let (got, want) = (done.concentration[i * count + cell], want[cell * shape[1] + i]);
            let error = (got - want).abs() / (want.abs() + atol);
            assert!(error <= tolerance, "{name} {run} cell {cell} species {i}: {got} {want}");
            worst = worst.max(error);
            agreement.add(error);
        }
        for (i, got) in [&done.time_reached_s, &done.last_step_s, &done.next_step_s].into_iter().enumerate() {
            let (got, want) = (got[cell], times[3 * cell + i]);
            assert!((got - want).abs() <= STEP * want, "{name} {run} cell {cell} time {i}: {got} {want}");
        }
    }
    println!("{name} {run}: {count} cells within {worst:.1e}");
}

#[test]
fn runs_have_kpps_steps_and_concentrations() {
    let mut agreement = Agreement::default();
    for name in MECHANISMS {
        let Some(case) = case(name) else { return };
        for method in METHODS {
            compare(&case, &run(&case, method), method.name(), (name, &mut agreement), CONCENTRATION);
        }
    }
    agreement.write("5-chemistry", "Chemistry, against KPP", "concentrations", "relative");
}

#[test]
fn forced_rejections_are_kpps() {
    for name in ["saprc99", "mecca_mim1"] {
        let Some(case) = case(name) else { return };
        let report = json(&case.dir.join("hstart_report.json"));
        for method in METHODS {
            let (mut options, length) = case.options(&report, method);
            options.first_step_s = report["hstart"].as_f64().expect("a number");
            let done = integrate(&case.mechanism, &case.cells("hstart_", usize::MAX), &options, 0.0..length);
            let run = format!("hstart_{}", method.name());
            compare(&case, &(options, done), &run, (name, &mut Agreement::default()), AFTER_REJECTIONS);
        }
    }
}

/// The root of the mean square over species of the error in units of |c| + atol/rtol: what the reference's reports
/// have.
fn true_errors(case: &Case, options: &Options, cells: usize, got: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let (shape, exact) = case.array("conc_reference.npy");
    let least = options.absolute_tolerance[0] / options.relative_tolerance[0];
    let variable = case.mechanism.network().variable();
    let error = |cell: usize| {
        let square = |i: usize| {
            let exact = exact[cell * shape[1] + i];
            let error = (got(cell, i) - exact) / (exact.abs() + least);
            error * error
        };
        ((0..variable).map(square).sum::<f64>() / variable as f64).sqrt()
    };
    (0..cells).map(error).collect()
}

#[test]
fn true_errors_are_no_larger_than_kpps() {
    for name in MECHANISMS {
        let Some(case) = case(name) else { return };
        for method in [Method::Ros3, Method::Rodas3] {
            let (options, done) = run(&case, method);
            let (shape, kpp) = case.array(&format!("{}_conc.npy", method.name()));
            let count = done.status.len();
            let ours = true_errors(&case, &options, count, |cell, i| done.concentration[i * count + cell]);
            let theirs = true_errors(&case, &options, count, |cell, i| kpp[cell * shape[1] + i]);
            for (ours, theirs) in ours.iter().zip(theirs) {
                // The results differ by their roundings only.
                assert!(*ours <= theirs * (1.0 + 1e-6) + CONCENTRATION, "{name} {}: {ours} {theirs}", method.name());
            }
        }
    }
}

/// The options of one of the reference's cases; an error where the reference has one of the codes -1 to -5.
fn case_options(value: &Value) -> Result<Options, Error> {
    let settings = &value["settings"];
    let number = |key: &str, usual: f64| settings[key].as_f64().unwrap_or(usual);
    let mut icntrl = [0; 16];
    icntrl[0] = settings["auton"].as_i64().unwrap_or(1) as i32;
    icntrl[14] = -1;
    let method = value["method"].as_str().and_then(Method::named);
    icntrl[2] = method
        .map_or(9, |method| [1, 2, 3, 4, 5, 7][Method::ALL.iter().position(|m| *m == method).expect("one of all")]);
    for (place, value) in settings["icn"].as_object().into_iter().flatten() {
        icntrl[place.parse::<usize>().expect("a place") - 1] = value.as_i64().expect("a number") as i32;
    }
    let mut rcntrl = [0.0; 7];
    for (place, value) in settings["rcn"].as_object().into_iter().flatten() {
        rcntrl[place.parse::<usize>().expect("a place") - 1] = value.as_f64().expect("a number");
    }
    let options = Options::new(Method::Rodas3, number("rtol", 1e-3), number("atol", 1.0));
    Ok(options.with_icntrl(&icntrl)?.with_rcntrl(&rcntrl))
}

#[test]
fn codes_and_controls_are_kpps() {
    let Some(dir) = isobar_golden::find("kpp") else { return };
    for value in json(&dir.join("errors/error_cases.json")).as_array().expect("a list") {
        let name = value["case"].as_str().expect("a name");
        let case = case(value["mechanism"].as_str().expect("a name")).expect("the reference");
        let cells = Cells {
            concentration: numbers(&value["conc_init"]),
            rate_constant: numbers(&value["rconst"]),
            first_step_s: vec![0.0],
            ..Cells::default()
        };
        let (want, end) = (value["ierr"].as_i64().expect("a code"), value["dt"].as_f64().expect("a length"));
        let variable = case.mechanism.network().variable();
        let options = case_options(value).and_then(|options| {
            options.over(0.0..end).validate(variable)?;
            Ok(options)
        });
        let options = match options {
            Ok(options) => options,
            Err(error) => {
                // KPP's codes for what we refuse; it starts on an interval that runs backward, and stops at once.
                assert!((-5..0).contains(&want) || name == "backwards", "{name}: {error}");
                continue;
            }
        };
        let done = integrate(&case.mechanism, &cells, &options, 0.0..end);
        let code = outcome::kpp_code(Status(done.status[0]));
        if name == "nan_input" {
            // KPP calls that a success.
            assert_eq!(code, -9);
            continue;
        }
        assert_eq!(i64::from(code), want, "{name}");
        let counters: Vec<f64> = done.counters.iter().map(|&x| f64::from(x)).collect();
        assert_eq!(counters, numbers(&value["istatus"]), "{name}");
        let finals = numbers(&value["conc_final"]);
        let atol = options.absolute_tolerance[0];
        // Singular by a hair: 1/(gamma H) - J is 0, so that its neighbours are what roundings make of them.
        for (got, want) in done.concentration.iter().zip(&finals) {
            assert!((got - want).abs() <= AFTER_REJECTIONS * (want.abs() + atol), "{name}: {got} {want}");
        }
        if end > 0.0 {
            let times = [done.time_reached_s[0], done.last_step_s[0], done.next_step_s[0]];
            for (got, want) in times.into_iter().zip(numbers(&value["rstatus"])) {
                assert!((got - want).abs() <= STEP * want, "{name}: {got} {want}");
            }
        }
    }
}

#[test]
fn clipping_and_keeping_differ_only_below_the_tolerance() {
    let Some(case) = case("saprc99") else { return };
    let run = |negative| {
        let (mut options, length) = case.options(&case.report, Method::Ros2);
        options.negative = negative;
        let done = integrate(&case.mechanism, &case.cells("", usize::MAX), &options, 0.0..length);
        let failures = done.failures().map(|(cell, _)| done.describe(cell)).collect::<Vec<_>>();
        assert_eq!(failures, Vec::<String>::new());
        done.concentration
    };
    let (keep, clip, reject) = (run(Negative::Keep), run(Negative::Clip), run(Negative::Reject));
    assert!(keep.iter().any(|&c| c < 0.0) && clip.iter().all(|&c| c >= 0.0));
    assert!(reject.iter().all(|&c| c >= 0.0));
    let atol = 1.0;
    // A tenth of a percent of the concentration is the tolerance; errors of many steps add up.
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-2 * (a.abs() + 1e3 * atol);
    assert!(keep.iter().zip(&clip).all(|(&a, &b)| near(a, b)));
    assert!(keep.iter().zip(&reject).all(|(&a, &b)| near(a, b)));
}

#[test]
fn the_mechanism_of_medinas_test_is_kpps() {
    let Some(case) = case("mecca74") else { return };
    for (file, rtol) in [("conc_rtol1em3.npy", 1e-3), ("conc_rtol05.npy", 0.5)] {
        let (shape, want) = case.array(file);
        for (number, method) in METHODS.into_iter().enumerate() {
            let mut options = Options::new(method, rtol, 10.0);
            options.negative = Negative::Clip;
            let cells = Cells {
                concentration: case.array("conc_init.npy").1,
                rate_constant: case.array("rconst.npy").1,
                first_step_s: vec![0.0],
                ..Cells::default()
            };
            let done = integrate(&case.mechanism, &cells, &options, 0.0..720.0);
            assert_eq!(done.failures().next(), None);
            for (i, got) in done.concentration.iter().enumerate() {
                let want = want[number * shape[1] + i];
                assert!(
                    (got - want).abs() <= CONCENTRATION * (want + 10.0),
                    "{} {file} {i}: {got} {want}",
                    method.name()
                );
            }
        }
    }
}

#[test]
fn a_cell_in_flight_takes_little_memory() {
    let Some(case) = case("mecca_mim1") else { return };
    let layout = case.mechanism.layout(&Options::new(Method::Ros3, 1e-3, 10.0), 0);
    println!(
        "mecca_mim1, Ros3: {} bytes a cell, tables of {} bytes",
        layout.bytes_per_cell(),
        case.mechanism.tables().bytes()
    );
    // MEDINA's 13 species, 2 LU and all rate constants are 33 kB.
    assert!(layout.bytes_per_cell() < 26_000);
}

/// Of 228 KiB that a multiprocessor of an H200 has, each block takes 1 KiB more than it asks for.
#[test]
fn six_warps_fit_a_multiprocessor() {
    let Some(case) = case("mecca_mim1") else { return };
    let schedule = case.mechanism.schedule(&Options::new(Method::Ros3, 1e-3, 1.0)).expect("rounds");
    let bytes = schedule.view().entries as usize * CELLS_OF_A_WARP * size_of::<f64>();
    assert!(6 * (bytes + 1024) <= 228 << 10, "{bytes} bytes");
}

/// Where two cells take more than 64 KiB, or more is wanted than the end, a GPU's lanes have a cell each.
#[test]
fn not_all_have_rounds() {
    let plain = Options::new(Method::Ros3, 1e-3, 1.0);
    let Some(small) = case("cbm4") else { return };
    assert!(small.mechanism.schedule(&plain).is_some());
    let mut wanted = plain.clone();
    wanted.wanted_times_s = vec![1.0];
    assert!(small.mechanism.schedule(&wanted).is_none());
    let mut changing = plain.clone();
    changing.rates = Rates::Step;
    assert!(small.mechanism.schedule(&changing).is_none());
    let Some(large) = case("mcm") else { return };
    assert!(large.mechanism.schedule(&plain).is_none());
}
