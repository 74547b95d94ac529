//! Sine, cosine and tangent: `x = n pi/2 + r`, `|r| <= pi/4`, polynomials of r, and selects by the last two bits of n.
//!
//! pi/2 is in parts of 27 bits (Cody and Waite), so that `n` times a part is exact for n below 2^26. The polynomials of
//! f64 are those of FreeBSD's `k_sin.c` and `k_cos.c` (Sun Microsystems, 1993); f32 computes in f64 with shorter ones
//! and rounds once.
//!
//! # Accuracy
//! For `|x| < 1e6`: sine and cosine within 1 unit in the last place, tangent within 2. Up to 1e8 the absolute error is
//! as small, next to the zeros the relative error grows. Beyond, n times a part is rounded: the result is that
//! for an argument within a unit in the last place of x. From 2^45 on, where that is worth little, it is NaN.

use super::reduction::ROUND_F64;

const PART_1: f64 = 1.570796325802803;
const PART_2: f64 = 9.920935739593517e-10;
const PART_3: f64 = 5.721188709663575e-18;
const PART_4: f64 = 1.6446256936324258e-26;
/// `PART_3 + PART_4`.
const PART_3_4: f64 = 5.721188726109832e-18;
const LARGEST: f64 = 35_184_372_088_832.0;

/// An argument's quarter turns (the last two bits count), the rest, and the rest's rounding error.
type Turned = (u64, f64, f64);

/// `a - b` and its rounding error (D. E. Knuth's TwoSum).
#[inline(always)]
fn difference(a: f64, b: f64) -> (f64, f64) {
    let d = a - b;
    let back = d - a;
    (d, (a - (d - back)) - (b + back))
}

#[inline(always)]
fn double_turns(x: f64) -> Turned {
    let shifted = x * core::f64::consts::FRAC_2_PI + ROUND_F64;
    let n = shifted - ROUND_F64;
    let first = x - n * PART_1;
    let (second, lost_2) = difference(first, n * PART_2);
    let (third, lost_3) = difference(second, n * PART_3);
    let tail = (lost_2 + lost_3) - n * PART_4;
    let r = third + tail;
    (shifted.to_bits(), r, (third - r) + tail)
}

/// The sine and the cosine of the rest, each with its rounding error.
#[inline(always)]
fn double_parts((_, r, low): Turned) -> [(f64, f64); 2] {
    let z = r * r;
    let p = polynomial!(z; 0.00833333333332249, -0.0001984126982985795, 2.7557313707070068e-06,
        -2.5050760253406863e-08, 1.58969099521155e-10);
    let less = (z * (0.5 * low - z * r * p) - low) + 0.16666666666666632 * (z * r);
    let sine = r - less;
    let q = z
        * polynomial!(z; 0.0416666666666666, -0.001388888888887411, 2.480158728947673e-05, -2.7557314351390663e-07,
            2.087572321298175e-09, -1.1359647557788195e-11);
    let half = 0.5 * z;
    let whole = 1.0 - half;
    let rest = ((1.0 - whole) - half) + (z * q - r * low);
    let cosine = whole + rest;
    [(sine, (r - sine) - less), (cosine, rest - (cosine - whole))]
}

#[inline(always)]
fn double_pair(turned: Turned) -> (f64, f64) {
    let [(sine, _), (cosine, _)] = double_parts(turned);
    (sine, cosine)
}

/// The quotient of sine and cosine, or of cosine and sine, with their rounding errors put back at first order.
#[inline(always)]
fn double_quotient(turns: Turned) -> f64 {
    let [(sine, sine_low), (cosine, cosine_low)] = double_parts(turns);
    let even = turns.0 & 1 == 0;
    let quotient = (if even { sine } else { -cosine }) / (if even { cosine } else { sine });
    // 1 / cosine to 2 %.
    let reciprocal = 2.39 - 1.41 * cosine;
    let more = if even { sine_low - quotient * cosine_low } else { quotient * (cosine_low + quotient * sine_low) };
    quotient + more * reciprocal
}

#[inline(always)]
fn single_quotient(turns: Turned) -> f64 {
    let pair = single_pair(turns);
    turned(turns, pair, 0) / turned(turns, pair, 1)
}

#[inline(always)]
fn single_turns(x: f64) -> Turned {
    let shifted = x * core::f64::consts::FRAC_2_PI + ROUND_F64;
    let n = shifted - ROUND_F64;
    (shifted.to_bits(), ((x - n * PART_1) - n * PART_2) - n * PART_3_4, 0.0)
}

#[inline(always)]
fn single_pair((_, r, _): Turned) -> (f64, f64) {
    // Minimax to 2^-37 and 2^-43: `tests/data/make_coefficients.py`.
    let z = r * r;
    let p = polynomial!(z; -0.16666666638520541, 0.0083333290416267, -0.00019839227931718804, 2.7173214924075425e-06);
    let q = polynomial!(z; -0.4999999999943148, 0.04166666654329851, -0.0013888880114640665, 2.4798846332480228e-05,
        -2.716657445789004e-07);
    (r + r * (z * p), 1.0 + z * q)
}

/// The sine after the quarter turns; a cosine is a sine that is `ahead` by one.
#[inline(always)]
fn turned((turns, ..): Turned, (sine, cosine): (f64, f64), ahead: u64) -> f64 {
    let turns = turns.wrapping_add(ahead);
    let value = if turns & 1 == 0 { sine } else { cosine };
    f64::from_bits(value.to_bits() ^ ((turns & 2) << 62))
}

macro_rules! trigonometric {
    ($float:ident, $turns:ident, $pair:ident, $quotient:ident, $sin:ident, $cos:ident, $tan:ident) => {
        /// See [`crate::Real::sin`]. Within 1 unit in the last place for `|x| < 1e6`; NaN from 2^45 on.
        #[inline(always)]
        #[must_use]
        pub fn $sin(x: $float) -> $float {
            let argument = f64::from(x);
            let turns = $turns(argument);
            let result = turned(turns, $pair(turns), 0) as $float;
            // Keeps the sign of zero.
            let result = if x == 0.0 { x } else { result };
            if argument.abs() < LARGEST { result } else { $float::NAN }
        }

        /// See [`crate::Real::cos`]. Within 1 unit in the last place for `|x| < 1e6`; NaN from 2^45 on.
        #[inline(always)]
        #[must_use]
        pub fn $cos(x: $float) -> $float {
            let argument = f64::from(x);
            let turns = $turns(argument);
            let result = turned(turns, $pair(turns), 1) as $float;
            if argument.abs() < LARGEST { result } else { $float::NAN }
        }

        /// See [`crate::Real::tan`]. Within 2 units in the last place for `|x| < 1e6`; NaN from 2^45 on.
        #[inline(always)]
        #[must_use]
        pub fn $tan(x: $float) -> $float {
            let argument = f64::from(x);
            let result = $quotient($turns(argument)) as $float;
            let result = if x == 0.0 { x } else { result };
            if argument.abs() < LARGEST { result } else { $float::NAN }
        }
    };
}

trigonometric!(f64, double_turns, double_pair, double_quotient, double_sin, double_cos, double_tan);
trigonometric!(f32, single_turns, single_pair, single_quotient, single_sin, single_cos, single_tan);
