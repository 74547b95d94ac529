//! Systems of equations, by Gauss-Jordan elimination without pivoting.
//!
//! The matrices are `1 - R R'` with the reflections of two slabs that face each other, and those of [`super::thin`]. In
//! the flux-weighted norm, in which a slab reflects no more than it receives, both are strictly diagonally dominant:
//! off the diagonal they are negative and their columns have positive sums. Elimination keeps that property, so that
//! every pivot is positive and no smaller than the column's sum; off the diagonal, and on the right side, only numbers
//! of one sign are added. Pivoting could gain nothing.
//!
//! A pivot is a difference, though. Where hardly any light leaves the space between two slabs the last ones are small,
//! and all their digits may be lost: `escape` has them as sums for layers that are doubled. Elsewhere they are
//! some roundings at least, so that light that cannot leave in this precision stays finite. (Phase matrices with large
//! negative elements, as truncated expansions have them without delta scaling, may have negative pivots.)

use isobar_core::Real;

use crate::limits::LEAST_PIVOT_ROUNDINGS;
use crate::physics::scattering::matrix::{Matrix, Vector, row};
use crate::schedule::scattering::streams::Streams;

/// Solves `a x = b` for the columns of `K` matrices and for a vector; `b` becomes `x`.
#[inline(always)]
pub fn solve<R: Real, const N: usize, const W: usize, const K: usize>(
    streams: Streams<N, W>,
    a: Matrix<R, N, W>,
    b: &mut [Matrix<R, N, W>; K],
    vector: &mut Vector<R, N, W>,
) {
    let least = R::from_f64(LEAST_PIVOT_ROUNDINGS) * R::EPSILON;
    solve_with(streams, a, b, vector, |_, _, _, pivot| pivot.map(|p| if p.abs() < least { least } else { p }));
}

/// Elimination where `pivot(a, row, k, p)` is what to take for `p`, pivot number `k`, of the row `row`, when the
/// columns before it are eliminated from `a`.
#[inline(always)]
pub(crate) fn solve_with<R: Real, const N: usize, const W: usize, const K: usize>(
    streams: Streams<N, W>,
    a: Matrix<R, N, W>,
    b: &mut [Matrix<R, N, W>; K],
    vector: &mut Vector<R, N, W>,
    mut pivot: impl FnMut(&Matrix<R, N, W>, &[R; W], usize, [R; W]) -> [R; W],
) {
    let mut a = a;
    for k in 0..streams.order() {
        let row_k = row(streams, &a.rows, k);
        let pivot = pivot(&a, &row_k, k, streams.from(row_k, k));
        let inverse: [R; W] = core::array::from_fn(|lane| R::ONE / pivot[lane]);
        let scaled = |rows: &[[R; W]; N]| -> [R; W] {
            let row = row(streams, rows, k);
            core::array::from_fn(|lane| row[lane] * inverse[lane])
        };
        let (own, own_vector, own_right) =
            (scaled(&a.rows), scaled(vector), b.each_ref().map(|right| scaled(&right.rows)));
        for_each_row!(i in streams, N, W: {
            let factor = streams.from(a.rows[i], k);
            a.rows[i] = eliminated(&a.rows[i], i == k, &own, &factor);
            vector[i] = eliminated(&vector[i], i == k, &own_vector, &factor);
            for (right, own) in b.iter_mut().zip(&own_right) {
                right.rows[i] = eliminated(&right.rows[i], i == k, own, &factor);
            }
        });
    }
}

/// A row less `factor` times row `k`, which is `own`; or that row itself.
#[inline(always)]
fn eliminated<R: Real, const W: usize>(row: &[R; W], is_own: bool, own: &[R; W], factor: &[R; W]) -> [R; W] {
    let mut result = *own;
    for lane in 0..W {
        let rest = (-factor[lane]).mul_add(own[lane], row[lane]);
        result[lane] = if is_own { own[lane] } else { rest };
    }
    result
}

/// Solves `x a = b`.
#[inline(always)]
#[must_use]
pub fn solve_right<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    a: Matrix<R, N, W>,
    b: Matrix<R, N, W>,
) -> Matrix<R, N, W> {
    let (mut a, mut b) = (a, b);
    for k in 0..streams.order() {
        let own = row(streams, &a.rows, k);
        let pivot = streams.from(own, k);
        // Column k becomes its own multiple; from the others a multiple of it is subtracted.
        let is_k: [bool; W] = core::array::from_fn(|lane| streams.column(lane) == k);
        let factor: [R; W] = core::array::from_fn(|lane| {
            let inverse = R::ONE / pivot[lane];
            if is_k[lane] { inverse } else { -(own[lane] * inverse) }
        });
        for_each_row!(i in streams, N, W: {
            a.rows[i] = replaced(streams, &a.rows[i], k, &is_k, &factor);
            b.rows[i] = replaced(streams, &b.rows[i], k, &is_k, &factor);
        });
    }
    b
}

/// A row after column `k` was scaled and a multiple of it added to the others.
#[inline(always)]
fn replaced<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    row: &[R; W],
    k: usize,
    is_k: &[bool; W],
    factor: &[R; W],
) -> [R; W] {
    let element = streams.from(*row, k);
    core::array::from_fn(|lane| {
        let rest = if is_k[lane] { R::ZERO } else { row[lane] };
        element[lane].mul_add(factor[lane], rest)
    })
}
