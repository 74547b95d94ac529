//! The regions of a column's layers (Tripleclouds).

use isobar_core::{PerLane, Real};
use isobar_optics::overlap;

use super::warp::Warp;
use crate::physics::regions::{Each, REGIONS, Regions};

/// [`Each::spread`] of a tile.
#[inline(always)]
pub(crate) fn spread<R: Real, const W: usize>(values: &Each<[R; W]>, parts: &[[R; REGIONS]; REGIONS]) -> Each<[R; W]> {
    let mut all = *values;
    for lane in 0..W {
        all.set(lane, values.lane(lane).spread(parts));
    }
    all
}

/// [`Each::seen`] of a tile.
#[inline(always)]
pub(crate) fn seen<R: Real, const W: usize>(values: &Each<[R; W]>, parts: &[[R; REGIONS]; REGIONS]) -> Each<[R; W]> {
    let mut all = *values;
    for lane in 0..W {
        all.set(lane, values.lane(lane).seen(parts));
    }
    all
}

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// The regions of a layer; above the uppermost one there is no cloud.
    #[inline(always)]
    pub(crate) fn regions(&self, layer: usize) -> Regions<R> {
        if layer == self.layers {
            return Regions::clear();
        }
        let columns = &self.sweep.columns;
        // SAFETY: layers and columns are those of the views.
        let cloudy = unsafe { columns.cloud_fraction.get(layer, self.column) };
        if cloudy == R::ZERO {
            return Regions::clear();
        }
        let deviation = if columns.fractional_standard_deviation.is_empty() {
            R::from_f64(crate::constants::FRACTIONAL_STANDARD_DEVIATION)
        } else {
            // SAFETY: as above.
            unsafe { columns.fractional_standard_deviation.get(layer, self.column) }
        };
        Regions::new(cloudy, deviation)
    }

    /// How the clouds of a layer overlap with those of the one above it: 1 as much as they can, 0 at random.
    #[inline(always)]
    pub(crate) fn overlap(&self, layer: usize) -> R {
        let (sweep, place) = (self.sweep, (layer, self.column));
        match sweep.overlap {
            overlap::MAXIMUM_RANDOM => R::ONE,
            overlap::EXPONENTIAL_RANDOM if layer + 1 < self.layers => {
                if sweep.columns.overlap_parameter.is_empty() {
                    (-(sweep.distance_m(place) / R::from_f32(sweep.decorrelation_m))).exp()
                } else {
                    sweep.given_overlap(place)
                }
            }
            _ => R::ZERO,
        }
    }
}
