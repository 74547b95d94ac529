//! The height of the boundary layer: a first guess, and again with the excess of thermals or, on a stable surface, with
//! a critical number above zero.

use isobar_core::{Real, per_lane};

use crate::constants::{
    CORIOLIS, CRITICAL_OVER_WATER, LARGEST_CRITICAL_OVER_WATER, LEAST_SCALED_ROSSBY, ROSSBY_EXPONENT, ROSSBY_SCALE,
};
use crate::physical::Physical;
use crate::physics::richardson::Crossing;
use crate::physics::scales::{CounterGradient, Scales, scales, thermals};
use crate::physics::surface::{Ground, Lowest};

per_lane! {
    /// The height of the boundary layer, and what was computed on the way.
    pub(crate) struct Height<T, N> {
        /// \[m\].
        height: T,
        /// The layer in which it ends, counted from 1.
        layer: N,
        /// Is there a mixed layer? 0 or 1.
        mixed: N,
        /// Where the last search ended.
        crossing: Crossing<T>,
        scales: Scales<T>,
        counter: CounterGradient<T>,
    }
}

impl<R: Real> Height<R, u32> {
    /// Before the first search.
    #[inline(always)]
    pub(crate) fn start() -> Self {
        Self { layer: 1, mixed: 1, ..Self::default() }
    }

    /// The height where it was searched. One below the first interface counts as none, but is kept.
    #[inline(always)]
    pub(crate) fn settled(self, lowest: &Lowest<R>, critical: R, searched: bool) -> Self {
        let height = if searched { self.crossing.height(critical) } else { self.height };
        let layer = if searched & (height < lowest.top) { 1 } else { self.layer };
        let mixed = if searched & (layer <= 1) { 0 } else { self.mixed };
        Self { height, layer, mixed, ..self }
    }

    /// Takes the scales from the first guess, and warms the parcels, of dry and of liquid potential temperature, by the
    /// excess of thermals. Only a buoyant unstable surface has a mixed layer.
    #[inline(always)]
    pub(crate) fn with_thermals(
        self,
        ground: &Ground<R>,
        lowest: &Lowest<R>,
        parcels: [R; 2],
        physical: &Physical<R>,
    ) -> (Self, [R; 2]) {
        let scales = scales(ground, lowest, self.height, physical);
        let (excess, counter) = thermals(ground, lowest, &scales, self.height, physical);
        let buoyant = ground.unstable() & (lowest.virtual_flux > R::ZERO);
        let mixed = if buoyant { self.mixed } else { 0 };
        (Self { scales, counter, mixed, ..self }, [parcels[0] + excess, parcels[1] + excess])
    }

    /// Has the column a stable surface, and a height within the lowest layer? Then it is searched with a critical
    /// number above zero.
    #[inline(always)]
    pub(crate) fn stable_and_low(&self, ground: &Ground<R>, lowest: &Lowest<R>) -> bool {
        !ground.unstable() & (self.height < lowest.top)
    }
}

/// Is the surface stable, and water?
#[inline(always)]
pub(crate) fn is_stable_water<R: Real>(ground: &Ground<R>) -> bool {
    !ground.unstable() & !ground.is_land()
}

/// The critical Richardson number on a stable surface of water, by its Rossby number (Vickers and Mahrt 2004); over
/// land it is a constant.
#[inline(always)]
pub(crate) fn critical_over_water<R: Real>(ground: &Ground<R>) -> R {
    let (u, v) = (ground.u_10m, ground.v_10m);
    let wind = (u * u + v * v).sqrt();
    let rossby = wind / (R::from_f64(CORIOLIS) * ground.roughness);
    let scaled = (R::from_f64(ROSSBY_SCALE) * rossby).at_least(R::from_f64(LEAST_SCALED_ROSSBY));
    let number = R::from_f64(CRITICAL_OVER_WATER) * (R::from_f64(ROSSBY_EXPONENT) * scaled.ln()).plain_exp();
    number.min(R::from_f64(LARGEST_CRITICAL_OVER_WATER))
}
