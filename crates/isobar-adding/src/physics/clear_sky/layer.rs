//! A layer along an angle, which takes the part `-loss` of radiance.

use isobar_core::Real;

use crate::physics::clear_sky::slant::Slant;

/// Layers are isothermal and have an optical depth.
pub(crate) const ISOTHERMAL: usize = 0;
/// Layers have an optical depth, in which their source is linear.
pub(crate) const LINEAR: usize = 1;
/// Layers are isothermal, and their transmittances are given.
pub(crate) const GIVEN: usize = 2;

/// A transmittance with that of one more layer.
#[inline(always)]
pub(crate) fn lessened<R: Real>(transmittance: R, loss: R) -> R {
    transmittance.mul_add(loss, transmittance)
}

/// Radiance that has passed a layer: what is lost is replaced by emission, `x + loss (x - B)`.
#[inline(always)]
pub(crate) fn relaxed<R: Real>(radiance: R, loss: R, planck: R) -> R {
    loss.mul_add(radiance - planck, radiance)
}

/// The Planck radiances upward and downward of a layer whose source is linear in optical depth, from those of its upper
/// and its lower boundary.
#[inline(always)]
pub(crate) fn linear_sources<R: Real>(slant: &Slant<R>, optical_depth: R, loss: R, [above, below]: [R; 2]) -> [R; 2] {
    let far = slant.far_weight(optical_depth, loss);
    [far.mul_add(below - above, above), far.mul_add(above - below, below)]
}
