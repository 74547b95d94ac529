//! What radiances are as temperatures of a black body.

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};

use crate::physics::planck;

/// Puts brightness temperatures \[K\] in the place of radiances: one ray and channel an item. In double precision
/// whatever `R` is, for a radiance of next to nothing would be out of range otherwise.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct BrightnessTemperature<'a, R> {
    /// The channels \[cm^-1\].
    pub wavenumber_per_cm: Column<'a, f64>,
    /// The radiances, `(0, ray * channels + channel)`.
    pub radiance: FieldMut<'a, R>,
}

// SAFETY: an item writes its own value.
unsafe impl<R: Real> Kernel for BrightnessTemperature<'_, R> {
    const NAME: &'static str = "brightness_temperature";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    #[inline(always)]
    fn items(&self) -> usize {
        self.radiance.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
        let channel = item % self.wavenumber_per_cm.len();
        let wavenumber_per_cm = R::Wide::from_f64(self.wavenumber_per_cm.at(channel));
        let kelvin = planck::brightness_temperature(self.radiance.at(0, item).wide(), wavenumber_per_cm);
        self.radiance.set(0, item, R::from_wide(kelvin));
        Status::OK
    }
}
