//! Small square matrices: products and inverses.

use isobar_core::Real;

/// A matrix with room for `N` rows and columns; what is beyond its order is zero.
pub type Square<R, const N: usize> = [[R; N]; N];

/// `row + factor * other`, element by element.
#[inline(always)]
pub(crate) fn add_scaled<R: Real, const N: usize>(row: &mut [R; N], factor: R, other: &[R; N]) {
    for j in 0..N {
        row[j] = factor.mul_add(other[j], row[j]);
    }
}

/// `row * matrix`, of which `n` rows count and which has `M` columns.
#[inline(always)]
pub(crate) fn row_times<R: Real, const N: usize, const M: usize>(
    row: &[R; N],
    matrix: &[[R; M]; N],
    n: usize,
) -> [R; M] {
    let mut result = [R::ZERO; M];
    for k in 0..n {
        add_scaled(&mut result, row[k], &matrix[k]);
    }
    result
}

/// `matrix * column`, of the first `n` rows.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(crate) fn times_column<R: Real, const N: usize>(matrix: &Square<R, N>, column: &[R; N], n: usize) -> [R; N] {
    let mut result = [R::ZERO; N];
    for i in 0..n {
        result[i] = dot(&matrix[i], column);
    }
    result
}

/// `sum_k row_k column_k`: halves are added, and halves of those; `N` is a power of 2.
#[inline(always)]
pub(crate) fn dot<R: Real, const N: usize>(row: &[R; N], column: &[R; N]) -> R {
    const { assert!(N.is_power_of_two()) };
    let mut sums = [R::ZERO; N];
    for k in 0..N {
        sums[k] = row[k] * column[k];
    }
    let mut half = N / 2;
    while half > 0 {
        for k in 0..half {
            sums[k] += sums[k + half];
        }
        half /= 2;
    }
    sums[0]
}

/// The inverse of a matrix of order `n`, by elimination in place and without pivoting (Gauss and Jordan's).
///
/// The matrices are `1 + Z W`, `1 + Z`, `1 + W` and the denominator of [`super::impedance`], whose eigenvalues are 1
/// and more where scattering is physical, and `1 - P R` of two slabs that face each other, which is diagonally dominant
/// in the flux-weighted norm.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(crate) fn inverse<R: Real, const N: usize>(matrix: &Square<R, N>, n: usize) -> Square<R, N> {
    let mut result = *matrix;
    for k in 0..n {
        let pivot = R::ONE / result[k][k];
        result[k][k] = R::ONE;
        for j in 0..N {
            result[k][j] *= pivot;
        }
        let own = result[k];
        for i in 0..n {
            if i != k {
                let factor = -result[i][k];
                result[i][k] = R::ZERO;
                add_scaled(&mut result[i], factor, &own);
            }
        }
    }
    result
}
