//! One gas in one channel along a path, differentiated: each segment by itself, then all of them from the end to the beginning.

use isobar_core::{Dual, Real};

use super::along::Along;
use crate::rule::{Rule, Segment};
use crate::tables::{Cell, GridHead, NO_GRID, TableHead, Tables};

/// A segment's variables after those that the rule remembers: its column density, pressure and temperature.
pub(super) const INPUTS: usize = 3;

/// What a gas does along a path.
#[derive(Default)]
pub(super) struct Followed {
    /// Emissivity of each segment; nothing where there is no table.
    pub(super) emissivity: Vec<f64>,
    /// Derivatives of the emissivity and of what is remembered, `(point * (1 + MEMORY) + result) * N + variable`.
    slopes: Vec<f64>,
}

/// The cells of all points in a grid, with pressure and temperature as variables.
#[inline(always)]
pub(super) fn cells<const N: usize>(
    tables: &Tables<'_>,
    grid: &GridHead,
    along: &Along,
    equidistant: bool,
) -> Vec<Cell<Dual<f64, N>>> {
    let mut near = [0; 3];
    let cell = |point: &isobar_raytrace::path::Point<f64>| {
        let pressure = Dual::variable(point.pressure_hpa, N - 2);
        tables.locate(grid, pressure, Dual::variable(point.temperature_k, N - 1), &mut near, equidistant)
    };
    along.points.iter().map(cell).collect()
}

impl Followed {
    /// Follows a gas. `N` is the number of the rule's variables and [`INPUTS`].
    #[inline(always)]
    pub(super) fn along<const N: usize, A: Rule<Dual<f64, N>>>(
        &mut self,
        tables: &Tables<'_>,
        table: &TableHead,
        cells: &[Vec<Cell<Dual<f64, N>>>],
        along: &Along,
        gas: usize,
    ) {
        self.emissivity.clear();
        self.slopes.clear();
        if table.grid == NO_GRID {
            return;
        }
        let points = along.points.len();
        let cells = &cells[table.grid as usize];
        let mixing_ratio = &along.mixing_ratio.value[gas * points..(gas + 1) * points];
        let mut rule = A::start();
        for (point, cell) in cells.iter().enumerate() {
            let mut memory = rule.memory();
            for (number, value) in memory.iter_mut().enumerate().take(A::MEMORY) {
                *value = Dual::variable(value.value, number);
            }
            rule.remember(memory);
            let segment = Segment {
                pressure_hpa: Dual::variable(along.points[point].pressure_hpa, N - 2),
                temperature_k: Dual::variable(along.points[point].temperature_k, N - 1),
                column_per_cm2: Dual::variable(mixing_ratio[point] * along.air[point].value, N - 3),
                cell: *cell,
            };
            let emissivity = rule.add(tables, table, &segment);
            self.emissivity.push(emissivity.value);
            self.slopes.extend_from_slice(&emissivity.derivative);
            for value in &rule.memory()[..A::MEMORY] {
                self.slopes.extend_from_slice(&value.derivative);
            }
        }
    }

    /// From derivatives of a number by the emissivities, those by column density, pressure and temperature of each segment, which go to `found`.
    #[inline(always)]
    pub(super) fn pull_back<const N: usize>(
        &self,
        by_emissivity: impl Fn(usize) -> f64,
        mut found: impl FnMut(usize, [f64; INPUTS]),
    ) {
        let memory = N - INPUTS;
        // By what is remembered after a segment, behind the emissivity of the segment.
        let mut weights = [0.0; N];
        for point in (0..self.emissivity.len()).rev() {
            weights[0] = by_emissivity(point);
            let slopes = &self.slopes[point * (1 + memory) * N..(point + 1) * (1 + memory) * N];
            let mut sums = [0.0; N];
            for (weight, slopes) in weights.iter().zip(slopes.chunks_exact(N)) {
                for (sum, slope) in sums.iter_mut().zip(slopes) {
                    *sum += weight * slope;
                }
            }
            found(point, [sums[N - 3], sums[N - 2], sums[N - 1]]);
            weights[1..=memory].copy_from_slice(&sums[..memory]);
        }
    }

    /// The emissivity of a segment.
    #[inline(always)]
    pub(super) fn at(&self, point: usize) -> f64 {
        self.emissivity.get(point).copied().unwrap_or(f64::ZERO)
    }
}
