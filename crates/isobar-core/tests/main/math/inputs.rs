//! Arguments: a generator that needs no seed from outside, edge cases and useful ranges.

/// Scales a count down for unoptimised builds.
pub(crate) fn count(optimised: usize) -> usize {
    if cfg!(debug_assertions) { optimised / 50 } else { optimised }
}

/// `SplitMix64`: the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / 9_007_199_254_740_992.0)
    }

    /// An f64 of any bits, or from a range that physics uses, or next to a point where a method changes.
    pub(crate) fn double(&mut self) -> f64 {
        match self.bits() % 8 {
            0 | 1 => f64::from_bits(self.bits()),
            2 => self.between(-1.0, 1.0),
            3 => self.between(-40.0, 40.0),
            4 => self.between(-750.0, 750.0),
            5 => self.between(0.0, 1e5),
            6 => {
                let points = [
                    1.0,
                    0.5,
                    2.0,
                    0.346_573_590_279_972_65,
                    core::f64::consts::FRAC_1_SQRT_2,
                    0.414_213_562_373_095_1,
                    0.4375,
                    0.975,
                ];
                let point = points[(self.bits() % 8) as usize];
                let size = libm::exp2(-self.between(1.0, 50.0));
                point + self.between(-size, size)
            }
            _ => self.between(-1e6, 1e6),
        }
    }
}

/// Zeros, infinities, NaN, the ends of the normal and subnormal numbers, and thresholds.
pub(crate) const EDGES: [f64; 27] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    f64::MAX,
    f64::MIN,
    709.782_712_893_384,
    709.782_712_893_385,
    -745.133_219_101_941,
    -745.133_219_101_942,
    -708.396_418_532_264_1,
    1e-300,
    1e300,
    9_007_199_254_740_993.0,
];
