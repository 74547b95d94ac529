//! The atmosphere at a height, as a core sees it.

use isobar_core::{Column, Field, Real, bracket};

/// A view of one vertical profile, heights ascending.
///
/// [`crate::atmosphere::ProfileData`] makes it from an [`crate::Atmosphere`] in either order.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Profile<'a, R> {
    /// Height \[km\], strictly ascending, at least 2 levels.
    pub height_km: Column<'a, R>,
    /// Pressure \[hPa\].
    pub pressure_hpa: Column<'a, R>,
    /// `ln(p[i+1] / p[i]) / (z[i+1] - z[i])` of each interval \[1/km\].
    pub log_pressure_slope_per_km: Column<'a, R>,
    /// Temperature \[K\].
    pub temperature_k: Column<'a, R>,
    /// Volume mixing ratio \[mol/mol\], `(level, gas)`.
    pub mixing_ratio: Field<'a, R>,
    /// Extinction \[1/km\], `(level, window)`.
    pub extinction_per_km: Field<'a, R>,
}

impl<R: Real> Profile<'_, R> {
    /// Where a height lies in the profile; outside, the first or last interval, which extrapolates.
    /// `guess` is an interval to start the search from; it does not change the answer.
    #[inline(always)]
    #[must_use]
    pub fn locate(&self, height_km: R, guess: usize) -> Level<R> {
        let interval = bracket::ascending_near(self.height_km, height_km, guess);
        let lower = self.height_km.at(interval);
        Level { interval, above: height_km - lower, thickness: self.height_km.at(interval + 1) - lower }
    }

    /// Pressure \[hPa\], exponential between levels.
    #[inline(always)]
    #[must_use]
    pub fn pressure_hpa(&self, level: &Level<R>) -> R {
        let i = level.interval;
        self.pressure_hpa.at(i) * (self.log_pressure_slope_per_km.at(i) * level.above).exp()
    }

    /// Temperature \[K\], linear between levels.
    #[inline(always)]
    #[must_use]
    pub fn temperature_k(&self, level: &Level<R>) -> R {
        level.linear(self.temperature_k)
    }

    /// Volume mixing ratio of a gas \[mol/mol\], linear between levels.
    #[inline(always)]
    #[must_use]
    pub fn mixing_ratio(&self, level: &Level<R>, gas: usize) -> R {
        level.linear(self.mixing_ratio.column(gas))
    }

    /// Extinction in a spectral window \[1/km\], linear between levels.
    #[inline(always)]
    #[must_use]
    pub fn extinction_per_km(&self, level: &Level<R>, window: usize) -> R {
        level.linear(self.extinction_per_km.column(window))
    }

    /// The number of gases.
    #[inline(always)]
    #[must_use]
    pub fn gases(&self) -> usize {
        self.mixing_ratio.items()
    }

    /// The number of spectral windows.
    #[inline(always)]
    #[must_use]
    pub fn windows(&self) -> usize {
        self.extinction_per_km.items()
    }

    /// The height of the lowest level \[km\].
    #[inline(always)]
    #[must_use]
    pub fn bottom_km(&self) -> R {
        self.height_km.at(0)
    }

    /// The height of the highest level \[km\].
    #[inline(always)]
    #[must_use]
    pub fn top_km(&self) -> R {
        self.height_km.at(self.height_km.len() - 1)
    }
}

/// A height inside an interval of a profile.
#[derive(Clone, Copy, Debug)]
pub struct Level<R> {
    /// The interval: between levels `interval` and `interval + 1`.
    pub interval: usize,
    above: R,
    thickness: R,
}

impl<R: Real> Level<R> {
    /// What a linear profile is at the height, by its values at the lower and the upper level.
    #[inline(always)]
    #[must_use]
    pub fn weights(&self) -> [R; 2] {
        let upper = self.above / self.thickness;
        [R::ONE - upper, upper]
    }

    /// The thickness of the interval \[km\].
    #[inline(always)]
    #[must_use]
    pub fn thickness_km(&self) -> R {
        self.thickness
    }

    #[inline(always)]
    fn linear(&self, values: Column<'_, R>) -> R {
        let lower = values.at(self.interval);
        lower + (values.at(self.interval + 1) - lower) / self.thickness * self.above
    }
}
