//! Profiles between the surface and some heights: `ln((z + z0) / z0)` less stability corrections. A profile over the
//! friction velocity times `k` is a resistance.

use isobar_core::{Real, per_lane};

use crate::constants::{LARGEST_PART, MOISTURE_FOOT, SCREEN, TEN_METRES, VAPOUR_DIFFUSIVITY};
use crate::options::{LandRoughness, Parameters};
use crate::physics::feet::Feet;
use crate::physics::lowest::Lowest;
use crate::physics::point::Point;
use crate::physics::richardson::Flow;

per_lane! {
    /// Corrections, or where they are looked up: of momentum, heat and moisture at their feet, at the middle of the
    /// layer, at 2 m and at 10 m.
    pub(crate) struct Levels {
        momentum_foot,
        momentum,
        momentum_10m,
        heat_foot,
        heat,
        heat_2m,
        moisture_foot,
        moisture,
        moisture_2m,
        moisture_10m,
    }
}

/// `z / L` of the levels.
#[inline(always)]
pub(crate) fn levels<R: Real>(point: &Point<R>, air: &Lowest<R>, feet: &Feet<R>, stability: R) -> Levels<R> {
    let per_length = stability / air.height;
    let at = |height: R| height * per_length;
    let (screen, ten) = (R::from_f64(SCREEN), R::from_f64(TEN_METRES));
    Levels {
        momentum_foot: at(point.roughness),
        momentum: at(air.height + point.roughness),
        momentum_10m: at(ten + point.roughness),
        heat_foot: at(feet.heat),
        heat: at(air.height + feet.heat),
        heat_2m: at(screen + feet.heat),
        moisture_foot: at(feet.moisture),
        moisture: at(air.height + feet.moisture_above),
        moisture_2m: at(screen + feet.moisture_above),
        moisture_10m: at(ten + feet.moisture_above),
    }
}

per_lane! {
    /// The profiles.
    pub(crate) struct Profiles {
        correction_momentum,
        correction_heat,
        momentum,
        momentum_10m,
        heat,
        heat_2m,
        moisture,
        moisture_2m,
        moisture_10m,
        /// Of moisture to the middle of the layer, as the coefficient of enthalpy has it.
        enthalpy,
    }
}

/// The profiles by the corrections at the levels.
#[inline(always)]
pub(crate) fn profiles<R: Real>(
    parameters: &Parameters<R>,
    point: &Point<R>,
    (air, flow): (&Lowest<R>, &Flow<R>),
    feet: &Feet<R>,
    psi: &Levels<R>,
) -> Profiles<R> {
    let (land, unstable) = (point.is_land(), flow.richardson < R::ZERO);
    let (screen, ten) = (R::from_f64(SCREEN), R::from_f64(TEN_METRES));
    let part = R::from_f64(LARGEST_PART);
    let limited =
        |correction: R, logarithm: R| if unstable { correction.at_most(part * logarithm) } else { correction };
    let correction_momentum = limited(psi.momentum - psi.momentum_foot, air.logarithm);
    let momentum_10m = limited(psi.momentum_10m - psi.momentum_foot, air.logarithm_10m);
    // Heat: over land without a foot of its own as momentum, elsewhere from its foot and without a limit.
    let own_foot = !land | !parameters.has_land(LandRoughness::Momentum);
    let (heat, heat_2m) = (psi.heat - psi.heat_foot, psi.heat_2m - psi.heat_foot);
    let (logarithm, logarithm_2m) = if own_foot {
        (from_foot(air.height, feet.heat), from_foot(screen, feet.heat))
    } else {
        (air.logarithm, air.logarithm_2m)
    };
    let correction_heat = if own_foot { heat } else { limited(heat, logarithm) };
    let correction_heat_2m = if own_foot { heat_2m } else { limited(heat_2m, logarithm_2m) };
    let (heat, heat_2m) = (logarithm - correction_heat, logarithm_2m - correction_heat_2m);
    let moisture = moisture_profile(parameters, point, feet, air.height) - (psi.moisture - psi.moisture_foot);
    let moisture_2m = moisture_profile(parameters, point, feet, screen) - (psi.moisture_2m - psi.moisture_foot);
    let moisture_10m = moisture_profile(parameters, point, feet, ten) - (psi.moisture_10m - psi.moisture_foot);
    let as_heat = land & own_foot;
    // Over water the reference returns what it computed last.
    let last = if land { correction_heat } else { psi.moisture - psi.moisture_foot };
    Profiles {
        correction_momentum,
        correction_heat: last,
        momentum: air.logarithm - correction_momentum,
        momentum_10m: air.logarithm_10m - momentum_10m,
        heat,
        heat_2m,
        moisture: if as_heat { heat } else { moisture },
        moisture_2m: if as_heat { heat_2m } else { moisture_2m },
        moisture_10m,
        enthalpy: moisture,
    }
}

#[inline(always)]
fn from_foot<R: Real>(height: R, foot: R) -> R {
    ((height + foot) / foot).plain_ln()
}

/// The neutral profile of moisture: over land through a molecular layer, by the friction velocity of the step before;
/// over water from its foot.
#[inline(always)]
fn moisture_profile<R: Real>(parameters: &Parameters<R>, point: &Point<R>, feet: &Feet<R>, height: R) -> R {
    let per_metre =
        parameters.karman * point.friction * R::from_f64(1.0 / VAPOUR_DIFFUSIVITY) + R::from_f64(1.0 / MOISTURE_FOOT);
    let over_water = (height + feet.moisture) / feet.moisture;
    (if point.is_land() { height * per_metre } else { over_water }).plain_ln()
}
