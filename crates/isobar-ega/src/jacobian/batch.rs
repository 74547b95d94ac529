//! Many atmospheres with their rays, as the kernels see them.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, Real};
use isobar_raytrace::hydrostatic_slopes::HydrostaticStep;
use isobar_raytrace::profile::Profile;
use isobar_raytrace::sensitivity::Geometry;
use isobar_raytrace::trace::{LineOfSight, StepRules};
use isobar_raytrace::track::Foot;

use super::elements::Elements;
use crate::physics::channel::{Channel, between, source_node};
use crate::physics::transfer::{Cloud, Ground};
use crate::tables::Tables;

/// What one atmosphere has beside its profile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Case {
    /// How paths are stepped.
    pub rules: StepRules<f64>,
    /// The ground.
    pub ground: Ground<f64>,
    /// The cloud.
    pub cloud: Cloud<f64>,
    /// Derivatives of the surface's height by height and pressure of the surface layer and by the pressure at two
    /// neighbouring levels.
    pub surface_height_by: [f64; 4],
    /// The first of these levels, in the order of the atmosphere.
    pub surface_level: u32,
    /// 1: the heights of the atmosphere descend, other than those of the profile.
    pub descends: u32,
    /// The lowest and the highest of all levels \[km\].
    pub ends_km: [f64; 2],
}

/// A ray, and which atmosphere it goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct CaseRay {
    /// Its end points.
    pub sight: LineOfSight<f64>,
    /// Time \[s since 2000-01-01T00:00Z\].
    pub time_s: f64,
    /// The atmosphere.
    pub case: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

/// Atmospheres of one shape, their rays, and the channels and tables that they share.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Batch<'a> {
    /// The elements of each atmosphere.
    pub elements: Elements,
    /// The tables.
    pub tables: Tables<'a>,
    /// The source function \[W/(m^2 sr cm^-1)\], `(temperature node, channel)`.
    pub source: Field<'a, f64>,
    /// The atmospheres.
    pub cases: Column<'a, Case>,
    /// The channels, `(channel, case)`.
    pub channels: Field<'a, Channel<f64>>,
    /// Height \[km\], ascending, `(level, case)`.
    pub height_km: Field<'a, f64>,
    /// Pressure \[hPa\], `(level, case)`.
    pub pressure_hpa: Field<'a, f64>,
    /// Slope of ln p in each interval \[1/km\], `(interval, case)`.
    pub log_pressure_slope_per_km: Field<'a, f64>,
    /// Temperature \[K\], `(level, case)`.
    pub temperature_k: Field<'a, f64>,
    /// Mixing ratio, `(level, gas * cases + case)`.
    pub mixing_ratio: Field<'a, f64>,
    /// Extinction \[1/km\], `(level, window * cases + case)`.
    pub extinction_per_km: Field<'a, f64>,
    /// The profiles of tracks, `(profile, case)`; none where each atmosphere is one profile.
    pub feet: Field<'a, Foot<f64>>,
    /// The number of each level of a track in the order of the atmosphere, `(level, case)`; none where each atmosphere
    /// is one profile.
    pub in_atmosphere: Field<'a, u32>,
    /// How hydrostatic pressures follow each other, in the order of the atmosphere, `(step, case)`; none where
    /// pressures are what they are.
    pub hydrostatic: Field<'a, HydrostaticStep>,
    /// The rays.
    pub rays: Column<'a, CaseRay>,
    /// The elements by which derivatives are wanted, `(column, case)`; none: all.
    pub wanted: Field<'a, u32>,
    /// The weight of each node of the cloud's spectrum in a channel, `(node, channel)`.
    pub cloud_nodes: Field<'a, f64>,
    /// The weight of each node of the surface's spectrum in a channel, `(node, channel)`.
    pub surface_nodes: Field<'a, f64>,
    /// The solar zenith angle \[deg\]; negative: from time and place.
    pub solar_zenith_deg: f64,
    /// CO2 among the gases, or [`crate::physics::transfer::NO_GAS`].
    pub co2: u32,
    /// H2O among the gases, or [`crate::physics::transfer::NO_GAS`].
    pub h2o: u32,
    /// 1: rules repeat JURASSIC's arithmetic and give transmittances, and the Sun's shares are JURASSIC's.
    pub transmittances_given: u32,
    /// 1: paths stay where they are.
    pub frozen: u32,
    /// 1: the tables hold logarithms, and pressures are weighed by theirs.
    pub logarithmic: u32,
    /// The first channel of the tile that is computed.
    pub first_channel: u32,
    /// The channels of that tile.
    pub tile: u32,
    /// 1: the only row of a ray is the weighted sum over its channels.
    pub summed: u32,
}

impl<'a> Batch<'a> {
    /// The number of channels.
    #[inline(always)]
    #[must_use]
    pub fn channel_count(&self) -> usize {
        self.channels.levels()
    }

    /// The same with a tile of the channels.
    #[cfg(feature = "std")]
    #[inline(always)]
    #[must_use]
    pub(super) fn tile(self, first_channel: usize, tile: usize) -> Self {
        Self { first_channel: first_channel as u32, tile: tile as u32, ..self }
    }

    /// The same with one row a ray, the weighted sum over its channels.
    #[cfg(feature = "std")]
    #[inline(always)]
    #[must_use]
    pub(super) fn summed(self) -> Self {
        Self { channels: self.channels.every(0, 1, 1), summed: 1, ..self.tile(0, 1) }
    }

    /// The rows of a tile: rays times channels.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rays.len() * self.tile as usize
    }

    /// Ray and channel of a row, `channel of the tile * rays + ray`.
    #[inline(always)]
    pub(super) fn ray_and_channel(&self, row: usize) -> (usize, usize) {
        // Rays times channels have 31 bits, and a GPU divides those faster.
        let (row, rays) = (row as u32, self.rays.len() as u32);
        ((row % rays) as usize, (self.first_channel + row / rays) as usize)
    }

    /// The items of a kernel that does `each` things for every row, in an order in which a GPU is at all rows of 32
    /// rays at a time: they read the same path.
    #[inline(always)]
    pub(super) fn items_by_rays(&self, each: usize) -> usize {
        let (rays, width) = self.blocks_of_rays();
        rays.div_ceil(width) * width * self.tile as usize * each
    }

    /// The row of such an item and the number of what is done for it, unless its ray is beyond the last.
    #[inline(always)]
    pub(super) fn row_by_rays(&self, item: usize, each: usize) -> Option<(usize, usize)> {
        let (rays, width) = self.blocks_of_rays();
        // An item's number has 31 bits, and a GPU divides those faster.
        let (item, width, channels) = (item as u32, width as u32, self.tile);
        let (rest, lane) = (item / width, item % width);
        let (rest, channel) = (rest / channels, rest % channels);
        let ray = (rest / each as u32 * width + lane) as usize;
        (ray < rays).then_some((channel as usize * rays + ray, (rest % each as u32) as usize))
    }

    #[inline(always)]
    fn blocks_of_rays(&self) -> (usize, usize) {
        let rays = self.rays.len();
        (rays, rays.clamp(1, WARP))
    }

    /// Where a row stands among the results, `ray * channels + channel`.
    #[inline(always)]
    pub(super) fn result(&self, row: usize) -> usize {
        let (ray, channel) = self.ray_and_channel(row);
        ray * self.channel_count() + channel
    }

    /// The atmosphere of a ray, and its number.
    #[inline(always)]
    pub(super) fn case(&self, ray: usize) -> (Case, usize) {
        let number = self.rays.at(ray).case as usize;
        (self.cases.at(number), number)
    }

    /// Are the atmospheres tracks?
    #[inline(always)]
    #[must_use]
    pub fn tracks(&self) -> bool {
        !self.feet.is_empty()
    }

    /// Heights, pressures and temperatures of an atmosphere.
    #[inline(always)]
    pub(super) fn profile(&self, case: usize) -> Profile<'a, f64> {
        Profile {
            height_km: self.height_km.column(case),
            pressure_hpa: self.pressure_hpa.column(case),
            log_pressure_slope_per_km: self.log_pressure_slope_per_km.column(case),
            temperature_k: self.temperature_k.column(case),
            mixing_ratio: Field::empty(),
            extinction_per_km: Field::empty(),
        }
    }

    /// Does the path follow the state?
    #[inline(always)]
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        if self.frozen != 0 { Geometry::Frozen } else { Geometry::Moving }
    }

    /// The source function of a channel at a temperature.
    #[inline(always)]
    pub(super) fn source<R: Real>(&self, channel: usize, temperature_k: R) -> R {
        let (node, above) = source_node(temperature_k);
        let at = |node: usize| R::from_f64(self.source.at(node, channel));
        between(at(node), at(node + 1), above)
    }
}
