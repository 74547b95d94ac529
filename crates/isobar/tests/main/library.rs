//! Cases and figures from Rust: what is changed in a case, which results come back, and what is refused.

use std::path::Path;
use std::sync::Mutex;

use isobar::column::stages::quantity as q;
use isobar::launch::Device;
use isobar::plot;
use isobar::run::{Case, Error, Options, run};

/// The demonstration for a quarter of an hour, of three columns.
fn case() -> Case {
    let mut case = Case::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/column/case.toml")).unwrap();
    case.set_columns(3);
    case.set_hours(0.25);
    case.set_output_minutes(5.0);
    case.set_satellite_hours(&[0.25]);
    case
}

#[test]
fn results_of_some_columns_are_those_among_all() {
    let all = run::<f64>(&mut case(), &Options::default()).unwrap();
    assert_eq!((all.columns.len(), all.flags.len(), all.records.times.len()), (3, 3, 4));
    let progress = Mutex::new(Vec::new());
    let options = Options {
        columns: Some(vec![2, 0, 2]),
        devices: vec![Device::Cpu; 2],
        progress: Some(&|done, of| progress.lock().unwrap().push((done, of))),
        ..Options::default()
    };
    let some = run::<f64>(&mut case(), &options).unwrap();
    assert_eq!(some.columns, [0, 2]);
    let of = |values: &[f64]| values.chunks(3).flat_map(|row| [row[0], row[2]]).collect::<Vec<_>>();
    for record in 0..4 {
        let (all, some) = (all.records.at(q::TRACERS, record).unwrap(), some.records.at(q::TRACERS, record).unwrap());
        assert_eq!(of(all), some);
    }
    assert_eq!(of(all.records.constant(q::PRESSURE).unwrap()), some.records.constant(q::PRESSURE).unwrap());
    assert_eq!(of(&all.radiance.unwrap()), some.radiance.unwrap());
    let progress = progress.into_inner().unwrap();
    assert_eq!((progress[0], progress[progress.len() - 1]), ((0, 45), (45, 45)));
}

#[test]
fn figures_are_drawn_of_the_columns_that_they_show() {
    let mut case = case();
    let setup = case.prepare(&mut |warning| panic!("{warning}")).unwrap();
    let of = |columns| Options { columns: Some(columns), ..Options::default() };
    let outcome = run::<f32>(&mut case, &of(plot::run::columns(setup.columns()))).unwrap();
    let figures = plot::run::draw(&outcome).unwrap();
    assert_eq!(plot::run::names(&setup), ["profiles", "day", "chemistry", "spectra"]);
    assert_eq!(figures.len(), 4);
    let folder = tempfile::tempdir().unwrap();
    figures[3].save(folder.path().join("spectra.svg")).unwrap();
    assert!(std::fs::read_to_string(folder.path().join("spectra.svg")).unwrap().starts_with("<svg"));
    let outcome = run::<f32>(&mut case, &of(vec![0])).unwrap();
    assert!(matches!(plot::run::draw(&outcome), Err(plot::Error::NoColumn(1))));
}

#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("restart.nc");
    let stop = Options { restart: Some(file.clone()), stop: Some(&|| true), ..Options::default() };
    match run::<f64>(&mut case(), &stop) {
        Err(Error::Stopped { step: step @ 1.., steps: 15, restart: Some(restart), problem: None }) => {
            assert_eq!(restart, (file.clone(), step));
        }
        other => panic!("{:?}", other.err()),
    }
    let whole = run::<f64>(&mut case(), &Options::default()).unwrap();
    let resumed = Options { resume: Some(file.clone()), ..Options::default() };
    let resumed = run::<f64>(&mut case(), &resumed).unwrap();
    // By bits: what is not known at the start is not a number.
    let bits = |outcome: &isobar::run::Outcome<f64>| {
        let fields = outcome.records.fields.iter();
        fields
            .map(|(quantity, values)| (*quantity, values.iter().map(|value| value.to_bits()).collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    };
    assert!(bits(&resumed) == bits(&whole) && resumed.records.times == whole.records.times);
    // Another change is another run.
    let mut other = case();
    other.set_step_s(30.0);
    let options = Options { resume: Some(file), ..Options::default() };
    assert!(matches!(run::<f64>(&mut other, &options), Err(Error::Restart { .. })));
}

#[test]
fn what_does_not_fit_the_case_is_refused() {
    let words = |change: &dyn Fn(&mut Case)| {
        let mut case = case();
        change(&mut case);
        case.prepare(&mut |_| ()).err().expect("it does not fit").to_string()
    };
    let text = words(&|case| case.set_hours(0.001));
    let problem = "the length of the run is no multiple of the step of 60 s (`hours = 0.001`, as changed)";
    assert!(text.ends_with(&format!("case.toml: {problem}")), "{text}");
    assert!(words(&|case| case.set_columns(0)).ends_with("case.toml: 0 columns are not in [1, 1e8]"));
    assert!(words(&|case| case.set_step_s(f64::NAN)).contains("no multiple"));
    assert!(words(&|case| case.set_satellite_hours(&[7.0])).contains("there is no output 7 hours after the start"));
    let options = Options { columns: Some(vec![3]), ..Options::default() };
    assert!(matches!(run::<f64>(&mut case(), &options), Err(Error::NoColumn { column: 3, columns: 3 })));
    let options = Options { devices: vec![Device::Cpu; 4], ..Options::default() };
    assert!(matches!(run::<f64>(&mut case(), &options), Err(Error::TooFewColumns { columns: 3, members: 4 })));
    assert!(matches!(Case::open("nowhere.toml"), Err(Error::Read { .. })));
}
