//! `2^(x rate) - 1` for decay: the shortest accurate form, for codes that do little else than attenuate.
//!
//! With `x rate = k + f`, `|f| <= 1/2`, it is `(2^k - 1) + 2^k (2^f - 1)`. Base two leaves no constant to split, and
//! the fused product `x rate - k` is exact to its last rounding. Seventeen instructions in f32, no branch; `exp_m1`
//! takes twice as many.

use super::mul_add;
use super::reduction::{ROUND_F32, ROUND_F64};

macro_rules! decay {
    ($name:ident, $float:ident, $round:ident, $bias:literal, $mantissa:literal, $highest:literal,
        $($coefficient:expr),+) => {
        /// See [`crate::FastMath::exp2_m1_products`]. Within 1.5 units in the last place of the result for the rounded
        /// `rate`.
        ///
        /// Step by step for all numbers: none of them waits for its own last step.
        #[inline(always)]
        #[must_use]
        pub fn $name<const N: usize>(x: [$float; N], rate: $float) -> [$float; N] {
            // The exponent's bias waits in the low bits beside k.
            const SHIFT: $float = $round + $bias as $float;
            let (mut shifted, mut f) = ([0.0; N], [0.0; N]);
            for i in 0..N {
                shifted[i] = mul_add::$name(x[i], rate, SHIFT);
            }
            for i in 0..N {
                f[i] = mul_add::$name(x[i], rate, SHIFT - shifted[i]);
            }
            let mut sum = [$highest; N];
            $(for i in 0..N {
                sum[i] = mul_add::$name(sum[i], f[i], $coefficient);
            })+
            let mut result = [0.0; N];
            for i in 0..N {
                let scale = $float::from_bits(shifted[i].to_bits() << $mantissa);
                result[i] = mul_add::$name(scale, f[i] * sum[i], scale - 1.0);
            }
            result
        }
    };
}

// Minimax of (2^f - 1) / f for |f| <= 1/2, to 2^-55.7 and 2^-26.5: `tests/data/make_coefficients.py`.
decay!(
    double,
    f64,
    ROUND_F64,
    1023,
    52,
    4.4455361033250405e-10,
    7.07256245971208e-9,
    1.0178121308617481e-7,
    1.321544272044051e-6,
    1.5252733701188767e-5,
    0.0001540353044148688,
    0.0013333558146531661,
    0.009618129107607062,
    0.055504108664821236,
    0.24022650695910097,
    core::f64::consts::LN_2
);
decay!(
    single,
    f32,
    ROUND_F32,
    127,
    23,
    0.000_154_036,
    0.001_339_077_8,
    0.009_618_238,
    0.055_503_573,
    0.240_226_49,
    core::f32::consts::LN_2
);
