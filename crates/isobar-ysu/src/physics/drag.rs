//! What the surface takes from the momentum of the lowest layer.

use isobar_core::Real;

use crate::constants::{GRAVITY, LEAST_DRAG_WIND};
use crate::physics::boundary_layer::BoundaryLayer;
use crate::physics::per_lane::per_lane;
use crate::version::Parameters;

per_lane! {
    /// The surface's terms of the system of momentum; masses are pressure differences.
    struct Drag {
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
pub(crate) fn blended_factor<R: Real, const W: usize>(over_orography: &[R; W], smooth_share: &[R; W]) -> [R; W] {
    let mut factor = *over_orography;
    for lane in 0..W {
        factor[lane] = smooth_share[lane] + over_orography[lane] * (R::ONE - smooth_share[lane]);
    }
    factor
}

/// The drag, times `factor`.
#[inline(always)]
pub(crate) fn drag<R: Real, const W: usize>(
    parameters: &Parameters<R>,
    boundary_layer: &BoundaryLayer<R, W>,
    factor: &[R; W],
) -> Drag<[R; W]> {
    let mut drag = Drag::ZEROS;
    for lane in 0..W {
        let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
        let (du, dv) = (lowest.u - ground.u_current, lowest.v - ground.v_current);
        let wind = (du * du + dv * dv).sqrt() + R::from_f64(LEAST_DRAG_WIND);
        let stress = ground.friction_velocity * ground.friction_velocity * R::from_f64(GRAVITY) / wind;
        let ratio = wind / ground.wind_speed;
        let rate = stress * lowest.density * (ratio * ratio);
        let current = if parameters.older_surface != 0 { stress } else { rate };
        let rate_here = rate * factor[lane];
        drag.set(
            lane,
            Drag {
                rate: rate_here,
                u: current * ground.u_current - rate_here * lowest.u,
                v: current * ground.v_current - rate_here * lowest.v,
            },
        );
    }
    drag
}
