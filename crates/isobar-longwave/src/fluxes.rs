//! Where fluxes and heating rates go, and how they are summed.
//!
//! One order on every backend: the 32 lanes of a warp of g-points as [`isobar_core::Lanes::sum`] has it, then the warps
//! in turn. Fluxes of single bands: the lanes of a quad in the same manner, then the band's quads in turn.

use isobar_core::{FieldMut, Lanes, Real, Status};

use crate::chunk::{Chunk, octet_lanes};
use crate::scratch::{CHUNK, Scratch};
use crate::tables::Tables;

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
    /// Derivative of the upward flux by the temperature of the surface \[W/(m^2 K)\]; without items where it is not
    /// wanted.
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
    /// Fluxes of all sky, of clear sky.
    pub(crate) const FLUX: usize = 0;
    /// What the layer absorbs less what it emits, negated: of all sky, of clear sky.
    pub(crate) const GAIN: usize = 2;
    /// Derivatives of the upward flux.
    pub(crate) const DERIVATIVE: usize = 4;
}

/// The place of the surface among the layers of a chunk.
pub(crate) const SURFACE: usize = CHUNK;

#[cfg(feature = "std")]
impl<'a, R: Real> Fluxes<'a, R> {
    /// All fields, in the order of [`crate::Outputs::fields_mut`].
    #[must_use]
    pub fn fields(&self) -> [FieldMut<'a, R>; 10] {
        let Self { up, down, heating, up_clear, down_clear, heating_clear, .. } = *self;
        let Self { derivative, derivative_clear, band_up, band_down, .. } = *self;
        [up, down, heating, up_clear, down_clear, heating_clear, derivative, derivative_clear, band_up, band_down]
    }

    /// Fluxes of fields in that order.
    #[must_use]
    pub fn of_fields(fields: [FieldMut<'a, R>; 10]) -> Self {
        let [up, down, heating, up_clear, down_clear, heating_clear, rest @ ..] = fields;
        let [derivative, derivative_clear, band_up, band_down] = rest;
        Self {
            up,
            down,
            heating,
            up_clear,
            down_clear,
            heating_clear,
            derivative,
            derivative_clear,
            band_up,
            band_down,
        }
    }

    /// Those of some columns.
    #[must_use]
    pub fn range(&self, columns: &core::ops::Range<usize>) -> Self {
        Self::of_fields(self.fields().map(|field| field.range(columns.clone())))
    }
}

impl<R: Real> Fluxes<'_, R> {
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

    /// Gives the sums of a chunk's layers to `write`, by the eight lanes of the block's first warp that have this
    /// number: the same in both sweeps.
    ///
    /// It is called for each field in turn: choosing among fields by a variable, a GPU would keep all arguments in slow
    /// memory.
    ///
    /// # Safety
    /// The sum was written for every warp.
    #[inline(always)]
    unsafe fn each_total<const W: usize>(
        lanes: Lanes<W>,
        (scratch, segments): (*const Scratch<R>, usize),
        (number, count): (usize, usize),
        field: &FieldMut<'_, R>,
        mut write: impl FnMut(usize, R),
    ) {
        if field.is_empty() {
            return;
        }
        for _ in lanes.shares(1) {
            if W > 1 || lanes.first() / CHUNK == number % 4 {
                for lane in 0..octet_lanes::<W>() {
                    let slot = lanes.first() % CHUNK + lane;
                    if slot < count {
                        // SAFETY: the caller's.
                        write(slot, unsafe { Self::total(scratch, segments, number, slot) });
                    }
                }
            }
        }
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
        let from = (scratch, tables.segments());
        macro_rules! write {
            ($number:expr, $field:expr) => {
                let field = &$field;
                // SAFETY: the caller's.
                unsafe {
                    Self::each_total(lanes, from, ($number, chunk.count), field, |slot, total| {
                        field.set(chunk.low + slot, column, total);
                    });
                }
            };
        }
        write!(sum::FLUX, self.down);
        write!(sum::FLUX + 1, self.down_clear);
        write!(sum::GAIN, self.heating);
        write!(sum::GAIN + 1, self.heating_clear);
        if !self.band_down.is_empty() {
            // SAFETY: the caller's.
            unsafe { self.write_bands(lanes, (tables, scratch), (&self.band_down, column), chunk.low, 0..chunk.count) };
        }
    }

    /// Writes what the sweep upward found in a chunk, and the heating rates: `per_pressure` over a layer's pressure
    /// difference \[Pa\] gives K/day.
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
        let mut finite = true;
        let from = (scratch, tables.segments());
        macro_rules! write {
            ($number:expr, $field:expr) => {
                let field = &$field;
                // SAFETY: the caller's.
                unsafe {
                    Self::each_total(lanes, from, ($number, chunk.count), field, |slot, total| {
                        field.set(chunk.low + slot + 1, column, total);
                        finite &= total.is_finite();
                    });
                }
            };
            (heating $number:expr, $field:expr) => {
                let field = &$field;
                // SAFETY: the caller's.
                unsafe {
                    Self::each_total(lanes, from, ($number, chunk.count), field, |slot, total| {
                        let layer = chunk.low + slot;
                        field.set(layer, column, -(field.at(layer, column) + total) * heating(layer));
                    });
                }
            };
        }
        write!(sum::FLUX, self.up);
        write!(sum::FLUX + 1, self.up_clear);
        write!(heating sum::GAIN, self.heating);
        write!(heating sum::GAIN + 1, self.heating_clear);
        write!(sum::DERIVATIVE, self.derivative);
        write!(sum::DERIVATIVE + 1, self.derivative_clear);
        if !self.band_up.is_empty() {
            // SAFETY: the caller's.
            unsafe {
                self.write_bands(lanes, (tables, scratch), (&self.band_up, column), chunk.low + 1, 0..chunk.count)
            };
        }
        if finite { Status::OK } else { Status::NOT_FINITE }
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
                macro_rules! bottom {
                    ($number:expr, $field:expr) => {
                        if !$field.is_empty() {
                            // SAFETY: the caller's.
                            $field.set(0, column, unsafe { Self::total(scratch, segments, $number, SURFACE) });
                        }
                    };
                }
                bottom!(sum::FLUX, self.up);
                bottom!(sum::FLUX + 1, self.up_clear);
                bottom!(sum::DERIVATIVE, self.derivative);
                bottom!(sum::DERIVATIVE + 1, self.derivative_clear);
                self.down.set(self.down.levels() - 1, column, R::ZERO);
                if !self.down_clear.is_empty() {
                    self.down_clear.set(self.down_clear.levels() - 1, column, R::ZERO);
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

    /// Sums the quads of each band for some places of a chunk and writes them from `level` on.
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
                        for quad in 0..tables.quads.len() {
                            if tables.quads.at(quad).band as usize == band {
                                // SAFETY: the caller's.
                                total += unsafe { (*scratch).quad_sums[quad][slot] };
                            }
                        }
                        field.set((level + slot - slots.start) * bands + band, column, total);
                    }
                }
            }
        }
    }
}
