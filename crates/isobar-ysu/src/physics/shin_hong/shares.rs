//! Which share of the whole layer's transport the grid does not resolve.

use isobar_core::{Real, per_lane};

use crate::physics::scales::{CounterGradient, Scales};
use crate::physics::shin_hong::partition;
use crate::physics::surface::Ground;
use crate::shin_hong_constants::{SHEAR_OFFSET, SHEAR_RATIO, SHEAR_SLOPE};

per_lane! {
    /// Shares of the whole layer's transport that the grid does not resolve; 1 without a mixed layer.
    pub(crate) struct Shares { momentum, moisture, heat }
}

impl<R: Real> Shares<R> {
    /// By the size of the layer's eddies, which depends on the wind's part in them.
    #[inline(always)]
    pub(crate) fn new(ground: &Ground<R>, scales: &Scales<R>, height: R, distance: R, mixed: bool) -> Self {
        let number = R::from_f64;
        let convective = scales.convective;
        let ratio = (ground.friction_velocity / convective - number(SHEAR_RATIO)).abs();
        let eddies = number(0.5) * ((number(SHEAR_OFFSET) - number(SHEAR_SLOPE) * ratio).tanh() + number(3.0));
        let eddies = if convective > R::ZERO { eddies } else { R::ONE };
        let size = if mixed { eddies * height } else { R::ONE };
        let ratio = if mixed { distance / size } else { R::ONE };
        let only = |share: R| if mixed { share } else { R::ONE };
        Self {
            momentum: only(partition::momentum(ratio)),
            moisture: only(partition::moisture(ratio)),
            heat: only(partition::nonlocal_heat(ratio)),
        }
    }

    /// Counter-gradient terms of thermals; those that a cloud's top drives keep theirs.
    #[inline(always)]
    pub(crate) fn of_thermals(&self, counter: &CounterGradient<R>) -> CounterGradient<R> {
        let CounterGradient { heat, vapour, u, v } = *counter;
        CounterGradient { heat, vapour: vapour * self.moisture, u: u * self.momentum, v: v * self.momentum }
    }
}
