//! What the kernels leave to each other, in one piece of memory.
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
    /// The most points of a path.
    pub points: usize,
    /// The most levels that a step touches.
    pub touched: usize,
    /// Gases.
    pub gases: usize,
    /// Extinction windows.
    pub windows: usize,
    /// Elements of the state.
    pub elements: usize,
    /// Is there a cloud?
    pub clouds: bool,
    /// Numbers that the approximation remembers.
    pub memory: usize,
    /// Variables of a step that are computed at a time, a multiple of [`BLOCK`].
    pub variables: usize,
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
    /// What the levels below and above count.
    pub weights: [f64; 2],
}

/// Views of that memory. A row of the Jacobian is `ray * channels + channel`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Work<'a> {
    /// Radiance \[W/(m^2 sr cm^-1)\], `(0, row)`.
    pub radiance: FieldMut<'a, f64>,
    /// Transmittance of the path, likewise.
    pub transmittance: FieldMut<'a, f64>,
    /// Derivatives of the radiances, `(element, row)`.
    pub derivative: FieldMut<'a, f64>,
    /// The rays, `(0, ray)`.
    pub summaries: FieldMut<'a, PathSummary<f64>>,
    /// Their points, `(point, ray)`.
    pub points: FieldMut<'a, TracedPoint>,
    /// Their segments, `(point, ray)`.
    pub segments: FieldMut<'a, PathSegment>,
    /// Mixing ratio and its slope \[1/km\], `(point, ray * gases + gas)`.
    pub mixing_ratio: FieldMut<'a, [f64; 2]>,
    /// Extinction \[1/km\] and its slope, `(point, ray * windows + window)`.
    pub extinction_per_km: FieldMut<'a, [f64; 2]>,
    /// The Sun's share and its derivatives by the position of the last point, `(0, ray)`.
    pub sun: FieldMut<'a, [f64; 4]>,
    /// How paths follow the state.
    pub legs: Legs<'a>,
    /// Emissivity of each segment by a gas, `(point, row * gases + gas)`.
    pub gas_emissivity: FieldMut<'a, f64>,
    /// Derivatives of it, and of what is remembered after it, by what was remembered, column density, pressure and
    /// temperature: `((point * (1 + memory) + result) * variables + variable, row * gases + gas)`.
    pub gas_slopes: FieldMut<'a, f64>,
    /// Derivatives of what all gases so far absorb by what those before absorb and by this one's emissivity,
    /// `(point, row * gases + gas)`.
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
    /// By mixing ratios, `(point, row * gases + gas)`.
    pub by_mixing_ratio: FieldMut<'a, f64>,
}

impl WorkSize {
    /// The doubles that [`Work::carve`] needs.
    #[must_use]
    pub fn doubles(&self) -> usize {
        let mut carver = Carver { start: core::ptr::null_mut(), taken: 0 };
        // The views have no memory behind them and are dropped.
        let _ = self.views(&mut carver);
        carver.taken
    }

    /// The first of them, which are results: radiance, transmittance, derivatives.
    #[must_use]
    pub fn results(&self) -> usize {
        self.rays * self.channels * (2 + self.elements)
    }

    fn views<'a>(&self, carver: &mut Carver) -> Work<'a> {
        let rows = self.rays * self.channels;
        let (points, chains) = (self.points, rows * self.gases);
        let slopes = (1 + self.memory) * (self.memory + INPUTS);
        let blocks = (FIXED + 2 * self.touched).next_multiple_of(self.variables.max(BLOCK)) / BLOCK;
        Work {
            radiance: carver.take(1, rows),
            transmittance: carver.take(1, rows),
            derivative: carver.take(self.elements, rows),
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
        }
    }
}

impl<'a> Work<'a> {
    /// Views of a piece of memory with one level of [`WorkSize::doubles`] neighbouring items or more, whatever they
    /// hold.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn carve(memory: FieldMut<'a, f64>, size: &WorkSize) -> Self {
        assert!(size.doubles() <= memory.items() && memory.strides().1 == 1, "memory for a Jacobian");
        size.views(&mut Carver { start: memory.as_ptr(), taken: 0 })
    }

    /// The slopes of the gases, the `N` variables of a result together: `(point * (1 + memory) + result, chain)`.
    #[inline(always)]
    pub(super) fn gas_slopes<const N: usize>(&self) -> FieldMut<'a, [f64; N]> {
        let slopes = &self.gas_slopes;
        let levels = slopes.levels() / N;
        // SAFETY: the same values, of which N neighbours are one; a chain has a multiple of N.
        unsafe { FieldMut::from_raw(slopes.as_ptr().cast(), levels, slopes.items(), 1, levels as isize) }
    }
}

/// Cuts views off a piece of memory.
struct Carver {
    start: *mut f64,
    taken: usize,
}

impl Carver {
    /// The next `levels * items` values, neighbouring levels adjacent.
    fn take<'a, T: Copy>(&mut self, levels: usize, items: usize) -> FieldMut<'a, T> {
        const { assert!(align_of::<T>() <= align_of::<f64>()) };
        let start = self.start.wrapping_add(self.taken).cast::<T>();
        self.taken += (levels * items * size_of::<T>()).div_ceil(size_of::<f64>());
        // SAFETY: `Work::carve` has checked that the memory, which is borrowed exclusively, holds all that is taken;
        // nothing is taken twice. The values are numbers, for which any bits are good.
        unsafe { FieldMut::from_raw(start, levels, items, 1, levels as isize) }
    }
}
