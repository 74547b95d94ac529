//! The lanes that share a matrix, a column each.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

/// The lanes that share matrices of an order, one or more a column: 4, 8, 16 or 32.
#[must_use]
pub const fn width(order: usize) -> usize {
    match order {
        ..=4 => 4,
        5..=8 => 8,
        9..=16 => 16,
        _ => 32,
    }
}

/// A warp, seen as teams of lanes with a matrix each: lane `j` of a team has column `j`, and lanes beyond the order
/// hold zeros. There is room for the order `N`; the matrices' own order, known when the kernel runs, may be less: on a
/// GPU not so much less that fewer lanes would do.
#[derive(Clone, Copy, Debug)]
pub struct Streams<const N: usize, const W: usize> {
    lanes: Lanes<W>,
    order: u32,
}

impl<const N: usize, const W: usize> Streams<N, W> {
    /// The calling thread's part of a warp, for matrices of an order of 1 to `N`.
    #[inline(always)]
    #[must_use]
    pub fn new(lanes: Lanes<W>, order: usize) -> Self {
        const { assert!(N >= 1 && N <= crate::schedule::scattering::unroll::LARGEST_ORDER) };
        debug_assert!(order >= 1 && order <= N);
        Self { lanes, order: order.clamp(1, N) as u32 }
    }

    /// The lanes of a team: [`width`], which on a GPU is known to the compiler.
    #[inline(always)]
    #[must_use]
    pub fn width(&self) -> usize {
        if const { W == 1 } { width(N) } else { width(self.order()) }
    }

    /// The teams of a warp.
    #[inline(always)]
    #[must_use]
    pub fn teams(&self) -> usize {
        WARP / self.width()
    }

    /// The order of the matrices.
    #[inline(always)]
    #[must_use]
    pub fn order(&self) -> usize {
        self.order as usize
    }

    /// The column that a lane has; the order or more for a lane without one.
    #[inline(always)]
    #[must_use]
    pub fn column(&self, lane: usize) -> usize {
        (self.lanes.first() + lane) & (self.width() - 1)
    }

    /// Does the lane have a column?
    #[inline(always)]
    #[must_use]
    pub fn has_column(&self, lane: usize) -> bool {
        self.column(lane) < self.order()
    }

    /// The lane's team.
    #[inline(always)]
    #[must_use]
    pub fn team(&self, lane: usize) -> usize {
        (self.lanes.first() + lane) / self.width()
    }

    /// Each lane gets the value of lane `k` of its team.
    #[inline(always)]
    #[must_use]
    pub fn from<R: Real>(&self, values: [R; W], k: usize) -> [R; W] {
        let mask = !(self.width() - 1);
        self.lanes.gather(values, |lane| (lane & mask) | k)
    }

    /// The sum over the lanes of each team, the same on all of them: pairs first, then pairs of pairs.
    #[inline(always)]
    #[must_use]
    pub fn sum<R: Real>(&self, values: [R; W]) -> [R; W] {
        self.fold(values, self.width(), |a, b| a + b)
    }

    /// The largest of each team.
    #[inline(always)]
    #[must_use]
    pub fn largest<R: Real>(&self, values: [R; W]) -> [R; W] {
        self.fold(values, self.width(), |a, b| if a < b { b } else { a })
    }

    /// The largest of the warp.
    #[inline(always)]
    #[must_use]
    pub fn largest_of_warp<R: Real>(&self, values: [R; W]) -> R {
        self.fold(values, WARP, |a, b| if a < b { b } else { a })[0]
    }

    #[inline(always)]
    fn fold<R: Real>(&self, values: [R; W], width: usize, both: impl Fn(R, R) -> R) -> [R; W] {
        let mut all = values;
        let mut distance = 1;
        while distance < width {
            let others = self.lanes.exchange(all, distance);
            all = core::array::from_fn(|lane| both(all[lane], others[lane]));
            distance *= 2;
        }
        all
    }

    /// Each lane `i` of a team gets the sum of row `i` over its lanes, with the bits of [`Self::sum`]; lanes without a
    /// column get zero.
    ///
    /// Of two rows whose numbers differ in a bit, a lane keeps the one that agrees with its own number and gives the
    /// other away: 17 or 20 exchanges for 16 or 18 rows, not 4 or 5 a row.
    #[inline(always)]
    #[must_use]
    pub fn sums<R: Real>(&self, rows: [[R; W]; N]) -> [R; W] {
        let mut own = [R::ZERO; W];
        if const { W == 1 } {
            let mut rows = rows;
            self.halve::<R, 1>(&mut rows);
            self.halve::<R, 2>(&mut rows);
            self.halve::<R, 4>(&mut rows);
            self.halve::<R, 8>(&mut rows);
            self.halve::<R, 16>(&mut rows);
            own = core::array::from_fn(|lane| if self.has_column(lane) { rows[0][lane] } else { R::ZERO });
        } else {
            for (i, row) in rows.iter().enumerate().take(self.order()) {
                let sum = self.sum(*row);
                own = core::array::from_fn(|lane| if self.column(lane) == i { sum[lane] } else { own[lane] });
            }
        }
        own
    }

    /// Adds lanes whose numbers differ in the bit `BIT`: row `i`, a multiple of `2 BIT`, becomes in half of the lanes
    /// its own sum, in the others that of row `i + BIT`.
    #[inline(always)]
    fn halve<R: Real, const BIT: usize>(&self, rows: &mut [[R; W]; N]) {
        if const { BIT >= width(N) } {
            return;
        }
        let keeps_second: [bool; W] = core::array::from_fn(|lane| self.column(lane) & BIT != 0);
        for_each_row!(i in self, N, W: {
            if i.is_multiple_of(2 * BIT) {
                let (first, second) = (rows[i], if i + BIT < N { rows[i + BIT] } else { [R::ZERO; W] });
                let pick = |yes: [R; W], no: [R; W]| -> [R; W] {
                    core::array::from_fn(|lane| if keeps_second[lane] { yes[lane] } else { no[lane] })
                };
                let given = self.lanes.exchange(pick(first, second), BIT);
                let kept = pick(second, first);
                rows[i] = core::array::from_fn(|lane| kept[lane] + given[lane]);
            }
        });
    }

    /// Each lane's own element of a vector that all of a team have; zero in lanes without a column.
    #[inline(always)]
    #[must_use]
    pub fn own<R: Real>(&self, vector: &[[R; W]; N]) -> [R; W] {
        let mut own = [R::ZERO; W];
        for_each_row!(i in self, N, W: {
            own = core::array::from_fn(|lane| {
                if self.column(lane) == i && self.has_column(lane) { vector[i][lane] } else { own[lane] }
            });
        });
        own
    }

    /// The vector that all of a team have, from each lane's own element.
    #[inline(always)]
    #[must_use]
    pub fn all<R: Real>(&self, own: [R; W]) -> [[R; W]; N] {
        let mut vector = [[R::ZERO; W]; N];
        for_each_row!(i in self, N, W: {
            vector[i] = self.from(own, i);
        });
        vector
    }
}
