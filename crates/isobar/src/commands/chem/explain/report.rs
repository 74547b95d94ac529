//! What was found, as text and as JSON.

use serde_json::{Value, json};

use super::attempts::Attempt;
use super::found::{Explained, Place, outcome_of};
use crate::commands::counted;

/// Attempts that are listed.
const LISTED: usize = 12;
/// Species that are listed.
const SPECIES: usize = 5;

/// Prints the text.
pub(super) fn print(explained: &Explained<'_>) {
    let Explained { mechanism, cell, done, attempts, .. } = explained;
    let (options, reactions) = (&cell.options, mechanism.reactions().len());
    print_line!(
        "{}: {} species, {reactions} reactions, {} s by {}",
        cell.name,
        mechanism.species().len(),
        cell.length_s,
        options.method.name()
    );
    let [accepted, rejected] = [done.counters[3] as usize, attempts.rejected()];
    print_line!(
        "ends with {} at {:.6e} s after {}: {accepted} accepted, {rejected} rejected; {} steps limited by the error",
        outcome_of(explained.status()),
        done.time_reached_s[0] - cell.start_s,
        counted(attempts.all.len(), "attempt"),
        attempts.limited()
    );
    print_line!("");
    print_line!("the last attempts:");
    print_line!(
        "{:>7} {:>13} {:>11} {:>11}  {:8}  largest shares of the error",
        "attempt",
        "time [s]",
        "step [s]",
        "error",
        ""
    );
    let first = attempts.all.len().saturating_sub(LISTED);
    for (number, attempt) in attempts.all.iter().enumerate().skip(first) {
        let became = became(attempt);
        let shares = shares(explained, attempt);
        print_line!(
            "{:>7} {:13.6e} {:11.3e} {:11.3e}  {became:8}  {shares}",
            number + 1,
            attempt.time_s,
            attempt.step_s,
            attempt.error
        );
    }
    let ruling = attempts.ruling();
    if !ruling.is_empty() {
        print_line!("");
        print_line!(
            "species that rule steps limited by the error, and what changes them most where {}:",
            place(explained)
        );
    }
    for &(species, share, largest) in ruling.iter().take(SPECIES) {
        print_line!(
            "{:>16}  {:5.1} % of the error, the largest in {}; {:.3e} molecule cm-3, made {:.3e}, lost {:.3e} /s, \
             lifetime {}",
            explained.name(species),
            100.0 * share,
            counted(largest, "attempt"),
            explained.at.concentrations[species],
            explained.at.production[species],
            explained.at.loss[species],
            explained.at.lifetime_s(species).map_or_else(|| "-".to_owned(), |lifetime| format!("{lifetime:.1e} s"))
        );
        for (number, change) in explained.at.changes(mechanism, species) {
            print_line!("{:>18}{change:+.3e} by {}", "", explained.reaction(number));
        }
    }
    print_modes(explained);
    print_negatives(explained);
    print_trials(explained);
    print_line!("");
    print_line!("what this says:");
    explained.advice.iter().for_each(|words| print_line!("- {words}"));
}

/// Where species are looked at.
fn place(explained: &Explained<'_>) -> &'static str {
    match explained.place {
        Place::BelowZero => "the first one was below zero",
        Place::End => "the cell ended",
        Place::ShortestStep => "the step was shortest for its error",
    }
}

fn became(attempt: &Attempt) -> &'static str {
    match (attempt.singular, attempt.accepted) {
        (true, _) => "singular",
        (false, true) => "accepted",
        (false, false) => "rejected",
    }
}

fn shares(explained: &Explained<'_>, attempt: &Attempt) -> String {
    let one = |&(species, share): &(usize, f64)| format!("{} {:.1} %", explained.name(species), 100.0 * share);
    let bad = |&species: &usize| format!("{} no finite number", explained.name(species));
    let all: Vec<String> = attempt.ruling.iter().map(one).chain(attempt.not_finite.iter().map(bad)).collect();
    all.join(", ")
}

fn print_modes(explained: &Explained<'_>) {
    let Some(modes) = &explained.modes else { return };
    print_line!("");
    let species: Vec<String> =
        modes.species.iter().map(|&(i, time_s)| format!("{} {time_s:.2e} s", explained.name(i))).collect();
    print_line!("shortest times of species (1/-J_ii): {}", species.join(", "));
    if !modes.solved {
        print_line!("eigenvalues were not found");
        return;
    }
    let decay: Vec<String> = modes.decay_s.iter().map(|time_s| format!("{time_s:.2e} s")).collect();
    print_line!("fastest modes (eigenvalues of J): {}", decay.join(", "));
    if let Some(growing) = &modes.growing {
        let species: Vec<&str> = growing.species.iter().map(|&i| explained.name(i)).collect();
        print_line!("fastest mode that grows: by e in {:.3e} s, of {}", growing.time_s, species.join(", "));
    }
}

fn print_negatives(explained: &Explained<'_>) {
    if explained.negatives.is_empty() {
        return;
    }
    print_line!("");
    print_line!("first below zero by more than the tolerance:");
    for negative in &explained.negatives {
        let since = match negative.since {
            Some((time_s, attempt)) => format!("at {time_s:.3e} s, after attempt {}", attempt + 1),
            None => "at the start".to_owned(),
        };
        print_line!("{:>16}  {:.3e} molecule cm-3 {since}", explained.name(negative.species), negative.concentration);
        if let Some((number, change)) = negative.taken_by {
            print_line!("{:>18}{change:+.3e} /s by {}, which does not need it", "", explained.reaction(number));
        }
        if let Some((number, time_s)) = negative.runs_away {
            let equation = explained.reaction(number);
            print_line!("{:>18}at minus infinity {time_s:.3e} s later by {equation}, of second order in it", "");
        }
    }
}

fn print_trials(explained: &Explained<'_>) {
    print_line!("");
    print_line!("other choices, one at a time, up to {} steps:", super::trials::MOST_STEPS);
    let error = "error [tolerances]";
    print_line!("{:40} {:>9} {:>9} {:>12} {error:>18}  ends with", "", "attempts", "rejected", "reached [s]");
    for trial in &explained.trials {
        let error = trial.error.map_or_else(|| "-".to_owned(), |error| format!("{error:.3}"));
        print_line!(
            "{:40} {:>9} {:>9} {:12.4e} {error:>18}  {}",
            trial.choice,
            trial.attempts,
            trial.rejected,
            trial.reached_s,
            outcome_of(trial.status)
        );
    }
}

/// All of it for programs; numbers that are none are null.
pub(super) fn json(explained: &Explained<'_>) -> Value {
    let Explained { mechanism, cell, done, attempts, at, .. } = explained;
    let name = |species: usize| explained.name(species);
    let share = |&(species, share): &(usize, f64)| json!({ "species": name(species), "share": share });
    let attempt = |attempt: &Attempt| {
        json!({
            "time_s": attempt.time_s,
            "step_s": attempt.step_s,
            "error": attempt.error,
            "became": became(attempt),
            "limited": attempt.limited,
            "shares": attempt.ruling.iter().map(share).collect::<Vec<_>>(),
            "not_finite": attempt.not_finite.iter().map(|&species| name(species)).collect::<Vec<_>>(),
        })
    };
    let change = |(number, change): (usize, f64)| {
        let equation = &mechanism.reactions()[number].equation;
        json!({ "reaction": number + 1, "equation": equation, "change": change })
    };
    let ruling = attempts.ruling().into_iter().take(SPECIES).map(|(species, share, largest)| {
        json!({
            "species": name(species),
            "mean_share": share,
            "largest_in": largest,
            "concentration": at.concentrations[species],
            "production": at.production[species],
            "loss": at.loss[species],
            "reactions": at.changes(mechanism, species).into_iter().map(change).collect::<Vec<_>>(),
        })
    });
    let modes = explained.modes.as_ref().map(|modes| {
        let one = |&(species, time_s): &(usize, f64)| json!({ "species": name(species), "time_s": time_s });
        let growing = modes.growing.as_ref().map(|growing| {
            let species: Vec<&str> = growing.species.iter().map(|&species| name(species)).collect();
            json!({ "time_s": growing.time_s, "species": species })
        });
        json!({
            "species": modes.species.iter().map(one).collect::<Vec<_>>(),
            "decay_s": modes.decay_s,
            "growing": growing,
        })
    });
    let negatives = explained.negatives.iter().map(|negative| {
        json!({
            "species": name(negative.species),
            "concentration": negative.concentration,
            "since_s": negative.since.map(|(time_s, _)| time_s),
            "taken_by": negative.taken_by.map(change),
            "runs_away_by": negative.runs_away.map(|(number, _)| number + 1),
            "runs_away_s": negative.runs_away.map(|(_, time_s)| time_s),
        })
    });
    let trials = explained.trials.iter().map(|trial| {
        json!({
            "choice": trial.choice,
            "outcome": outcome_of(trial.status),
            "attempts": trial.attempts,
            "rejected": trial.rejected,
            "reached_s": trial.reached_s,
            "error": trial.error,
        })
    });
    json!({
        "cell": cell.name,
        "interval_s": explained.interval.length_s(),
        "method": cell.options.method.name(),
        "outcome": outcome_of(explained.status()),
        "reached_s": done.time_reached_s[0] - cell.start_s,
        "counters": done.counters,
        "concentrations": done.concentration,
        "attempts": attempts.all.iter().map(attempt).collect::<Vec<_>>(),
        "looked_at_where": place(explained),
        "ruling": ruling.collect::<Vec<_>>(),
        "modes": modes,
        "negative": negatives.collect::<Vec<_>>(),
        "trials": trials.collect::<Vec<_>>(),
        "says": explained.advice,
    })
}
