//! Column densities shared between curves.
//!
//! Tables are tabulated on one global grid of column densities, of which each curve covers a stretch.
//! Such curves share one run of nodes: less memory, and a node number that means the same on each of them.

use isobar_core::Real;

use crate::interpolation::Interpolation;
use crate::limits::MOST_SEARCHED;

/// Runs of ascending column densities that contain every curve added.
#[derive(Debug, Default)]
pub(crate) struct ColumnRuns {
    runs: Vec<Vec<f32>>,
    interpolation: Interpolation,
}

/// The runs, one after the other.
#[derive(Debug, Default)]
pub(crate) struct ColumnPool {
    /// Column densities of all runs \[molecules/cm^2\].
    pub(crate) columns: Vec<f32>,
    runs: Vec<(usize, Vec<f32>, f32)>,
}

impl ColumnRuns {
    /// Runs of column densities, or of their logarithms.
    pub(crate) fn of(interpolation: Interpolation) -> Self {
        Self { interpolation, ..Self::default() }
    }

    /// Makes room for a curve: extends a run that agrees with it where they overlap, or begins a new one.
    pub(crate) fn add(&mut self, columns: &[f32]) {
        for run in self.runs.iter_mut().take(MOST_SEARCHED) {
            // Where the curve begins on the run, or the run on the curve.
            let (before, start) = if columns[0] >= run[0] {
                (0, run.partition_point(|&u| u < columns[0]))
            } else {
                (columns.partition_point(|&u| u < run[0]), 0)
            };
            let common = (columns.len() - before).min(run.len() - start);
            if common == 0 || columns[before..before + common] != run[start..start + common] {
                continue;
            }
            if start + common < run.len() && before + common < columns.len() {
                continue;
            }
            if start + common == run.len() {
                run.extend_from_slice(&columns[before + common..]);
            }
            run.splice(0..0, columns[..before].iter().copied());
            return;
        }
        self.runs.push(columns.to_vec());
    }

    /// Lays the runs out in one pool.
    pub(crate) fn pool(self) -> ColumnPool {
        let mut pool = ColumnPool::default();
        for run in self.runs {
            // Curves of logarithms are searched by a walk alone.
            let linear = self.interpolation == Interpolation::Linear;
            let step = if linear { inverse_log_step(&run) } else { 0.0 };
            pool.runs.push((pool.columns.len(), Vec::new(), step));
            pool.columns.extend_from_slice(&run);
            pool.runs.last_mut().expect("just pushed").1 = run;
        }
        pool
    }
}

impl ColumnPool {
    /// Where a curve that was added lies in the pool, and the inverse logarithmic step of its run.
    pub(crate) fn find(&self, columns: &[f32]) -> (usize, f32) {
        let holds = |(offset, run, step): &(usize, Vec<f32>, f32)| {
            let start = run.partition_point(|&u| u < columns[0]);
            (run.get(start..start + columns.len()) == Some(columns)).then_some((offset + start, *step))
        };
        self.runs.iter().find_map(holds).expect("every curve was added")
    }
}

/// `1 / ln(u[i + 1] / u[i])` where the nodes grow by a constant factor, otherwise 0.
fn inverse_log_step(columns: &[f32]) -> f32 {
    let (first, last) = (f64::from(columns[0]), f64::from(columns[columns.len() - 1]));
    if columns.len() < 3 || first <= 0.0 {
        return 0.0;
    }
    let step = Real::ln(last / first) / (columns.len() - 1) as f64;
    let fits = |(i, &u): (usize, &f32)| (Real::ln(f64::from(u) / first) / step - i as f64).abs() < 0.5;
    if columns.iter().enumerate().all(fits) { (1.0 / step) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_one_grid_share_a_run() {
        let grid: Vec<f32> = (0..40).map(|i| 1e18 * Real::powi(1.122_f32, i)).collect();
        let mut runs = ColumnRuns::default();
        for stretch in [5..20, 10..30, 0..7, 25..40] {
            runs.add(&grid[stretch]);
        }
        let pool = runs.pool();
        assert_eq!(pool.columns, grid);
        let (start, step) = pool.find(&grid[10..30]);
        assert_eq!(start, 10);
        assert!((f64::from(step) - 1.0 / Real::ln(1.122_f64)).abs() < 1e-4);
    }

    #[test]
    fn another_grid_gets_a_run_of_its_own() {
        let mut runs = ColumnRuns::default();
        runs.add(&[1.0, 2.0, 3.0]);
        runs.add(&[1.0, 2.5, 3.0]);
        runs.add(&[2.0, 3.0, 5.0]);
        let pool = runs.pool();
        assert_eq!(pool.columns, [1.0, 2.0, 3.0, 5.0, 1.0, 2.5, 3.0]);
        assert_eq!(pool.find(&[1.0, 2.5, 3.0]), (4, 0.0));
    }
}
