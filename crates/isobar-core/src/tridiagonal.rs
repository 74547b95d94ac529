//! Tridiagonal systems, as implicit vertical diffusion has them:
//! `lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i]`.
//!
//! Elimination without pivoting (L. H. Thomas, 1949). It is stable where the matrix is diagonally dominant, that is
//! `|diagonal[i]| >= |lower[i]| + |upper[i]|` on every level and `>` on one of each coupled block, which implicit
//! diffusion with coefficients that are not negative always gives: then no pivot vanishes and the factors stay within
//! 1, so that rounding errors do not grow. For other matrices a pivot may vanish, which shows as numbers that are not
//! finite.

use crate::{Column, FieldMut, Real};

/// The three diagonals of a matrix, each with a value a level.
///
/// `lower` of the first level and `upper` of the last are not read.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tridiagonal<'a, R> {
    /// What level i takes from level i - 1.
    pub lower: Column<'a, R>,
    /// What level i takes from itself.
    pub diagonal: Column<'a, R>,
    /// What level i takes from level i + 1.
    pub upper: Column<'a, R>,
}

impl<R: Real> Tridiagonal<'_, R> {
    /// Solves for several right-hand sides with one elimination, in place: the profile of `item` in each field of
    /// `right` becomes the solution.
    ///
    /// The number of levels is that of the diagonal; all fields have at least as many. The profile of `item` in
    /// `scratch` is overwritten. One division a level, whatever the number of right-hand sides; nothing is allocated.
    /// The order of operations is fixed, so results have the same bits on every backend and for any strides; several
    /// right-hand sides give what each alone gives.
    ///
    /// # Accuracy
    /// For a diagonally dominant matrix, a residual of a few `R::EPSILON` times `|matrix| |x|`: `tests/tridiagonal.rs`.
    #[inline(always)]
    pub fn solve<const N: usize>(&self, right: [FieldMut<'_, R>; N], scratch: FieldMut<'_, R>, item: usize) {
        let levels = self.diagonal.len();
        let mut factor = R::ZERO;
        let mut above = [R::ZERO; N];
        for level in 0..levels {
            let lower = if level == 0 { R::ZERO } else { self.lower.at(level) };
            let pivot = R::ONE / (self.diagonal.at(level) - lower * factor);
            for (field, previous) in right.iter().zip(&mut above) {
                *previous = (field.at(level, item) - lower * *previous) * pivot;
                field.set(level, item, *previous);
            }
            if level + 1 < levels {
                factor = self.upper.at(level) * pivot;
                scratch.set(level, item, factor);
            }
        }
        // `above` holds the solution of the last level; upwards from there.
        for level in (0..levels.saturating_sub(1)).rev() {
            let factor = scratch.at(level, item);
            for (field, next) in right.iter().zip(&mut above) {
                *next = field.at(level, item) - factor * *next;
                field.set(level, item, *next);
            }
        }
    }
}
