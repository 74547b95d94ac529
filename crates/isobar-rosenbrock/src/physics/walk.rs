//! How the arithmetic of a mechanism is walked through.

use isobar_core::Real;

use crate::schedule::numbers::Block;
use crate::schedule::team::Team;

/// What a step needs of a mechanism. All walks give the same bits: an entry of a result is always computed in one
/// order, whichever entry comes first.
pub(crate) trait Walk<R: Real, const V: usize, C: Team<R, V>> {
    /// Does it solve in one place, that of the last stage, wherever the solution goes?
    const IN_ONE_PLACE: bool;

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
