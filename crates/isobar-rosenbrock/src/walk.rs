//! How the arithmetic of a mechanism is walked through.

use isobar_core::Real;

use crate::block::Block;
use crate::crew::Crew;

/// What a step needs of a mechanism. All walks give the same bits: an entry of a result is always computed in one
/// order, whichever entry comes first.
pub(crate) trait Walk<R: Real, const V: usize, C: Crew<R, V>> {
    /// Does it solve in one place, that of the last stage, wherever the solution goes?
    const IN_ONE_PLACE: bool;

    /// dc/dt at a state, by way of the rates.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants, all rates, and all variable species.
    unsafe fn function(
        &self,
        crew: C,
        state: C::Numbers,
        rate_constants: Block<R, V>,
        rates: C::Numbers,
        function: C::Numbers,
    );

    /// Builds and factors the matrix `J - 1/(gamma H)` with `shift` = -1/(gamma H), by way of the derivatives of rates.
    /// Not 0 for lanes with a diagonal that vanishes before its row is eliminated, which is the test that KPP makes.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants, all derivatives, and all entries.
    unsafe fn factor(
        &self,
        crew: C,
        shift: [R; V],
        state: C::Numbers,
        rate_constants: Block<R, V>,
        derivatives: C::Numbers,
        factors: C::Numbers,
    ) -> [u32; V];

    /// Solves `(1/(gamma H) - J) x = b` with the factors, in place; each worker finds the entries of the solution that
    /// [`crate::crew::shared`] gives it.
    ///
    /// # Safety
    /// The blocks have room for all entries and all variable species.
    unsafe fn solve(&self, crew: C, factors: C::Numbers, solution: C::Numbers);
}
