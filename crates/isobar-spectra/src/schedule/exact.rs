//! Every line at every point that it reaches: a warp a block of 128 points, of which a lane has four.
//!
//! The lines that reach a block fall into stretches: those whose ends lie within the block and those next to it, which
//! go through [`Lines::add`]; and to either side those so far away that one form of few operations is good for all of
//! them at all points of the block. That is a question of the position alone, and one of a search.

use core::ops::Range;

use isobar_core::{Column, FieldMut, Lanes, Real, Status};

use super::TILE;
use super::lines::{Lines, PART, WING};
use crate::physics::voigt;

/// Rows of [`TILE`] points in a block; parts of a grid begin with one.
pub const ROWS: usize = 4;

/// Sums lines at points.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct SumExact<'a, R> {
    /// The lines.
    pub lines: Lines<'a, R>,
    /// Of each line sqrt(ln 2)/gamma_D \[1/cm^-1\]; y^2; S y sqrt(ln 2)/(pi gamma_D), scaled; the pedestal, likewise.
    /// One after the other in memory.
    pub wings: Column<'a, [R; WING]>,
    /// From which distance on \[cm^-1\] the last form but one of [`voigt::FAR`] and the last one serve every line.
    pub far_per_cm: [f64; 2],
    /// The points, ascending \[cm^-1\].
    pub wavenumbers_per_cm: Column<'a, f64>,
    /// What brings scaled sums back to cm^2/molecule.
    pub unscale: f64,
    /// `(0, point)` \[cm^2/molecule\].
    pub cross_sections: FieldMut<'a, f64>,
}

/// The points of a block that a team has, and their sums.
struct Block<R, const W: usize> {
    points: [[f64; W]; ROWS],
    /// From the block's first point \[cm^-1\].
    beyond: [[R; W]; ROWS],
    sums: [[f64; W]; ROWS],
    first_per_cm: f64,
}

impl<R: Real> SumExact<'_, R> {
    /// The number of blocks.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.wavenumbers_per_cm.len().div_ceil(ROWS * TILE)
    }

    /// Block `item`.
    #[inline(always)]
    pub fn compute<const W: usize>(&self, item: usize, lanes: Lanes<W>) -> Status {
        let first = item * ROWS * TILE;
        let end = (first + ROWS * TILE).min(self.wavenumbers_per_cm.len());
        let at = |place: usize| self.wavenumbers_per_cm.at(place.min(end - 1));
        let (low, high) = (at(first), at(end));
        let mut block =
            Block { points: [[0.0; W]; ROWS], beyond: [[R::ZERO; W]; ROWS], sums: [[0.0; W]; ROWS], first_per_cm: low };
        for row in 0..ROWS {
            for lane in 0..W {
                let point = at(first + row * TILE + lanes.first() + lane);
                block.points[row][lane] = point;
                block.beyond[row][lane] = R::from_f64(point - low);
            }
        }
        let lines = &self.lines;
        let (cut, reaching) = (lines.cut_per_cm, lines.reaching(low, high));
        // Those that reach all of the block, and those of them that are near and not so far.
        let whole = lines.partition(|line| line + cut < high)..lines.partition(|line| line - cut < low);
        let within = |place: usize| place.clamp(reaching.start, reaching.end);
        let (start, stop) = (within(whole.start), within(whole.end.max(whole.start)));
        let inside = |place: usize| place.clamp(start, stop);
        // A block's own width keeps the distances' digits in the precision of the run.
        let far = self.far_per_cm.map(|distance| distance.max(high - low));
        let below = far.map(|distance| inside(lines.partition(|line| line < low - distance)));
        let above = far.map(|distance| inside(lines.partition(|line| line <= high + distance)));
        self.add_near(reaching.start..start, first, end, &mut block);
        self.add_far::<W, 1>(start..below[1], &mut block);
        self.add_far::<W, 0>(below[1]..below[0], &mut block);
        self.add_near(below[0]..above[0], first, end, &mut block);
        self.add_far::<W, 0>(above[0]..above[1], &mut block);
        self.add_far::<W, 1>(above[1]..stop, &mut block);
        self.add_near(stop..reaching.end, first, end, &mut block);
        let mut finite = true;
        for row in 0..ROWS {
            for lane in 0..W {
                let (place, sum) = (first + row * TILE + lanes.first() + lane, block.sums[row][lane]);
                finite &= sum.is_finite();
                if place < end {
                    self.cross_sections.set(0, place, sum * self.unscale);
                }
            }
        }
        if finite { Status::OK } else { Status::NOT_FINITE }
    }

    /// Lines next to the block, and those that end in it, row by row.
    #[inline(always)]
    fn add_near<const W: usize>(&self, range: Range<usize>, first: usize, end: usize, block: &mut Block<R, W>) {
        let mut row = 0;
        while row < ROWS && !range.is_empty() {
            let at = |place: usize| self.wavenumbers_per_cm.at(place.min(end - 1));
            let ends = (at(first + row * TILE), at(first + (row + 1) * TILE - 1));
            self.lines.add::<W, false>(range.clone(), &block.points[row], ends, &mut block.sums[row]);
            row += 1;
        }
    }

    /// Lines that reach all of the block, from afar: `FORM` 1 is the last form, 0 the last but one.
    #[inline(always)]
    fn add_far<const W: usize, const FORM: usize>(&self, range: Range<usize>, block: &mut Block<R, W>) {
        let mut line = range.start;
        while line < range.end {
            let end = range.end.min((line / PART + 1) * PART);
            let mut part = [[R::ZERO; W]; ROWS];
            let mut feet = R::ZERO;
            while line < end {
                let [position, shift] = self.lines.centre(line);
                let [per_width, y2, strength, pedestal] = self.wing(line);
                // The shift is small beside the distance: its rounding with the position does not matter.
                let x0 = R::from_f64(block.first_per_cm - (position + shift)) * per_width;
                for (part, beyond) in part.iter_mut().zip(&block.beyond) {
                    for (part, beyond) in part.iter_mut().zip(beyond) {
                        let x = beyond.mul_add(per_width, x0);
                        *part = voigt::add_wing::<R, FORM>(x, y2, strength, *part);
                    }
                }
                feet += pedestal;
                line += 1;
            }
            for (sums, part) in block.sums.iter_mut().zip(&part) {
                for (sum, part) in sums.iter_mut().zip(part) {
                    *sum += (*part - feet).value();
                }
            }
        }
    }

    /// See [`SumExact::wings`]; `line` is below the number of lines.
    #[inline(always)]
    #[allow(unsafe_code, reason = "the address is a product with a known number")]
    fn wing(&self, line: usize) -> [R; WING] {
        debug_assert!(line < self.wings.len() && self.wings.stride() == 1);
        // SAFETY: all callers take lines below the number of centres, there are as many wings, and the column has no
        // gaps.
        unsafe { *self.wings.as_ptr().add(line) }
    }
}
