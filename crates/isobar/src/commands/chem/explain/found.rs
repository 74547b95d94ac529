//! What is found of a cell.

use isobar_core::Status;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Integrated, Interval, outcome};

use super::attempts::Attempts;
use super::cell::OneCell;
use super::modes::Modes;
use super::negatives::Negative;
use super::state::State;
use super::trials::Trial;

/// What is known of the cell.
pub(super) struct Explained<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) cell: &'a OneCell,
    pub(super) interval: &'a Interval,
    pub(super) done: Integrated<f64>,
    pub(super) attempts: Attempts,
    /// Where species are looked at.
    pub(super) at: State,
    pub(super) place: Place,
    pub(super) modes: Option<Modes>,
    pub(super) negatives: Vec<Negative>,
    pub(super) trials: Vec<Trial>,
    pub(super) advice: Vec<String>,
}

/// Where species are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where a cell that fails first had a concentration below zero.
    BelowZero,
    /// Where a cell that fails ended.
    End,
    /// Where the step was shortest for its error.
    ShortestStep,
}

impl Explained<'_> {
    pub(super) fn status(&self) -> Status {
        Status(self.done.status[0])
    }

    pub(super) fn name(&self, species: usize) -> &str {
        &self.mechanism.species()[species].name
    }

    /// A reaction by its label, or else its number from 1 on, as in KPP, and its equation.
    pub(super) fn reaction(&self, number: usize) -> String {
        let reaction = &self.mechanism.reactions()[number];
        match &reaction.label {
            Some(label) => format!("{label} {}", reaction.equation),
            None => format!("R{} {}", number + 1, reaction.equation),
        }
    }
}

/// What became of a cell, with KPP's code.
pub(super) fn outcome_of(status: Status) -> String {
    match status {
        Status::OK => "success".to_owned(),
        status => format!("{} (KPP's code {})", outcome::describe(status), outcome::kpp_code(status)),
    }
}
