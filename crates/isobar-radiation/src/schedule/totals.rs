//! Sums of all warps, and heating rates: 32 columns at a level are an item.

use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::arguments::{SUMS, Totals, sum};

// SAFETY: an item writes the fluxes of its own columns and level.
unsafe impl<R: Real> Kernel for Totals<'_, R> {
    const NAME: &'static str = "radiation_totals";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.columns.columns().div_ceil(WARP) * (self.columns.layers() + 1)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let levels = self.columns.layers() + 1;
        let (block, level) = (index / levels, index % levels);
        for lane in 0..W {
            let column = block * WARP + lanes.first() + lane;
            if column < self.columns.columns() {
                self.compute(level, column);
            }
        }
        Status::OK
    }
}

/// Puts a value where it is wanted. Is it finite, or not wanted?
#[inline(always)]
pub(crate) fn put<R: Real>(field: &FieldMut<'_, R>, (level, column): (usize, usize), value: R) -> bool {
    if field.is_empty() {
        return true;
    }
    // SAFETY: the item's own level and column.
    unsafe { field.put(level, column, value) };
    value.is_finite()
}

impl<R: Real> Totals<'_, R> {
    #[inline(always)]
    fn compute(&self, level: usize, column: usize) {
        let layers = self.columns.layers();
        let mut totals = [R::ZERO; SUMS];
        // SAFETY: the column is one of the view.
        let night = self.with_beam != 0 && unsafe { self.columns.cosine_zenith.get(column) <= R::ZERO };
        if !night {
            for segment in 0..self.segments as usize {
                for (which, total) in totals.iter_mut().enumerate() {
                    let place = (segment * (layers + 1) + level) * SUMS + which;
                    // SAFETY: the sweeps came before, with as many sums.
                    *total += unsafe { self.sums.get(place, column) };
                }
            }
        }
        let beam = if self.with_beam != 0 { totals[sum::DOWN] } else { R::ZERO };
        let down = if self.with_beam != 0 { beam + totals[sum::OTHER] } else { totals[sum::DOWN] };
        let place = (level, column);
        let mut finite = put(&self.fluxes.up, place, totals[sum::UP]);
        finite &= put(&self.fluxes.down, place, down);
        finite &= put(&self.fluxes.direct, place, beam);
        finite &= put(&self.fluxes.derivative, place, totals[sum::OTHER]);
        if level < layers && !self.fluxes.heating.is_empty() {
            let gain = totals[sum::LOST_DOWN] + totals[sum::GAIN];
            let pressure = &self.columns.level_pressure_pa;
            // SAFETY: as above.
            let weight = unsafe { pressure.get(level, column) - pressure.get(level + 1, column) };
            finite &= put(&self.fluxes.heating, place, gain * self.heating_factor / weight);
        }
        if !finite {
            self.status.mark(column, Status::NOT_FINITE);
        }
    }
}
