//! Radiance and transmittance along a path: emission of gases, continua, aerosol and cloud, then the surface.

use isobar_core::kernel::{Kernel, Team, WARP};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};
use isobar_raytrace::path::{PathSummary, Paths};

use crate::physics::channel::{Channel, Channels};
use crate::physics::continuum::Air;
use crate::physics::transfer::{
    CUT_SHORT, Cloud, Ground, NO_GAS, SEEN, from_ground, smooth_optical_depth, stops, with_smooth,
};

/// Integrates the equation of transfer along each path: one ray and 32 neighbouring channels an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Integrate<'a, R> {
    /// The channels.
    pub channels: Channels<'a, R>,
    /// The rays.
    pub summaries: Column<'a, PathSummary<f64>>,
    /// The paths.
    pub paths: Paths<'a, f64>,
    /// What the gases absorb, of [`super::Grow`]; overwritten by the emissivity of each segment.
    pub absorptance: FieldMut<'a, R>,
    /// Share of the Sun's light that each ray's end point sees, `(0, ray)`: [`super::SunOnGround`].
    pub sun: FieldMut<'a, R>,
    /// Radiance \[W/(m^2 sr cm^-1)\], `(0, ray * channels + channel)`.
    pub radiance: FieldMut<'a, R>,
    /// Transmittance of the whole path, likewise.
    pub transmittance: FieldMut<'a, R>,
    /// The ground.
    pub ground: Ground<R>,
    /// The cloud.
    pub cloud: Cloud<R>,
    /// CO2 among the gases, or [`NO_GAS`].
    pub co2: u32,
    /// H2O among the gases, or [`NO_GAS`].
    pub h2o: u32,
    /// 1: `absorptance` holds transmittances, as a rule that repeats JURASSIC leaves them.
    pub transmittances_given: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

// SAFETY: an item writes to its own ray and channels.
unsafe impl<R: Real> Kernel for Integrate<'_, R> {
    const NAME: &'static str = "integrate";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    #[inline(always)]
    fn items(&self) -> usize {
        self.summaries.len() * self.channels.channels.len().div_ceil(WARP)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        let channels = self.channels.channels.len();
        let blocks = channels.div_ceil(WARP);
        let (ray, block) = (item / blocks, item % blocks);
        let first = block * WARP + lanes.first();
        let end = channels.min(first + W);
        let mut status = Status::OK;
        for channel in first..end {
            if self.channel(ray, channel) {
                status = CUT_SHORT;
            }
        }
        status
    }
}

impl<R: Real> Integrate<'_, R> {
    /// Integrates one channel. Was it cut short ([`CUT_SHORT`])?
    #[inline(always)]
    fn channel(&self, ray: usize, index: usize) -> bool {
        let channel = self.channels.channels.at(index);
        let row = ray * self.channels.channels.len() + index;
        let summary = self.summaries.at(ray);
        let given = self.transmittances_given != 0;
        // A loop and no function of closures: a CPU would compile those without its vectors.
        let (mut radiance, mut passed) = (R::ZERO, R::ONE);
        let mut cut_short = false;
        for point in 0..summary.points as usize {
            let stored = self.absorptance.at(point, row);
            let mut emissivity = R::ONE;
            if stops(stored, given) {
                cut_short |= passed > R::from_f64(SEEN);
            } else {
                emissivity = with_smooth(stored, self.smooth_optical_depth(&channel, point, ray), given);
                let t = R::from_f64(self.paths.temperature_k.at(point, ray));
                radiance += self.channels.source(index, t) * emissivity * passed;
                passed *= R::ONE - emissivity;
            }
            self.absorptance.set(point, row, emissivity);
        }
        if summary.hits_ground != 0 && self.ground.kind >= 1 {
            radiance += self.ground(&channel, index, ray, row, passed);
        }
        self.radiance.set(0, row, radiance);
        self.transmittance.set(0, row, passed);
        cut_short
    }

    /// Optical depth of continua, extinction and cloud.
    #[inline(always)]
    fn smooth_optical_depth(&self, channel: &Channel<R>, point: usize, ray: usize) -> R {
        let rays = self.summaries.len();
        let at = |field: FieldMut<'_, f64>, item: usize| field.at(point, item);
        let length_km = R::from_f64(at(self.paths.length_km, ray));
        let air_column = at(self.paths.air_column_per_cm2, ray);
        let mixing_ratio =
            |gas: u32| if gas == NO_GAS { 0.0 } else { at(self.paths.mixing_ratio, gas as usize * rays + ray) };
        let (co2, h2o) = (mixing_ratio(self.co2), mixing_ratio(self.h2o));
        let air = Air {
            pressure_hpa: R::from_f64(at(self.paths.pressure_hpa, ray)),
            temperature_k: R::from_f64(at(self.paths.temperature_k, ray)),
            length_km,
            co2_per_cm2: R::from_f64(co2 * air_column),
            h2o_per_cm2: R::from_f64(h2o * air_column),
            h2o_mixing_ratio: R::from_f64(h2o),
        };
        let mut extinction = R::ZERO;
        if self.paths.extinction_per_km.items() > 0 {
            extinction = R::from_f64(at(self.paths.extinction_per_km, channel.window as usize * rays + ray));
        }
        if self.cloud.depth_km > R::ZERO && channel.cloud_extinction_per_km != R::ZERO {
            let height = R::from_f64(at(self.paths.height_km, ray));
            extinction += self.cloud.extinction_per_km(height, channel.cloud_extinction_per_km);
        }
        smooth_optical_depth(channel, &air, extinction)
    }

    /// What the ground adds: its emission, the sky and the Sun that it reflects, seen through the path.
    #[inline(always)]
    fn ground(&self, channel: &Channel<R>, index: usize, ray: usize, row: usize, passed: R) -> R {
        let summary = self.summaries.at(ray);
        let temperature = if self.ground.temperature_k > R::ZERO {
            self.ground.temperature_k
        } else {
            R::from_f64(summary.last_temperature_k)
        };
        let surface = (channel.surface_emissivity, self.channels.source(index, temperature));
        let sun = if self.ground.kind >= 3 { (channel.sun, self.sun.at(0, ray)) } else { (R::ZERO, R::ZERO) };
        let segment = |point: usize| {
            let t = R::from_f64(self.paths.temperature_k.at(point, ray));
            (self.channels.source(index, t), self.absorptance.at(point, row))
        };
        from_ground(self.ground.kind, surface, sun, passed, summary.points as usize, segment, |_, _| {}).0
    }
}
