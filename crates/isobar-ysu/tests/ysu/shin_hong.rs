//! Shin-Hong with all options against the shared code of WRF and MPAS.

use std::path::Path;

use isobar_core::Real;
use isobar_ysu::{Columns, Constants, Results, ShinHongOptions};

use crate::case::run;
use crate::comparison::{self, All, known};
use crate::golden::{FIELDS, VALUES, errors, fields, largest, percentiles, values};
use crate::suite_files::{SETS, folder, read};

/// A case of the files, and what it chooses.
type Case = (&'static str, fn(&mut ShinHongOptions));

/// The cases.
const CASES: [Case; 5] = [
    ("ysu", |options| options.nonlocal_flux = false),
    ("nl", |_| ()),
    ("scu", |options| (options.nonlocal_flux, options.cloud_mixing) = (false, true)),
    ("nlscu", |options| options.cloud_mixing = true),
    ("dis", |options| (options.dissipative_heating, options.topographic) = (true, true)),
];
/// The fields that YSU does not have, behind its own.
const MORE: [&str; 2] = ["tke", "el_pbl"];

fn options(case: usize, time_step_s: f64) -> ShinHongOptions {
    let mut options = ShinHongOptions { constants: Constants::MPAS, ..ShinHongOptions::new(time_step_s) };
    (CASES[case].1)(&mut options);
    options
}

fn of_run<R: Real>(out: &Results<R>) -> All {
    let plain = |field: &Vec<R>| field.iter().map(|x| x.value()).collect::<Vec<f64>>();
    let more = [plain(&out.turbulent_energy_m2_per_s2), plain(&out.mixing_length_m)];
    (fields(out).into_iter().chain(more).collect(), values(out))
}

/// A case's reference, as [`comparison::reference`].
fn reference(dir: &Path, case: usize, precision: &str, exner: &[f64]) -> Option<All> {
    comparison::reference(dir, &format!("sh_{}_{precision}", CASES[case].0), exner)
}

fn compare(columns: &Columns<f64>, got: &All, expected: &All) -> Vec<String> {
    let names: Vec<&str> = FIELDS.into_iter().chain(MORE).collect();
    comparison::compare(&names, columns.columns(), got, expected)
}

#[test]
fn every_case_is_the_references_in_f64() {
    let Some(dir) = folder() else { return };
    let (mut failures, mut compared, mut unknown) = (Vec::new(), 0, 0);
    for (set, time_step_s) in SETS {
        let dir = dir.join(set);
        let columns = read(&dir);
        for (case, (name, _)) in CASES.iter().enumerate() {
            let Some(expected) = reference(&dir, case, "f64", &columns.exner) else { continue };
            let out = run::<f64>(&columns, options(case, time_step_s));
            assert!(out.status.iter().all(|&status| status == 0), "{set} {name}");
            let wrong = compare(&columns, &of_run(&out), &expected);
            failures.extend(wrong.into_iter().map(|text| format!("{set} {name}: {text}")));
            unknown += known(&expected, columns.columns()).iter().filter(|known| !**known).count();
            compared += 1;
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert_eq!(compared, 19, "cases of all sets");
    assert!(unknown < 10, "{unknown} columns without a reference");
}

/// Without what a case chooses, the results are farther from its reference than any rounding.
#[test]
fn no_option_is_ignored() {
    let Some(dir) = folder() else { return };
    let dir = dir.join("l35");
    let columns = read(&dir);
    let far = |case: usize, options: ShinHongOptions| {
        let expected = reference(&dir, case, "f64", &columns.exner).expect("every case is there");
        let out = run::<f64>(&columns, options);
        assert!(!compare(&columns, &of_run(&out), &expected).is_empty(), "{} by {options:?}", CASES[case].0);
    };
    let chosen = |case: usize| options(case, 60.0);
    far(0, chosen(1));
    far(1, chosen(0));
    far(2, chosen(0));
    far(3, chosen(1));
    far(3, chosen(2));
    far(4, ShinHongOptions { dissipative_heating: false, ..chosen(4) });
    far(4, ShinHongOptions { topographic: false, ..chosen(4) });
    far(1, ShinHongOptions { constants: Constants::WRF, ..chosen(1) });
    far(1, ShinHongOptions { time_step_s: 61.0, ..chosen(1) });
}

#[test]
fn f32_is_no_farther_than_twice_the_references_own() {
    let Some(dir) = folder() else { return };
    let names: Vec<&str> = FIELDS.into_iter().chain(MORE).chain(VALUES).collect();
    let mut ours = vec![Vec::new(); names.len()];
    let mut theirs = ours.clone();
    for (set, time_step_s) in SETS {
        let dir = dir.join(set);
        let columns = read(&dir);
        let count = columns.columns();
        let Some(single) = reference(&dir, 1, "f32", &columns.exner) else { continue };
        let truth = reference(&dir, 1, "f64", &columns.exner).expect("it is there");
        let got = of_run(&run::<f32>(&columns, options(1, time_step_s)));
        let all = |all: All| all.0.into_iter().chain(all.1);
        for (i, ((truth, single), got)) in all(truth).zip(all(single)).zip(all(got)).enumerate() {
            let magnitude = largest(&truth, count);
            let scale = |i: usize| magnitude[i % count].max(1e-30);
            ours[i].extend(errors(&got, &truth, count, scale));
            theirs[i].extend(errors(&single, &truth, count, scale));
        }
    }
    assert!(ours[0].len() >= 500, "columns in single precision");
    let mut failures = Vec::new();
    for (name, (ours, theirs)) in names.iter().zip(ours.into_iter().zip(theirs)) {
        let (ours, theirs) = (percentiles(ours), percentiles(theirs));
        println!("{name}: {ours:?}, the reference's own {theirs:?}");
        if ours[0] > 2.0 * theirs[0] || ours[1] > 2.0 * theirs[1] || ours[1].is_nan() {
            failures.push(format!("{name}: {ours:?} against {theirs:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
