//! Interpolation between two nodes.

use crate::Real;

/// Linear in x.
#[inline(always)]
#[must_use]
pub fn linear<R: Real>(x0: R, y0: R, x1: R, y1: R, x: R) -> R {
    y0 + (y1 - y0) / (x1 - x0) * (x - x0)
}

/// Logarithmic in y, linear in x: exponential between the nodes. Linear where `y1 / y0` is not positive.
#[inline(always)]
#[must_use]
pub fn log_y<R: Real>(x0: R, y0: R, x1: R, y1: R, x: R) -> R {
    let ratio = y1 / y0;
    if ratio > R::ZERO { y0 * (ratio.ln() / (x1 - x0) * (x - x0)).exp() } else { linear(x0, y0, x1, y1, x) }
}

/// Linear in y, logarithmic in x. Linear in x where `x / x0` or `x1 / x0` is not positive.
#[inline(always)]
#[must_use]
pub fn log_x<R: Real>(x0: R, y0: R, x1: R, y1: R, x: R) -> R {
    let (far, near) = (x1 / x0, x / x0);
    if far > R::ZERO && near > R::ZERO { y0 + (y1 - y0) * near.ln() / far.ln() } else { linear(x0, y0, x1, y1, x) }
}
