//! Systems of equations, by Gauss-Jordan elimination without pivoting.
//!
//! The matrices are `1 - R R'` with the reflections of two slabs that face each other, and those of [`super::thin`]. In the flux-weighted
//! norm, in which a slab reflects no more than it receives, both are strictly diagonally dominant: off the diagonal they are negative and
//! their columns have positive sums. Elimination keeps that property, so that every pivot is positive and no smaller than the column's sum; off
//! the diagonal, and on the right side, only numbers of one sign are added. Pivoting could gain nothing.

use isobar_core::Real;

use super::matrix::{Matrix, Vector};
use super::streams::Streams;

/// Solves `a x = b` for the columns of `K` matrices and for a vector; `b` becomes `x`.
#[inline(always)]
pub fn solve<R: Real, const N: usize, const W: usize, const K: usize>(
    streams: Streams<N, W>,
    a: Matrix<R, N, W>,
    b: &mut [Matrix<R, N, W>; K],
    vector: &mut Vector<R, N, W>,
) {
    let mut a = a;
    for_each_stream!(k in N, W: {
        let pivot = streams.from(a.rows[k], k);
        let inverse: [R; W] = core::array::from_fn(|lane| R::ONE / pivot[lane]);
        let scaled = |row: [R; W]| -> [R; W] { core::array::from_fn(|lane| row[lane] * inverse[lane]) };
        a.rows[k] = scaled(a.rows[k]);
        vector[k] = scaled(vector[k]);
        for right in b.iter_mut() {
            right.rows[k] = scaled(right.rows[k]);
        }
        for_each_stream!(i in N, W: {
            if i != k {
                let factor = streams.from(a.rows[i], k);
                eliminate(&mut a.rows, i, k, &factor);
                eliminate(vector, i, k, &factor);
                for right in b.iter_mut() {
                    eliminate(&mut right.rows, i, k, &factor);
                }
            }
        });
    });
}

/// Subtracts `factor` times row `k` from row `i`.
#[inline(always)]
fn eliminate<R: Real, const N: usize, const W: usize>(rows: &mut [[R; W]; N], i: usize, k: usize, factor: &[R; W]) {
    for lane in 0..W {
        rows[i][lane] = (-factor[lane]).mul_add(rows[k][lane], rows[i][lane]);
    }
}

/// Solves `x a = b`.
// Of the last step, where it is written out, nobody reads `a`.
#[allow(unused_assignments)]
#[inline(always)]
#[must_use]
pub fn solve_right<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    a: Matrix<R, N, W>,
    b: Matrix<R, N, W>,
) -> Matrix<R, N, W> {
    let (mut a, mut b) = (a, b);
    for_each_stream!(k in N, W: {
        let pivot = streams.from(a.rows[k], k);
        // Column k becomes its own multiple; from the others a multiple of it is subtracted.
        let is_k: [bool; W] = core::array::from_fn(|lane| streams.column(lane) == k);
        let factor: [R; W] = core::array::from_fn(|lane| {
            let inverse = R::ONE / pivot[lane];
            if is_k[lane] { inverse } else { -(a.rows[k][lane] * inverse) }
        });
        for_each_stream!(i in N, W: {
            a.rows[i] = replaced(streams, &a.rows[i], k, &is_k, &factor);
            b.rows[i] = replaced(streams, &b.rows[i], k, &is_k, &factor);
        });
    });
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
