//! The Sun on the ground where paths end.

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};
use isobar_raytrace::path::PathSummary;

use crate::physics::sun;

/// How much of the Sun's light each ray's end point reflects towards the ray: one ray an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SunOnGround<'a, R> {
    /// The rays.
    pub summaries: Column<'a, PathSummary<f64>>,
    /// Time of each ray \[s since 2000-01-01T00:00Z\].
    pub time_s: Column<'a, f64>,
    /// The solar zenith angle \[deg\]; negative: from time and place.
    pub zenith_deg: f64,
    /// The result, `(0, ray)`: [`sun::share`].
    pub share: FieldMut<'a, R>,
    /// 1: the shares are JURASSIC's.
    pub jurassic: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

// SAFETY: an item writes its own share.
unsafe impl<R: Real> Kernel for SunOnGround<'_, R> {
    const NAME: &'static str = "sun_on_ground";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    #[inline(always)]
    fn items(&self) -> usize {
        self.summaries.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, ray: usize, _: Lanes<W>) -> Status {
        let summary = self.summaries.at(ray);
        let place = (summary.last_longitude_deg, summary.last_latitude_deg);
        let share = sun::share(self.zenith_deg, self.time_s.at(ray), place, summary.cos_incidence, self.jurassic != 0);
        self.share.set(0, ray, R::from_f64(share));
        Status::OK
    }
}
