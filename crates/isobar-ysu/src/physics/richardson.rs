//! The rise of a parcel up to the level at which the bulk Richardson number against it exceeds a critical one.

use isobar_core::{Real, per_lane};

use crate::constants::LEAST_SQUARED_WIND;
use crate::physical::Physical;
use crate::physics::layer::{Heights, Stored};
use crate::physics::potential_temperature::{deviation, virtual_deviation};
use crate::physics::surface::Lowest;

per_lane! {
    /// Richardson numbers and heights where a search stopped: of the last level below and of that above the critical
    /// number.
    pub(crate) struct Crossing { below, above, centre_below, centre }
}

per_lane! {
    /// The parcel: its virtual potential temperature less the reference \[K\], and the Richardson number that ends its
    /// rise.
    pub(crate) struct Parcel { virtual_theta, critical }
}

per_lane! {
    /// What a search reads of a layer.
    pub(crate) struct Searched from Stored { temperature, exner, vapour, u, v, thickness }
}

/// The bulk Richardson number of a layer for a parcel, `g z (theta - theta_parcel) / (theta_reference |U|^2)`: the
/// boundary layer ends where it is critical (Hong, Noh and Dudhia 2006, Eq. 1).
#[inline(always)]
pub(crate) fn bulk<R: Real>(difference: R, reference: R, centre: R, [u, v]: [R; 2], physical: &Physical<R>) -> R {
    let squared_wind = u.mul_add(u, v * v).at_least(R::from_f64(LEAST_SQUARED_WIND));
    (difference * (physical.gravity * centre)).plain_quotient(reference * squared_wind)
}

impl<R: Real> Crossing<R> {
    /// The height at which the number is critical.
    #[inline(always)]
    pub(crate) fn height(&self, critical: R) -> R {
        let between = (critical - self.below) / (self.above - self.below);
        let weight = if self.above <= critical { R::ONE } else { between };
        let weight = if self.below >= critical { R::ZERO } else { weight };
        self.centre_below + weight * (self.centre - self.centre_below)
    }
}

per_lane! {
    /// How far a search has come.
    pub(crate) struct Rise<T, N> {
        /// Of the last layer.
        heights: Heights<T>,
        crossing: Crossing<T>,
        /// The layer in which it is, counted from 1.
        layer: N,
        /// Does the parcel rise? 0 or 1.
        active: N,
    }
}

impl<R: Real> Rise<R, u32> {
    /// Lets the parcel rise through a layer, `number` counted from 1, if it rises and the layer is `inside` the column.
    #[inline(always)]
    pub(crate) fn through(
        self,
        air: &Searched<R>,
        (number, inside): (u32, bool),
        lowest: &Lowest<R>,
        parcel: &Parcel<R>,
        physical: &Physical<R>,
    ) -> Self {
        let Self { heights: below, crossing: last, layer, active } = self;
        let here = below.next(air.thickness);
        let reference = lowest.reference;
        let warmth = deviation(air.temperature, air.exner, reference);
        let warmth = virtual_deviation(warmth, air.vapour, reference, physical);
        let difference = warmth - parcel.virtual_theta;
        let richardson = bulk(difference, lowest.virtual_theta(), here.centre, [air.u, air.v], physical);
        let rising = inside & (active != 0);
        let now = Crossing { below: last.above, above: richardson, centre_below: below.centre, centre: here.centre };
        Self {
            heights: here,
            crossing: if rising { now } else { last },
            layer: if rising { number } else { layer },
            active: u32::from(rising & (richardson <= parcel.critical)),
        }
    }
}
