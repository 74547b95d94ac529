//! The cell with other methods, tolerances and first steps, side by side.

use isobar_core::{Real, Status};
use isobar_launch::Device;
use isobar_rosenbrock::{BadItems, Cells, Chemistry, Integrated, Method, Negative, Options, Reduction};

use super::super::choices::Choices;
use super::cell::OneCell;
use crate::program::failure::Failure;

/// Steps after which a trial ends.
pub(super) const MOST_STEPS: u32 = 10_000;
/// Tolerances of what others are compared with.
const EXACT: [f64; 2] = [1e-8, 1e-4];

/// What became of the cell with some choice.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// The choice, as the command has it.
    pub(super) choice: String,
    pub(super) kind: Kind,
    pub(super) status: Status,
    pub(super) attempts: u32,
    pub(super) rejected: u32,
    pub(super) reached_s: f64,
    /// The mean difference from a solution with small tolerances, in units of the cell's; none without one.
    pub(super) error: Option<f64>,
}

/// What a choice changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Usual,
    Method,
    FirstStep,
    Tolerance,
    Clip,
    Reject,
    Filter,
    Reduction,
    Retry,
}

/// Runs the trials.
pub(super) fn run(
    chemistry: impl Fn() -> Chemistry,
    cell: &OneCell,
    done: &Integrated<f64>,
    choices: &Choices,
    variable: usize,
) -> Result<Vec<Trial>, Failure> {
    let usual = &cell.options;
    let mut all: Vec<(String, Kind, Options, f64)> = vec![];
    let own = cell.cells.first_step_s[0];
    let mut add = |choice: String, kind: Kind, change: &dyn Fn(&mut Options), first_step_s: f64| {
        let mut options = usual.clone();
        change(&mut options);
        options.max_steps = options.max_steps.min(MOST_STEPS);
        if options.validate(variable).is_ok() {
            all.push((choice, kind, options, first_step_s));
        }
    };
    add(format!("--method {}", usual.method.name()), Kind::Usual, &|_| (), own);
    for method in Method::ALL.into_iter().filter(|&method| method != usual.method) {
        add(format!("--method {}", method.name()), Kind::Method, &|options| options.method = method, own);
    }
    let used = if own > 0.0 { own } else { usual.first_step_s };
    if used != 1e-5 {
        add("--first-step 1e-5".to_owned(), Kind::FirstStep, &|options| options.first_step_s = 1e-5, 0.0);
    }
    let ended = done.first_step_s[0];
    if done.status[0] == 0 && ended > 10.0 * used {
        add(format!("--first-step {ended:.3e}"), Kind::FirstStep, &|_| (), ended);
    }
    for (factor, what) in [(10.0, "10"), (0.1, "0.1")] {
        let change = |options: &mut Options| options.relative_tolerance.iter_mut().for_each(|one| *one *= factor);
        let shown = usual.relative_tolerance.first().map(|one| format!("{:.1e}", one * factor)).unwrap_or_default();
        let choice = match usual.relative_tolerance.len() {
            1 => format!("--rtol {shown}"),
            _ => format!("relative tolerances times {what}"),
        };
        add(choice, Kind::Tolerance, &change, own);
    }
    let change = |options: &mut Options| options.absolute_tolerance.iter_mut().for_each(|one| *one *= 100.0);
    let choice = match usual.absolute_tolerance[..] {
        [one] => format!("--atol {:.1e}", 100.0 * one),
        _ => "absolute tolerances times 100".to_owned(),
    };
    add(choice, Kind::Tolerance, &change, own);
    for (negative, word, kind) in [(Negative::Clip, "clip", Kind::Clip), (Negative::Reject, "reject", Kind::Reject)] {
        if usual.negative != negative {
            add(format!("--negative {word}"), kind, &|options| options.negative = negative, own);
        }
    }
    if usual.h211b.is_none() {
        add("--h211b 2".to_owned(), Kind::Filter, &|options| options.h211b = Some(2.0), own);
    }
    add("--reduce 100".to_owned(), Kind::Reduction, &|options| options.reduction = Some(Reduction::default()), own);
    for (words, options) in choices.retries_in_words(usual, variable)? {
        add(format!("--retry {words}"), Kind::Retry, &|changed| *changed = options.clone(), 0.0);
    }
    let model = |options: &Options, first_step_s: f64| {
        let cells = Cells { first_step_s: vec![first_step_s], ..cell.cells.clone() };
        let model = chemistry().on(&[Device::Thread]).bad_items(BadItems::Compute);
        model.run(&cells, &options.lasting(cell.start_s, cell.length_s))
    };
    let exact = exact(usual, |options| Ok(model(options, 0.0)?))?;
    let scale = usual.tolerances(variable);
    all.into_iter()
        .map(|(choice, kind, options, first_step_s)| {
            let done = model(&options, first_step_s)?;
            let compared = exact.as_ref().filter(|_| done.status[0] == 0);
            let error = compared.map(|exact| difference(&done.concentration, exact, &scale));
            Ok(Trial {
                choice,
                kind,
                status: Status(done.status[0]),
                attempts: done.counters[2],
                rejected: done.counters[2] - done.counters[3],
                reached_s: done.time_reached_s[0] - cell.start_s,
                error,
            })
        })
        .collect()
}

/// A solution with small tolerances, if there is one.
fn exact(
    usual: &Options,
    run: impl Fn(&Options) -> Result<Integrated<f64>, Failure>,
) -> Result<Option<Vec<f64>>, Failure> {
    let [relative, of_absolute] = EXACT;
    let mut options = usual.clone();
    options.method = Method::Rodas4;
    options.relative_tolerance = vec![relative];
    let passive = |one: f64| usual.passive_tolerance.is_some_and(|threshold| one >= threshold);
    let scaled = usual.absolute_tolerance.iter().map(|&one| if passive(one) { one } else { of_absolute * one });
    options.absolute_tolerance = scaled.collect();
    (options.h211b, options.reduction) = (None, None);
    options.max_steps = options.max_steps.min(10 * MOST_STEPS);
    let done = run(&options)?;
    Ok((done.status[0] == 0).then_some(done.concentration))
}

/// The root mean square difference of variable species, in units of the tolerances.
fn difference(got: &[f64], want: &[f64], [absolute, relative]: &[Vec<f64>; 2]) -> f64 {
    let variable = absolute.len();
    let one = |i: usize| (got[i] - want[i]) / (absolute[i] + relative[i] * want[i].abs());
    Real::sqrt((0..variable).map(|i| one(i) * one(i)).sum::<f64>() / variable as f64)
}
