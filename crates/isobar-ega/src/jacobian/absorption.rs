//! One gas in one channel along a path, differentiated: each segment by itself, then all of them from the end to the
//! beginning.

use core::marker::PhantomData;

use isobar_core::{Dual, Status};

use super::batch::Batch;
pub use super::slopes::{GROWTH, INPUTS, MEANS};
use super::work::Work;
use crate::physics::rule::{Rule, Segment};
use crate::tables::NO_GRID;

/// Follows gases along paths: one gas, ray and channel an item. `N` is the number of the rule's variables and
/// [`INPUTS`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FollowGases<'a, const N: usize, A> {
    /// The rays.
    pub batch: Batch<'a>,
    /// Their points, and the results.
    pub work: Work<'a>,
    /// The approximation.
    pub rule: PhantomData<A>,
}

impl<const N: usize, A: Rule<Dual<f64, N>>> FollowGases<'_, N, A> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.items_by_rays(self.batch.elements.gases)
    }

    /// Computes one gas, ray and channel, and writes emissivities and slopes of those only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        const { assert!(N == A::MEMORY + INPUTS) };
        let (batch, work) = (&self.batch, &self.work);
        let Some((row, gas)) = batch.row_by_rays(item, batch.elements.gases) else { return Status::OK };
        let ((ray, channel), rays) = (batch.ray_and_channel(row), batch.rays.len());
        let (chain, points) = (gas * batch.rows() + row, work.summaries.at(0, ray).points as usize);
        let table = batch.tables.tables.at(gas * batch.channel_count() + channel);
        if table.grid == NO_GRID {
            for point in 0..points {
                work.gas_emissivity.set(point, chain, 0.0);
            }
            return Status::OK;
        }
        let grid = batch.tables.grids.at(table.grid as usize);
        let slopes = work.gas_slopes::<N>();
        let mut near = [0; 3];
        let mut rule = A::start();
        for point in 0..points {
            let mut memory = rule.memory();
            for (number, value) in memory.iter_mut().enumerate().take(A::MEMORY) {
                *value = Dual::variable(value.value, number);
            }
            rule.remember(memory);
            let (here, air) = (work.points.at(point, ray), work.segments.at(point, ray).air_per_cm2);
            let pressure_hpa = Dual::variable(here.pressure_hpa, N - 2);
            let temperature_k = Dual::variable(here.temperature_k, N - 1);
            let given = batch.transmittances_given != 0;
            let segment = Segment {
                pressure_hpa,
                temperature_k,
                column_per_cm2: Dual::variable(work.mixing_ratio.at(point, gas * rays + ray)[0] * air, N - 3),
                cell: batch.tables.locate(&grid, pressure_hpa, temperature_k, &mut near, given, A::LOGARITHMIC),
            };
            let emissivity = rule.add(&batch.tables, &table, &segment);
            work.gas_emissivity.set(point, chain, emissivity.value);
            let first = point * (1 + A::MEMORY);
            slopes.set(first, chain, emissivity.derivative);
            for (number, value) in rule.memory().iter().enumerate().take(A::MEMORY) {
                slopes.set(first + 1 + number, chain, value.derivative);
            }
        }
        Status::OK
    }
}

/// From derivatives of radiances by what gases absorb of the segments, those by pressures, temperatures, air and mixing
/// ratios: one ray and channel an item. `N` as in [`FollowGases`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PullGases<'a, const N: usize> {
    /// The rays.
    pub batch: Batch<'a>,
    /// What was found, and the results.
    pub work: Work<'a>,
}

impl<const N: usize> PullGases<'_, N> {
    /// How many items there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.batch.items_by_rays(1)
    }

    /// Computes one ray and channel, and writes to those only.
    #[inline(always)]
    pub(super) fn compute(&self, item: usize) -> Status {
        let (batch, work) = (&self.batch, &self.work);
        let Some((row, _)) = batch.row_by_rays(item, 1) else { return Status::OK };
        let gases = batch.elements.gases;
        let (ray, channel) = batch.ray_and_channel(row);
        let points = work.summaries.at(0, ray).points as usize;
        let slopes = work.gas_slopes::<N>();
        let memory = N - INPUTS;
        // Gases in turn, the last one first: each absorbs what those before it let pass.
        for gas in (0..gases).rev() {
            let chain = gas * batch.rows() + row;
            let found = batch.tables.tables.at(gas * batch.channel_count() + channel).grid != NO_GRID;
            // By what is remembered after a segment, behind the emissivity of the segment.
            let mut weights = [0.0; N];
            // Lanes with shorter paths wait, so that all are at the same point.
            for point in (0..work.points.levels()).rev() {
                if point >= points {
                    continue;
                }
                let before = work.before.at(point, chain);
                let [mut by_air, by_gases, by_extinction] = work.by.at(point, row);
                if found {
                    weights[0] = by_gases * before[1];
                    let mut sums = [0.0; N];
                    // Written out, so that a GPU keeps the weights in registers.
                    macro_rules! add {
                        ($($result:literal)*) => {$(
                            if $result < 1 + memory {
                                let slopes = slopes.at(point * (1 + memory) + $result, chain);
                                for (sum, slope) in sums.iter_mut().zip(&slopes) {
                                    *sum += weights[$result.min(N - 1)] * *slope;
                                }
                            }
                        )*};
                    }
                    add!(0 1 2 3 4);
                    let (column, pressure, temperature) = (sums[N - 3], sums[N - 2], sums[N - 1]);
                    weights[1..=memory].copy_from_slice(&sums[..memory]);
                    let by_ratio = work.by_mixing_ratio.at(point, chain);
                    let air = work.segments.at(point, ray).air_per_cm2;
                    work.by_mixing_ratio.set(point, chain, by_ratio + column * air);
                    by_air += column * work.mixing_ratio.at(point, gas * batch.rays.len() + ray)[0];
                    let mut at = work.at.at(point, row);
                    at.by_pressure_per_hpa += pressure;
                    at.by_temperature_per_k += temperature;
                    work.at.set(point, row, at);
                }
                work.by.set(point, row, [by_air, by_gases * before[0], by_extinction]);
            }
        }
        Status::OK
    }
}
