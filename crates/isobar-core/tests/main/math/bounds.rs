//! The one table of tolerances, and the functions that it is for.

use isobar_core::math::{double, single, slice};

/// A function of one argument in all its forms, and the largest error allowed, in units in the last place.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) double: fn(f64) -> f64,
    pub(crate) single: fn(f32) -> f32,
    pub(crate) double_slice: fn(&mut [f64]),
    pub(crate) single_slice: fn(&mut [f32]),
    /// libm's, in f64: it is itself within 1 unit.
    pub(crate) libm: fn(f64) -> f64,
    pub(crate) double_bound: f64,
    pub(crate) single_bound: f64,
    /// The bounds hold for arguments of at most this size.
    pub(crate) largest: f64,
}

macro_rules! functions {
    ($($name:ident $libm:ident $double_bound:literal $single_bound:literal $largest:expr;)*) => {
        [$(Function {
            name: stringify!($name),
            double: double::$name,
            single: single::$name,
            double_slice: slice::f64::$name,
            single_slice: slice::f32::$name,
            libm: libm::$libm,
            double_bound: $double_bound,
            single_bound: $single_bound,
            largest: $largest,
        }),*]
    };
}

/// The bounds of the functions of one argument.
///
/// `exp` to `cbrt`: one unit is what the crate promises. `sqrt` is correctly rounded. `tanh` is a quotient of `exp_m1`,
/// `tan` of a sine and a cosine: two roundings more. The f32 functions from `sin` on compute in f64 and round once:
/// half a unit and what f64 adds. Sine and its kin lose relative accuracy where the reduction's parts of pi/2 are no
/// longer exact.
#[rustfmt::skip]
pub(crate) static FUNCTIONS: [Function; 13] = functions![
    // ours libm    f64   f32    largest
    exp     exp     1.0   1.0    f64::INFINITY;
    exp_m1  expm1   1.0   1.0    f64::INFINITY;
    ln      log     1.0   1.0    f64::INFINITY;
    ln_1p   log1p   1.0   1.0    f64::INFINITY;
    sqrt    sqrt    0.5   0.5001 f64::INFINITY;
    cbrt    cbrt    1.0   1.0    f64::INFINITY;
    tanh    tanh    2.0   2.0    f64::INFINITY;
    sin     sin     1.0   0.51   1e6;
    cos     cos     1.0   0.51   1e6;
    tan     tan     2.0   0.51   1e6;
    asin    asin    1.0   0.51   1.0;
    acos    acos    1.0   0.51   1.0;
    atan    atan    1.0   0.51   f64::INFINITY;
];

/// `x` to the power `y`: the logarithm's error grows with the exponent of the result.
pub(crate) const POWF_DOUBLE: f64 = 2.0;
/// f32 computes in f64 and rounds once.
pub(crate) const POWF_SINGLE: f64 = 0.51;
/// A quotient, an arctangent and a difference from pi.
pub(crate) const ATAN2_DOUBLE: f64 = 2.0;
/// As [`POWF_SINGLE`].
pub(crate) const ATAN2_SINGLE: f64 = 0.51;
