//! Small square matrices: products and inverses.

use isobar_core::{Real, Row, out_of_line};

use crate::limits::LEAST_PIVOT_ROUNDINGS;

/// A matrix with room for `N` rows and columns; what is beyond its order is zero.
pub type Square<R, const N: usize> = [Row<R, N>; N];

/// `for $i in 0..$n` over rows, for which there is room for `$most`. On a GPU it is written out for all these, if they
/// are not more than 16, so that rows are in registers: what the body does to rows beyond the last must do no harm.
macro_rules! for_rows {
    ($i:ident < $n:expr, $most:expr => $body:block) => {
        if const { $most <= 16 && cfg!(target_arch = "nvptx64") } {
            $crate::physics::azimuth::square::for_rows!(@number $i, $most, $body,
                0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        } else {
            #[allow(clippy::needless_range_loop)]
            for $i in 0..$n $body
        }
    };
    (@number $i:ident, $most:expr, $body:block, $($number:literal)*) => {$(
        if const { $number < $most } {
            let $i: usize = const { if $number < $most { $number } else { 0 } };
            $body
        }
    )*};
}
pub(crate) use for_rows;

/// `matrix[k]`, without counting through registers.
#[inline(always)]
fn pick<R: Real, const N: usize, const M: usize>(matrix: &[Row<R, M>; N], k: usize) -> Row<R, M> {
    if cfg!(target_arch = "nvptx64") {
        let mut row = matrix[0];
        for_rows!(i < N, N => {
            row = Row::choose(i == k, &matrix[i], &row);
        });
        row
    } else {
        matrix[k]
    }
}

/// `matrix[k] = row`, likewise.
#[inline(always)]
fn put<R: Real, const N: usize, const M: usize>(matrix: &mut [Row<R, M>; N], k: usize, row: Row<R, M>) {
    if cfg!(target_arch = "nvptx64") {
        for_rows!(i < N, N => {
            matrix[i] = Row::choose(i == k, &row, &matrix[i]);
        });
    } else {
        matrix[k] = row;
    }
}

/// The first `count` of `rows`, each times two matrices side by side, of which `n` rows count.
#[inline(always)]
pub(crate) fn products<R: Real, const N: usize, const M: usize, const ROWS: usize>(
    rows: &[Row<R, N>; ROWS],
    (left, right): (&Square<R, N>, &[Row<R, M>; N]),
    (count, n): (usize, usize),
) -> ([Row<R, N>; ROWS], [Row<R, M>; ROWS]) {
    let (mut of_left, mut of_right) = ([Row::ZERO; ROWS], [Row::ZERO; ROWS]);
    if cfg!(target_arch = "nvptx64") {
        // A row of the matrices after the other, for all sums are in registers.
        for k in 0..n {
            for_rows!(i < count, ROWS => {
                let element = rows[i].element(k);
                of_left[i].add_scaled(element, &left[k]);
                of_right[i].add_scaled(element, &right[k]);
            });
        }
    } else {
        for i in 0..count {
            of_left[i] = row_times(&rows[i], left, n);
            of_right[i] = row_times(&rows[i], right, n);
        }
    }
    (of_left, of_right)
}

/// `left * right`, of the first `n` rows and columns.
#[inline(always)]
pub(crate) fn product<R: Real, const N: usize, const M: usize>(
    left: &Square<R, N>,
    right: &[Row<R, M>; N],
    n: usize,
) -> [Row<R, M>; N] {
    let mut result = [Row::ZERO; N];
    if cfg!(target_arch = "nvptx64") {
        for k in 0..n {
            for_rows!(i < n, N => {
                result[i].add_scaled(left[i].element(k), &right[k]);
            });
        }
    } else {
        for i in 0..n {
            result[i] = row_times(&left[i], right, n);
        }
    }
    result
}

/// `row * matrix`, of which `n` rows count, where a thread has whole rows.
#[inline(always)]
pub(crate) fn row_times<R: Real, const N: usize, const M: usize>(
    row: &Row<R, N>,
    matrix: &[Row<R, M>; N],
    n: usize,
) -> Row<R, M> {
    let mut result = Row::ZERO;
    // Up to 8 an end that is known is worth more than zeros that are left out.
    for k in 0..if const { N <= 8 } { N } else { n } {
        result.add_scaled(row.element(k), &matrix[k]);
    }
    result
}

/// `matrix * column`, of the first `n` rows.
#[inline(always)]
pub(crate) fn times_column<R: Real, const N: usize>(matrix: &Square<R, N>, column: &Row<R, N>, n: usize) -> Row<R, N> {
    let mut result = Row::ZERO;
    for_rows!(i < n, N => {
        result.set(i, matrix[i].dot(column));
    });
    result
}

/// The inverse of a matrix of order `n`, by elimination in place and without pivoting (Gauss and Jordan's).
///
/// The matrices are `1 + Z W`, `1 + Z`, `1 + W` and the denominator of [`super::impedance`], whose eigenvalues are 1
/// and more where scattering is physical, and `1 - P R` of two slabs that face each other, which is diagonally dominant
/// in the flux-weighted norm; where both let nothing out in this precision, its pivot has no digits left and is the
/// least that has.
#[inline(always)]
pub(crate) fn inverse<R: Real, const N: usize>(matrix: &Square<R, N>, n: usize) -> Square<R, N> {
    let mut result = *matrix;
    for k in 0..n {
        let mut own = pick(&result, k);
        let pivot = own.element(k);
        let least = R::EPSILON * R::from_f64(LEAST_PIVOT_ROUNDINGS);
        let pivot = R::ONE / if pivot.abs() < least { least } else { pivot };
        own.set(k, R::ONE);
        own = own.map(|x| x * pivot);
        for_rows!(i < n, N => {
            let factor = -result[i].element(k);
            let mut row = result[i];
            row.set(k, R::ZERO);
            row.add_scaled(factor, &own);
            result[i] = row;
        });
        put(&mut result, k, own);
    }
    result
}

/// [`product`] of whole matrices, out of line but for small ones.
#[inline(always)]
pub(crate) fn whole_product<R: Real, const N: usize>(
    left: &Square<R, N>,
    right: &Square<R, N>,
    n: usize,
) -> Square<R, N> {
    #[inline(always)]
    fn work<R: Real, const N: usize>((left, right, n): (&Square<R, N>, &Square<R, N>, usize)) -> Square<R, N> {
        product(left, right, n)
    }
    if const { N <= 4 } { product(left, right, n) } else { out_of_line(work, (left, right, n)) }
}

/// [`inverse`], likewise.
#[inline(always)]
pub(crate) fn whole_inverse<R: Real, const N: usize>(matrix: &Square<R, N>, n: usize) -> Square<R, N> {
    #[inline(always)]
    fn work<R: Real, const N: usize>((matrix, n): (&Square<R, N>, usize)) -> Square<R, N> {
        inverse(matrix, n)
    }
    if const { N <= 4 } { inverse(matrix, n) } else { out_of_line(work, (matrix, n)) }
}
