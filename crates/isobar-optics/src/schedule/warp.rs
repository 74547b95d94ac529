//! Optics of a layer at the g-points of a warp: a GPU's thread has one of them, a CPU's thread takes neighbouring ones
//! of a band together, as many as its vectors hold.

use isobar_core::Real;
use isobar_core::kernel::WARP;

use crate::physics::sum::gas_optics;
use crate::state::ColumnState;
use crate::tables::{BandRow, GasTables, LaneRow};

/// The most g-points that a CPU takes at once.
const MOST: usize = 16;

/// The g-points of the calling thread's lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a, R, const W: usize> {
    tables: GasTables<'a, R>,
    /// What the lanes have.
    lanes: [LaneRow; W],
    /// The band of a GPU's lane.
    band: BandRow,
    /// The warp.
    pub segment: usize,
    /// The first lane.
    pub first: usize,
}

impl<'a, R: Real, const W: usize> Points<'a, R, W> {
    /// Those of a warp, from lane `first` on.
    #[inline(always)]
    #[must_use]
    pub fn new(tables: &GasTables<'a, R>, segment: usize, first: usize) -> Self {
        let mut lanes = [LaneRow::default(); W];
        for (lane, row) in lanes.iter_mut().enumerate() {
            *row = tables.lane(segment, first + lane);
        }
        let band = if W == 1 { *tables.band(lanes[0].band as usize) } else { BandRow::default() };
        Self { tables: *tables, lanes, band, segment, first }
    }

    /// Optical depths of absorption, and of Rayleigh scattering or, of the long wave, Planck fractions.
    #[inline(always)]
    #[must_use]
    pub fn optics<const LONGWAVE: bool>(&self, state: &ColumnState<R>, layer: usize) -> ([R; W], [R; W]) {
        if W == 1 {
            let place = (&self.band, self.lanes[0].point);
            let optics = gas_optics::<R, 1, LONGWAVE>(&self.tables, state, layer, place);
            return ([optics.absorption[0]; W], [optics.second[0]; W]);
        }
        // SAFETY: lanes of a CPU are a whole warp.
        unsafe {
            if size_of::<R>() == 4 {
                self.by_runs::<16, LONGWAVE>(state, layer)
            } else {
                self.by_runs::<8, LONGWAVE>(state, layer)
            }
        }
    }

    /// By runs, `N` at a time: what is beyond a run is written by the next one, or beyond the last lane.
    ///
    /// # Safety
    /// `W` is that of a whole warp.
    #[inline(always)]
    unsafe fn by_runs<const N: usize, const LONGWAVE: bool>(
        &self,
        state: &ColumnState<R>,
        layer: usize,
    ) -> ([R; W], [R; W]) {
        let mut absorption = [R::ZERO; WARP + MOST];
        let mut second = [R::ZERO; WARP + MOST];
        // SAFETY: warps and runs are those of the tables.
        let runs = unsafe { self.tables.first_runs.get(self.segment)..self.tables.first_runs.get(self.segment + 1) };
        for run in runs {
            // SAFETY: as above.
            let run = unsafe { self.tables.runs.get(run as usize) };
            let mut done = 0;
            while done < run.lanes {
                let place = (self.tables.band(run.band as usize), run.point + done);
                let optics = gas_optics::<R, N, LONGWAVE>(&self.tables, state, layer, place);
                let lane = (run.lane + done) as usize;
                debug_assert!(lane < WARP);
                // SAFETY: a lane of the warp, and there is room for `MOST` behind the last.
                unsafe {
                    absorption.as_mut_ptr().add(lane).cast::<[R; N]>().write(optics.absorption);
                    second.as_mut_ptr().add(lane).cast::<[R; N]>().write(optics.second);
                }
                done += N as u32;
            }
        }
        let mut all = ([R::ZERO; W], [R::ZERO; W]);
        all.0.copy_from_slice(&absorption[..W]);
        all.1.copy_from_slice(&second[..W]);
        all
    }

    /// What a black body at two neighbouring temperatures with these weights emits at each g-point, in the unit of a
    /// flux.
    #[inline(always)]
    #[must_use]
    pub fn black_body(&self, (row, weights): (u32, [R; 2])) -> [R; W] {
        let width = self.tables.segments as usize * WARP;
        let start = self.tables.planck.as_ptr().wrapping_add(row as usize * width + self.segment * WARP + self.first);
        let mut emission = [R::ZERO; W];
        for (lane, value) in emission.iter_mut().enumerate() {
            // SAFETY: rows and lanes are those of the table.
            let (cold, warm) = unsafe { (start.add(lane).read(), start.add(lane + width).read()) };
            *value = warm.mul_add(weights[1], cold * weights[0]);
        }
        emission
    }

    /// The number of the first lane among those of all warps.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self) -> usize {
        self.segment * WARP + self.first
    }

    /// Which of `rows` spectral rows a lane has: that of its band, or where there are as many as g-points, its own.
    #[inline(always)]
    #[must_use]
    pub fn spectral(&self, lane: usize, rows: usize) -> usize {
        if rows == self.tables.band_count as usize {
            self.lanes[lane].band as usize
        } else {
            (self.lane() + lane).min(rows - 1)
        }
    }

    /// Slope and intercept of the best secant of a lane's band.
    #[inline(always)]
    #[must_use]
    pub fn secant_fit(&self, lane: usize) -> [R; 2] {
        let band = self.lanes[lane].band as usize;
        // SAFETY: there are two a band.
        unsafe { [self.tables.secants.get(2 * band), self.tables.secants.get(2 * band + 1)] }
    }

    /// The lanes' parts of the sun's irradiance.
    #[inline(always)]
    #[must_use]
    pub fn solar_parts(&self) -> [R; W] {
        let mut parts = [R::ZERO; W];
        for (lane, part) in parts.iter_mut().enumerate() {
            // SAFETY: lanes are those of the tables.
            *part = unsafe { self.tables.solar.get(self.segment * WARP + self.first + lane) };
        }
        parts
    }
}
