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

/// What a step of a path asks of the levels: those of a [`Profile`], or with some of them as variables.
pub trait Levels<R: Real> {
    /// How many there are, at least 2.
    fn count(&self) -> usize;
    /// Height of a level \[km\].
    fn height_km(&self, level: usize) -> R;
    /// Pressure at a level \[hPa\].
    fn pressure_hpa(&self, level: usize) -> R;
    /// `ln(p[i+1] / p[i]) / (z[i+1] - z[i])` of an interval \[1/km\].
    fn log_pressure_slope_per_km(&self, interval: usize) -> R;
    /// Temperature at a level \[K\].
    fn temperature_k(&self, level: usize) -> R;

    /// Where a height lies; outside, the first or last interval, which extrapolates.
    /// `guess` is an interval to start the search from; it does not change the answer.
    #[inline(always)]
    #[must_use]
    fn locate(&self, height_km: R, guess: usize) -> Level<R> {
        let interval = bracket::walk(self.count(), |i| self.height_km(i), height_km, guess);
        self.level(interval, height_km)
    }

    /// A height in an interval.
    #[inline(always)]
    #[must_use]
    fn level(&self, interval: usize, height_km: R) -> Level<R> {
        let lower = self.height_km(interval);
        Level { interval, above: height_km - lower, thickness: self.height_km(interval + 1) - lower }
    }

    /// Pressure \[hPa\], exponential between levels.
    #[inline(always)]
    #[must_use]
    fn pressure_at(&self, level: &Level<R>) -> R {
        let i = level.interval;
        self.pressure_hpa(i) * (self.log_pressure_slope_per_km(i) * level.above).exp()
    }

    /// Temperature \[K\], linear between levels.
    #[inline(always)]
    #[must_use]
    fn temperature_at(&self, level: &Level<R>) -> R {
        level.between(self.temperature_k(level.interval), self.temperature_k(level.interval + 1))
    }
}

impl<R: Real> Levels<R> for Profile<'_, R> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.height_km.len()
    }

    #[inline(always)]
    fn height_km(&self, level: usize) -> R {
        self.height_km.at(level)
    }

    #[inline(always)]
    fn pressure_hpa(&self, level: usize) -> R {
        self.pressure_hpa.at(level)
    }

    #[inline(always)]
    fn log_pressure_slope_per_km(&self, interval: usize) -> R {
        self.log_pressure_slope_per_km.at(interval)
    }

    #[inline(always)]
    fn temperature_k(&self, level: usize) -> R {
        self.temperature_k.at(level)
    }
}

/// The slope of ln p between two levels \[1/km\].
#[inline(always)]
pub(crate) fn log_pressure_slope<R: Real>(pressure_hpa: [R; 2], height_km: [R; 2]) -> R {
    (pressure_hpa[1] / pressure_hpa[0]).ln() / (height_km[1] - height_km[0])
}

impl<R: Real> Profile<'_, R> {
    /// Where a height lies in the profile: [`Levels::locate`].
    #[inline(always)]
    #[must_use]
    pub fn locate(&self, height_km: R, guess: usize) -> Level<R> {
        Levels::locate(self, height_km, guess)
    }

    /// Pressure \[hPa\], exponential between levels.
    #[inline(always)]
    #[must_use]
    pub fn pressure_hpa(&self, level: &Level<R>) -> R {
        self.pressure_at(level)
    }

    /// Temperature \[K\], linear between levels.
    #[inline(always)]
    #[must_use]
    pub fn temperature_k(&self, level: &Level<R>) -> R {
        self.temperature_at(level)
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

    /// What is linear in height, by its values at the lower and the upper level.
    #[inline(always)]
    #[must_use]
    pub fn between(&self, lower: R, upper: R) -> R {
        lower + (upper - lower) / self.thickness * self.above
    }

    #[inline(always)]
    fn linear(&self, values: Column<'_, R>) -> R {
        self.between(values.at(self.interval), values.at(self.interval + 1))
    }
}
