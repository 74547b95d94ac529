//! Numbers to compute with, and outputs compared bit for bit.

use isobar_core::Real;

/// The outputs of a case, in named parts.
#[derive(Debug, Default)]
pub struct Outputs {
    parts: Vec<(String, Vec<Bits>)>,
}

/// A number's bits. A NaN is a NaN: processors give it different signs and payloads.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bits {
    Number(u64),
    NotANumber,
}

impl Outputs {
    /// Adds numbers.
    #[must_use]
    pub fn reals<R: Real>(mut self, name: &str, values: &[R]) -> Self {
        // Every f32 is an f64 of its own, so the f64's bits tell all numbers apart.
        let bits = values.iter().map(|v| if v.is_nan() { Bits::NotANumber } else { Bits::Number(v.value().to_bits()) });
        self.parts.push((name.to_owned(), bits.collect()));
        self
    }

    /// Adds statuses or counts.
    #[must_use]
    pub fn counts(mut self, name: &str, values: &[u32]) -> Self {
        self.parts.push((name.to_owned(), values.iter().map(|v| Bits::Number(u64::from(*v))).collect()));
        self
    }

    /// Fails, with the first difference of each part, where the others are not the same.
    ///
    /// # Panics
    /// It is how a test fails.
    pub fn assert_same(&self, others: &Self, place: &str) {
        let names = |outputs: &Self| outputs.parts.iter().map(|(n, v)| (n.clone(), v.len())).collect::<Vec<_>>();
        assert_eq!(names(self), names(others), "{place} gives other outputs");
        let mut report = String::new();
        for ((name, values), (_, other)) in self.parts.iter().zip(&others.parts) {
            let different: Vec<usize> = (0..values.len()).filter(|i| values[*i] != other[*i]).collect();
            if let Some(first) = different.first() {
                let (here, there) = (values[*first], other[*first]);
                report += &format!(
                    "\n  {name}: {} of {} differ, the first at {first}: {here:x?} on the CPU, {there:x?}",
                    different.len(),
                    values.len()
                );
            }
        }
        assert!(report.is_empty(), "{place} gives other bits than the CPU's calling thread:{report}");
    }
}

/// `count` numbers: the special ones, then random ones of all magnitudes, the same at each call with the same seed.
#[must_use]
pub fn numbers_of_all_magnitudes<R: Real>(count: usize, seed: u64) -> Vec<R> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        R::MIN_POSITIVE.value(),
        R::MIN_POSITIVE.value() / 8.0,
        R::MAX.value(),
        R::EPSILON.value(),
        std::f64::consts::PI,
        1e9,
        -745.5,
        88.7,
        709.7,
    ];
    let mut random = Random(seed);
    let ordinary = std::iter::from_fn(move || {
        let sign = if random.unit() < 0.5 { -1.0 } else { 1.0 };
        Some(match (random.unit() * 3.0) as u32 {
            0 => sign * random.unit(),
            1 => sign * random.unit() * 700.0,
            _ => sign * Real::powi(10.0, (random.unit() * 60.0) as i32 - 30) * random.unit(),
        })
    });
    // The specials are shifted by the seed, so that two arguments do not show the same one together.
    let shift = seed as usize % special.len();
    let special = special.into_iter().cycle().skip(shift).take(special.len());
    special.chain(ordinary).take(count).map(R::from_f64).collect()
}

/// Numbers from 0 to 1 (SplitMix64).
pub struct Random(u64);

impl Random {
    /// Numbers that follow from the seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next one.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }
}
