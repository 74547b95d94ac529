//! Where fluxes and heating rates go, and how they are summed.
//!
//! One order on every backend: the 32 lanes of a warp of g-points as [`isobar_core::Lanes::sum`] has it, then the warps in turn. Fluxes of
//! single bands: the lanes of an octet in the same manner, then the band's octets in turn.

use isobar_core::{FieldMut, Lanes, Real, Status};

use crate::chunk::{Chunk, octets};
use crate::scratch::{CHUNK, SUMS, Scratch};
use crate::tables::{OCTET, Tables};

/// Results, of `(level, column)` or `(layer, column)` from the surface up. Fluxes are positive in their direction.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Fluxes<'a, R> {
    /// Upward flux at the levels \[W/m^2\].
    pub up: FieldMut<'a, R>,
    /// Downward flux at the levels \[W/m^2\].
    pub down: FieldMut<'a, R>,
    /// Heating rate of the layers \[K/day\].
    pub heating: FieldMut<'a, R>,
    /// The same three without clouds; without items where they are not wanted, or not different.
    pub up_clear: FieldMut<'a, R>,
    /// See above.
    pub down_clear: FieldMut<'a, R>,
    /// See above.
    pub heating_clear: FieldMut<'a, R>,
    /// Derivative of the upward flux by the temperature of the surface \[W/(m^2 K)\]; without items where it is not wanted.
    pub derivative: FieldMut<'a, R>,
    /// The same without clouds.
    pub derivative_clear: FieldMut<'a, R>,
    /// Upward flux of each band, `(level * bands + band, column)`; without items where it is not wanted.
    pub band_up: FieldMut<'a, R>,
    /// Downward flux of each band, likewise.
    pub band_down: FieldMut<'a, R>,
}

/// The sums that a sweep leaves in the scratch.
pub(crate) mod sum {
    /// Radiances of all sky, of clear sky.
    pub(crate) const RADIANCE: usize = 0;
    /// What the layer absorbs less what it emits, negated: of all sky, of clear sky.
    pub(crate) const GAIN: usize = 2;
    /// Derivatives of the upward radiance.
    pub(crate) const DERIVATIVE: usize = 4;
}

/// The place of the surface among the layers of a chunk.
pub(crate) const SURFACE: usize = CHUNK;

impl<R: Real> Fluxes<'_, R> {
    /// Runs `each` for this thread's sums and layers of a chunk: those of the block's first warp. A value has the same lane in both sweeps.
    #[inline(always)]
    fn places<const W: usize>(lanes: Lanes<W>, count: usize, mut each: impl FnMut(usize, usize)) {
        for _ in lanes.shares(1) {
            for rows in 0..SUMS.div_ceil(4) {
                for octet in 0..octets::<W>() {
                    let number = rows * 4 + lanes.first() / OCTET + octet;
                    for lane in 0..crate::chunk::octet_lanes::<W>() {
                        let slot = lanes.first() % OCTET + lane;
                        if number < SUMS && slot < count {
                            each(number, slot);
                        }
                    }
                }
            }
        }
    }

    /// The sum over all warps of g-points.
    ///
    /// # Safety
    /// The sum was written for every warp.
    #[inline(always)]
    unsafe fn total(scratch: *const Scratch<R>, segments: usize, number: usize, slot: usize) -> R {
        let mut total = R::ZERO;
        for segment in 0..segments {
            // SAFETY: the caller's.
            total += unsafe { (*scratch).sums[number][segment][slot] };
        }
        total
    }

    /// Writes what the sweep downward found in a chunk; the layers' gains stay in the heating rates.
    ///
    /// # Safety
    /// All warps have summed, and waited.
    #[inline(always)]
    pub(crate) unsafe fn write_down<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (tables, scratch): (&Tables<'_, R>, *const Scratch<R>),
        column: usize,
        chunk: Chunk,
    ) {
        Self::places(lanes, chunk.count, |number, slot| {
            // No reference into an array: a GPU would keep the arguments in slow memory for it.
            let field = match number {
                0 => self.down,
                1 => self.down_clear,
                2 => self.heating,
                3 => self.heating_clear,
                _ => return,
            };
            if !field.is_empty() {
                // SAFETY: the caller's.
                field.set(chunk.low + slot, column, unsafe { Self::total(scratch, tables.segments(), number, slot) });
            }
        });
        if !self.band_down.is_empty() {
            // SAFETY: the caller's.
            unsafe { self.write_bands(lanes, (tables, scratch), (&self.band_down, column), chunk.low, 0..chunk.count) };
        }
    }

    /// Writes what the sweep upward found in a chunk, and the heating rates: `per_pressure` over a layer's pressure difference \[Pa\] gives K/day.
    ///
    /// # Safety
    /// All warps have summed, and waited.
    #[inline(always)]
    pub(crate) unsafe fn write_up<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (tables, scratch): (&Tables<'_, R>, *const Scratch<R>),
        column: usize,
        (chunk, heating): (Chunk, impl Fn(usize) -> R),
    ) -> Status {
        let mut status = Status::OK;
        Self::places(lanes, chunk.count, |number, slot| {
            let field = match number {
                0 => self.up,
                1 => self.up_clear,
                2 => self.heating,
                3 => self.heating_clear,
                4 => self.derivative,
                _ => self.derivative_clear,
            };
            if field.is_empty() {
                return;
            }
            let layer = chunk.low + slot;
            // SAFETY: the caller's.
            let total = unsafe { Self::total(scratch, tables.segments(), number, slot) };
            if number == sum::GAIN || number == sum::GAIN + 1 {
                field.set(layer, column, -(field.at(layer, column) + total) * heating(layer));
            } else {
                field.set(layer + 1, column, total);
            }
            if !total.is_finite() {
                status = Status::NOT_FINITE;
            }
        });
        if !self.band_up.is_empty() {
            // SAFETY: the caller's.
            unsafe {
                self.write_bands(lanes, (tables, scratch), (&self.band_up, column), chunk.low + 1, 0..chunk.count)
            };
        }
        status
    }

    /// Writes the boundaries: nothing comes down at the top, and what leaves the surface.
    ///
    /// # Safety
    /// All warps have summed, and waited.
    #[inline(always)]
    pub(crate) unsafe fn write_boundaries<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (tables, scratch): (&Tables<'_, R>, *const Scratch<R>),
        column: usize,
    ) {
        let segments = tables.segments();
        for _ in lanes.shares(1) {
            if lanes.first() == 0 {
                let up = [self.up, self.up_clear];
                let derivative = [self.derivative, self.derivative_clear];
                let down = [self.down, self.down_clear];
                for sky in 0..2 {
                    for (field, number) in [(up[sky], sum::RADIANCE + sky), (derivative[sky], sum::DERIVATIVE + sky)] {
                        if !field.is_empty() {
                            // SAFETY: the caller's.
                            field.set(0, column, unsafe { Self::total(scratch, segments, number, SURFACE) });
                        }
                    }
                    if !down[sky].is_empty() {
                        down[sky].set(down[sky].levels() - 1, column, R::ZERO);
                    }
                }
                if !self.band_down.is_empty() {
                    for band in 0..tables.band_count() {
                        self.band_down.set(self.band_down.levels() - 1 - band, column, R::ZERO);
                    }
                }
            }
        }
        if !self.band_up.is_empty() {
            // SAFETY: the caller's.
            unsafe { self.write_bands(lanes, (tables, scratch), (&self.band_up, column), 0, SURFACE..SURFACE + 1) };
        }
    }

    /// Sums the octets of each band for some places of a chunk and writes them from `level` on.
    #[inline(always)]
    unsafe fn write_bands<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (tables, scratch): (&Tables<'_, R>, *const Scratch<R>),
        (field, column): (&FieldMut<'_, R>, usize),
        level: usize,
        slots: core::ops::Range<usize>,
    ) {
        let bands = tables.band_count();
        for _ in lanes.shares(1) {
            for share in 0..bands.div_ceil(isobar_core::kernel::WARP) {
                for lane in 0..W {
                    let band = share * isobar_core::kernel::WARP + lanes.first() + lane;
                    for slot in slots.clone().filter(|_| band < bands) {
                        let mut total = R::ZERO;
                        for octet in 0..tables.octets.len() {
                            if tables.octets.at(octet).band as usize == band {
                                // SAFETY: the caller's.
                                total += unsafe { (*scratch).octet_sums[octet][slot] };
                            }
                        }
                        field.set((level + slot - slots.start) * bands + band, column, total);
                    }
                }
            }
        }
    }
}
