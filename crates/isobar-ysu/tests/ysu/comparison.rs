//! Results against those of the suite's files.

use std::path::Path;

use crate::case::stack;
use crate::golden::{VALUES, errors, largest};
use crate::tolerances::{SUITE_DIFFUSIVITY, TENDENCY};

/// Fields of layers and values of columns.
pub(crate) type All = (Vec<Vec<f64>>, Vec<Vec<f64>>);

/// A case's reference by the beginning of its files' names, the fields in our units.
pub(crate) fn reference(dir: &Path, name: &str, exner: &[f64]) -> Option<All> {
    let path = |end: &str| dir.join(format!("{name}_{end}.npy"));
    if !path("3d").exists() {
        return None;
    }
    let mut fields = stack(&path("3d"));
    if let Some(theta) = fields.get_mut(2) {
        // Theirs is of temperature.
        theta.iter_mut().zip(exner).for_each(|(tendency, exner)| *tendency /= exner);
    }
    Some((fields, stack(&path("2d"))))
}

/// Is there a number for a column? Where the reference took what it had not set, there is none.
pub(crate) fn known(reference: &All, count: usize) -> Vec<bool> {
    let mut known = vec![true; count];
    let all = reference.0.iter().chain(&reference.1);
    all.for_each(|field| field.iter().enumerate().for_each(|(i, x)| known[i % count] &= !x.is_nan()));
    known
}

/// What of the fields with these names and of the values is farther from the reference than it may be. A reference may
/// have the first of the fields only.
pub(crate) fn compare(names: &[&str], count: usize, got: &All, expected: &All) -> Vec<String> {
    let known = known(expected, count);
    let mut failures = Vec::new();
    let mut check = |name: &str, errors: Vec<f64>, tolerance: f64| {
        let (mut worst, mut place) = (0.0_f64, 0);
        for (column, &error) in errors.iter().enumerate().filter(|(column, _)| known[*column]) {
            if error > worst || error.is_nan() {
                (worst, place) = (error, column);
            }
        }
        if worst > tolerance || worst.is_nan() {
            failures.push(format!("{name} {worst:.1e} in column {place}"));
        }
    };
    for (name, (got, expected)) in names.iter().zip(got.0.iter().zip(&expected.0)) {
        let magnitude = largest(expected, count);
        match *name {
            "exch_h" | "exch_m" => check(name, errors(got, expected, count, |i| expected[i].abs()), SUITE_DIFFUSIVITY),
            "tke" | "el_pbl" => check(name, errors(got, expected, count, |i| expected[i].abs()), TENDENCY),
            _ => check(name, errors(got, expected, count, |i| magnitude[i % count]), TENDENCY),
        }
    }
    for (name, (got, expected)) in VALUES.iter().zip(got.1.iter().zip(&expected.1)) {
        match *name {
            "kpbl" => check(name, errors(got, expected, count, |_| 1.0), 0.0),
            "hpbl" | "wstar" | "delta" | "u10" | "v10" => {
                check(name, errors(got, expected, count, |i| expected[i].abs()), SUITE_DIFFUSIVITY);
            }
            // Sums of tendencies of either sign: budgets have a test of their own.
            _ => {}
        }
    }
    failures
}
