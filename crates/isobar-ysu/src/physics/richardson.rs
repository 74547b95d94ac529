//! The rise of a parcel up to the level at which the bulk Richardson number against it exceeds a critical one.

use isobar_core::Real;

use crate::constants::{GRAVITY, LEAST_SQUARED_WIND};
use crate::physics::layer::{Heights, Stored};
use crate::physics::per_lane::per_lane;
use crate::physics::potential_temperature::{deviation, virtual_deviation};
use crate::physics::surface::Lowest;

per_lane! {
    /// Richardson numbers and heights where a search stopped: of the last level below and of that above the critical
    /// number.
    struct Crossing { below, above, centre_below, centre }
}

per_lane! {
    /// The parcel: its virtual potential temperature less the reference \[K\], and the Richardson number that ends its
    /// rise.
    struct Parcel { virtual_theta, critical }
}

per_lane! {
    /// What a search reads of a layer.
    struct Searched from Stored { temperature, exner, vapour, u, v, thickness }
}

/// The bulk Richardson number of a layer for a parcel, `g z (theta - theta_parcel) / (theta_reference |U|^2)`: the
/// boundary layer ends where it is critical (Hong, Noh and Dudhia 2006, Eq. 1).
#[inline(always)]
pub(crate) fn bulk<R: Real>(difference: R, reference: R, centre: R, u: R, v: R) -> R {
    let squared_wind = u.mul_add(u, v * v).at_least(R::from_f64(LEAST_SQUARED_WIND));
    (difference * (R::from_f64(GRAVITY) * centre)).plain_quotient(reference * squared_wind)
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

/// Lets the parcels of the `active` lanes rise through a layer, `number` counted from 1; no lane rises through one that
/// is not `inside` the column. `heights` are those of the layer below.
#[inline(always)]
pub(crate) fn rise<R: Real, const W: usize>(
    air: &Searched<[R; W]>,
    (number, inside): (u32, bool),
    lowest: &Lowest<[R; W]>,
    parcel: &Parcel<[R; W]>,
    heights: &mut Heights<[R; W]>,
    active: &mut [u32; W],
    crossing: &mut Crossing<[R; W]>,
    layer: &mut [u32; W],
) {
    for lane in 0..W {
        let below = heights.lane(lane);
        let here = below.next(air.thickness[lane]);
        heights.set(lane, here);
        let reference = lowest.reference[lane];
        let warmth = deviation(air.temperature[lane], air.exner[lane], reference);
        let warmth = virtual_deviation(warmth, air.vapour[lane], reference);
        let difference = warmth - parcel.virtual_theta[lane];
        let richardson = bulk(difference, lowest.lane(lane).virtual_theta(), here.centre, air.u[lane], air.v[lane]);
        let last = crossing.lane(lane);
        let rising = inside & (active[lane] != 0);
        let now = Crossing { below: last.above, above: richardson, centre_below: below.centre, centre: here.centre };
        crossing.below[lane] = if rising { now.below } else { last.below };
        crossing.above[lane] = if rising { now.above } else { last.above };
        crossing.centre_below[lane] = if rising { now.centre_below } else { last.centre_below };
        crossing.centre[lane] = if rising { now.centre } else { last.centre };
        layer[lane] = if rising { number } else { layer[lane] };
        active[lane] = if rising & (richardson <= parcel.critical[lane]) { 1 } else { 0 };
    }
}
