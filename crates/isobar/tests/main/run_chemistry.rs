//! Chemistry in steps of its own in `isobar run`: never ahead of the clock, whatever is written meanwhile.

use std::fs;

use isobar_io::netcdf::{Accepted, Axis, Dataset, Dimension, VariableSpec};

use crate::common::run_case::Case;

/// A goes by 0.001 a second everywhere, in calls of five steps; results after every sixth of twelve.
const CASE: &str = r#"
columns = 3
hours = 0.2
step_s = 60.0
[output]
minutes = 6
restart_hours = 0.05
[grid]
layers = 6
top_m = 3000.0
[initial]
kind = "us76"
[chemistry]
mechanism = "m.kpp"
every = 5
relative_tolerance = 1e-7
absolute_tolerance = 1.0
"#;
const MECHANISM: &str = "#DEFVAR A; B; #INITVALUES CFACTOR = 1.0E19; A = 1.0E-9; B = 0.0; #EQUATIONS A = B : 1.0E-3;";

fn case(text: &str) -> Case {
    let case = Case::new(text);
    fs::write(case.path("m.kpp"), MECHANISM).unwrap();
    case
}

/// A by time, layer and column.
fn left(case: &Case) -> Vec<f64> {
    case.done("out.nc", &["--restart", "half.nc"]);
    let axes = [Dimension::Time, Dimension::Layer, Dimension::Profile].map(Axis::required);
    let accepted = Accepted::FINITE;
    let spec = VariableSpec { name: "A", aliases: &[], standard_names: &[], unit: "mol mol-1", axes: &axes, accepted };
    Dataset::open(&case.path("out.nc")).unwrap().read(&spec).unwrap().values
}

/// `exp(-k t)` at the time of each record, where no call of five steps ends, and at the end.
#[test]
#[allow(clippy::disallowed_methods, reason = "elementary functions of another hand")]
fn what_is_left_is_that_of_the_time_of_the_record() {
    for (minutes, hours) in [(6, 0.2), (3, 0.2), (12, 0.2), (10, 0.5), (1, 0.1)] {
        let text = CASE.replace("minutes = 6", &format!("minutes = {minutes}"));
        let left = left(&case(&text.replace("hours = 0.2", &format!("hours = {hours:?}"))));
        for (number, left) in left.iter().enumerate() {
            let record = number / 18;
            let time_s = (60.0 * f64::from(minutes) * record as f64).min(3600.0 * hours);
            let expected = 1e-9 * (-1e-3 * time_s).exp();
            assert!((left / expected - 1.0).abs() < 1e-6, "{minutes} min, record {record}: {left:e} {expected:e}");
        }
    }
}

/// The restart file after nine steps lies within a call of the steps from six to ten.
#[test]
fn restart_files_do_not_cut_its_calls() {
    let with = case(CASE);
    let without = case(&CASE.replace("restart_hours = 0.05\n", ""));
    assert!(left(&with) == left(&without));
    assert!(with.path("half.nc").exists() && !without.path("half.nc").exists());
    with.goes_on_after_a_restart();
}
