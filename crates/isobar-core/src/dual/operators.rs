//! Arithmetic of dual numbers: sums, products and quotients, value by value as plain numbers.

use core::iter::Sum;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::Dual;
use crate::Real;

impl<R: Real, const N: usize> Add for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        for (d, other) in self.derivative.iter_mut().zip(&other.derivative) {
            *d += *other;
        }
        self
    }
}

impl<R: Real, const N: usize> Sub for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self.value -= other.value;
        for (d, other) in self.derivative.iter_mut().zip(&other.derivative) {
            *d -= *other;
        }
        self
    }
}

impl<R: Real, const N: usize> Mul for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.join(other, self.value * other.value, other.value, self.value)
    }
}

impl<R: Real, const N: usize> Dual<R, N> {
    /// The quotient with a value that was found already: `(a - q b') / b`.
    #[inline(always)]
    pub(super) fn quotient(self, divisor: Self, value: R) -> Self {
        let inverse = R::ONE / divisor.value;
        self.join(divisor, value, inverse, -(value * inverse))
    }
}

impl<R: Real, const N: usize> Div for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: Self) -> Self {
        self.quotient(divisor, self.value / divisor.value)
    }
}

impl<R: Real, const N: usize> Neg for Dual<R, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let mut derivative = self.derivative;
        for d in &mut derivative {
            *d = -*d;
        }
        Self { value: -self.value, derivative }
    }
}

impl<R: Real, const N: usize> AddAssign for Dual<R, N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<R: Real, const N: usize> SubAssign for Dual<R, N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<R: Real, const N: usize> MulAssign for Dual<R, N> {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<R: Real, const N: usize> DivAssign for Dual<R, N> {
    #[inline(always)]
    fn div_assign(&mut self, other: Self) {
        *self = *self / other;
    }
}

impl<R: Real, const N: usize> Sum for Dual<R, N> {
    /// Begins where the plain sum begins.
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        let nothing: R = core::iter::empty::<R>().sum();
        numbers.fold(Self::constant(nothing), |sum, x| sum + x)
    }
}
