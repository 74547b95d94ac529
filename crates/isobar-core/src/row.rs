//! Rows of matrices whose columns a team of lanes shares.

use crate::Real;
#[cfg(target_arch = "nvptx64")]
use crate::lanes::shuffle;

/// A row of `N` numbers: on a CPU all of them, which loops over them vectorise; on a GPU that of a lane, of `N`
/// neighbouring lanes of a warp, so that formulas of matrices are the same on both.
///
/// `N` is a power of 2, at most 32. On a GPU all lanes of a warp have to come by where one asks for another's number:
/// at [`Row::element`], [`Row::sum`] and [`Row::dot`]. [`any_of_warp`] keeps teams together that differ.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Row<R, const N: usize>(#[cfg(not(target_arch = "nvptx64"))] [R; N], #[cfg(target_arch = "nvptx64")] [R; 1]);

// Loops with indices, which are inlined with what they are in: a CPU's kernels are compiled for its vectors.
#[allow(clippy::needless_range_loop)]
impl<R: Real, const N: usize> Row<R, N> {
    /// Zeros.
    pub const ZERO: Self = Self([R::ZERO; _]);

    /// The number of a column of the calling thread.
    #[inline(always)]
    fn column(own: usize) -> usize {
        const { assert!(N.is_power_of_two() && N <= 32) };
        #[cfg(target_arch = "nvptx64")]
        {
            let _ = own;
            lane() % N
        }
        #[cfg(not(target_arch = "nvptx64"))]
        own
    }

    /// The row whose element number `j` is `element(j)`.
    #[inline(always)]
    #[must_use]
    pub fn of(mut element: impl FnMut(usize) -> R) -> Self {
        let mut row = Self::ZERO;
        for own in 0..row.0.len() {
            row.0[own] = element(Self::column(own));
        }
        row
    }

    /// The row whose first `n` elements are `element(j)`; zeros follow.
    #[inline(always)]
    #[must_use]
    pub fn of_first(n: usize, mut element: impl FnMut(usize) -> R) -> Self {
        Self::of(|j| if j < n { element(j) } else { R::ZERO })
    }

    /// Gives each element to `take`, by its number.
    #[inline(always)]
    pub fn each(&self, mut take: impl FnMut(usize, R)) {
        for own in 0..self.0.len() {
            take(Self::column(own), self.0[own]);
        }
    }

    /// The row of `f` of the elements of two.
    #[inline(always)]
    #[must_use]
    pub fn with(&self, other: &Self, f: impl Fn(R, R) -> R) -> Self {
        let mut row = *self;
        for own in 0..row.0.len() {
            row.0[own] = f(self.0[own], other.0[own]);
        }
        row
    }

    /// The row of `f` of each element.
    #[inline(always)]
    #[must_use]
    pub fn map(&self, f: impl Fn(R) -> R) -> Self {
        self.with(self, |x, _| f(x))
    }

    /// The first row where the condition holds, which is the same for all elements, or the second.
    #[inline(always)]
    #[must_use]
    pub fn choose(condition: bool, first: &Self, second: &Self) -> Self {
        first.with(second, |x, y| if condition { x } else { y })
    }

    /// Adds `factor * other`.
    #[inline(always)]
    pub fn add_scaled(&mut self, factor: R, other: &Self) {
        for own in 0..self.0.len() {
            self.0[own] = factor.mul_add(other.0[own], self.0[own]);
        }
    }

    /// Adds the products of two rows' elements.
    #[inline(always)]
    pub fn add_products(&mut self, left: &Self, right: &Self) {
        for own in 0..self.0.len() {
            self.0[own] = left.0[own].mul_add(right.0[own], self.0[own]);
        }
    }

    /// Replaces element `j`.
    #[inline(always)]
    pub fn set(&mut self, j: usize, value: R) {
        #[cfg(target_arch = "nvptx64")]
        if Self::column(0) == j {
            self.0[0] = value;
        }
        #[cfg(not(target_arch = "nvptx64"))]
        if const { N <= 8 } {
            // Not by its number alone: what is stored by the element cannot be read as a vector at once.
            for own in 0..N {
                self.0[own] = if own == j { value } else { self.0[own] };
            }
        } else {
            self.0[j] = value;
        }
    }

    /// Element `j`.
    #[inline(always)]
    #[must_use]
    pub fn element(&self, j: usize) -> R {
        #[cfg(target_arch = "nvptx64")]
        return shuffle::from::<R, N>(self.0[0], j as u32);
        #[cfg(not(target_arch = "nvptx64"))]
        self.0[j]
    }

    /// The sum: halves are added, and halves of those.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self) -> R {
        #[cfg(target_arch = "nvptx64")]
        {
            let mut sum = self.0[0];
            let mut half = N as u32 / 2;
            while half > 0 {
                sum += shuffle::xor::<R, N>(sum, half);
                half /= 2;
            }
            sum
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            const { assert!(N.is_power_of_two()) };
            let mut sums = self.0;
            let mut half = N / 2;
            while half > 0 {
                for k in 0..half {
                    sums[k] += sums[k + half];
                }
                half /= 2;
            }
            sums[0]
        }
    }

    /// The sum of the products with another row's elements, in the order of [`Row::sum`].
    #[inline(always)]
    #[must_use]
    pub fn dot(&self, other: &Self) -> R {
        let mut products = *self;
        for own in 0..products.0.len() {
            products.0[own] = self.0[own] * other.0[own];
        }
        products.sum()
    }
}

/// Is the flag set for any team of the calling thread's warp? A CPU's thread has one at a time.
///
/// All lanes of the warp have to come by.
#[inline(always)]
#[must_use]
pub fn any_of_warp(flag: bool) -> bool {
    #[cfg(target_arch = "nvptx64")]
    return crate::Lanes::<1>::starting_at(0).any(&[u32::from(flag)]);
    #[cfg(not(target_arch = "nvptx64"))]
    flag
}

/// A row as an array, where a thread has all of it.
#[cfg(not(target_arch = "nvptx64"))]
impl<R, const N: usize> core::ops::Deref for Row<R, N> {
    type Target = [R; N];

    #[inline(always)]
    fn deref(&self) -> &[R; N] {
        &self.0
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl<R, const N: usize> core::ops::DerefMut for Row<R, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [R; N] {
        &mut self.0
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl<R, const N: usize> From<[R; N]> for Row<R, N> {
    fn from(values: [R; N]) -> Self {
        Self(values)
    }
}

/// The number of the calling lane in its warp.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn lane() -> usize {
    let lane: u32;
    // SAFETY: reads a register that does not change.
    unsafe {
        core::arch::asm!(
            "mov.u32 {l}, %laneid;",
            l = out(reg32) lane, options(pure, nomem, nostack, preserves_flags)
        );
    }
    lane as usize
}
