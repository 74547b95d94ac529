//! Planck radiance of the bands, linear between the temperatures of a table.

use isobar_core::{Column, Real};

use crate::rrtmg::grid;
use crate::rrtmg::tables::{QUADS, Tables};

/// Where a temperature lies in a table of Planck radiance: beyond the table as at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<R> {
    row: usize,
    /// How far it is towards the next row.
    fraction: R,
}

impl<R: Real> Position<R> {
    #[inline(always)]
    pub(crate) fn of(temperature_k: R) -> Self {
        let x = temperature_k - R::from_f64(grid::PLANCK_FIRST_K - 1.0);
        let index = x.index(1, grid::PLANCK_TEMPERATURES as i32 - 1);
        Self { row: index as usize - 1, fraction: x - R::from_f64(f64::from(index)) }
    }

    /// Radiance of a band in a table, or its derivative in that of derivatives.
    #[inline(always)]
    pub(crate) fn radiance(self, table: &Column<'_, R>, band: usize) -> R {
        let (low, high) = Tables::planck_pair(table, band, self.row);
        low + self.fraction * (high - low)
    }

    /// Radiances of the bands of a warp's quads, to the same bits.
    #[inline(always)]
    pub(crate) fn radiance_of_quads(self, tables: &Tables<'_, R>, segment: usize) -> [R; QUADS] {
        let [mut values, high] = tables.planck_pair_of_quads(self.row, segment);
        for quad in 0..QUADS {
            values[quad] += self.fraction * (high[quad] - values[quad]);
        }
        values
    }
}
