//! The accepted steps of cells, from which they are computed again.

use crate::physics::tangent::Made;
use crate::schedule::blocks::Blocks;
use crate::schedule::numbers::{Block, Numbers};

/// Of each lane the steps, and the concentrations of variable species that each began with.
pub(super) struct Record<const V: usize> {
    variable: usize,
    steps: [Vec<f64>; V],
    states: [Vec<f64>; V],
}

impl<const V: usize> Record<V> {
    /// No steps yet.
    pub(super) fn new(variable: usize) -> Self {
        Self { variable, steps: [const { vec![] }; V], states: [const { vec![] }; V] }
    }

    /// Adds the steps of lanes whose step is accepted, before they move on.
    pub(super) fn add(&mut self, blocks: &Blocks<f64, V, Block<f64, V>>, steps: &[f64; V], accepted: &[u32; V]) {
        for lane in (0..V).filter(|&lane| accepted[lane] != 0) {
            self.steps[lane].push(steps[lane]);
            self.states[lane].extend((0..self.variable).map(|i| blocks.state.lane(i, lane)));
        }
    }

    /// The most steps of a lane.
    pub(super) fn most(&self) -> usize {
        self.steps.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Takes the lanes that have made a step of this number back to its start; others stay where they are.
    pub(super) fn load(&self, number: usize, blocks: &Blocks<f64, V, Block<f64, V>>) -> Made<V> {
        let mut made = Made { step: [1.0; V], counts: [0; V] };
        for lane in (0..V).filter(|&lane| number < self.steps[lane].len()) {
            (made.step[lane], made.counts[lane]) = (self.steps[lane][number], 1);
            for (i, &value) in self.states[lane][number * self.variable..][..self.variable].iter().enumerate() {
                blocks.state.set_lane(i, lane, value);
            }
        }
        made
    }
}
