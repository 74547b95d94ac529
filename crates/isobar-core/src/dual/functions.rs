//! Elementary functions of dual numbers: the plain function's value, and its exact derivative.

use super::Dual;
use crate::sealed::Sealed;
use crate::{FastMath, Real, Slopes};

impl<R: Real, const N: usize> Sealed for Dual<R, N> {}

impl<R: Real, const N: usize> FastMath for Dual<R, N> {
    #[inline(always)]
    fn exp2_m1_products<const M: usize>(x: [Self; M], rate: Self) -> [Self; M] {
        let values = R::exp2_m1_products(x.map(|x| x.value), rate.value);
        let ln_2 = R::from_f64(core::f64::consts::LN_2);
        core::array::from_fn(|i| {
            let growth = ln_2 * (values[i] + R::ONE);
            x[i].join(rate, values[i], growth * rate.value, growth * x[i].value)
        })
    }
    #[inline(always)]
    fn plain_quotient(self, divisor: Self) -> Self {
        self.quotient(divisor, self.value.plain_quotient(divisor.value))
    }
    #[inline(always)]
    fn plain_sqrt(self) -> Self {
        let root = self.value.plain_sqrt();
        self.chain(root, R::from_f64(0.5) / root)
    }
    #[inline(always)]
    fn plain_exp(self) -> Self {
        let value = self.value.plain_exp();
        self.chain(value, value)
    }
    #[inline(always)]
    fn plain_cbrt(self) -> Self {
        let root = self.value.plain_cbrt();
        self.chain(root, R::ONE / (R::from_f64(3.0) * root * root))
    }
    #[inline(always)]
    fn coarse_ln(self) -> Self {
        self.chain(self.value.coarse_ln(), R::ONE / self.value)
    }
    #[inline(always)]
    fn plain_ln(self) -> Self {
        self.chain(self.value.plain_ln(), R::ONE / self.value)
    }
    #[inline(always)]
    fn plain_ln_1p<const M: usize>(x: [Self; M]) -> [Self; M] {
        let values = R::plain_ln_1p(x.map(|x| x.value));
        core::array::from_fn(|i| x[i].chain(values[i], R::ONE / (R::ONE + x[i].value)))
    }
    #[inline(always)]
    fn index(self, first: i32, last: i32) -> i32 {
        self.value.index(first, last)
    }
}

impl<R: Real, const N: usize> Real for Dual<R, N> {
    const ZERO: Self = Self { value: R::ZERO, derivative: [R::ZERO; N] };
    const ONE: Self = Self { value: R::ONE, derivative: [R::ZERO; N] };
    const EPSILON: Self = Self { value: R::EPSILON, derivative: [R::ZERO; N] };
    const MIN_POSITIVE: Self = Self { value: R::MIN_POSITIVE, derivative: [R::ZERO; N] };
    const MAX: Self = Self { value: R::MAX, derivative: [R::ZERO; N] };
    const INFINITY: Self = Self { value: R::INFINITY, derivative: [R::ZERO; N] };
    const NAN: Self = Self { value: R::NAN, derivative: [R::ZERO; N] };
    const NAME: &'static str = "dual";

    type Wide = Dual<R::Wide, N>;

    #[inline(always)]
    fn from_wide(x: Self::Wide) -> Self {
        let mut derivative = [R::ZERO; N];
        for (d, wide) in derivative.iter_mut().zip(&x.derivative) {
            *d = R::from_wide(*wide);
        }
        Self { value: R::from_wide(x.value), derivative }
    }
    #[inline(always)]
    fn wide(self) -> Self::Wide {
        let mut derivative = [<R::Wide as Real>::ZERO; N];
        for (wide, d) in derivative.iter_mut().zip(&self.derivative) {
            *wide = d.wide();
        }
        Dual { value: self.value.wide(), derivative }
    }
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Self::constant(R::from_f64(x))
    }
    #[inline(always)]
    fn from_f32(x: f32) -> Self {
        Self::constant(R::from_f32(x))
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.value.value()
    }
    #[inline(always)]
    fn to_f32(self) -> f32 {
        self.value.to_f32()
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        self.value.to_i32()
    }
    /// At 0 the slope is 1.
    #[inline(always)]
    fn abs(self) -> Self {
        let slope = if self.value < R::ZERO { -R::ONE } else { R::ONE };
        self.chain(self.value.abs(), slope)
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        self.value.is_finite()
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        self.value.is_nan()
    }
    #[inline(always)]
    fn at_most(self, limit: Self) -> Self {
        let which = if limit.value < self.value { limit } else { self };
        Self { value: self.value.at_most(limit.value), ..which }
    }
    #[inline(always)]
    fn at_least(self, limit: Self) -> Self {
        let which = if limit.value > self.value { limit } else { self };
        Self { value: self.value.at_least(limit.value), ..which }
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        let product = self.join(factor, R::ZERO, factor.value, self.value);
        Self { value: self.value.mul_add(factor.value, term.value), ..product + term }
    }
    #[inline(always)]
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value)
    }
    #[inline(always)]
    fn exp_m1(self) -> Self {
        let value = self.value.exp_m1();
        self.chain(value, value + R::ONE)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.chain_guarded(self.value.ln(), R::ONE / self.value)
    }
    #[inline(always)]
    fn ln_1p(self) -> Self {
        self.chain_guarded(self.value.ln_1p(), R::ONE / (R::ONE + self.value))
    }
    #[inline(always)]
    fn powf(self, power: Self) -> Self {
        let value = self.value.powf(power.value);
        let slope = power.value * self.value.powf(power.value - R::ONE);
        // 0 to a positive power stays 0 whatever the power.
        let power_slope = if self.value == R::ZERO { R::ZERO } else { value * self.value.ln() };
        let base = self.chain_guarded(value, slope);
        let exponent = power.chain_guarded(R::ZERO, power_slope);
        Self { value, ..base + exponent }
    }
    #[inline(always)]
    fn powi(self, power: i32) -> Self {
        let slope =
            if power == 0 { R::ZERO } else { R::from_f64(f64::from(power)) * self.value.powi(power.saturating_sub(1)) };
        self.chain_guarded(self.value.powi(power), slope)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain_guarded(root, R::from_f64(0.5) / root)
    }
    #[inline(always)]
    fn cbrt(self) -> Self {
        let root = self.value.cbrt();
        self.chain_guarded(root, R::ONE / (R::from_f64(3.0) * root * root))
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }
    #[inline(always)]
    fn tan(self) -> Self {
        let value = self.value.tan();
        self.chain(value, R::ONE + value * value)
    }
    #[inline(always)]
    fn asin(self) -> Self {
        self.chain_guarded(self.value.asin(), R::ONE / arc_slope(self.value))
    }
    #[inline(always)]
    fn acos(self) -> Self {
        self.chain_guarded(self.value.acos(), -R::ONE / arc_slope(self.value))
    }
    #[inline(always)]
    fn atan(self) -> Self {
        self.chain(self.value.atan(), R::ONE / (R::ONE + self.value * self.value))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let square = self.value * self.value + x.value * x.value;
        let value = self.value.atan2(x.value);
        let (y_part, x_part) =
            (self.chain_guarded(value, x.value / square), x.chain_guarded(value, -self.value / square));
        Self { value, ..y_part + x_part }
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        let value = self.value.tanh();
        self.chain(value, R::ONE - value * value)
    }
    #[inline(always)]
    fn with_slopes<S: Slopes<I, M>, const I: usize, const M: usize>(inputs: [Self; I], values: [Self; M]) -> [Self; M] {
        Self::of_slopes::<S, I, M>(inputs, values)
    }
}

/// `sqrt(1 - x^2)` without cancellation near 1.
#[inline(always)]
fn arc_slope<R: Real>(x: R) -> R {
    ((R::ONE - x) * (R::ONE + x)).sqrt()
}
