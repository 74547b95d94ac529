//! Concentrations below zero, and where they come from.

use isobar_kpp::Mechanism;

use super::attempts::{Attempts, FALLS};
use super::cell::OneCell;
use super::state::State;

/// A species below zero, by more than its tolerance, as it was there for the first time.
#[derive(Clone, Debug)]
pub(super) struct Negative {
    pub(super) species: usize,
    /// \[molecule/cm^3\]
    pub(super) concentration: f64,
    /// The time behind the step that led there \[s\], and its attempt; not where it started so.
    pub(super) since: Option<(f64, usize)>,
    /// The reaction that takes most of it without needing it, and how much \[molecule/(cm^3 s)\].
    pub(super) taken_by: Option<(usize, f64)>,
    /// A reaction of second order in it that takes it: from below zero it runs to minus infinity, by itself in this
    /// time \[s\].
    pub(super) runs_away: Option<(usize, f64)>,
}

/// The first species below minus their tolerance, in the order of time: those that start so from the lowest on, in
/// units of it. With the cell where the first one was there.
pub(super) fn find(mechanism: &Mechanism, cell: &OneCell, attempts: &Attempts) -> (Vec<Negative>, Option<State>) {
    let [absolute, _] = cell.options.tolerances(mechanism.variable());
    let start = &cell.cells.concentration;
    let depth = |species: usize| start[species] / absolute[species];
    let mut at_start: Vec<usize> = (0..mechanism.variable()).filter(|&species| depth(species) < -1.0).collect();
    at_start.sort_by(|&one, &other| depth(one).total_cmp(&depth(other)));
    let at_start = at_start.into_iter().map(|species| (species, None, start));
    let later = attempts.falls.iter();
    let later = later.map(|fall| (fall.species, Some((fall.time_s, fall.attempt)), &fall.concentrations));
    let (mut all, mut first) = (vec![], None);
    for (species, since, concentrations) in at_start.chain(later).take(FALLS) {
        let state = State::new(mechanism, cell, concentrations.clone());
        all.push(of(mechanism, &state, species, since));
        first.get_or_insert(state);
    }
    (all, first)
}

/// What takes a species at a state.
fn of(mechanism: &Mechanism, state: &State, species: usize, since: Option<(f64, usize)>) -> Negative {
    let network = mechanism.compiled().network().reactions();
    let factor = |number: usize| network[number].net.iter().find(|&&(one, _)| one == species).map_or(0.0, |x| x.1);
    let power = |number: usize| {
        network[number].reactants.iter().find(|&&(one, _)| one == species).map_or(0, |&(_, power)| power)
    };
    let change = |number: usize| factor(number) * state.rates[number];
    let most = |fits: &dyn Fn(usize) -> bool| {
        let taking = (0..network.len()).filter(|&number| factor(number) < 0.0 && change(number) < 0.0 && fits(number));
        taking.min_by(|&one, &other| change(one).total_cmp(&change(other)))
    };
    let taken_by = most(&|number| power(number) == 0);
    // dc/dt = -f k c^2 is at minus infinity after 1/(f k |c|), which is c over the change.
    let value = state.concentrations[species];
    let second = most(&|number| power(number) == 2);
    Negative {
        species,
        concentration: value,
        since,
        taken_by: taken_by.map(|number| (number, change(number))),
        runs_away: second.map(|number| (number, value / change(number))),
    }
}
