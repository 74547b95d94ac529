//! The mechanism as the core sees it.

use isobar_core::Column;

use crate::physics::index::Index;
use crate::physics::sizes::Sizes;

/// Views of the tables of a mechanism, the same for all cells. A warp reads each number once for all its lanes, in the
/// order in which they stand.
///
/// Concentrations are numbered: variable species in the order of their elimination, fixed species, and behind them the
/// number 1.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Mechanism<'a, I> {
    /// How much there is of everything.
    pub sizes: Sizes,
    /// For each reaction the concentrations of two factors of its rate.
    pub reactants: Column<'a, [I; 2]>,
    /// Further factors: reaction, concentration.
    pub more_reactants: Column<'a, [I; 2]>,
    /// For each derivative the rate constant, or the derivative of one, and the concentration that it is the product
    /// of.
    pub derivatives: Column<'a, [I; 2]>,
    /// Further factors: derivative, concentration.
    pub more_derivatives: Column<'a, [I; 2]>,
    /// For each variable species the number of its reactions, and for each reaction its number and that of the
    /// coefficient.
    pub function: Column<'a, I>,
    /// For each variable species the number of what its loss sums, and the reaction of each: as often as its power
    /// says.
    pub loss: Column<'a, I>,
    /// How the matrix is built and factored, row by row.
    ///
    /// Rows are those of the variable species and, behind them, of sums, which have -1 on the diagonal.
    ///
    /// A row: the numbers of entries left and right of the diagonal, then all entries from left to right. An entry: the
    /// diagonal by which it is divided, left of the diagonal only; the numbers of derivatives and of products; each
    /// derivative and its coefficient; each entry of L and of U whose product is added.
    pub factor: Column<'a, I>,
    /// For each row the number of entries left and right of the diagonal.
    pub rows: Column<'a, [I; 2]>,
    /// The column of each entry of the factors.
    pub columns: Column<'a, I>,
    /// The pool of coefficients.
    pub coefficients: Column<'a, f64>,
}

impl<I: Index> Mechanism<'_, I> {
    /// All species.
    #[inline(always)]
    #[must_use]
    pub fn species(&self) -> usize {
        self.sizes.variable as usize + self.sizes.fixed as usize
    }
}
