//! The air of one layer, another one in each lane.

use isobar_core::{Real, per_lane};

use crate::physical::Physical;
use crate::physics::layer::Stored;
use crate::physics::potential_temperature::{deviation, liquid_deviation, virtual_deviation};

per_lane! {
    /// What entrainment needs of a layer.
    pub(crate) struct Sample from Stored { u, v, temperature, exner, vapour, cloud_water, cloud_ice, pressure }
}

impl<R: Real> Sample<R> {
    /// Potential temperature less a reference, as the next two.
    #[inline(always)]
    pub(crate) fn deviation(&self, reference: R) -> R {
        deviation(self.temperature, self.exner, reference)
    }

    #[inline(always)]
    pub(crate) fn virtual_deviation(&self, reference: R, physical: &Physical<R>) -> R {
        virtual_deviation(self.deviation(reference), self.vapour, reference, physical)
    }

    #[inline(always)]
    pub(crate) fn liquid_deviation(&self, reference: R, physical: &Physical<R>) -> R {
        liquid_deviation(self.temperature, [self.cloud_water, self.cloud_ice], self.exner, reference, physical)
    }
}
