//! How the arithmetic of a mechanism is walked through.

use isobar_core::Real;

use crate::physics::error_norm::Judged;
use crate::physics::index::Index;
use crate::schedule::arguments::Arguments;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::numbers::Block;
use crate::schedule::team::Team;

/// Cells at the start of a step, which is not attempted again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<const V: usize> {
    /// Not 0: it is the first one.
    pub(crate) begins: [u32; V],
    /// Not 0: it is a later one.
    pub(crate) goes_on: [u32; V],
}

/// What became of attempts.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "launch"), allow(dead_code, reason = "only a trace reads them"))]
pub(crate) struct Seen<const V: usize> {
    /// Not 0: the cell attempted a step.
    pub(crate) attempted: [u32; V],
    /// Not 0: it was accepted.
    pub(crate) accepted: [u32; V],
    /// Not 0: its matrix was singular.
    pub(crate) singular: [u32; V],
    /// When it began, since the start of the interval \[s\].
    pub(crate) time: [f64; V],
}

/// What a step needs of a mechanism. All walks give the same bits: an entry of a result is always computed in one
/// order, whichever entry comes first.
pub(crate) trait Walk<R: Real, const V: usize, C: Team<R, V>> {
    /// Does it solve in one place, that of the last stage, wherever the solution goes?
    const IN_ONE_PLACE: bool;
    /// Are there species that cells do not solve for?
    const REDUCES: bool = false;
    /// Does anybody look at attempts?
    const SEES: bool = false;

    /// Shows attempts, before their cells move on: errors of species are where dc/dt was.
    #[inline(always)]
    fn see(&self, _blocks: &Blocks<R, V, C::Numbers>, _attempt: &Attempt<V>, _judged: &Judged<V>, _seen: &Seen<V>) {}

    /// Chooses what cells solve for, at the start of each attempt, and leaves dc/dt where it belongs.
    #[inline(always)]
    fn choose<I: Index, const RATES: bool>(
        &self,
        _kernel: Arguments<'_, '_, R, I, RATES>,
        _team: C,
        _blocks: &Blocks<R, V, C::Numbers>,
        _attempt: &Attempt<V>,
        _choice: &Choice<V>,
    ) {
    }

    /// The right side of a row of the matrix: 0 for cells that do not solve for it.
    #[inline(always)]
    fn right_side(&self, _row: usize, right: [R; V]) -> [R; V] {
        right
    }

    /// Ends a cell, which may have attempted steps, or not, and succeeded, or not: what was not solved for comes to
    /// where it is at the end.
    #[inline(always)]
    fn end<I: Index, const RATES: bool>(
        &self,
        _kernel: Arguments<'_, '_, R, I, RATES>,
        _blocks: &Blocks<R, V, C::Numbers>,
        _cell: (usize, usize),
        _became: (bool, bool),
    ) {
    }

    /// dc/dt at a state, by way of the rates.
    fn function(
        &self,
        team: C,
        state: C::Numbers,
        rate_constants: Block<R, V>,
        rates: C::Numbers,
        function: C::Numbers,
    );

    /// Builds and factors the matrix `J - 1/(gamma H)` with `shift` = -1/(gamma H), by way of the derivatives of rates.
    /// Not 0 for lanes with a diagonal that vanishes before its row is eliminated, which is the test that KPP makes.
    fn factor(
        &self,
        team: C,
        shift: [R; V],
        state: C::Numbers,
        rate_constants: Block<R, V>,
        derivatives: C::Numbers,
        factors: C::Numbers,
    ) -> [u32; V];

    /// Solves `(1/(gamma H) - J) x = b` with the factors, in place; each worker finds the entries of the solution that
    /// [`crate::schedule::team::shared`] gives it.
    fn solve(&self, team: C, factors: C::Numbers, solution: C::Numbers);
}
