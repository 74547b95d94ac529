//! `isobar chem explain`: why a cell fails, or takes many steps.

mod advice;
mod attempts;
mod cell;
mod found;
mod modes;
mod negatives;
mod options;
mod report;
mod state;
mod trials;

use isobar::plot;
use isobar_rosenbrock::Chemistry;

use crate::program::failure::Failure;
use crate::program::progress::patiently;
use attempts::Attempts;
use found::{Explained, Place};
use modes::Modes;
pub(crate) use options::Explain;
use state::State;

pub(crate) fn run(explain: &Explain) -> Result<(), Failure> {
    let quiet = explain.print.quiet();
    let mechanism = patiently(quiet, "reading the mechanism", || {
        explain.reading.read_for(&explain.mechanism, Some(explain.first()))
    })?;
    let mut cell = cell::read(explain, &mechanism)?;
    if cell.options.reduction.take().is_some() {
        cell.told.push("autoreduction is left out, but for the attempts beside others".to_owned());
    }
    if !quiet {
        cell.told.iter().for_each(|what| tell!("{what}"));
    }
    let plot = explain.plot.create()?;
    let interval = cell.options.lasting(cell.start_s, cell.length_s);
    let chemistry = || Chemistry::new(mechanism.compiled().clone(), Some(mechanism.program().clone()));
    let mut attempts = Attempts::new(mechanism.variable(), &cell.options, cell.length_s);
    let done = patiently(quiet, "integrating the cell", || {
        chemistry().trace(&cell.cells, &interval, |attempt| attempts.take(attempt))
    })?;
    let failed = done.status[0] != 0;
    let (negatives, first_below) = negatives::find(&mechanism, &cell, &attempts);
    let (at, place) = match (failed, first_below) {
        (true, Some(state)) => (state, Place::BelowZero),
        (true, None) => (State::new(&mechanism, &cell, done.concentration.clone()), Place::End),
        (false, _) => {
            let hardest = attempts.hardest(&cell.cells.concentration);
            (State::new(&mechanism, &cell, hardest), Place::ShortestStep)
        }
    };
    let modes = patiently(quiet, "finding the modes", || Modes::of(&mechanism, &at, &cell.options));
    let trials = patiently(quiet, "trying other choices", || {
        trials::run(chemistry, &cell, &done, &explain.choices, mechanism.variable())
    })?;
    let mut explained = Explained {
        mechanism: &mechanism,
        cell: &cell,
        interval: &interval,
        done,
        attempts,
        at,
        place,
        modes,
        negatives,
        trials,
        advice: vec![],
    };
    explained.advice = advice::words(&explained);
    if let Some(mut plot) = plot {
        plot.draw(&plot::explain::draw(&explained.attempts.figure(&mechanism))?)?;
        plot.commit()?;
    }
    if explain.print.json() {
        crate::program::print::summary(report::json(&explained));
    } else {
        report::print(&explained);
    }
    Ok(())
}
