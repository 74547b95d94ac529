//! The height of the boundary layer: a first guess, and again with the excess of thermals or, on a stable surface, with
//! a critical number above zero.

use isobar_core::{Lanes, Real};

use crate::constants::{
    CORIOLIS, CRITICAL_OVER_LAND, CRITICAL_OVER_WATER, LARGEST_CRITICAL_OVER_WATER, LEAST_SCALED_ROSSBY,
    ROSSBY_EXPONENT, ROSSBY_SCALE,
};
use crate::physics::richardson::{Crossing, Parcel};
use crate::physics::scales::{CounterGradient, Scales, scales, thermals};
use crate::physics::surface::{Ground, Lowest};

/// The height of the boundary layer, and what was computed on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Height<R, const W: usize> {
    /// \[m\].
    pub(crate) height: [R; W],
    /// The layer in which it ends, counted from 1.
    pub(crate) layer: [u32; W],
    /// Is there a mixed layer? 0 or 1.
    pub(crate) mixed: [u32; W],
    /// Where the last search ended.
    pub(crate) crossing: Crossing<[R; W]>,
    pub(crate) scales: Scales<[R; W]>,
    pub(crate) counter: CounterGradient<[R; W]>,
}

impl<R: Real, const W: usize> Height<R, W> {
    /// Before the first search.
    #[inline(always)]
    pub(crate) fn start() -> Self {
        Self {
            height: [R::ZERO; W],
            layer: [1; W],
            mixed: [1; W],
            crossing: Crossing::ZEROS,
            scales: Scales::ZEROS,
            counter: CounterGradient::ZEROS,
        }
    }

    /// The height in the lanes that were searched. One below the first interface counts as none, but is kept.
    #[inline(always)]
    pub(crate) fn settle(&mut self, lowest: &Lowest<[R; W]>, parcel: &Parcel<[R; W]>, searched: &[u32; W]) {
        for lane in 0..W {
            let searched = searched[lane] != 0;
            let crossed = self.crossing.lane(lane).height(parcel.critical[lane]);
            let height = if searched { crossed } else { self.height[lane] };
            let low = searched & (height < lowest.top[lane]);
            self.height[lane] = height;
            self.layer[lane] = if low { 1 } else { self.layer[lane] };
            self.mixed[lane] = if searched & (self.layer[lane] <= 1) { 0 } else { self.mixed[lane] };
        }
    }

    /// Takes the scales from the first guess, and warms the parcels by the excess of thermals. Only a buoyant unstable
    /// surface has a mixed layer.
    #[inline(always)]
    pub(crate) fn add_thermals(
        &mut self,
        ground: &Ground<[R; W]>,
        lowest: &Lowest<[R; W]>,
        parcel: &mut Parcel<[R; W]>,
        liquid_parcel: &mut [R; W],
    ) {
        for lane in 0..W {
            let (ground, lowest) = (ground.lane(lane), lowest.lane(lane));
            let scales = scales(&ground, &lowest, self.height[lane]);
            let (excess, counter) = thermals(&ground, &lowest, &scales, self.height[lane]);
            self.scales.set(lane, scales);
            self.counter.set(lane, counter);
            parcel.virtual_theta[lane] += excess;
            liquid_parcel[lane] += excess;
            let buoyant = ground.unstable() & (lowest.virtual_flux > R::ZERO);
            self.mixed[lane] = if buoyant { self.mixed[lane] } else { 0 };
        }
    }

    /// Has the lane a stable surface, and a height within the lowest layer? Then it is searched with a critical number
    /// above zero.
    #[inline(always)]
    pub(crate) fn stable_and_low(&self, lane: usize, ground: &Ground<[R; W]>, lowest: &Lowest<[R; W]>) -> bool {
        !ground.lane(lane).unstable() & (self.height[lane] < lowest.top[lane])
    }
}

/// The critical Richardson number on a stable surface: constant over land, by the surface's Rossby number over water
/// (Vickers and Mahrt 2004).
#[inline(always)]
pub(crate) fn stable_critical<R: Real, const W: usize>(lanes: &Lanes<W>, ground: &Ground<[R; W]>) -> [R; W] {
    let mut critical = [R::from_f64(CRITICAL_OVER_LAND); W];
    let mut water = [0; W];
    for lane in 0..W {
        let ground = ground.lane(lane);
        water[lane] = u32::from(!ground.unstable() & !ground.is_land());
    }
    if lanes.any(&water) {
        for lane in 0..W {
            let (u, v) = (ground.u_10m[lane], ground.v_10m[lane]);
            let wind = (u * u + v * v).sqrt();
            let rossby = wind / (R::from_f64(CORIOLIS) * ground.roughness[lane]);
            let scaled = (R::from_f64(ROSSBY_SCALE) * rossby).at_least(R::from_f64(LEAST_SCALED_ROSSBY));
            let number = R::from_f64(CRITICAL_OVER_WATER) * (R::from_f64(ROSSBY_EXPONENT) * scaled.ln()).plain_exp();
            let number = number.min(R::from_f64(LARGEST_CRITICAL_OVER_WATER));
            critical[lane] = if water[lane] != 0 { number } else { critical[lane] };
        }
    }
    critical
}
