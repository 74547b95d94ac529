//! Which share of turbulent transport a grid does not resolve (Honnert et al. 2011, Shin and Hong 2013): functions of
//! the grid's distance over the size of the eddies, 0 to 1.

use isobar_core::Real;

use crate::constants::TWO_THIRDS;
use crate::physics::scales::with_rest;

/// `x^0.6666667`.
#[inline(always)]
fn two_thirds<R: Real>(x: R) -> R {
    let root = x.plain_cbrt();
    with_rest(x, root * root, R::from_f64(TWO_THIRDS - 2.0 / 3.0))
}

#[inline(always)]
fn limited<R: Real>(share: R) -> R {
    share.at_least(R::ZERO).at_most(R::ONE)
}

/// `factor (r^2 + a p + b) / (r^2 + c p + d) + 1 - factor` with a power `p` of the ratio `r`.
#[inline(always)]
fn rational<R: Real>(ratio: R, power: R, [a, b, c, d]: [f64; 4], factor: f64) -> R {
    let number = R::from_f64;
    let square = ratio * ratio;
    let above = square + number(a) * power + number(b);
    let below = square + number(c) * power + number(d);
    limited(number(factor) * above / below + number(1.0 - factor))
}

/// Of momentum, and of turbulent energy.
#[inline(always)]
pub(crate) fn momentum<R: Real>(ratio: R) -> R {
    rational(ratio, two_thirds(ratio), [0.07, 0.0, 0.142, 0.071], 1.0)
}

/// Of moisture.
#[inline(always)]
pub(crate) fn moisture<R: Real>(ratio: R) -> R {
    rational(ratio, R::ZERO, [0.0, -0.098, 0.0, 0.106], 0.5)
}

/// Of heat that gradients drive.
#[inline(always)]
pub(crate) fn local_heat<R: Real>(ratio: R) -> R {
    rational(ratio, ratio.plain_sqrt(), [0.87, -0.913, 0.153, 0.278], 0.28)
}

/// Of heat that thermals carry. The power is 7/8.
#[inline(always)]
pub(crate) fn nonlocal_heat<R: Real>(ratio: R) -> R {
    let eighth = ratio.plain_sqrt().plain_sqrt().plain_sqrt();
    rational(ratio, ratio / eighth, [0.936, -1.11, 0.312, 0.329], 0.243)
}
