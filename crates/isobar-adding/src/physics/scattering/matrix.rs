//! Matrices in a team's registers.

use isobar_core::Real;

use crate::schedule::scattering::streams::Streams;

pub use crate::schedule::scattering::rows::{row, set_row};

/// A vector that every lane of a team has in full.
pub type Vector<R, const N: usize, const W: usize> = [[R; W]; N];

/// A matrix, with room for the order `N`, of which each lane of a team has a column: `rows[i][lane]`. Lanes without a
/// column have zeros; what is in rows beyond the order is of no account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix<R, const N: usize, const W: usize> {
    /// The elements of the lane's column, from the first row on.
    pub rows: [[R; W]; N],
}

impl<R: Real, const N: usize, const W: usize> Matrix<R, N, W> {
    /// Nothing.
    pub const ZERO: Self = Self { rows: [[R::ZERO; W]; N] };

    /// The matrix with `own`, an element a lane, on its diagonal.
    #[inline(always)]
    #[must_use]
    pub fn diagonal(streams: Streams<N, W>, own: [R; W]) -> Self {
        Self::ZERO.add_diagonal(streams, own)
    }

    /// Each element from those of this matrix and another.
    #[inline(always)]
    #[must_use]
    pub fn with(&self, streams: Streams<N, W>, other: &Self, both: impl Fn(R, R) -> R) -> Self {
        let mut result = Self::ZERO;
        for_each_row!(i in streams, N, W: {
            for lane in 0..W {
                result.rows[i][lane] = both(self.rows[i][lane], other.rows[i][lane]);
            }
        });
        result
    }

    /// Each element from that of this matrix.
    #[inline(always)]
    #[must_use]
    pub fn map(&self, streams: Streams<N, W>, one: impl Fn(R) -> R) -> Self {
        self.with(streams, self, |x, _| one(x))
    }

    /// The sum with a diagonal matrix, of which each lane has an element.
    #[inline(always)]
    #[must_use]
    pub fn add_diagonal(&self, streams: Streams<N, W>, own: [R; W]) -> Self {
        let mut result = *self;
        for_each_row!(i in streams, N, W: {
            for (lane, element) in result.rows[i].iter_mut().enumerate() {
                *element = if streams.column(lane) == i { *element + own[lane] } else { *element };
            }
        });
        result
    }

    /// The product with a diagonal matrix on the right.
    #[inline(always)]
    #[must_use]
    pub fn scale_columns(&self, streams: Streams<N, W>, own: [R; W]) -> Self {
        let mut result = *self;
        for_each_row!(i in streams, N, W: {
            result.rows[i] = core::array::from_fn(|lane| self.rows[i][lane] * own[lane]);
        });
        result
    }

    /// `self + diagonal(factor) * other`.
    #[inline(always)]
    #[must_use]
    pub fn add_scaled_rows(&self, streams: Streams<N, W>, factor: [R; W], other: &Self) -> Self {
        let mut result = *self;
        for_each_row!(i in streams, N, W: {
            let factor = streams.from(factor, i);
            result.rows[i] =
                core::array::from_fn(|lane| factor[lane].mul_add(other.rows[i][lane], self.rows[i][lane]));
        });
        result
    }

    /// The product.
    #[inline(always)]
    #[must_use]
    pub fn times(&self, streams: Streams<N, W>, right: &Self) -> Self {
        Self::ZERO.add_product(streams, self, right)
    }

    /// `self + left * right`.
    #[inline(always)]
    #[must_use]
    pub fn add_product(&self, streams: Streams<N, W>, left: &Self, right: &Self) -> Self {
        let mut result = *self;
        // A loop, for written out it would take N * N steps and the compiler minutes.
        for k in 0..streams.order() {
            let right = row(streams, &right.rows, k);
            for_each_row!(i in streams, N, W: {
                accumulate(streams, &mut result.rows[i], &left.rows[i], &right, k);
            });
        }
        result
    }

    /// `1 - left * right`.
    #[inline(always)]
    #[must_use]
    pub fn one_less_product(streams: Streams<N, W>, left: &Self, right: &Self) -> Self {
        left.times(streams, right).map(streams, |x| -x).add_diagonal(streams, [R::ONE; W])
    }

    /// `vector + self * own`, where each lane has its element.
    #[inline(always)]
    #[must_use]
    pub fn apply(&self, streams: Streams<N, W>, own: [R; W], vector: [R; W]) -> [R; W] {
        let sums = streams.sums(self.scale_columns(streams, own).rows);
        core::array::from_fn(|lane| vector[lane] + sums[lane])
    }
}

/// Adds to a row of a product what comes of column `k` of a row on the left and row `k` on the right.
#[inline(always)]
fn accumulate<R: Real, const N: usize, const W: usize>(
    streams: Streams<N, W>,
    row: &mut [R; W],
    left: &[R; W],
    right: &[R; W],
    k: usize,
) {
    let element = streams.from(*left, k);
    for lane in 0..W {
        row[lane] = element[lane].mul_add(right[lane], row[lane]);
    }
}
