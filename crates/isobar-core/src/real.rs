//! The number that a core computes with.

use core::fmt::{Debug, Display, LowerExp};
use core::iter::Sum;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};

use crate::fast_math::FastMath;
use crate::math;
use crate::plain::Plain;

/// A floating-point number with arithmetic, comparisons and elementary functions.
///
/// Every function is correctly rounded or computed by [`crate::math`], so that a core generic over
/// `Real` gives the same bits on every processor. The trait is sealed: its implementations are
/// `f32`, `f64` and the [`crate::Dual`] numbers over them, which is why nothing here exposes the bits of a
/// value; decisions are taken on [`Real::value`]. What is there for speed alone is [`FastMath`].
pub trait Real:
    FastMath
    + Plain
    + Copy
    + Debug
    + Display
    + LowerExp
    + Default
    + PartialEq
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Zero
    + One
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The distance from one to the next larger number.
    const EPSILON: Self;
    /// The smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// The largest finite number.
    const MAX: Self;
    /// Positive infinity.
    const INFINITY: Self;
    /// Not a number.
    const NAN: Self;
    /// The name of the precision, as in the names of GPU kernels: `f32` or `f64`.
    const NAME: &'static str;

    /// This kind of number in double precision: `f64`, with derivatives where this has them.
    type Wide: Real<Wide = Self::Wide>;

    /// The number nearest to `x`.
    fn from_wide(x: Self::Wide) -> Self;
    /// This number in double precision.
    fn wide(self) -> Self::Wide;
    /// The number nearest to `x`.
    fn from_f64(x: f64) -> Self;
    /// The number equal to `x`.
    fn from_f32(x: f32) -> Self;
    /// The plain value, without derivatives, for decisions and table look-ups.
    fn value(self) -> f64;
    /// The nearest `f32` of the plain value.
    fn to_f32(self) -> f32;

    /// The integer part, rounded towards zero; saturates, and NaN gives zero.
    fn to_i32(self) -> i32;

    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// The smaller of two numbers; `other` where either is NaN.
    #[must_use]
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    /// The larger of two numbers; `other` where either is NaN, and of two zeros `other`.
    #[must_use]
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    /// The number forced into `[low, high]`; NaN stays NaN.
    #[must_use]
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }
    /// Is the number neither infinite nor NaN?
    fn is_finite(self) -> bool;
    /// Is the number NaN?
    fn is_nan(self) -> bool;

    /// The smaller of the number and a positive limit; NaN stays NaN.
    #[must_use]
    fn at_most(self, limit: Self) -> Self;
    /// The larger of the number and a positive limit, or of 0 where the sign of a zero does not matter; NaN stays NaN.
    #[must_use]
    fn at_least(self, limit: Self) -> Self;

    /// `self * factor + term`, rounded once: fused on every processor, in software where there is no instruction for
    /// it.
    #[must_use]
    fn mul_add(self, factor: Self, term: Self) -> Self;
    /// e to the power of the number.
    #[must_use]
    fn exp(self) -> Self;
    /// `exp(x) - 1` without cancellation near zero.
    #[must_use]
    fn exp_m1(self) -> Self;
    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;
    /// `ln(1 + x)` without cancellation near zero.
    #[must_use]
    fn ln_1p(self) -> Self;
    /// The number to a real power.
    #[must_use]
    fn powf(self, power: Self) -> Self;
    /// The number to an integer power, by repeated squaring.
    #[must_use]
    fn powi(self, power: i32) -> Self;
    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The cube root.
    #[must_use]
    fn cbrt(self) -> Self;
    /// The sine of an angle in radians.
    #[must_use]
    fn sin(self) -> Self;
    /// The cosine of an angle in radians.
    #[must_use]
    fn cos(self) -> Self;
    /// The tangent of an angle in radians.
    #[must_use]
    fn tan(self) -> Self;
    /// The angle in radians whose sine the number is.
    #[must_use]
    fn asin(self) -> Self;
    /// The angle in radians whose cosine the number is.
    #[must_use]
    fn acos(self) -> Self;
    /// The angle in radians whose tangent the number is.
    #[must_use]
    fn atan(self) -> Self;
    /// The angle of the point (`x`, `self`) against the x axis, in radians, in `[-pi, pi]`.
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// The hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;

    /// The values of a function of these inputs, with the slopes that `S` gives it where numbers have derivatives.
    #[must_use]
    fn with_slopes<S: Slopes<N, M>, const N: usize, const M: usize>(inputs: [Self; N], values: [Self; M]) -> [Self; M];
}

/// The slopes of a function of `N` numbers that has `M` values.
///
/// What a function is computed of may be steep where the function is not, as `sinh(k t) / k` in `k^2`: slopes through
/// its operations are then sums of large terms that cancel. Such a function has slopes of its own.
pub trait Slopes<const N: usize, const M: usize> {
    /// The slopes in the inputs of the sum of the values times `weights`.
    fn backward<R: Real>(inputs: [R; N], weights: [R; M]) -> [R; N];
}

macro_rules! real {
    ($float:ident, $functions:ident) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const EPSILON: Self = $float::EPSILON;
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;
            const MAX: Self = $float::MAX;
            const INFINITY: Self = $float::INFINITY;
            const NAN: Self = $float::NAN;
            const NAME: &'static str = stringify!($float);

            type Wide = f64;

            #[inline(always)]
            fn from_wide(x: f64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn from_f32(x: f32) -> Self {
                $float::from(x)
            }
            #[inline(always)]
            fn value(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn to_i32(self) -> i32 {
                self as i32
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }
            #[inline(always)]
            fn at_most(self, limit: Self) -> Self {
                math::$functions::at_most(self, limit)
            }
            #[inline(always)]
            fn at_least(self, limit: Self) -> Self {
                math::$functions::at_least(self, limit)
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, term: Self) -> Self {
                math::$functions::mul_add(self, factor, term)
            }
            real!(@call $functions: exp exp_m1 ln ln_1p sqrt cbrt sin cos tan asin acos atan tanh);
            #[inline(always)]
            fn powf(self, power: Self) -> Self {
                math::$functions::powf(self, power)
            }
            #[inline(always)]
            fn powi(self, power: i32) -> Self {
                math::$functions::powi(self, power)
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                math::$functions::atan2(self, x)
            }
            #[inline(always)]
            fn with_slopes<S: Slopes<N, M>, const N: usize, const M: usize>(
                _: [Self; N],
                values: [Self; M],
            ) -> [Self; M] {
                values
            }
        }
    };
    (@call $functions:ident: $($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            math::$functions::$name(self)
        }
    )*};
}

real!(f32, single);
real!(f64, double);
