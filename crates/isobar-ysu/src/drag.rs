//! What the surface takes from the momentum of the lowest layer.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::boundary_layer::BoundaryLayer;
use crate::constants::GRAVITY;
use crate::tile::{Tile, per_lane};
use crate::topographic;

per_lane! {
    /// The surface's terms of the system of momentum; masses are pressure differences.
    struct Drag {
        /// Loss a unit of wind \[Pa/s\].
        rate,
        /// Gain of eastward momentum at the old wind \[Pa m/s^2\].
        u,
        /// The same northward.
        v,
    }
}

#[inline(always)]
pub(crate) fn drag<R: Real, const W: usize>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W>,
    boundary_layer: &BoundaryLayer<R, W>,
) -> Drag<[R; W]> {
    let parameters = &batch.parameters;
    let mut factor = [R::ONE; W];
    if parameters.topographic != 0 {
        // SAFETY: the view has the batch's columns.
        let over_orography: [R; W] = unsafe { tile.read_column(&batch.surface.drag_factor) };
        factor = over_orography;
        if parameters.older_surface == 0 {
            let share = topographic::smooth_share(batch, tile, boundary_layer);
            for lane in 0..W {
                factor[lane] = share[lane] + over_orography[lane] * (R::ONE - share[lane]);
            }
        }
    }
    let mut drag = Drag::ZEROS;
    for lane in 0..W {
        let (ground, lowest) = (boundary_layer.ground.lane(lane), boundary_layer.lowest.lane(lane));
        let (du, dv) = (lowest.u - ground.u_current, lowest.v - ground.v_current);
        let wind = (du * du + dv * dv).sqrt() + R::from_f64(1e-9);
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
