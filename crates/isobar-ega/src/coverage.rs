//! Where paths leave the tables.

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Status, bracket};
use isobar_raytrace::path::{PathSummary, Paths};

use crate::tables::{GridHead, NO_GRID, Tables};

/// The points of one path at which one gas lies outside its tables' pressures or temperatures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Outside {
    /// Pressure at the first of them \[hPa\].
    pub pressure_hpa: f64,
    /// Temperature there \[K\].
    pub temperature_k: f64,
    /// How many there are.
    pub points: u32,
    /// The ray of the first of them.
    pub ray: u32,
}

impl Outside {
    /// Adds what was found for other rays, of which the first has the number `first_ray`.
    pub fn add(&mut self, found: &Self, first_ray: usize) {
        let ray = first_ray as u32 + found.ray;
        if found.points > 0 && (self.points == 0 || ray < self.ray) {
            *self = Self { points: self.points, ray, ..*found };
        }
        self.points = self.points.saturating_add(found.points);
    }
}

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

impl Tables<'_> {
    /// Does a grid hold a pressure \[hPa\] and, at the levels around it, a temperature \[K\]?
    #[inline(always)]
    fn covers(&self, grid: &GridHead, pressure_hpa: f64, temperature_k: f64) -> bool {
        let level = |i: u32| self.levels.at((grid.first_level + i) as usize);
        if !(level(0).pressure_hpa <= pressure_hpa && pressure_hpa <= level(grid.levels - 1).pressure_hpa) {
            return false;
        }
        let low = bracket::bisect(grid.levels as usize, |i| level(i as u32).pressure_hpa, pressure_hpa) as u32;
        let high = (low + 1).min(grid.levels - 1);
        [low, high].iter().all(|&i| {
            let level = level(i);
            let at = |j: u32| self.temperatures_k.at((level.first_temperature + j) as usize);
            at(0) <= temperature_k && temperature_k <= at(level.temperatures - 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_ray_is_named_whatever_the_order_in_which_chunks_end() {
        let found = |pressure_hpa: f64, points, ray| Outside { pressure_hpa, temperature_k: 200.0, points, ray };
        // Chunks that begin at rays 0, 10 and 20; nothing was found in the first.
        let chunks = [(found(0.0, 0, 0), 0), (found(3.0, 5, 4), 10), (found(7.0, 2, 1), 20)];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let mut all = Outside::default();
            for i in order {
                all.add(&chunks[i].0, chunks[i].1);
            }
            assert_eq!(all, found(3.0, 7, 14));
        }
    }
}
