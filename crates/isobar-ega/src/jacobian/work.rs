//! The kernels' workspace, in one piece of memory.
#![allow(unsafe_code, reason = "views are cut off one piece of memory")]

use isobar_core::FieldMut;
use isobar_raytrace::path::PathSummary;
use isobar_raytrace::sensitivity::{AtPoint, BLOCK, FIXED, Legs, RESULTS, TracedPoint};

use super::slopes::{Emitted, INPUTS};

/// How much of everything there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSize {
    /// Rays.
    pub rays: usize,
    /// Channels.
    pub channels: usize,
    /// Those that are computed at a time.
    pub tile: usize,
    /// Are derivatives those of the weighted sum over the channels of a ray?
    pub summed: bool,
    /// The most points of a path.
    pub points: usize,
    /// The most levels that a step touches.
    pub touched: usize,
    /// Gases.
    pub gases: usize,
    /// Extinction windows.
    pub windows: usize,
    /// Elements of the state; 0: no derivatives.
    pub elements: usize,
    /// Those by which derivatives are wanted.
    pub wanted: usize,
    /// Wavenumber nodes of cloud and surface.
    pub nodes: usize,
    /// Is there a cloud?
    pub clouds: bool,
    /// Are the atmospheres tracks?
    pub tracks: bool,
    /// Numbers that the approximation remembers.
    pub memory: usize,
    /// Variables of a step that are computed at a time, a multiple of [`BLOCK`].
    pub variables: usize,
    /// Are neighbours in memory rays, and not points?
    pub rays_together: bool,
}

/// A segment of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct PathSegment {
    /// Length \[km\].
    pub length_km: f64,
    /// Air \[molecules/cm^2\].
    pub air_per_cm2: f64,
    /// Its derivatives by pressure, temperature and length.
    pub air_by: [f64; 3],
    /// What the levels below and above count: along a track those of the nearest profile.
    pub weights: [f64; 2],
}

/// What a point has in the next profile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct NextProfile {
    /// What the levels below and above count.
    pub weights: [f64; 2],
    /// The interval.
    pub interval: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

/// Views of memory that tracks have alone.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TrackWork<'a> {
    /// The next profile, `(point, ray)`.
    pub next: FieldMut<'a, NextProfile>,
    /// Lower levels of the intervals that a step reads, `(interval, point * rays + ray)`.
    pub lower: FieldMut<'a, u32>,
    /// Derivatives of the next profile's share by the position of the point \[1/km\], `(point, ray)`.
    pub share_per_km: FieldMut<'a, [f64; 3]>,
    /// Derivatives of mixing ratios and extinctions by the share: what the next profile has more. `(point, gas *
    /// rays + ray)`, and windows after gases.
    pub more: FieldMut<'a, f64>,
    /// Derivatives of a radiance by the share, through mixing ratios and extinctions, `(point, row)`.
    pub by_share: FieldMut<'a, f64>,
}

/// Views of memory for derivatives of weighted sums over the channels of a ray; none where every channel has its own.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumWork<'a> {
    /// Sums of [`Work::at`], `(point, ray)`.
    pub at: FieldMut<'a, AtPoint>,
    /// By the air of a segment, and twice 0, `(point, ray)`.
    pub by: FieldMut<'a, [f64; 3]>,
    /// By extinctions, `(point, window * rays + ray)`.
    pub by_extinction: FieldMut<'a, f64>,
    /// By mixing ratios, `(point, gas * rays + ray)`.
    pub by_mixing_ratio: FieldMut<'a, f64>,
    /// By height of the point, height and depth of the cloud, and 0, `(point, ray)`.
    pub by_cloud: FieldMut<'a, [f64; 4]>,
    /// 0, and by temperature of the ground and the Sun's share, `(0, ray)`.
    pub by_ground: FieldMut<'a, [f64; 3]>,
    /// By extinctions of the cloud and emissivities of the surface at their nodes, `(node, ray)`.
    pub by_node: FieldMut<'a, f64>,
}

/// Views of that memory. A row of the Jacobian is `channel of the tile * rays + ray`, a chain `gas * rows + row`:
/// neighbours are rays, which go along similar paths, as the lanes of a GPU's warp do. A result is `ray * channels +
/// channel`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Work<'a> {
    /// Radiance \[W/(m^2 sr cm^-1)\], `(0, result)`.
    pub radiance: FieldMut<'a, f64>,
    /// Transmittance of the path, `(0, result)`.
    pub transmittance: FieldMut<'a, f64>,
    /// Derivatives of the radiances by the elements that are wanted, `(column, result)`; of weighted sums `(column,
    /// ray)`.
    pub derivative: FieldMut<'a, f64>,
    /// Those by all elements, `(element, row)`.
    pub sums: FieldMut<'a, f64>,
    /// The rays, `(0, ray)`.
    pub summaries: FieldMut<'a, PathSummary<f64>>,
    /// Their points, `(point, ray)`.
    pub points: FieldMut<'a, TracedPoint>,
    /// Their segments, `(point, ray)`.
    pub segments: FieldMut<'a, PathSegment>,
    /// Mixing ratio and its slope \[1/km\], `(point, gas * rays + ray)`.
    pub mixing_ratio: FieldMut<'a, [f64; 2]>,
    /// Extinction \[1/km\] and its slope, `(point, window * rays + ray)`.
    pub extinction_per_km: FieldMut<'a, [f64; 2]>,
    /// The Sun's share and its derivatives by the position of the last point, `(0, ray)`.
    pub sun: FieldMut<'a, [f64; 4]>,
    /// How paths follow the state.
    pub legs: Legs<'a>,
    /// Emissivity of each segment by a gas, `(point, chain)`.
    pub gas_emissivity: FieldMut<'a, f64>,
    /// Derivatives of it, and of what is remembered after it, by what was remembered, column density, pressure and
    /// temperature: `((point * (1 + memory) + result) * variables + variable, chain)`.
    pub gas_slopes: FieldMut<'a, f64>,
    /// Derivatives of what all gases so far absorb by what those before absorb and by this one's emissivity,
    /// `(point, chain)`.
    pub before: FieldMut<'a, [f64; 2]>,
    /// What each segment emits, `(point, row)`.
    pub emitted: FieldMut<'a, Emitted>,
    /// Derivatives of the cloud's extinction by height of the point, height and depth of the cloud and extinction at
    /// its maximum, `(point, row)`.
    pub cloud: FieldMut<'a, [f64; 4]>,
    /// What the path up to a segment lets pass; negative where the channel has ended. `(point, row)`.
    pub passed: FieldMut<'a, f64>,
    /// Derivatives of the radiance by emissivity and source of each segment, `(point, row)`.
    pub by_segment: FieldMut<'a, [f64; 2]>,
    /// By emissivity and temperature of the ground and the Sun's share, `(0, row)`.
    pub by_ground: FieldMut<'a, [f64; 3]>,
    /// By what the path has at a point, `(point, row)`.
    pub at: FieldMut<'a, AtPoint>,
    /// By the air of a segment, by what gases absorb of it, and by its extinction, `(point, row)`.
    pub by: FieldMut<'a, [f64; 3]>,
    /// By mixing ratios, `(point, chain)`.
    pub by_mixing_ratio: FieldMut<'a, f64>,
    /// What tracks have alone.
    pub track: TrackWork<'a>,
    /// What weighted sums have alone.
    pub sum: SumWork<'a>,
}

impl WorkSize {
    /// The doubles that [`Work::carve`] needs.
    #[must_use]
    pub fn doubles(&self) -> usize {
        let mut carver = Carver { start: core::ptr::null_mut(), taken: 0, items_together: self.rays_together };
        // The views have no memory behind them and are dropped.
        let _ = self.views(&mut carver);
        carver.taken
    }

    /// The first of them, which are results: radiance, transmittance, derivatives.
    #[must_use]
    pub fn results(&self) -> usize {
        2 * self.rays * self.channels + self.derivatives()
    }

    /// The derivatives among them.
    #[must_use]
    pub fn derivatives(&self) -> usize {
        self.wanted * self.rays * if self.summed { 1 } else { self.channels }
    }

    fn views<'a>(&self, carver: &mut Carver) -> Work<'a> {
        let (results, rows) = (self.rays * self.channels, self.rays * self.tile);
        let (points, chains) = (self.points, rows * self.gases);
        let of_sums = |items: usize| if self.summed { items * self.rays } else { 0 };
        let slopes = (1 + self.memory) * (self.memory + INPUTS);
        let of_track = |items: usize| if self.tracks { items } else { 0 };
        let blocks = (FIXED + 2 * self.touched).next_multiple_of(self.variables.max(BLOCK)) / BLOCK;
        Work {
            radiance: carver.take_results(1, results),
            transmittance: carver.take_results(1, results),
            derivative: carver.take_results(self.wanted, if self.summed { self.rays } else { results }),
            sums: carver.take(self.elements, if self.summed { self.rays } else { rows }),
            summaries: carver.take(1, self.rays),
            points: carver.take(points, self.rays),
            segments: carver.take(points, self.rays),
            mixing_ratio: carver.take(points, self.rays * self.gases),
            extinction_per_km: carver.take(points, self.rays * self.windows),
            sun: carver.take(1, self.rays),
            legs: Legs {
                derivatives: carver.take(RESULTS * blocks, self.rays * points),
                first_level: carver.take(points, self.rays),
            },
            gas_emissivity: carver.take(points, chains),
            gas_slopes: carver.take(points * slopes, chains),
            before: carver.take(points, chains),
            emitted: carver.take(points, rows),
            cloud: carver.take(points, if self.clouds { rows } else { 0 }),
            passed: carver.take(points, rows),
            by_segment: carver.take(points, rows),
            by_ground: carver.take(1, rows),
            at: carver.take(points, rows),
            by: carver.take(points, rows),
            by_mixing_ratio: carver.take(points, chains),
            track: TrackWork {
                next: carver.take(points, of_track(self.rays)),
                lower: carver.take(blocks - FIXED / BLOCK, of_track(self.rays * points)),
                share_per_km: carver.take(points, of_track(self.rays)),
                more: carver.take(points, of_track(self.rays * (self.gases + self.windows))),
                by_share: carver.take(points, of_track(rows)),
            },
            sum: SumWork {
                at: carver.take(points, of_sums(1)),
                by: carver.take(points, of_sums(1)),
                by_extinction: carver.take(points, of_sums(self.windows)),
                by_mixing_ratio: carver.take(points, of_sums(self.gases)),
                by_cloud: carver.take(points, of_sums(usize::from(self.clouds))),
                by_ground: carver.take(1, of_sums(1)),
                by_node: carver.take(self.nodes, of_sums(1)),
            },
        }
    }
}

impl<'a> Work<'a> {
    /// Views of a piece of memory: [`WorkSize::doubles`] contiguous numbers or more, whose contents do not matter.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn carve(memory: FieldMut<'a, f64>, size: &WorkSize) -> Self {
        assert!(size.doubles() <= memory.items() && memory.strides().1 == 1, "memory for a Jacobian");
        size.views(&mut Carver { start: memory.as_ptr(), taken: 0, items_together: size.rays_together })
    }

    /// The same with the derivatives of weighted sums in the place of those of channels.
    #[cfg(feature = "std")]
    #[inline(always)]
    #[must_use]
    pub(super) fn summed(self) -> Self {
        let SumWork { at, by, by_mixing_ratio, by_ground, .. } = self.sum;
        Self { at, by, by_mixing_ratio, by_ground, ..self }
    }

    /// The slopes of the gases, the `N` variables of a result together: `(point * (1 + memory) + result, chain)`.
    #[inline(always)]
    pub(super) fn gas_slopes<const N: usize>(&self) -> FieldMut<'a, [f64; N]> {
        let slopes = &self.gas_slopes;
        let (levels, (level_stride, _)) = (slopes.levels() / N, slopes.strides());
        let strides = if level_stride == 1 { (1, levels as isize) } else { (level_stride, 1) };
        // SAFETY: the same memory, of which N values are one; a chain has a multiple of N.
        unsafe { FieldMut::from_raw(slopes.as_ptr().cast(), levels, slopes.items(), strides.0, strides.1) }
    }
}

/// Cuts views off a piece of memory.
struct Carver {
    start: *mut f64,
    taken: usize,
    items_together: bool,
}

impl Carver {
    /// The next `levels * items` values of a result, which the host reads item after item: neighbouring levels are
    /// adjacent on every device.
    fn take_results<'a, T: Copy>(&mut self, levels: usize, items: usize) -> FieldMut<'a, T> {
        self.take_laid(levels, items, (1, levels as isize))
    }

    /// The next `levels * items` values, neighbouring items or levels adjacent.
    fn take<'a, T: Copy>(&mut self, levels: usize, items: usize) -> FieldMut<'a, T> {
        let strides = if self.items_together { (items as isize, 1) } else { (1, levels as isize) };
        self.take_laid(levels, items, strides)
    }

    fn take_laid<'a, T: Copy>(&mut self, levels: usize, items: usize, strides: (isize, isize)) -> FieldMut<'a, T> {
        const { assert!(align_of::<T>() <= align_of::<f64>()) };
        let start = self.start.wrapping_add(self.taken).cast::<T>();
        self.taken += (levels * items * size_of::<T>()).div_ceil(size_of::<f64>());
        // SAFETY: `Work::carve` has checked that the memory, which is borrowed exclusively, holds all that is taken;
        // nothing is taken twice. The values are numbers, for which any bits are good.
        unsafe { FieldMut::from_raw(start, levels, items, strides.0, strides.1) }
    }
}
