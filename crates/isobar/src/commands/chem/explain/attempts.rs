//! The attempts of a cell, and which species rule them.

use isobar::plot::explain::{Drawn, Ruling};
use isobar_core::Real;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{AttemptView, Options};

/// Species of an attempt that are kept.
const KEPT: usize = 3;
/// Species below zero that are kept with all concentrations.
pub(super) const FALLS: usize = 5;
/// Species that are drawn.
const DRAWN: usize = 5;

/// One attempt.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) time_s: f64,
    pub(super) step_s: f64,
    /// The mean error, of the tolerance.
    pub(super) error: f64,
    pub(super) accepted: bool,
    pub(super) singular: bool,
    /// Does the error keep the next step from growing by the largest factor?
    pub(super) limited: bool,
    /// The species with the largest shares of the mean square, from the largest on.
    pub(super) ruling: Vec<(usize, f64)>,
    /// Species whose result is no finite number.
    pub(super) not_finite: Vec<usize>,
}

/// A species that went below minus its tolerance, with the cell as it then was.
#[derive(Clone, Debug)]
pub(super) struct Fall {
    pub(super) species: usize,
    /// The end of the step \[s\].
    pub(super) time_s: f64,
    pub(super) attempt: usize,
    pub(super) concentrations: Vec<f64>,
}

/// All attempts.
pub(super) struct Attempts {
    pub(super) all: Vec<Attempt>,
    /// An error from which on it limits the step.
    limit: f64,
    /// The sum of each species' shares over attempts whose error limits the step, and in how many it has the largest.
    shares: Vec<(f64, usize)>,
    limited: usize,
    /// Where the shortest step began whose error limits the next one.
    hardest: Option<(f64, Vec<f64>)>,
    /// The first species that went below minus their tolerance, in the order of time.
    pub(super) falls: Vec<Fall>,
    absolute: Vec<f64>,
    /// The length of the interval \[s\].
    length_s: f64,
}

impl Attempts {
    pub(super) fn new(variable: usize, options: &Options, length_s: f64) -> Self {
        // The step follows safety / error^(1/order) up to the largest factor.
        let order = options.method.tableau().order;
        let limit = match options.h211b {
            None => Real::powf(options.safety / options.most_factor, order),
            Some(_) => 0.0,
        };
        Self {
            all: vec![],
            limit,
            shares: vec![(0.0, 0); variable],
            limited: 0,
            hardest: None,
            falls: vec![],
            absolute: options.tolerances(variable)[0].clone(),
            length_s,
        }
    }

    /// Takes an attempt.
    pub(super) fn take(&mut self, attempt: &AttemptView<'_>) {
        let sum: f64 = attempt.errors.iter().map(|error| error * error).sum();
        let share = |error: f64| if sum > 0.0 { error * error / sum } else { 0.0 };
        let sound = sum.is_finite() && attempt.error.is_finite() && !attempt.singular;
        let mut ruling: Vec<(usize, f64)> = attempt.errors.iter().map(|&error| share(error)).enumerate().collect();
        ruling.sort_by(|one, other| other.1.total_cmp(&one.1));
        ruling.truncate(KEPT);
        ruling.retain(|&(_, share)| sound && share > 0.0);
        let not_finite = attempt.after.iter().enumerate().filter(|(_, x)| !x.is_finite()).map(|(i, _)| i);
        let not_finite = if sound { vec![] } else { not_finite.take(KEPT).collect() };
        let limited = !sound || attempt.error > self.limit;
        if sound && limited {
            self.limited += 1;
            for (sum, &error) in self.shares.iter_mut().zip(attempt.errors) {
                sum.0 += share(error);
            }
            if let Some(&(first, _)) = ruling.first() {
                self.shares[first].1 += 1;
            }
        }
        // The end of the interval cuts the last step short.
        let is_last = attempt.time_s + attempt.step_s >= self.length_s * (1.0 - 1e-12);
        if limited && !is_last && self.hardest.as_ref().is_none_or(|(step, _)| attempt.step_s < *step) {
            self.hardest = Some((attempt.step_s, attempt.before.to_vec()));
        }
        if attempt.accepted {
            self.take_falls(attempt);
        }
        self.all.push(Attempt {
            time_s: attempt.time_s,
            step_s: attempt.step_s,
            error: attempt.error,
            accepted: attempt.accepted,
            singular: attempt.singular,
            limited,
            ruling,
            not_finite,
        });
    }

    /// Takes species that an accepted step leads below minus their tolerance, the lowest first.
    fn take_falls(&mut self, attempt: &AttemptView<'_>) {
        if self.falls.len() >= FALLS {
            return;
        }
        let below = |values: &[f64], i: usize| values[i] < -self.absolute[i];
        let mut fallen: Vec<usize> =
            (0..self.absolute.len()).filter(|&i| below(attempt.after, i) && !below(attempt.before, i)).collect();
        fallen.retain(|&i| !self.falls.iter().any(|fall| fall.species == i));
        let depth = |i: usize| attempt.after[i] / self.absolute[i];
        fallen.sort_by(|&one, &other| depth(one).total_cmp(&depth(other)));
        for species in fallen.into_iter().take(FALLS - self.falls.len()) {
            let mut concentrations = attempt.before.to_vec();
            concentrations[..attempt.after.len()].copy_from_slice(attempt.after);
            let time_s = attempt.time_s + attempt.step_s;
            self.falls.push(Fall { species, time_s, attempt: self.all.len(), concentrations });
        }
    }

    /// The last attempt that was rejected.
    pub(super) fn last_rejected(&self) -> Option<&Attempt> {
        self.all.iter().rev().find(|attempt| !attempt.accepted)
    }

    /// The concentrations where the step was shortest for its error, or else those of the start.
    pub(super) fn hardest(&self, start: &[f64]) -> Vec<f64> {
        self.hardest.as_ref().map_or_else(|| start.to_vec(), |(_, before)| before.clone())
    }

    /// Species by their mean share of the mean square of errors, in attempts whose error limits the step, with the
    /// number of attempts in which they have the largest.
    pub(super) fn ruling(&self) -> Vec<(usize, f64, usize)> {
        let mean = |sum: f64| sum / self.limited.max(1) as f64;
        let all = self.shares.iter().enumerate().map(|(species, &(sum, count))| (species, mean(sum), count));
        let mut all: Vec<_> = all.filter(|&(_, share, _)| share > 0.0).collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        all
    }

    /// Attempts whose error limits the step.
    pub(super) fn limited(&self) -> usize {
        self.limited
    }

    pub(super) fn rejected(&self) -> usize {
        self.all.iter().filter(|attempt| !attempt.accepted && !attempt.singular).count()
    }

    /// What is drawn.
    pub(super) fn figure(&self, mechanism: &Mechanism) -> Drawn {
        let species: Vec<usize> = self.ruling().into_iter().take(DRAWN).map(|(species, ..)| species).collect();
        let share = |attempt: &Attempt, species: usize| {
            attempt.ruling.iter().find(|&&(one, _)| one == species).map_or(f64::NAN, |&(_, share)| share)
        };
        Drawn {
            steps_s: self.all.iter().map(|attempt| (attempt.time_s, attempt.step_s, attempt.accepted)).collect(),
            errors: self.all.iter().map(|attempt| attempt.error).collect(),
            ruling: species
                .into_iter()
                .map(|one| Ruling {
                    name: mechanism.species()[one].name.clone(),
                    shares: self.all.iter().map(|attempt| share(attempt, one)).collect(),
                })
                .collect(),
        }
    }
}
