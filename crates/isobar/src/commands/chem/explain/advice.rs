//! What would help, in words. Each statement follows from numbers of the report.

use isobar_core::Status;
use isobar_rosenbrock::{Reaction, outcome};

use super::found::Explained;
use super::negatives::Negative;
use super::trials::{Kind, Trial};

/// A share of the mean square error from which on species are said to rule it.
const RULES: f64 = 0.3;
/// How much further off a choice may be, as a factor.
const FURTHER: f64 = 1.2;
/// The part of the attempts that a choice has to save to be named.
const SAVES: f64 = 0.8;

/// What is said of a cell.
pub(super) fn words(explained: &Explained<'_>) -> Vec<String> {
    let bad = not_numbers(explained);
    if !bad.is_empty() {
        return bad;
    }
    let failed = explained.status() != Status::OK;
    let mut words = vec![];
    if failed {
        words.push(how_it_failed(explained));
    }
    words.extend(below_zero(explained));
    words.extend(growth(explained).filter(|_| failed));
    if !failed {
        words.extend(first_step(explained));
    }
    words.extend(counters(explained));
    words.extend(choices(explained, failed));
    words
}

/// Inputs that are no finite numbers.
fn not_numbers(explained: &Explained<'_>) -> Vec<String> {
    let species = explained.cell.cells.concentration.iter().enumerate().filter(|(_, x)| !x.is_finite());
    let species = species.map(|(i, x)| format!("{} starts from {x}", explained.name(i)));
    let constants = explained.cell.rate_constants.iter().enumerate().filter(|(_, x)| !x.is_finite());
    let constants = constants.map(|(i, x)| format!("the rate constant of {} is {x}", explained.reaction(i)));
    species.chain(constants).map(|what| format!("{what}: no choice helps, the input has to be right")).collect()
}

/// What the last attempts say.
fn how_it_failed(explained: &Explained<'_>) -> String {
    let attempts = &explained.attempts;
    let Some(last) = attempts.all.last() else { return "no step was attempted".to_owned() };
    let judged = attempts.last_rejected().unwrap_or(last);
    let named = |species: &[usize]| species.iter().map(|&i| explained.name(i)).collect::<Vec<_>>().join(", ");
    let why = if judged.singular {
        "the matrix was singular".to_owned()
    } else if !judged.not_finite.is_empty() {
        format!("{} came out as no finite number", named(&judged.not_finite))
    } else if let Some(&(species, share)) = judged.ruling.first() {
        format!("{:.0} % of the mean square error were that of {}", 100.0 * share, explained.name(species))
    } else {
        "the error was no finite number".to_owned()
    };
    let which = if judged.accepted { "last attempt" } else { "last one that was rejected" };
    match explained.status() {
        outcome::TOO_MANY_STEPS => format!(
            "{} attempts have come to {:.3e} s of {} s, and no more are allowed; in the {which}, {why}",
            attempts.all.len(),
            explained.done.time_reached_s[0] - explained.cell.start_s,
            explained.cell.length_s
        ),
        _ => format!(
            "at {:.6e} s the step has come to {:.1e} s, too small to go on; in the {which}, {why}",
            explained.done.time_reached_s[0] - explained.cell.start_s,
            explained.done.next_step_s[0]
        ),
    }
}

/// Negative concentrations that matter.
fn below_zero(explained: &Explained<'_>) -> Vec<String> {
    let mut words = vec![];
    for negative in &explained.negatives {
        let (name, value) = (explained.name(negative.species), negative.concentration);
        let when = match negative.since {
            None => "at the start".to_owned(),
            Some((time_s, _)) => format!("at {time_s:.3e} s"),
        };
        if let (Some((number, _)), Some(_)) = (negative.taken_by, negative.since) {
            words.push(format!(
                "{name} goes below zero {when}: {} takes it without needing it",
                explained.reaction(number)
            ));
        }
        if let Some((number, time_s)) = negative.runs_away.filter(|&(_, time_s)| time_s < explained.cell.length_s) {
            words.push(format!(
                "{name} is {value:.3e} molecule cm-3 {when}, and {} is of second order in it: by that alone it is at \
                 minus infinity {time_s:.3e} s later, with any method",
                explained.reaction(number)
            ));
        }
    }
    words
}

/// A mode that grows.
fn growth(explained: &Explained<'_>) -> Option<String> {
    let growing = explained.modes.as_ref()?.explosive(explained.cell.length_s)?;
    let species: Vec<&str> = growing.species.iter().map(|&i| explained.name(i)).collect();
    Some(format!(
        "a mode of {} grows by e in {:.3e} s, in an interval of {} s: concentrations below zero and rate constants \
         that \
         are too large do so",
        species.join(", "),
        growing.time_s,
        explained.cell.length_s
    ))
}

/// Attempts that only let the step grow.
fn first_step(explained: &Explained<'_>) -> Option<String> {
    let usual = explained.trials.iter().find(|trial| trial.kind == Kind::Usual)?;
    let longer = |trial: &&Trial| {
        trial.kind == Kind::FirstStep && trial.status == Status::OK && saves(trial.attempts, usual.attempts)
    };
    let trial = explained.trials.iter().find(longer)?;
    Some(format!(
        "steps have to grow from {:.1e} s on: with the one that the interval ended with, {}, it takes {} \
         instead of {}",
        explained.attempts.all.first()?.step_s,
        trial.choice,
        crate::commands::counted(trial.attempts as usize, "attempt"),
        usual.attempts
    ))
}

/// Species that no reaction needs or takes, and that rule the error. Whether one goes on here and now says nothing.
fn counters(explained: &Explained<'_>) -> Option<String> {
    let reactions = explained.mechanism.compiled().network().reactions();
    let is_lost = |species: usize| {
        let takes = |reaction: &Reaction| {
            reaction.reactants.iter().any(|&(one, _)| one == species)
                || reaction.net.iter().any(|&(one, factor)| one == species && factor < 0.0)
        };
        reactions.iter().any(takes)
    };
    let ruling = explained.attempts.ruling().into_iter();
    let counters = ruling.filter(|&(species, share, _)| share >= RULES && !is_lost(species));
    let counters: Vec<&str> = counters.map(|(species, ..)| explained.name(species)).collect();
    let options: Vec<String> = counters.iter().map(|name| format!("--tolerance {name}=1e-2,1e25")).collect();
    (!counters.is_empty()).then(|| {
        format!(
            "{} rule the error and are lost by no reaction: if they only count, {} --passive-atol 1e25 takes them out",
            counters.join(", "),
            options.join(" ")
        )
    })
}

fn saves(attempts: u32, usual: u32) -> bool {
    f64::from(attempts) <= SAVES * f64::from(usual)
}

/// What other choices come to.
fn choices(explained: &Explained<'_>, failed: bool) -> Vec<String> {
    let Some(usual) = explained.trials.iter().find(|trial| trial.kind == Kind::Usual) else { return vec![] };
    let others = || explained.trials.iter().filter(|trial| !matches!(trial.kind, Kind::Usual | Kind::FirstStep));
    // What is further off is no help.
    let near = |trial: &Trial| match (trial.error, usual.error) {
        (Some(error), Some(usual)) => error <= FURTHER * usual.max(1.0),
        _ => true,
    };
    let good = |trial: &&Trial| {
        trial.status == Status::OK && (failed || (saves(trial.attempts, usual.attempts) && near(trial)))
    };
    let mut helping: Vec<&Trial> = others().filter(good).collect();
    helping.sort_by_key(|trial| trial.attempts);
    let with_error = |error: Option<f64>| error.map(|error| format!(" and {error:.2} of the tolerance off"));
    let mut words = vec![];
    if failed {
        let methods = others().filter(|trial| trial.kind == Kind::Method);
        if methods.clone().all(|trial| trial.status != Status::OK) {
            words.push(format!("none of {} other methods succeeds", methods.count()));
        }
    }
    let soon = |negative: &Negative| negative.runs_away.is_some_and(|(_, time_s)| time_s < explained.cell.length_s);
    let runs_away = explained.negatives.iter().any(soon);
    for trial in helping {
        let error = with_error(trial.error).unwrap_or_default();
        let against = match (failed, with_error(usual.error)) {
            (true, _) => String::new(),
            (false, error) => format!(", instead of {}{}", usual.attempts, error.unwrap_or_default()),
        };
        let what = if failed { "succeeds with " } else { "takes " };
        // A step may lead over infinity, from below zero to above.
        let beyond = if failed && runs_away && !matches!(trial.kind, Kind::Clip | Kind::Reject) {
            ", but there may be no solution beyond the time that is said above"
        } else {
            ""
        };
        let attempts = crate::commands::counted(trial.attempts as usize, "attempt");
        words.push(format!("{} {what}{attempts}{error}{against}{beyond}", trial.choice));
    }
    if words.is_empty() {
        words.push(match failed {
            true => "nothing that was tried succeeds".to_owned(),
            false => "nothing that was tried saves a fifth of the attempts and is as exact".to_owned(),
        });
    }
    words
}
