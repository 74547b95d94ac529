//! Power series of what the stability corrections have far from neutral air, their coefficients made at compile time.

use isobar_core::Real;

/// A precision whose epsilon is above this is single, for which fewer terms are enough.
const SINGLE_EPSILON: f64 = 1e-9;

/// The coefficients of `ln((1 + (1 + w)^power) / 2) / w`, from the constant one on.
pub(crate) const fn of_mean<const N: usize>(power: f64) -> [f64; N] {
    // a: of the mean less 1; l: of its logarithm, by `l' (1 + a) = a'`.
    let (mut a, mut l) = ([0.0; N], [0.0; N]);
    let (mut binomial, mut n) = (1.0, 1);
    while n <= N {
        binomial *= (power - (n as f64 - 1.0)) / n as f64;
        a[n - 1] = 0.5 * binomial;
        n += 1;
    }
    n = 1;
    while n <= N {
        let (mut sum, mut k) = (n as f64 * a[n - 1], 1);
        while k < n {
            sum -= k as f64 * l[k - 1] * a[n - k - 1];
            k += 1;
        }
        l[n - 1] = sum / n as f64;
        n += 1;
    }
    l
}

/// The coefficients of `ln(1 + x) / x`.
pub(crate) const fn of_logarithm<const N: usize>() -> [f64; N] {
    let (mut all, mut n) = ([0.0; N], 0);
    while n < N {
        all[n] = (if n % 2 == 0 { 1.0 } else { -1.0 }) / (n + 1) as f64;
        n += 1;
    }
    all
}

/// The inverses of a number and of those that follow it in steps.
pub(crate) const fn inverses<const N: usize>(first: usize, step: usize) -> [f64; N] {
    let (mut all, mut n) = ([0.0; N], 0);
    while n < N {
        all[n] = 1.0 / (first + step * n) as f64;
        n += 1;
    }
    all
}

/// The sum of a series, in single precision of its first terms alone.
#[inline(always)]
pub(crate) fn sum<R: Real, const N: usize>(coefficients: &[f64; N], in_single: usize, x: R) -> R {
    let terms = if R::EPSILON.value() > SINGLE_EPSILON { in_single } else { N };
    let mut sum = R::from_f64(coefficients[terms - 1]);
    for term in (0..terms - 1).rev() {
        sum = sum.mul_add(x, R::from_f64(coefficients[term]));
    }
    sum
}
