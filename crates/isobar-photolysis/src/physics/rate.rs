//! What a bin adds to a rate.

use isobar_core::Real;

use crate::physics::air::{Optics, Place, between};

/// Cross-section times quantum yield of a reaction in a bin \[cm^2\], at a place among temperatures and a density of
/// air \[molecule/cm^3\].
#[inline(always)]
pub(crate) fn product<R: Real>(
    optics: &Optics<'_, R>,
    (reaction, bin): (usize, usize),
    place: Place<R>,
    density: R,
) -> R {
    let bins = optics.bins as usize;
    let at = (reaction * optics.nodes as usize + place.below) * bins + bin;
    let product = between(&optics.product, at, optics.next(), place.part);
    let quenching = between(&optics.quenching, at, optics.next(), place.part);
    product / Real::mul_add(quenching, density, R::ONE)
}
