//! Radiance and transmittance along a path: emission of gases, continua, aerosol and cloud, then the surface.

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};
use isobar_raytrace::path::{PathSummary, Paths};

use super::along::Along;
use super::tile::{Rows, Tile, Tiles};
use crate::limits::SEEN_TRANSMITTANCE;
use crate::physics::channel::{Channel, Channels, between, source_node};
use crate::physics::continuum::Air;
use crate::physics::transfer::{Cloud, Ground, NO_GAS, from_ground, smooth_optical_depth, stops, with_smooth};

/// Channels that a thread takes together: they read the path once.
const TOGETHER: usize = 2;

/// Integrates the equation of transfer along each path: 32 rays in some channels an item, or 32 channels of one ray.
///
/// Its fields are not public, for an item reads without checks: the crate makes it of views that fit each other.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Integrate<'a, R> {
    /// The channels.
    pub(crate) channels: Channels<'a, R>,
    /// The rays.
    pub(crate) summaries: Column<'a, PathSummary<f64>>,
    /// The paths; of these fields and those below points are less than 4 GiB apart and ascend.
    pub(crate) paths: Paths<'a, f64>,
    /// What the gases absorb, of [`super::Grow`]; overwritten by the emissivity of each segment.
    pub(crate) absorptance: FieldMut<'a, R>,
    /// Share of the Sun's light that each ray's end point sees, `(0, ray)`: [`super::SunOnGround`].
    pub(crate) sun: FieldMut<'a, R>,
    /// Radiance \[W/(m^2 sr cm^-1)\], `(0, ray * channels + channel)`.
    pub(crate) radiance: FieldMut<'a, R>,
    /// Transmittance of the whole path, `(0, ray * channels + channel)`.
    pub(crate) transmittance: FieldMut<'a, R>,
    /// 1 where a gas let nothing of a segment pass while more than a millionth of what is behind could still be seen,
    /// so that the channel ended there without the emission of that segment; nothing unless transmittances are given.
    pub(crate) cut_short: FieldMut<'a, u32>,
    /// The ground.
    pub(crate) ground: Ground<R>,
    /// The cloud.
    pub(crate) cloud: Cloud<R>,
    /// CO2 among the gases, or [`NO_GAS`].
    pub(crate) co2: u32,
    /// H2O among the gases, or [`NO_GAS`].
    pub(crate) h2o: u32,
    /// 1: `absorptance` holds transmittances, as a rule that repeats JURASSIC leaves them.
    pub(crate) transmittances_given: u32,
    /// 0; keeps the layout free of gaps.
    pub(crate) unused: u32,
    /// The rows of `absorptance`.
    pub(crate) rows: Rows,
}

// SAFETY: an item writes to its own ray and channels.
unsafe impl<R: Real> Kernel for Integrate<'_, R> {
    const NAME: &'static str = "integrate";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    #[inline(always)]
    fn items(&self) -> usize {
        self.tiles().items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        let Tile { ray, first, here } = self.tiles().tile::<W, TOGETHER>(item, lanes);
        let end = first + here;
        let whole = end - here % TOGETHER;
        for channel in (first..whole).step_by(TOGETHER) {
            self.channels::<TOGETHER>(ray, channel);
        }
        for channel in whole..end {
            self.channels::<1>(ray, channel);
        }
        Status::OK
    }
}

/// Work for each of `C` channels, written out, so that a GPU keeps arrays in registers. No functions of closures, which
/// a CPU would compile without its vectors.
macro_rules! each {
    ($c:ident, $i:ident => $work:block) => {{
        each!(@one $i 0 $work);
        if $c > 1 {
            each!(@one $i 1 $work);
        }
    }};
    (@one $i:ident $number:literal $work:block) => {{
        let $i = $number;
        $work
    }};
}

impl<'a, R: Real> Integrate<'a, R> {
    #[inline(always)]
    fn tiles(&self) -> Tiles {
        Tiles { rays: self.summaries.len(), channels: self.channels.channels.len() }
    }

    /// Integrates the `C` channels from `first` on, 1 or [`TOGETHER`].
    #[inline(always)]
    fn channels<const C: usize>(&self, ray: usize, first: usize) {
        let summary = self.summaries.at(ray);
        let given = self.transmittances_given != 0;
        // What the ground reflects reads the emissivities again.
        let reflects = self.ground.kind >= 2;
        let path = self.path(ray);
        // SAFETY: the fields have the channels, and the source its nodes.
        let (absorptance, sources): ([Along<'_, R>; C], [Along<'_, R>; C]) = unsafe {
            (
                core::array::from_fn(|i| Along::of(&self.absorptance, self.rows.at(ray, first + i))),
                core::array::from_fn(|i| Along::of_read(&self.channels.source, first + i)),
            )
        };
        let (mut radiance, mut passed, mut cut_short) = ([R::ZERO; C], [R::ONE; C], [false; C]);
        for point in 0..summary.points {
            let air = self.air(&path, point);
            let (node, above) = source_node(air.temperature_k);
            each!(C, i => {
                let stored = absorptance[i].at(point);
                let mut emissivity = R::ONE;
                if stops(stored, given) {
                    cut_short[i] |= passed[i] > R::from_f64(SEEN_TRANSMITTANCE);
                } else {
                    // In place, for coefficients of all channels would fill a GPU's registers.
                    let channel = self.channels.channels.place(first + i);
                    let depth = smooth_optical_depth(channel, &air, self.extinction_per_km(channel, point, ray));
                    emissivity = with_smooth(stored, depth, given);
                    let [low, high] = [sources[i].at(node as u32), sources[i].at(node as u32 + 1)];
                    radiance[i] += between(low, high, above) * emissivity * passed[i];
                    passed[i] *= R::ONE - emissivity;
                }
                if reflects {
                    absorptance[i].set(point, emissivity);
                }
            });
        }
        each!(C, i => {
            let (index, row) = (first + i, self.rows.at(ray, first + i));
            if summary.hits_ground != 0 && self.ground.kind >= 1 {
                radiance[i] += self.ground(index, ray, row, passed[i]);
            }
            let result = ray * self.channels.channels.len() + index;
            self.radiance.set(0, result, radiance[i]);
            self.transmittance.set(0, result, passed[i]);
            if given {
                self.cut_short.set(0, result, u32::from(cut_short[i]));
            }
        });
    }

    /// Where the path of a ray lies in memory.
    #[inline(always)]
    fn path(&self, ray: usize) -> Path<'a> {
        let (paths, rays) = (&self.paths, self.summaries.len());
        // SAFETY: the fields have the ray and its gases, and as many points as its path.
        let along = |field: &FieldMut<'a, f64>, item: usize| unsafe { Along::of(field, item) };
        let gas = |gas: u32| (gas != NO_GAS).then(|| along(&paths.mixing_ratio, gas as usize * rays + ray));
        Path {
            pressure_hpa: along(&paths.pressure_hpa, ray),
            temperature_k: along(&paths.temperature_k, ray),
            length_km: along(&paths.length_km, ray),
            air_column_per_cm2: along(&paths.air_column_per_cm2, ray),
            co2: gas(self.co2),
            h2o: gas(self.h2o),
        }
    }

    /// The air of a segment.
    #[inline(always)]
    fn air(&self, path: &Path<'_>, point: u32) -> Air<R> {
        let air_column = path.air_column_per_cm2.at(point);
        let co2 = if let Some(co2) = &path.co2 { co2.at(point) } else { 0.0 };
        let h2o = if let Some(h2o) = &path.h2o { h2o.at(point) } else { 0.0 };
        Air {
            pressure_hpa: R::from_f64(path.pressure_hpa.at(point)),
            temperature_k: R::from_f64(path.temperature_k.at(point)),
            length_km: R::from_f64(path.length_km.at(point)),
            co2_per_cm2: R::from_f64(co2 * air_column),
            h2o_per_cm2: R::from_f64(h2o * air_column),
            h2o_mixing_ratio: R::from_f64(h2o),
        }
    }

    /// Extinction by aerosol and cloud \[1/km\].
    #[inline(always)]
    fn extinction_per_km(&self, channel: &Channel<R>, point: u32, ray: usize) -> R {
        let (point, rays) = (point as usize, self.summaries.len());
        let mut extinction = R::ZERO;
        if self.paths.extinction_per_km.items() > 0 {
            let item = channel.window as usize * rays + ray;
            extinction = R::from_f64(self.paths.extinction_per_km.at(point, item));
        }
        if self.cloud.depth_km > R::ZERO && channel.cloud_extinction_per_km != R::ZERO {
            let height = R::from_f64(self.paths.height_km.at(point, ray));
            extinction += self.cloud.extinction_per_km(height, channel.cloud_extinction_per_km);
        }
        extinction
    }

    /// What the ground adds: its emission, the sky and the Sun that it reflects, seen through the path.
    #[inline(always)]
    fn ground(&self, index: usize, ray: usize, row: usize, passed: R) -> R {
        let (summary, channel) = (self.summaries.at(ray), self.channels.channels.at(index));
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

/// The values along a path.
struct Path<'a> {
    pressure_hpa: Along<'a, f64>,
    temperature_k: Along<'a, f64>,
    length_km: Along<'a, f64>,
    air_column_per_cm2: Along<'a, f64>,
    co2: Option<Along<'a, f64>>,
    h2o: Option<Along<'a, f64>>,
}
