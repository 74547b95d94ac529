//! How many layers and columns the arguments have, and whether their layouts agree.

use isobar_core::Real;

use crate::views::{MixTracers, YsuArgs};

impl<R: Real> YsuArgs<'_, R> {
    #[inline(always)]
    pub(crate) fn columns(&self) -> usize {
        self.air.temperature.items()
    }

    #[inline(always)]
    pub(crate) fn layers(&self) -> usize {
        self.air.temperature.levels()
    }

    /// Is an option chosen that needs [`crate::Ysu`] with `OPTIONS`?
    #[must_use]
    pub fn has_options(&self) -> bool {
        self.parameters.top_down != 0 || self.parameters.topographic != 0
    }

    /// Do all fields of layers have the layout of the temperature, and all views the sizes that belong together?
    #[must_use]
    pub fn layouts_agree(&self) -> bool {
        let (layers, columns) = (self.layers(), self.columns());
        let strides = self.air.temperature.strides();
        let air = &self.air;
        let radiation = if self.parameters.top_down != 0 { &air.radiative_heating } else { &air.temperature };
        let inputs = [&air.u, &air.v, &air.vapour, &air.cloud_water, &air.cloud_ice, &air.pressure, &air.exner]
            .into_iter()
            .chain([&air.thickness, radiation])
            .all(|field| (field.levels(), field.items(), field.strides()) == (layers, columns, strides));
        let tendencies = &self.tendencies;
        let outputs = [&tendencies.u, &tendencies.v, &tendencies.theta, &tendencies.vapour, &tendencies.cloud_water]
            .into_iter()
            .chain([&tendencies.cloud_ice, &self.diffusivity_heat, &self.diffusivity_momentum])
            .chain([&self.scratch.heat, &self.scratch.moisture, &self.scratch.momentum])
            .all(|field| (field.levels(), field.items(), field.strides()) == (layers, columns, strides));
        let interfaces = (self.interface_pressure.levels(), self.interface_pressure.items()) == (layers + 1, columns);
        let tracers = [&self.exchange, &self.reciprocal].into_iter().all(|field| {
            self.exchange.is_empty() || (field.levels(), field.items(), field.strides()) == (layers, columns, strides)
        });
        let fits = layers >= 4 && columns > 0 && (layers + 1).saturating_mul(columns) <= i32::MAX as usize;
        inputs && outputs && interfaces && tracers && fits
    }
}

impl<R: Real> MixTracers<'_, R> {
    /// The number of tracers.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.tracers.items() / self.exchange.items()
    }
}
