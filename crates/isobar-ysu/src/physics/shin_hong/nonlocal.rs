//! The nonlocal heat flux of large-eddy simulations (Shin and Hong 2015): it rises linearly in the surface layer, falls
//! up to the entrainment zone, and has a peak of the other sign at the top.

use isobar_core::{Real, per_lane};

use crate::physics::entrainment::Entrainment;
use crate::physics::scales::Scales;
use crate::physics::surface::Lowest;
use crate::shin_hong_constants::{
    ENTRAINMENT_FRACTION, ENTRAINMENT_SHARE, FARTHEST_DEPTHS, LARGEST_SHEAR_SHARE, LEAST_FRACTION, NONLOCAL_SHARE,
    SURFACE_FRACTION, SURFACE_LOSS,
};

per_lane! {
    /// The profile of a column: pieces of the height over the boundary layer's.
    pub(crate) struct Nonlocal {
        /// The top of the surface layer, and the slope below.
        surface, rise,
        /// The slope above, and the value that it has at the ground.
        fall, start,
        /// The flux at the top \[K m/s\].
        peak,
    }
}

impl<R: Real> Nonlocal<R> {
    #[inline(always)]
    pub(crate) fn new(
        lowest: &Lowest<R>,
        scales: &Scales<R>,
        entrainment: &Entrainment<R>,
        per_height: R,
        mixed: bool,
    ) -> Self {
        let number = R::from_f64;
        let first = (lowest.top * per_height).at_least(number(LEAST_FRACTION)).at_most(R::ONE);
        let surface = first.at_least(number(SURFACE_FRACTION));
        let flux = lowest.virtual_flux;
        let nonlocal = number(NONLOCAL_SHARE) * ((R::ONE - number(SURFACE_LOSS) * surface) * flux);
        // The reference has no number where nothing rises from the ground: there is no flux then.
        let buoyant = mixed & (flux > R::ZERO);
        let only = |x: R| if buoyant { x } else { R::ZERO };
        let fall = only(-nonlocal / (number(ENTRAINMENT_FRACTION) - surface));
        let ratio = entrainment.cubed / scales.convective_cubed;
        let ratio = if ratio < number(LARGEST_SHEAR_SHARE) { ratio } else { number(LARGEST_SHEAR_SHARE) };
        let depth = number(1.0 - ENTRAINMENT_FRACTION);
        let slope = only(nonlocal * (number(ENTRAINMENT_SHARE) * ratio) / depth);
        Self {
            surface,
            rise: nonlocal / surface,
            fall,
            start: number(-ENTRAINMENT_FRACTION) * fall,
            peak: slope - slope * number(ENTRAINMENT_FRACTION),
        }
    }

    /// The flux at height `z` below the top \[K m/s\].
    #[inline(always)]
    pub(crate) fn at(&self, z: R, height: R, per_height: R) -> R {
        let number = R::from_f64;
        let fraction = (z * per_height).at_least(number(LEAST_FRACTION));
        let above = if fraction <= number(ENTRAINMENT_FRACTION) { self.fall * fraction + self.start } else { R::ZERO };
        let flux = if fraction <= self.surface { self.rise * fraction } else { above };
        let depths = (z - height).abs() * per_height * number(1.0 / (1.0 - ENTRAINMENT_FRACTION));
        flux + self.peak * (-depths.at_most(number(FARTHEST_DEPTHS))).plain_exp()
    }
}
