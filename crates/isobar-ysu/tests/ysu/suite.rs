//! YSU with all options against the shared code of WRF, MPAS and the CCPP.

use std::path::Path;

use isobar_ysu::{Columns, Constants, Options, Results};

use crate::case::run;
use crate::comparison::{self, All};
use crate::golden::{FIELDS, VALUES, errors, fields, largest, percentiles, values};
use crate::suite_files::{SETS, folder, read, tracers};
use crate::tolerances::TENDENCY;

/// What a case changes of the options, and of the columns.
type Case = (&'static str, fn(&mut Options), fn(&mut Columns<f64>));

/// The cases of the files.
const CASES: [Case; 9] = [
    ("base", |_| (), |_| ()),
    ("td", |options| options.top_down = true, |_| ()),
    ("topo", |options| options.topographic = true, |_| ()),
    ("tdtopo", |options| (options.top_down, options.topographic) = (true, true), |_| ()),
    ("bep", |options| (options.topographic, options.urban) = (true, true), |_| ()),
    (
        "noq",
        |_| (),
        |columns| {
            columns.cloud_water_kg_per_kg.fill(0.0);
            columns.cloud_ice_kg_per_kg.fill(0.0);
        },
    ),
    ("tdpr19", |options| (options.top_down, options.limited_entrainment) = (true, true), |_| ()),
    ("base_wrfconst", |options| options.constants = Constants::WRF, |_| ()),
    ("base_ufsconst", |options| options.constants = Constants::UFS, |_| ()),
];

fn options(case: &Case, time_step_s: f64) -> Options {
    let mut options = Options { constants: Constants::MPAS, ..Options::new(time_step_s) };
    (case.1)(&mut options);
    options
}

fn with(columns: &Columns<f64>, case: &Case) -> Columns<f64> {
    let mut columns = columns.clone();
    (case.2)(&mut columns);
    columns
}

/// A case's reference, as [`comparison::reference`].
fn reference(dir: &Path, case: &str, precision: &str, exner: &[f64]) -> Option<All> {
    comparison::reference(dir, &format!("ysu_{case}_{precision}"), exner)
}

/// The fields and values of a run.
fn of_run(out: &Results<f64>) -> All {
    (fields(out), values(out))
}

fn compare(columns: &Columns<f64>, got: &All, expected: &All) -> Vec<String> {
    comparison::compare(&FIELDS, columns.columns(), got, expected)
}

#[test]
fn every_case_is_the_references_in_f64() {
    let Some(dir) = folder() else { return };
    let (mut failures, mut compared) = (Vec::new(), 0);
    for (set, time_step_s) in SETS {
        let dir = dir.join(set);
        let read = read(&dir);
        for case in &CASES {
            let Some(expected) = reference(&dir, case.0, "f64", &read.exner) else { continue };
            let columns = with(&read, case);
            let out = run::<f64>(&columns, options(case, time_step_s));
            assert!(out.status.iter().all(|&status| status == 0), "{set} {}", case.0);
            let wrong = compare(&columns, &of_run(&out), &expected);
            failures.extend(wrong.into_iter().map(|text| format!("{set} {}: {text}", case.0)));
            compared += 1;
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(compared, 27, "cases of all sets");
}

#[test]
fn tracers_are_the_references() {
    let Some(dir) = folder() else { return };
    for (set, time_step_s) in SETS {
        let dir = dir.join(set);
        let mut columns = read(&dir);
        columns.tracers = tracers(&dir.join("in_qm.npy"), &columns);
        let expected = tracers(&dir.join("ysu_base_f64_qm.npy"), &columns);
        let out = run::<f64>(&columns, options(&CASES[0], time_step_s));
        let fields = 2 * columns.columns();
        let magnitude = largest(&expected, fields);
        let errors = errors(&out.tracers_tendency_per_s, &expected, fields, |i| magnitude[i % fields]);
        let worst = errors.into_iter().fold(0.0, f64::max);
        assert!(worst <= TENDENCY, "{set}: {worst:e}");
    }
}

/// Without what a case chooses, the results are farther from its reference than any rounding.
#[test]
fn no_option_is_ignored() {
    let Some(dir) = folder() else { return };
    let dir = dir.join("l35");
    let read = read(&dir);
    for case in &CASES[1..] {
        let expected = reference(&dir, case.0, "f64", &read.exner).expect("every case is there");
        let out = run::<f64>(&read, Options { constants: Constants::MPAS, ..Options::new(60.0) });
        assert!(!compare(&read, &of_run(&out), &expected).is_empty(), "{}", case.0);
    }
    // Each of two options that are chosen together.
    for (case, without) in [(3, CASES[1]), (3, CASES[2]), (4, CASES[2]), (6, CASES[1])] {
        let expected = reference(&dir, CASES[case].0, "f64", &read.exner).expect("every case is there");
        let out = run::<f64>(&read, options(&without, 60.0));
        assert!(!compare(&read, &of_run(&out), &expected).is_empty(), "{} without", CASES[case].0);
    }
}

#[test]
fn f32_is_no_farther_than_twice_the_references_own() {
    let Some(dir) = folder() else { return };
    for case in &CASES[..2] {
        let mut ours = vec![Vec::new(); FIELDS.len() + VALUES.len()];
        let mut theirs = ours.clone();
        for (set, time_step_s) in SETS {
            let dir = dir.join(set);
            let columns = read(&dir);
            let count = columns.columns();
            let truth = reference(&dir, case.0, "f64", &columns.exner).expect("it is there");
            let Some(single) = reference(&dir, case.0, "f32", &columns.exner) else { continue };
            let out = run::<f32>(&columns, options(case, time_step_s));
            let got: Vec<_> = fields(&out).into_iter().chain(values(&out)).collect();
            let single: Vec<_> = single.0.into_iter().chain(single.1).collect();
            for (i, truth) in truth.0.into_iter().chain(truth.1).enumerate() {
                let magnitude = largest(&truth, count);
                let scale = |i: usize| magnitude[i % count].max(1e-30);
                ours[i].extend(errors(&got[i], &truth, count, scale));
                theirs[i].extend(errors(&single[i], &truth, count, scale));
            }
        }
        assert!(ours[0].len() >= 500, "columns in single precision");
        for (i, (ours, theirs)) in ours.into_iter().zip(theirs).enumerate() {
            let name = FIELDS.iter().chain(&VALUES).nth(i).expect("a name each");
            let (ours, theirs) = (percentiles(ours), percentiles(theirs));
            assert!(
                ours[0] <= 2.0 * theirs[0] && ours[1] <= 2.0 * theirs[1],
                "{} {name}: {ours:?}, {theirs:?}",
                case.0
            );
            assert!(*name != "kpbl" || ours[1] == 0.0, "{} kpbl", case.0);
        }
    }
}
