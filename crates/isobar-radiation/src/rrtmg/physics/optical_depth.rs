//! Optical depths and Planck fractions of g-points: sums of the terms that [`crate::rrtmg::physics::terms`] lists.

use isobar_core::Real;

/// Adds a term to the sums of neighbouring g-points: a row of coefficients times its weight, and then the next one.
#[inline(always)]
pub(crate) fn add_term<R: Real, const N: usize>(
    sums: &mut [R; N],
    [first, second]: [R; 2],
    [these, next]: &[[R; N]; 2],
) {
    for lane in 0..N {
        sums[lane] = first.mul_add(these[lane], sums[lane]);
    }
    for lane in 0..N {
        sums[lane] = second.mul_add(next[lane], sums[lane]);
    }
}

/// Slant optical depth. Weights beyond the tables' ends can make it negative.
#[inline(always)]
pub(crate) fn slant_optical_depth<R: Real>(secant: R, vertical: R) -> R {
    (secant * vertical).max(R::ZERO)
}
