//! Radiance and transmittance along a path: emission of gases, continua, aerosol and cloud, then the surface.

use isobar_core::kernel::{Kernel, Team, WARP};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};
use isobar_raytrace::path::{PathSummary, Paths};

use crate::channel::{Channel, Channels};
use crate::constants::OPAQUE_TRANSMITTANCE;
use crate::continuum::Air;

/// What the ground does to a ray that meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ground<R> {
    /// 0: nothing; 1: it emits; 2: it also reflects the sky; 3: and the Sun.
    pub kind: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
    /// Its temperature \[K\]; not positive: that of the lowest air.
    pub temperature_k: R,
}

/// Where the cloud is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Cloud<R> {
    /// Height of its maximum \[km\].
    pub height_km: R,
    /// Its depth \[km\]; not positive: no cloud.
    pub depth_km: R,
}

impl<R: Real> Cloud<R> {
    /// Extinction at a height \[km\], from that at the maximum \[1/km\].
    #[inline(always)]
    #[must_use]
    pub fn extinction_per_km(&self, height_km: R, at_maximum_per_km: R) -> R {
        let x = (height_km - self.height_km) / self.depth_km;
        (R::from_f64(-0.5) * x * x).exp() * at_maximum_per_km
    }
}

/// Optical depth of continua, and of aerosol and cloud with an extinction \[1/km\], in a segment.
#[inline(always)]
pub(crate) fn smooth_optical_depth<R: Real>(channel: &Channel<R>, air: &Air<R>, extinction_per_km: R) -> R {
    channel.continuum.optical_depth(air) + extinction_per_km * air.length_km
}

/// The emissivity of a segment: what gases absorb (or, with a rule that repeats JURASSIC, let pass), and what absorbs
/// smoothly.
#[inline(always)]
pub(crate) fn with_smooth<R: Real>(stored: R, depth: R, transmittances_given: bool) -> R {
    if transmittances_given {
        R::ONE - stored * (-depth).exp()
    } else {
        let smooth = -(-depth).exp_m1();
        stored + smooth * (R::ONE - stored)
    }
}

/// Does a channel end before a segment, for a gas lets nothing of it pass?
///
/// JURASSIC leaves out the emission of the segment in which a gas becomes opaque to the last bit of a double, and so do
/// we in double precision; in single precision a transmittance is rounded to zero long before, and its emission counts.
#[inline(always)]
pub(crate) fn stops<R: Real>(stored: R, transmittances_given: bool) -> bool {
    if transmittances_given { stored <= R::ZERO } else { stored >= R::ONE && R::EPSILON.value() < OPAQUE_TRANSMITTANCE }
}

/// In some channel a gas let nothing of a segment pass while more than a millionth of what is behind could still be
/// seen: as in JURASSIC the channel ends there, without the emission of that segment. Shorter steps mend it.
pub const CUT_SHORT: Status = Status(32);

/// The transmittance up to a segment above which its emission counts.
const SEEN: f64 = 1e-6;

/// No such gas, in [`Integrate::co2`] and [`Integrate::h2o`].
pub const NO_GAS: u32 = u32::MAX;

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
    /// What the gases absorb, of [`crate::grow::Grow`]; overwritten by the emissivity of each segment.
    pub absorptance: FieldMut<'a, R>,
    /// Share of the Sun's light that each ray's end point sees, `(0, ray)`: [`crate::sun::SunOnGround`].
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
        let place = ray * self.channels.channels.len() + index;
        let summary = self.summaries.at(ray);
        let points = summary.points as usize;

        let (mut radiance, mut passed) = (R::ZERO, R::ONE);
        let mut cut_short = false;
        for point in 0..points {
            let stored = self.absorptance.at(point, place);
            let mut emissivity = R::ONE;
            if self.stops(stored) {
                cut_short |= passed > R::from_f64(SEEN);
            } else {
                emissivity = self.emissivity(&channel, point, ray, stored);
                let t = R::from_f64(self.paths.temperature_k.at(point, ray));
                radiance += self.channels.source(index, t) * emissivity * passed;
                passed *= R::ONE - emissivity;
            }
            self.absorptance.set(point, place, emissivity);
        }
        if summary.hits_ground != 0 && self.ground.kind >= 1 {
            radiance += self.ground(&channel, index, ray, place, passed);
        }
        self.radiance.set(0, place, radiance);
        self.transmittance.set(0, place, passed);
        cut_short
    }

    /// See the function.
    #[inline(always)]
    fn stops(&self, stored: R) -> bool {
        stops(stored, self.transmittances_given != 0)
    }

    /// The emissivity of a segment: gases, and what absorbs smoothly.
    #[inline(always)]
    fn emissivity(&self, channel: &Channel<R>, point: usize, ray: usize, stored: R) -> R {
        let depth = self.smooth_optical_depth(channel, point, ray);
        with_smooth(stored, depth, self.transmittances_given != 0)
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
    fn ground(&self, channel: &Channel<R>, index: usize, ray: usize, place: usize, passed: R) -> R {
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
            (self.channels.source(index, t), self.absorptance.at(point, place))
        };
        from_ground(self.ground.kind, surface, sun, passed, summary.points as usize, segment, |_, _| {}).0
    }
}

/// Radiance of the ground, seen through a path that lets the fraction `passed` pass, and what of the Sun arrives there:
/// `surface` is its emissivity and source, `sun` the Sun's radiance and its share. `segment` gives source and
/// emissivity at a point; `arrives` is told what of the light above a point the ground sees.
#[inline(always)]
pub(crate) fn from_ground<R: Real>(
    kind: u32,
    (surface_emissivity, surface_source): (R, R),
    (sun, share): (R, R),
    passed: R,
    points: usize,
    segment: impl Fn(usize) -> (R, R),
    mut arrives: impl FnMut(usize, R),
) -> (R, R) {
    let mut radiance = surface_emissivity * surface_source * passed;
    let reflected = R::ONE - surface_emissivity;
    // The sky above, along the mirrored path: the same segments, from the ground upwards.
    let mut down = R::ONE;
    if kind < 2 || reflected <= R::ZERO {
        return (radiance, down);
    }
    for point in (0..points).rev() {
        let (source, emissivity) = segment(point);
        arrives(point, down);
        radiance += source * emissivity * down * passed * reflected;
        down *= R::ONE - emissivity;
    }
    if kind >= 3 {
        radiance += sun * down * reflected * passed * share;
    }
    (radiance, down)
}
