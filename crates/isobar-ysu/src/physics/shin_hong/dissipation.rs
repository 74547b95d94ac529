//! The heat into which turbulence turns the wind's energy.

use isobar_core::{Real, per_lane};

use crate::version::Parameters;

per_lane! {
    /// What dissipation sees of a layer: wind after the step, pressure.
    pub(crate) struct Moved { u, v, pressure }
}

per_lane! {
    /// Downward fluxes of momentum through an interface, times gravity \[Pa m/s^2\].
    pub(crate) struct Stress { u, v }
}

impl<R: Real> Stress<R> {
    /// With a layer of this mass and these tendencies of wind.
    #[inline(always)]
    pub(crate) fn below(self, mass: R, [u, v]: [R; 2]) -> Self {
        Self { u: u.mul_add(mass, self.u), v: v.mul_add(mass, self.v) }
    }

    /// Heating at the interface between two layers \[m^2/s^3\].
    #[inline(always)]
    pub(crate) fn heating(&self, lower: &Moved<R>, upper: &Moved<R>) -> R {
        let power = self.u * (upper.u - lower.u) + self.v * (upper.v - lower.v);
        (power / (upper.pressure - lower.pressure)).max(R::ZERO)
    }
}

/// The tendency of potential temperature by the heating at both interfaces of a layer.
#[inline(always)]
pub(crate) fn warming<R: Real>([below, above]: [R; 2], exner: R, parameters: &Parameters<R>) -> R {
    (below + above) * R::from_f64(0.5) * parameters.physical.per_constant_volume / exner
}
