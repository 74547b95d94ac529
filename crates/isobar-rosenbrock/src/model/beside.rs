//! A walk beside which something else goes: a trace, a tangent, a record of steps.

use crate::physics::error_norm::Judged;
use crate::physics::walk::{Seen, Walk};
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::Block;
use crate::schedule::team::OneWorker;

/// A walk that shows what becomes of attempts.
pub(super) struct Beside<W, S> {
    walk: W,
    see: S,
}

impl<W, S> Beside<W, S> {
    /// Shows attempts of `V` lanes before their cells move on: see [`Walk::see`].
    pub(super) fn new<const V: usize>(walk: W, see: S) -> Self
    where
        S: Fn(&Blocks<f64, V, Block<f64, V>>, &Attempt<V>, &Judged<V>, &Seen<V>),
    {
        Self { walk, see }
    }
}

impl<W, S, const V: usize> Walk<f64, V, OneWorker<V>> for Beside<W, S>
where
    W: Walk<f64, V, OneWorker<V>>,
    S: Fn(&Blocks<f64, V, Block<f64, V>>, &Attempt<V>, &Judged<V>, &Seen<V>),
{
    const IN_ONE_PLACE: bool = W::IN_ONE_PLACE;
    const SEES: bool = true;

    fn see(&self, blocks: &Blocks<f64, V, Block<f64, V>>, attempt: &Attempt<V>, judged: &Judged<V>, seen: &Seen<V>) {
        (self.see)(blocks, attempt, judged, seen);
    }

    fn function(
        &self,
        team: OneWorker<V>,
        state: Block<f64, V>,
        rate_constants: Block<f64, V>,
        rates: Block<f64, V>,
        function: Block<f64, V>,
    ) {
        self.walk.function(team, state, rate_constants, rates, function);
    }

    fn factor(
        &self,
        team: OneWorker<V>,
        shift: [f64; V],
        state: Block<f64, V>,
        rate_constants: Block<f64, V>,
        derivatives: Block<f64, V>,
        factors: Block<f64, V>,
    ) -> [u32; V] {
        self.walk.factor(team, shift, state, rate_constants, derivatives, factors)
    }

    fn solve(&self, team: OneWorker<V>, factors: Block<f64, V>, solution: Block<f64, V>) {
        self.walk.solve(team, factors, solution);
    }
}
