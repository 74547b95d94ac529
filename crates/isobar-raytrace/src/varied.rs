//! A profile in which some levels are variables, without a copy of it.

use isobar_core::Dual;

use crate::air::air_by_height;
use crate::profile::{Levels, Profile, log_pressure_slope};

/// Variables of a leg before those of the levels: position (3), direction (3), the height of the surface, and one that
/// is none.
pub const FIXED: usize = 8;
/// The height of the surface among the variables.
pub(crate) const SURFACE: usize = 6;

/// A profile of plain numbers, seen with `N` variables.
#[derive(Clone, Copy)]
pub(crate) struct Varied<'a, const N: usize> {
    pub(crate) profile: Profile<'a, f64>,
    /// The first level whose pressure and temperature are variables; the other levels follow.
    pub(crate) first_level: usize,
    /// The number of the variable that its pressure is.
    pub(crate) pressure: usize,
    /// The number of the first of the variables.
    pub(crate) first: usize,
}

/// A number that is the variable of this number, if it is one of the `N` from `first` on.
#[inline(always)]
pub(crate) fn number<const N: usize>(first: usize, value: f64, variable: usize) -> Dual<f64, N> {
    let mut number = Dual::constant(value);
    for (i, derivative) in number.derivative.iter_mut().enumerate() {
        if first + i == variable {
            *derivative = 1.0;
        }
    }
    number
}

impl<const N: usize> Varied<'_, N> {
    #[inline(always)]
    fn at_level(&self, value: f64, level: usize, which: usize) -> Dual<f64, N> {
        // Below the first level there are no variables, and no such numbers.
        if level < self.first_level {
            return Dual::constant(value);
        }
        number(self.first, value, self.pressure + 2 * (level - self.first_level) + which)
    }
}

impl<const N: usize> Levels<Dual<f64, N>> for Varied<'_, N> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.profile.count()
    }

    #[inline(always)]
    fn height_km(&self, level: usize) -> Dual<f64, N> {
        Dual::constant(self.profile.height_km.at(level))
    }

    #[inline(always)]
    fn pressure_hpa(&self, level: usize) -> Dual<f64, N> {
        self.at_level(self.profile.pressure_hpa.at(level), level, 0)
    }

    #[inline(always)]
    fn log_pressure_slope_per_km(&self, interval: usize) -> Dual<f64, N> {
        let (low, high) = (self.pressure_hpa(interval), self.pressure_hpa(interval + 1));
        let slope = log_pressure_slope([low, high], [self.height_km(interval), self.height_km(interval + 1)]);
        // The value is known, and its logarithm need not be computed again.
        Dual { value: self.profile.log_pressure_slope_per_km.at(interval), ..slope }
    }

    #[inline(always)]
    fn temperature_k(&self, level: usize) -> Dual<f64, N> {
        self.at_level(self.profile.temperature_k.at(level), level, 1)
    }
}

air_by_height!([const N: usize] Dual<f64, N>, Varied<'_, N>);
