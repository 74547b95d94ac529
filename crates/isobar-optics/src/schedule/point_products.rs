//! Sums over neighbouring g-points as a GPU's threads have them, each of which has one: of the tables that it has side
//! by side, as [`super::point`] reads them.

use isobar_core::{Lanes, Real};

use super::point::{Place, at};
use super::table_products::TableProducts;
use crate::physics::absorption::{corners, pairs};
use crate::state::Rows;
use crate::tables::{GasTables, RegionOfBand};

/// A layer, and derivatives by its optics at the g-point of a lane. `N` lanes one after the other have neighbours.
pub(super) struct LaneProducts<'a, R, const N: usize, const W: usize> {
    pub(super) tables: &'a GasTables<'a, R>,
    pub(super) place: Place,
    pub(super) here: RegionOfBand,
    pub(super) rows: Rows,
    /// 0 for a lane that has no g-point.
    pub(super) by: [R; 2],
    pub(super) lanes: Lanes<W>,
}

impl<R: Real, const N: usize, const W: usize> LaneProducts<'_, R, N, W> {
    /// A coefficient times a derivative, summed in the order of a CPU's tree.
    #[inline(always)]
    fn sum(&self, offset: u32, by: R) -> R {
        // SAFETY: offsets are those of tables.
        let mut product = unsafe { at(self.tables.coefficients.as_ptr(), offset).read() } * by;
        let mut distance = N / 2;
        while distance > 0 {
            product += self.lanes.exchange([product; W], distance)[0];
            distance /= 2;
        }
        product
    }

    /// Of two rows and the next of each.
    #[inline(always)]
    fn four(&self, table: u32, stride: u32, by: R) -> [R; 4] {
        pairs(table, self.rows.minor, stride).map(|offset| self.sum(offset, by))
    }
}

impl<R: Real, const N: usize, const W: usize> TableProducts<R> for LaneProducts<'_, R, N, W> {
    #[inline(always)]
    fn major<const FRACTION: bool>(&self, half: usize, corner: usize) -> [R; 2] {
        let place = &self.place;
        let (stride, inner) = (place.major_stride, self.tables.major_inner * place.major_stride);
        // Absorption and fractions are side by side.
        let point = if FRACTION { 2 * place.point } else { place.point };
        let row = place.major + point + self.rows.major[half] * stride;
        let row = corners(row, stride, inner)[corner];
        let of_fraction = if FRACTION { self.sum(row + 1, self.by[1]) } else { R::ZERO };
        [self.sum(row, self.by[0]), of_fraction]
    }

    #[inline(always)]
    fn minor(&self, number: usize) -> [R; 4] {
        // Two gases are side by side.
        let (number, stride) = (number as u32, self.place.minor_stride);
        let table = self.here.minor + 2 * self.place.point + number % 2;
        self.four(table + number / 2 * 2 * self.tables.minor_rows * stride, 2 * stride, self.by[0])
    }

    #[inline(always)]
    fn rayleigh(&self) -> [R; 4] {
        self.four(self.here.rayleigh + self.place.point, self.place.rayleigh_stride, self.by[1])
    }
}
