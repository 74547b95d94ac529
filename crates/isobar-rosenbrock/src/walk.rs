//! How the arithmetic of a mechanism is walked through.

use crate::crew::Crew;

/// What a step needs of a mechanism. All walks give the same bits: an entry of a result is always computed in one order, whichever entry comes first.
pub(crate) trait Walk<const V: usize, C: Crew<V>> {
    /// dc/dt at a state, by way of the rates.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants, all rates, and all variable species.
    unsafe fn function(
        &self,
        crew: C,
        state: C::Numbers,
        rate_constants: C::Numbers,
        rates: C::Numbers,
        function: C::Numbers,
    );

    /// Builds and factors the matrix `1/(gamma H) - J` with `shift` = 1/(gamma H), by way of the derivatives of rates. Not 0 for lanes with a diagonal
    /// that vanishes before its row is eliminated, which is the test that KPP makes.
    ///
    /// # Safety
    /// The blocks have room for a state, all rate constants, all derivatives, and all entries.
    unsafe fn factor(
        &self,
        crew: C,
        shift: [f64; V],
        state: C::Numbers,
        rate_constants: C::Numbers,
        derivatives: C::Numbers,
        factors: C::Numbers,
    ) -> [u32; V];

    /// Solves with the factors, in place.
    ///
    /// # Safety
    /// The blocks have room for all entries and all variable species.
    unsafe fn solve(&self, crew: C, factors: C::Numbers, solution: C::Numbers);
}
