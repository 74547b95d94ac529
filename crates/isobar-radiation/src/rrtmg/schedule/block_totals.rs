//! Fluxes and heating rates of a block's column, from what its warps summed.
//!
//! One order on every backend: the 32 lanes of a warp of g-points as [`isobar_core::Lanes::sum`] has it, then the warps
//! in turn. Fluxes of single bands: the lanes of a quad in the same manner, then the band's quads in turn.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Lanes, Real, Status};

use crate::rrtmg::arguments::TransferArgs;
use crate::rrtmg::physics::heating;
use crate::rrtmg::schedule::chunk::Chunk;
use crate::rrtmg::schedule::lane_groups::layer_lanes;
use crate::rrtmg::schedule::scratch::{SURFACE, Scratch, sum};
use crate::rrtmg::sizes::CHUNK;

/// Writes the status that a warp's lanes have found together, if it is wanted.
#[inline(always)]
pub(crate) fn write_status<const W: usize>(
    field: &FieldMut<'_, u32>,
    column: usize,
    lanes: Lanes<W>,
    status: Status,
) -> Status {
    if !field.is_empty() {
        let bad = lanes.ballot(&[u32::from(!status.is_ok()); W]) != 0;
        if lanes.first() == 0 {
            field.set(0, column, if bad { Status::NOT_FINITE.0 } else { Status::OK.0 });
        }
    }
    status
}

/// Where results of a column go. Functions are called when all warps have summed, and waited.
#[derive(Clone, Copy)]
pub(crate) struct BlockTotals<'a, R> {
    pub(crate) batch: &'a TransferArgs<'a, R>,
    pub(crate) scratch: &'a Scratch<R>,
    pub(crate) column: usize,
}

impl<R: Real> BlockTotals<'_, R> {
    /// The sum over all warps of g-points.
    #[inline(always)]
    fn total(&self, number: usize, slot: usize) -> R {
        let mut total = R::ZERO;
        for segment in 0..self.batch.sources.tables.segments() {
            total += self.scratch.sums[number][segment][slot].get();
        }
        total
    }

    /// Gives the sums of a chunk's layers to `write`, by the eight lanes of the block's first warp that have this
    /// number: the same in both sweeps.
    ///
    /// It is called for each field in turn: choosing among fields by a variable, a GPU would keep all arguments in slow
    /// memory.
    #[inline(always)]
    fn each_total<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (number, count): (usize, usize),
        field: &FieldMut<'_, R>,
        mut write: impl FnMut(usize, R),
    ) {
        if field.is_empty() {
            return;
        }
        for _ in lanes.shares(1) {
            if W > 1 || lanes.first() / CHUNK == number % 4 {
                for lane in 0..layer_lanes::<W>() {
                    let slot = lanes.first() % CHUNK + lane;
                    if slot < count {
                        write(slot, self.total(number, slot));
                    }
                }
            }
        }
    }

    /// Writes what the sweep downward found in a chunk; the layers' gains stay in the heating rates.
    #[inline(always)]
    pub(crate) fn write_down<const W: usize>(&self, lanes: Lanes<W>, chunk: Chunk) {
        let (fluxes, column) = (&self.batch.fluxes, self.column);
        macro_rules! write {
            ($number:expr, $field:expr) => {
                let field = &$field;
                self.each_total(lanes, ($number, chunk.count), field, |slot, total| {
                    field.set(chunk.low + slot, column, total);
                });
            };
        }
        write!(sum::FLUX, fluxes.down_w_per_m2);
        write!(sum::FLUX + 1, fluxes.down_clear_w_per_m2);
        write!(sum::GAIN, fluxes.heating_k_per_day);
        write!(sum::GAIN + 1, fluxes.heating_clear_k_per_day);
        if !fluxes.band_down_w_per_m2.is_empty() {
            self.write_bands(lanes, &fluxes.band_down_w_per_m2, chunk.low, 0..chunk.count);
        }
    }

    /// Writes what the sweep upward found in a chunk, and the heating rates.
    #[inline(always)]
    pub(crate) fn write_up<const W: usize>(&self, lanes: Lanes<W>, chunk: Chunk) -> Status {
        let (batch, fluxes, column) = (self.batch, &self.batch.fluxes, self.column);
        let mut finite = true;
        macro_rules! write {
            ($number:expr, $field:expr) => {
                let field = &$field;
                self.each_total(lanes, ($number, chunk.count), field, |slot, total| {
                    field.set(chunk.low + slot + 1, column, total);
                    finite &= total.is_finite();
                });
            };
            (heating $number:expr, $field:expr) => {
                let field = &$field;
                self.each_total(lanes, ($number, chunk.count), field, |slot, total| {
                    let layer = chunk.low + slot;
                    let pressures =
                        [layer, layer + 1].map(|level| batch.sources.columns.level_pressure_pa.at(level, column));
                    let kelvins_a_day = heating::kelvins_a_day(batch.heating_factor, pressures);
                    // With what the layer gained on the way down, which no flux upward need depend on.
                    let rate = heating::rate(field.at(layer, column), total, kelvins_a_day);
                    field.set(layer, column, rate);
                    finite &= rate.is_finite();
                });
            };
        }
        write!(sum::FLUX, fluxes.up_w_per_m2);
        write!(sum::FLUX + 1, fluxes.up_clear_w_per_m2);
        write!(heating sum::GAIN, fluxes.heating_k_per_day);
        write!(heating sum::GAIN + 1, fluxes.heating_clear_k_per_day);
        write!(sum::DERIVATIVE, fluxes.up_derivative_w_per_m2_k);
        write!(sum::DERIVATIVE + 1, fluxes.up_clear_derivative_w_per_m2_k);
        if !fluxes.band_up_w_per_m2.is_empty() {
            self.write_bands(lanes, &fluxes.band_up_w_per_m2, chunk.low + 1, 0..chunk.count);
        }
        if finite { Status::OK } else { Status::NOT_FINITE }
    }

    /// Writes the boundaries: nothing comes down at the top, and what leaves the surface.
    #[inline(always)]
    pub(crate) fn write_boundaries<const W: usize>(&self, lanes: Lanes<W>) {
        let (fluxes, column) = (&self.batch.fluxes, self.column);
        for _ in lanes.shares(1) {
            if lanes.first() == 0 {
                macro_rules! bottom {
                    ($number:expr, $field:expr) => {
                        if !$field.is_empty() {
                            $field.set(0, column, self.total($number, SURFACE));
                        }
                    };
                }
                bottom!(sum::FLUX, fluxes.up_w_per_m2);
                bottom!(sum::FLUX + 1, fluxes.up_clear_w_per_m2);
                bottom!(sum::DERIVATIVE, fluxes.up_derivative_w_per_m2_k);
                bottom!(sum::DERIVATIVE + 1, fluxes.up_clear_derivative_w_per_m2_k);
                fluxes.down_w_per_m2.set(fluxes.down_w_per_m2.levels() - 1, column, R::ZERO);
                if !fluxes.down_clear_w_per_m2.is_empty() {
                    fluxes.down_clear_w_per_m2.set(fluxes.down_clear_w_per_m2.levels() - 1, column, R::ZERO);
                }
                if !fluxes.band_down_w_per_m2.is_empty() {
                    for band in 0..self.batch.sources.tables.band_count() {
                        fluxes.band_down_w_per_m2.set(fluxes.band_down_w_per_m2.levels() - 1 - band, column, R::ZERO);
                    }
                }
            }
        }
        if !fluxes.band_up_w_per_m2.is_empty() {
            self.write_bands(lanes, &fluxes.band_up_w_per_m2, 0, SURFACE..SURFACE + 1);
        }
    }

    /// Sums the quads of each band for some slots of a chunk and writes them from `level` on.
    #[inline(always)]
    fn write_bands<const W: usize>(
        &self,
        lanes: Lanes<W>,
        field: &FieldMut<'_, R>,
        level: usize,
        slots: core::ops::Range<usize>,
    ) {
        let tables = &self.batch.sources.tables;
        let bands = tables.band_count();
        for _ in lanes.shares(1) {
            for share in 0..bands.div_ceil(WARP) {
                for lane in 0..W {
                    let band = share * WARP + lanes.first() + lane;
                    for slot in slots.clone().filter(|_| band < bands) {
                        let mut total = R::ZERO;
                        for quad in 0..tables.quads.len() {
                            if tables.quads.at(quad).band as usize == band {
                                total += self.scratch.quad_sums[quad][slot].get();
                            }
                        }
                        field.set((level + slot - slots.start) * bands + band, self.column, total);
                    }
                }
            }
        }
    }
}
