//! Amounts of continua, lesser gases and halocarbons.

use isobar_core::Real;

use crate::rrtmg::tables::MinorRow;

/// The weights of two neighbouring rows, between which an amount lies at a position.
#[inline(always)]
pub(crate) fn between<R: Real>(amount: R, position: R) -> [R; 2] {
    let second = amount * position;
    [amount - second, second]
}

/// A gas's mixing ratio over that of reference: a lesser gas has no more than [`MinorRow::threshold`].
#[inline(always)]
pub(crate) fn abundance<R: Real>(amount: R, air: R, reference: R) -> R {
    amount / air / reference
}

/// Less of a gas that is too abundant to be a lesser one.
#[inline(always)]
pub(crate) fn reduced<R: Real>(minor: &MinorRow<R>, abundance: R, air: R, reference: R) -> R {
    let less = minor.shift + (abundance - minor.shift).powf(minor.exponent);
    less * reference * air
}

/// The factor of all that absorbs at a pressure \[hPa\] below a limit, falling with a slope from 1 at its origin.
#[inline(always)]
pub(crate) fn factor<R: Real>(pressure: R, [slope, origin, limit]: [R; 3]) -> R {
    let factor = R::ONE - slope * (pressure - origin);
    if pressure < limit { factor } else { R::ONE }
}
