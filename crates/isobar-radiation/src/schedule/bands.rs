//! Fluxes by band: sums over the runs of a warp's g-points that are of one band, and their sums.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use super::totals::put;
use super::warp::Warp;
use crate::arguments::{ANY_SKY, BAND_SUMS, BandTotals, band_sum};

impl<R: Real, const W: usize> Warp<'_, '_, R, W> {
    /// Leaves a sum of each band times a weight at a level, where it is wanted, and adds it to what is there unless it
    /// is the first.
    #[inline(always)]
    pub(crate) fn put_bands<const KIND: u32>(
        &self,
        (level, which): (usize, usize),
        values: &[R; W],
        (weight, first): (R, bool),
    ) {
        let sums = &self.sweep.band_sums;
        if KIND & ANY_SKY == 0 || sums.is_empty() {
            return;
        }
        let (tables, segment) = (&self.sweep.tables, self.points.segment);
        // SAFETY: warps are those of the tables.
        let runs = unsafe { tables.first_flux_runs.get(segment)..tables.first_flux_runs.get(segment + 1) };
        for number in runs {
            // SAFETY: as above.
            let run = unsafe { tables.flux_runs.get(number as usize) };
            let mut part = [R::ZERO; W];
            for lane in 0..W {
                let place = (self.lanes.first() + lane) as u32;
                part[lane] = if place >= run.lane && place < run.lane + run.lanes { values[lane] } else { R::ZERO };
            }
            let sum = self.lanes.sum(part);
            if self.lanes.first() == 0 {
                let row = (number as usize * (self.layers + 1) + level) * BAND_SUMS + which;
                // SAFETY: a column has a number for each run and level there, and one lane has the place.
                unsafe {
                    let before = if first { R::ZERO } else { sums.get(row, self.column) };
                    sums.put(row, self.column, before + weight * sum);
                }
            }
        }
    }
}

// SAFETY: an item writes the fluxes of its own columns and level.
unsafe impl<R: Real> Kernel for BandTotals<'_, R> {
    const NAME: &'static str = "radiation_band_totals";
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
                for band in 0..self.bands {
                    self.compute(level, column, band);
                }
            }
        }
        Status::OK
    }
}

impl<R: Real> BandTotals<'_, R> {
    #[inline(always)]
    fn compute(&self, level: usize, column: usize, band: u32) {
        let mut totals = [R::ZERO; BAND_SUMS];
        // SAFETY: the column is one of the view.
        let night = self.with_beam != 0 && unsafe { self.columns.cosine_zenith.get(column) <= R::ZERO };
        for number in 0..self.runs.len() {
            // SAFETY: the sweeps came before, with as many sums for each of the runs.
            unsafe {
                if !night && self.runs.get(number).band == band {
                    let row = (number * (self.columns.layers() + 1) + level) * BAND_SUMS;
                    for which in 0..2 + self.with_beam as usize {
                        totals[which] += self.band_sums.get(row + which, column);
                    }
                }
            }
        }
        let place = (level * self.bands as usize + band as usize, column);
        let mut finite = put(&self.fluxes.up, place, totals[band_sum::UP]);
        finite &= put(&self.fluxes.down, place, totals[band_sum::DOWN] + totals[band_sum::DIFFUSE]);
        finite &= put(&self.fluxes.direct, place, totals[band_sum::DOWN]);
        if !finite {
            self.status.mark(column, Status::NOT_FINITE);
        }
    }
}
