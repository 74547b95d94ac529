//! A layer's rows as a GPU's threads have them, each of which has a g-point: of the tables that it has side by side, as
//! [`super::point`] reads them.

use isobar_core::{Lanes, Real};

use super::point::{Place, at};
use super::table_rows::TableRows;
use crate::physics::absorption::{corners, pairs};
use crate::read_pair::read_pair;
use crate::state::Rows;
use crate::tables::{GasTables, RegionOfBand};

/// A layer's rows at the g-point of a lane. `N` lanes one after the other have neighbours.
pub(super) struct LaneRows<'a, R, const N: usize, const W: usize> {
    pub(super) tables: &'a GasTables<'a, R>,
    pub(super) place: Place,
    pub(super) here: RegionOfBand,
    pub(super) rows: Rows,
    pub(super) lanes: Lanes<W>,
}

impl<R: Real, const N: usize, const W: usize> LaneRows<'_, R, N, W> {
    #[inline(always)]
    fn coefficient(&self, offset: u32) -> R {
        // SAFETY: offsets are those of tables.
        unsafe { at(self.tables.coefficients.as_ptr(), offset).read() }
    }

    #[inline(always)]
    fn four(&self, [a, b, c, d]: [u32; 4]) -> [[R; 1]; 4] {
        [[self.coefficient(a)], [self.coefficient(b)], [self.coefficient(c)], [self.coefficient(d)]]
    }
}

/// One of four, not by its number, either.
#[inline(always)]
fn nth([a, b, c, d]: [u32; 4], number: usize) -> u32 {
    match number {
        0 => a,
        1 => b,
        2 => c,
        _ => d,
    }
}

impl<R: Real, const N: usize, const W: usize> TableRows<R, 1> for LaneRows<'_, R, N, W> {
    #[inline(always)]
    fn major<const FRACTION: bool>(&self, half: usize, corner: usize) -> [[R; 1]; 2] {
        let place = &self.place;
        let (stride, inner) = (place.major_stride, self.tables.major_inner * place.major_stride);
        // Not by a number: a GPU would keep both in slow memory.
        let [first, second] = self.rows.major;
        let row = place.major + if half == 0 { first } else { second } * stride;
        if FRACTION {
            // Absorption and fractions are side by side.
            let offset = nth(corners(row + 2 * place.point, stride, inner), corner);
            // SAFETY: as above, and pairs are aligned, for tables begin at a multiple of eight numbers.
            let [absorption, fraction] = unsafe { read_pair(at(self.tables.coefficients.as_ptr(), offset)) };
            [[absorption], [fraction]]
        } else {
            [[self.coefficient(nth(corners(row + place.point, stride, inner), corner))], [R::ZERO]]
        }
    }

    #[inline(always)]
    fn minor(&self, number: usize) -> [[R; 1]; 4] {
        // Two gases are side by side.
        let (number, stride) = (number as u32, self.place.minor_stride);
        let table = self.here.minor + 2 * self.place.point + number % 2;
        let table = table + number / 2 * 2 * self.tables.minor_rows * stride;
        self.four(pairs(table, self.rows.minor, 2 * stride))
    }

    #[inline(always)]
    fn rayleigh(&self) -> [[R; 1]; 4] {
        let table = self.here.rayleigh + self.place.point;
        self.four(pairs(table, self.rows.minor, self.place.rayleigh_stride))
    }

    /// In the order of a CPU's tree.
    #[inline(always)]
    fn sum(&self, [mut sum]: [R; 1]) -> R {
        let mut distance = N / 2;
        while distance > 0 {
            sum += self.lanes.exchange([sum; W], distance)[0];
            distance /= 2;
        }
        sum
    }
}
