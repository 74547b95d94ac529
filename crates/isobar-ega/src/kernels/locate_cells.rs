//! Where the points of a path lie in the grids of the tables.
//!
//! All gases and channels whose tables share a grid share this work.

use isobar_core::kernel::{Kernel, Team};
use isobar_core::{Column, FieldMut, Lanes, Real, Status};
use isobar_raytrace::path::PathSummary;

use crate::tables::{Cell, Tables};

/// Finds the cell of every point in every grid: one ray and grid an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LocateCells<'a, R> {
    /// The tables.
    pub tables: Tables<'a>,
    /// The rays; their number of points counts.
    pub summaries: Column<'a, PathSummary<f64>>,
    /// Pressure of each point \[hPa\], `(point, ray)`.
    pub pressure_hpa: FieldMut<'a, f64>,
    /// Temperature of each point \[K\], `(point, ray)`.
    pub temperature_k: FieldMut<'a, f64>,
    /// The cells, `(point, grid * rays + ray)`.
    pub cells: FieldMut<'a, Cell<R>>,
    /// 1: take temperature grids for equidistant, as JURASSIC does.
    pub equidistant_temperatures: u32,
    /// 1: weigh pressures by their logarithms.
    pub ln_pressure: u32,
}

// SAFETY: an item writes the cells of its own ray and grid.
unsafe impl<R: Real> Kernel for LocateCells<'_, R> {
    const NAME: &'static str = "locate_cells";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    #[inline(always)]
    fn items(&self) -> usize {
        self.summaries.len() * self.tables.grids.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, item: usize, _: Lanes<W>) -> Status {
        let ray = item % self.summaries.len();
        let grid = self.tables.grids.at(item / self.summaries.len());
        let mut near = [0; 3];
        for point in 0..self.summaries.at(ray).points as usize {
            let (p, t) = (self.pressure_hpa.at(point, ray), self.temperature_k.at(point, ray));
            let wide = <R::Wide as Real>::from_f64;
            let (equidistant, ln_pressure) = (self.equidistant_temperatures != 0, self.ln_pressure != 0);
            let cell = self.tables.locate(&grid, wide(p), wide(t), &mut near, equidistant, ln_pressure);
            self.cells.set(point, item, cell);
        }
        Status::OK
    }
}
