//! Lines that are ready for a pressure and temperature, and their sum at a point.

use core::ops::Range;

use isobar_core::{Column, Real};

use crate::physics::carbon_dioxide_wing::Chi;
use crate::physics::voigt;
use crate::physics::wing::reaches;

/// Lines summed in the precision of the run before they are added in double precision.
pub const PART: usize = 16;
/// Numbers of [`Lines::shapes`] of a line.
pub const SHAPE: usize = 4;
/// Numbers of [`super::exact::SumExact::wings`] of a line.
pub const WING: usize = 4;

/// Lines in some air, ascending by their position.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Lines<'a, R> {
    /// Position and shift \[cm^-1\]; one after the other in memory.
    pub centres_per_cm: Column<'a, [f64; 2]>,
    /// The largest shifted position of a line and all before it, and the smallest of it and all after it \[cm^-1\]:
    /// shifts change the order, and these ascend. Nothing without a tree.
    pub extents_per_cm: Column<'a, [f64; 2]>,
    /// sqrt(ln 2)/gamma_D \[1/cm^-1\]; y; S sqrt(ln 2/pi)/gamma_D, scaled; the pedestal, likewise. As many as centres,
    /// one after the other in memory.
    pub shapes: Column<'a, [R; SHAPE]>,
    /// Line mixing Y of each line.
    pub mixing: Column<'a, R>,
    /// Where lines end, to either side \[cm^-1\]; infinite if nowhere.
    pub cut_per_cm: f64,
    /// The weakening of CO2's wings.
    pub chi: Chi<R>,
}

impl<R: Real> Lines<'_, R> {
    /// The number of lines.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.centres_per_cm.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Position and shift; `line` is below [`Lines::len`].
    #[inline(always)]
    #[allow(unsafe_code, reason = "the address is a product with a known number")]
    pub(super) fn centre(&self, line: usize) -> [f64; 2] {
        debug_assert!(line < self.len() && self.centres_per_cm.stride() == 1);
        // SAFETY: all callers take lines below len(), and the column has no gaps.
        unsafe { *self.centres_per_cm.as_ptr().add(line) }
    }

    /// The line's shape; likewise.
    #[inline(always)]
    #[allow(unsafe_code, reason = "as above")]
    fn shape(&self, line: usize) -> [R; SHAPE] {
        debug_assert!(line < self.shapes.len() && self.shapes.stride() == 1);
        // SAFETY: as above, and there are as many shapes.
        unsafe { *self.shapes.as_ptr().add(line) }
    }

    /// The number of lines for whose position `below` holds, which holds for the first ones.
    #[inline(always)]
    pub fn partition(&self, below: impl Fn(f64) -> bool) -> usize {
        self.search(|line| below(self.centre(line)[0]))
    }

    /// The same of [`Lines::extents_per_cm`].
    #[inline(always)]
    pub(super) fn partition_shifted(&self, below: impl Fn([f64; 2]) -> bool) -> usize {
        self.search(|line| below(self.extents_per_cm.at(line)))
    }

    #[inline(always)]
    fn search(&self, below: impl Fn(usize) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if below(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The lines that reach some point of `low..=high`.
    #[inline(always)]
    #[must_use]
    pub fn reaching(&self, low_per_cm: f64, high_per_cm: f64) -> Range<usize> {
        let first = self.partition(|line| line + self.cut_per_cm < low_per_cm);
        let end = self.partition(|line| line - self.cut_per_cm < high_per_cm);
        first..end.max(first)
    }

    /// Adds lines at `W` points, which lie within `low..=high`; those of a tile, or one node alone.
    #[inline(always)]
    pub fn add<const W: usize, const EXTRA: bool>(
        &self,
        lines: Range<usize>,
        points_per_cm: &[f64; W],
        (low_per_cm, high_per_cm): (f64, f64),
        sums: &mut [f64; W],
    ) {
        let mut line = lines.start;
        while line < lines.end {
            let end = lines.end.min((line / PART + 1) * PART);
            let mut part = [R::ZERO; W];
            while line < end {
                self.add_one::<W, EXTRA>(line, points_per_cm, (low_per_cm, high_per_cm), &mut part);
                line += 1;
            }
            for lane in 0..W {
                sums[lane] += part[lane].value();
            }
        }
    }

    #[inline(always)]
    fn add_one<const W: usize, const EXTRA: bool>(
        &self,
        line: usize,
        points: &[f64; W],
        (low, high): (f64, f64),
        part: &mut [R; W],
    ) {
        let [position, shift] = self.centre(line);
        let [per_width, y, strength, pedestal] = self.shape(line);
        let mixing = if EXTRA { self.mixing.at(line) } else { R::ZERO };
        // The point of the tile that is next to the line decides about the form for all of them.
        let below = (low - position) - shift;
        let above = (high - position) - shift;
        let nearest = if below > 0.0 {
            below
        } else if above < 0.0 {
            above
        } else {
            0.0
        };
        let nearest = R::from_f64(nearest) * per_width;
        let form = voigt::form(nearest * nearest + y * y);
        let whole = reaches(position, low, self.cut_per_cm) && reaches(position, high, self.cut_per_cm);
        macro_rules! with_form {
            ($form:literal) => {
                for lane in 0..W {
                    let point = points[lane];
                    let distance = R::from_f64((point - position) - shift);
                    let (re, im): (R, R) = voigt::w_by_form($form, distance * per_width, y);
                    let mut value = if EXTRA { re + mixing * im } else { re };
                    if EXTRA {
                        value *= self.chi.at(distance);
                    }
                    let value = strength * value - pedestal;
                    let counts = whole || reaches(position, point, self.cut_per_cm);
                    part[lane] += if counts { value } else { R::ZERO };
                }
            };
        }
        // A loop a form: each is a straight line of operations over the lanes. No closures: one that is not inlined has
        // not the instructions of the kernel that calls it.
        match form {
            0 => with_form!(0),
            1 => with_form!(1),
            2 => with_form!(2),
            3 => with_form!(3),
            _ => with_form!(4),
        }
    }
}
