//! Where paths leave the tables, for a warning.

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Status};
use isobar_raytrace::path::{PathSummary, Paths};

use crate::physics::coverage::Outside;
use crate::tables::{GridHead, NO_GRID, Tables};

/// Counts the points outside the tables: one ray and gas an item. Points without the gas do not count; where the grids
/// of channels differ, the one with the most counts.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CheckCoverage<'a> {
    /// The tables.
    pub tables: Tables<'a>,
    /// The rays.
    pub summaries: Column<'a, PathSummary<f64>>,
    /// The paths.
    pub paths: Paths<'a, f64>,
    /// The result, `(0, gas * rays + ray)`.
    pub outside: FieldMut<'a, Outside>,
    /// The number of channels.
    pub channels: u32,
    /// 0; keeps the layout free of gaps.
    pub unused: u32,
}

// SAFETY: an item writes its own count.
unsafe impl Kernel for CheckCoverage<'_> {
    const NAME: &'static str = "check_coverage";
    const PRECISION: &'static str = "f64";
    const TEAM: Team = Team::Lane;

    #[inline(always)]
    fn items(&self) -> usize {
        self.outside.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
        let (ray, gas) = (item % self.summaries.len(), item / self.summaries.len());
        let mut result = Outside::default();
        let mut last = NO_GRID;
        for channel in 0..self.channels as usize {
            let grid = self.tables.tables.at(gas * self.channels as usize + channel).grid;
            if grid != NO_GRID && grid != last {
                let found = self.count(&self.tables.grids.at(grid as usize), ray, item);
                result = if found.points > result.points { found } else { result };
                last = grid;
            }
        }
        self.outside.set(0, item, result);
        Status::OK
    }
}

impl CheckCoverage<'_> {
    /// The points of a path outside one grid.
    #[inline(always)]
    fn count(&self, grid: &GridHead, ray: usize, item: usize) -> Outside {
        let mut result = Outside::default();
        for point in 0..self.summaries.at(ray).points as usize {
            let (p, t) = (self.paths.pressure_hpa.at(point, ray), self.paths.temperature_k.at(point, ray));
            if self.paths.mixing_ratio.at(point, item) > 0.0 && !self.tables.covers(grid, p, t) {
                if result.points == 0 {
                    result = Outside { pressure_hpa: p, temperature_k: t, points: 0, ray: ray as u32 };
                }
                result.points += 1;
            }
        }
        result
    }
}
