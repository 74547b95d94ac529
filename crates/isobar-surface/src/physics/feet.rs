//! Where the profiles of heat and moisture begin.

use isobar_core::{Real, per_lane};

use crate::constants::{COARE_LARGEST, GARRATT_HEAT, GARRATT_VAPOUR, MOISTURE_FOOT};
use crate::options::{LandRoughness, Parameters, WaterRoughness};
use crate::physics::point::Point;
use crate::physics::scalar_roughness::{coare, garratt, of_land, reynolds};

per_lane! {
    /// Feet of the profiles \[m\].
    pub(crate) struct Feet {
        /// Of heat, to which heights are added.
        heat,
        /// Of moisture ...
        moisture,
        /// ... and what is added to the heights of its profile: over land nothing.
        moisture_above,
    }
}

/// The feet of a column.
#[inline(always)]
pub(crate) fn feet<R: Real>(parameters: &Parameters<R>, point: &Point<R>) -> Feet<R> {
    let (reynolds, roughness) = (reynolds(point), point.roughness);
    if point.is_land() {
        let heat = if parameters.has_land(LandRoughness::Momentum) {
            roughness
        } else {
            of_land(roughness, reynolds, parameters.karman, parameters.has_land(LandRoughness::Zilitinkevich))
        };
        return Feet { heat, moisture: R::from_f64(MOISTURE_FOOT), moisture_above: R::ZERO };
    }
    let (heat, moisture) = if parameters.has_water(WaterRoughness::Coare) {
        let length = coare(reynolds);
        (length, length)
    } else if parameters.has_water(WaterRoughness::Constant) {
        (R::from_f64(COARE_LARGEST), R::from_f64(COARE_LARGEST))
    } else {
        (garratt(roughness, reynolds, GARRATT_HEAT), garratt(roughness, reynolds, GARRATT_VAPOUR))
    };
    Feet { heat, moisture, moisture_above: moisture }
}
