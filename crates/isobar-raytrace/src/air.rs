//! What a path asks of the atmosphere, whether it varies in height alone or along a track too.

use isobar_core::Real;
use nalgebra::Vector3;

use crate::profile::{Level, Levels, Profile};

/// Pressure and temperature anywhere.
pub trait Air<R: Real> {
    /// Where a point lies among the levels.
    type Place: Copy;

    /// Where a point of a known height lies. `guess` is an interval to start the search from; it does not change the
    /// answer.
    fn place(&self, x: Vector3<R>, height_km: R, guess: usize) -> Self::Place;
    /// A guess for points near a place.
    fn interval(place: &Self::Place) -> usize;
    /// Pressure \[hPa\].
    fn pressure_there(&self, place: &Self::Place) -> R;
    /// Temperature \[K\].
    fn temperature_there(&self, place: &Self::Place) -> R;
}

/// What is known by height alone.
macro_rules! air_by_height {
    ([$($generics:tt)*] $number:ty, $levels:ty) => {
        impl<$($generics)*> $crate::air::Air<$number> for $levels {
            type Place = $crate::profile::Level<$number>;

            #[inline(always)]
            fn place(&self, _: nalgebra::Vector3<$number>, height_km: $number, guess: usize) -> Self::Place {
                $crate::profile::Levels::locate(self, height_km, guess)
            }

            #[inline(always)]
            fn interval(place: &Self::Place) -> usize {
                place.interval
            }

            #[inline(always)]
            fn pressure_there(&self, place: &Self::Place) -> $number {
                self.pressure_at(place)
            }

            #[inline(always)]
            fn temperature_there(&self, place: &Self::Place) -> $number {
                self.temperature_at(place)
            }
        }
    };
}
pub(crate) use air_by_height;

air_by_height!([R: Real] R, Profile<'_, R>);

/// All that a path takes from an atmosphere.
pub trait Atmospheric<R: Real>: Air<R> + Copy + Send + Sync {
    /// The kernel's name of [`crate::kernel::CountPoints`].
    const COUNT_POINTS: &'static str;
    /// The kernel's name of [`crate::kernel::TracePaths`].
    const TRACE_PATHS: &'static str;

    /// The height of the lowest level \[km\].
    fn lowest_km(&self) -> R;
    /// The height of the highest level \[km\].
    fn highest_km(&self) -> R;
    /// The number of gases.
    fn gas_count(&self) -> usize;
    /// The number of spectral windows.
    fn window_count(&self) -> usize;
    /// Volume mixing ratio of a gas \[mol/mol\].
    fn mixing_ratio_there(&self, place: &Self::Place, gas: usize) -> R;
    /// Extinction in a spectral window \[1/km\].
    fn extinction_there(&self, place: &Self::Place, window: usize) -> R;
}

impl<R: Real> Atmospheric<R> for Profile<'_, R> {
    const COUNT_POINTS: &'static str = "count_points";
    const TRACE_PATHS: &'static str = "trace_paths";

    #[inline(always)]
    fn lowest_km(&self) -> R {
        self.bottom_km()
    }

    #[inline(always)]
    fn highest_km(&self) -> R {
        self.top_km()
    }

    #[inline(always)]
    fn gas_count(&self) -> usize {
        self.gases()
    }

    #[inline(always)]
    fn window_count(&self) -> usize {
        self.windows()
    }

    #[inline(always)]
    fn mixing_ratio_there(&self, place: &Level<R>, gas: usize) -> R {
        self.mixing_ratio(place, gas)
    }

    #[inline(always)]
    fn extinction_there(&self, place: &Level<R>, window: usize) -> R {
        self.extinction_per_km(place, window)
    }
}
