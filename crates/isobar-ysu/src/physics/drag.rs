//! What the surface takes from the momentum of the lowest layer.

use isobar_core::{Real, per_lane};

use crate::constants::LEAST_DRAG_WIND;
use crate::physics::surface::{Ground, Lowest};
use crate::version::Parameters;

per_lane! {
    /// The surface's terms of the system of momentum; masses are pressure differences.
    pub(crate) struct Drag {
        /// Loss a unit of wind \[Pa/s\].
        rate,
        /// Gain of eastward momentum at the old wind \[Pa m/s^2\].
        u,
        /// Gain of northward momentum at the old wind \[Pa m/s^2\].
        v,
    }
}

/// The factor of the drag over orography, of which a share is as smooth ground has it.
#[inline(always)]
pub(crate) fn blended_factor<R: Real>(over_orography: R, smooth_share: R) -> R {
    smooth_share + over_orography * (R::ONE - smooth_share)
}

/// The drag, times `factor`.
#[inline(always)]
pub(crate) fn drag<R: Real>(parameters: &Parameters<R>, ground: &Ground<R>, lowest: &Lowest<R>, factor: R) -> Drag<R> {
    let (du, dv) = (lowest.u - ground.u_current, lowest.v - ground.v_current);
    let wind = (du * du + dv * dv).sqrt() + R::from_f64(LEAST_DRAG_WIND);
    let stress = ground.friction_velocity * ground.friction_velocity * parameters.physical.gravity / wind;
    let ratio = wind / ground.wind_speed;
    let smooth = stress * lowest.density * (ratio * ratio);
    let current = if parameters.older_surface != 0 { stress } else { smooth };
    let rate = smooth * factor;
    Drag { rate, u: current * ground.u_current - rate * lowest.u, v: current * ground.v_current - rate * lowest.v }
}
