//! Numbers that carry their derivatives: forward-mode automatic differentiation.
//!
//! A core that is generic over [`Real`] computes with [`Dual`] numbers what it computes with plain ones, and with it
//! the exact derivatives: [`Dual::value`] has the bits of the plain computation, for its operations are the plain ones.
//!
//! Comparisons look at values alone, so that a dual number takes the branches of its value. Where a computation has a
//! kink (a node of a piecewise linear table, a maximum of two numbers) the derivative is that of the branch taken.
//!
//! ```
//! use isobar_core::{Dual, Real};
//!
//! // x exp(y) at x = 2, y = 0
//! let (x, y) = (Dual::<f64, 2>::variable(2.0, 0), Dual::variable(0.0, 1));
//! let z = x * y.exp();
//! assert_eq!((z.value, z.derivative), (2.0, [1.0, 2.0]));
//! ```

mod functions;
mod operators;
mod slopes;

use core::fmt;

use num_traits::{One, Zero};

use crate::Real;

/// A value and its `N` partial derivatives.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Dual<R, const N: usize> {
    /// The plain value.
    pub value: R,
    /// The derivative of the value with respect to each variable.
    pub derivative: [R; N],
}

// SAFETY: it is its value and its derivatives, one type of number.
unsafe impl<R: Real, const N: usize> crate::Plain for Dual<R, N> {}

impl<R: Real, const N: usize> Dual<R, N> {
    /// A number that depends on nothing.
    #[inline(always)]
    #[must_use]
    pub fn constant(value: R) -> Self {
        Self { value, derivative: [R::ZERO; N] }
    }

    /// The variable number `index`, whose derivative with respect to itself is 1.
    ///
    /// # Panics
    /// If `index` is not below `N`.
    #[inline(always)]
    #[must_use]
    pub fn variable(value: R, index: usize) -> Self {
        assert!(index < N, "a variable has a number below that of all");
        let mut derivative = [R::ZERO; N];
        // No index that changes: a GPU keeps the array in registers.
        for (i, d) in derivative.iter_mut().enumerate() {
            if i == index {
                *d = R::ONE;
            }
        }
        Self { value, derivative }
    }

    /// A function of this number with a value and a finite slope.
    #[inline(always)]
    fn chain(self, value: R, slope: R) -> Self {
        let mut derivative = self.derivative;
        for d in &mut derivative {
            *d *= slope;
        }
        Self { value, derivative }
    }

    /// A function of this number whose slope may be infinite or not a number: what does not depend on a variable stays
    /// so.
    #[inline(always)]
    fn chain_guarded(self, value: R, slope: R) -> Self {
        let mut derivative = self.derivative;
        for d in &mut derivative {
            *d = if *d == R::ZERO { R::ZERO } else { *d * slope };
        }
        Self { value, derivative }
    }

    /// A function of two numbers with a value and a slope in each.
    #[inline(always)]
    fn join(self, other: Self, value: R, slope: R, other_slope: R) -> Self {
        let mut derivative = self.derivative;
        // By reference: an array that is consumed would lie in a GPU's slow local memory.
        for (d, other) in derivative.iter_mut().zip(&other.derivative) {
            *d = *d * slope + *other * other_slope;
        }
        Self { value, derivative }
    }
}

impl<R: Real, const N: usize> Default for Dual<R, N> {
    fn default() -> Self {
        Self::constant(R::ZERO)
    }
}

impl<R: Real, const N: usize> PartialEq for Dual<R, N> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<R: Real, const N: usize> PartialOrd for Dual<R, N> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        self.value.partial_cmp(&other.value)
    }
    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.value < other.value
    }
    #[inline(always)]
    fn le(&self, other: &Self) -> bool {
        self.value <= other.value
    }
    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        self.value > other.value
    }
    #[inline(always)]
    fn ge(&self, other: &Self) -> bool {
        self.value >= other.value
    }
}

impl<R: Real, const N: usize> fmt::Display for Dual<R, N> {
    /// The value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, f)
    }
}

impl<R: Real, const N: usize> fmt::LowerExp for Dual<R, N> {
    /// The value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerExp::fmt(&self.value, f)
    }
}

impl<R: Real, const N: usize> Zero for Dual<R, N> {
    fn zero() -> Self {
        Self::constant(R::ZERO)
    }
    fn is_zero(&self) -> bool {
        self.value == R::ZERO
    }
}

impl<R: Real, const N: usize> One for Dual<R, N> {
    fn one() -> Self {
        Self::constant(R::ONE)
    }
}
