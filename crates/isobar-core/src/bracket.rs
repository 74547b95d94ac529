//! The interval of a grid that holds a value.
//!
//! All searches return an index in `[0, n - 2]`, the first or last interval for a value outside
//! the grid, so that interpolation in the interval extrapolates there. A grid of one node gives 0.

use crate::{Column, Real};

/// The interval of an ascending grid by bisection: `grid[i] <= x < grid[i + 1]`.
#[inline]
#[must_use]
pub fn ascending<R: Real>(grid: Column<'_, R>, x: R) -> usize {
    bisect(grid.len(), |i| grid.at(i), x)
}

/// The interval of an ascending grid, found by walking from `guess`: the same answer as [`ascending`],
/// in one or two comparisons where the guess is near.
#[inline]
#[must_use]
pub fn ascending_near<R: Real>(grid: Column<'_, R>, x: R, guess: usize) -> usize {
    walk(grid.len(), |i| grid.at(i), x, guess)
}

/// [`ascending`] for `nodes` nodes that `at` reads, wherever they lie.
#[inline(always)]
#[must_use]
pub fn bisect<R: Real>(nodes: usize, at: impl Fn(usize) -> R, x: R) -> usize {
    let (mut low, mut high) = (0, nodes.max(2) - 1);
    while high > low + 1 {
        let middle = (low + high) / 2;
        if at(middle) > x {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// [`ascending_near`] for `nodes` nodes that `at` reads, wherever they lie.
#[inline(always)]
#[must_use]
pub fn walk<R: Real>(nodes: usize, at: impl Fn(usize) -> R, x: R, guess: usize) -> usize {
    let last = nodes.max(2) - 2;
    let mut i = guess.min(last);
    while i > 0 && at(i) > x {
        i -= 1;
    }
    while i < last && at(i + 1) <= x {
        i += 1;
    }
    i
}

/// The interval of an equidistant grid, by arithmetic from its first two nodes.
#[inline]
#[must_use]
pub fn regular<R: Real>(grid: Column<'_, R>, x: R) -> usize {
    let last = grid.len().max(2) - 2;
    if last == 0 {
        return 0;
    }
    let start = grid.at(0);
    ((x - start) / (grid.at(1) - start)).index(0, last.min(i32::MAX as usize) as i32) as usize
}

/// The interval of a grid whose nodes grow by a constant factor, by arithmetic from its first two nodes.
#[inline]
#[must_use]
pub fn log_regular<R: Real>(grid: Column<'_, R>, x: R) -> usize {
    let last = grid.len().max(2) - 2;
    if last == 0 || x <= grid.at(0) {
        return 0;
    }
    let start = grid.at(0);
    let guess = ((x / start).ln() / (grid.at(1) / start).ln()).to_i32();
    ascending_near(grid, x, guess.max(0) as usize)
}
