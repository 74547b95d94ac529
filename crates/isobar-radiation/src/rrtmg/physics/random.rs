//! The two generators of random numbers that RRTMG_LW has for its sub-columns, bit for bit.

use crate::rrtmg::jump::{ADD, CARRY, Jump, MODULI, MULTIPLY, shift};

/// Numbers from 0 to 1, of `W` sequences side by side.
pub trait Uniform<const W: usize> {
    /// The next of each.
    fn next(&mut self) -> [f64; W];
}

/// What becomes of the bits of a word, written out: a GPU's arguments have no index that changes.
macro_rules! with_bits {
    ($sums:ident, $jump:ident, $words:ident) => {
        with_bits!($sums, $jump, $words, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        with_bits!($sums, $jump, $words, 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    };
    ($sums:ident, $jump:ident, $words:ident, $($bit:literal)*) => {$(
        for lane in 0..W {
            $sums[lane] ^= $jump.bits[$bit] & ($words[lane] >> $bit & 1).wrapping_neg();
        }
    )*};
}

/// Marsaglia's KISS with four words of state, seeded from a column's own pressures; `W` positions in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kiss<const W: usize>([[u32; W]; 4]);

impl<const W: usize> Kiss<W> {
    /// A generator from these seeds.
    #[inline(always)]
    #[must_use]
    pub fn new(seeds: [u32; 4]) -> Self {
        Self([[seeds[0]; W], [seeds[1]; W], [seeds[2]; W], [seeds[3]; W]])
    }

    /// A generator from the pressures of the lowest four layers \[Pa\], more exactly from what they have behind the
    /// point, advanced `skip` times.
    #[inline(always)]
    #[must_use]
    pub fn of_pressures(pressures_pa: [f64; 4], skip: u32) -> Self {
        let seed = |p: f64| ((p - (p as i64 as f64)) * 1e9) as i32 as u32;
        let [a, b, c, d] = pressures_pa;
        let mut one = Kiss::<1>::new([seed(a), seed(b), seed(c), seed(d)]);
        for _ in 0..skip {
            one.next_words();
        }
        let [[a], [b], [c], [d]] = one.0;
        Self::new([a, b, c, d])
    }

    /// The next words.
    #[inline(always)]
    pub fn next_words(&mut self) -> [u32; W] {
        let [a, b, c, d] = &mut self.0;
        let mut words = [0; W];
        for lane in 0..W {
            a[lane] = a[lane].wrapping_mul(MULTIPLY).wrapping_add(ADD);
            b[lane] = shift(b[lane]);
            c[lane] = (c[lane] & 65535).wrapping_mul(CARRY[0]).wrapping_add(c[lane] >> 16);
            d[lane] = (d[lane] & 65535).wrapping_mul(CARRY[1]).wrapping_add(d[lane] >> 16);
            words[lane] = a[lane].wrapping_add(b[lane]).wrapping_add(c[lane] << 16).wrapping_add(d[lane]);
        }
        words
    }

    /// Goes on by a jump in some lanes.
    #[inline(always)]
    pub fn jump(&mut self, jump: &Jump, some: [bool; W]) {
        let [a, b, c, d] = &mut self.0;
        let mut shifted = [0; W];
        with_bits!(shifted, jump, b);
        for lane in 0..W {
            let congruent = a[lane].wrapping_mul(jump.congruence[0]).wrapping_add(jump.congruence[1]);
            let carried = [carried::<0>(c[lane], jump), carried::<1>(d[lane], jump)];
            if some[lane] {
                (a[lane], b[lane], c[lane], d[lane]) = (congruent, shifted[lane], carried[0], carried[1]);
            }
        }
    }

    /// Goes on by a number in some lanes.
    #[inline(always)]
    pub fn step(&mut self, some: [bool; W]) {
        let mut next = *self;
        next.next_words();
        for lane in 0..W {
            if some[lane] {
                for part in 0..4 {
                    self.0[part][lane] = next.0[part][lane];
                }
            }
        }
    }
}

impl<const W: usize> Uniform<W> for Kiss<W> {
    #[inline(always)]
    fn next(&mut self) -> [f64; W] {
        let words = self.next_words();
        let mut numbers = [0.0; W];
        for lane in 0..W {
            numbers[lane] = f64::from(words[lane] as i32) * 2.328306e-10 + 0.5;
        }
        numbers
    }
}

/// The state of a multiplication with carry. Of the two that are 0 modulo `65536 a - 1`, it comes to 0 from 0 alone.
#[inline(always)]
fn carried<const WHICH: usize>(state: u32, jump: &Jump) -> u32 {
    let modulus = MODULI[WHICH];
    let rest = u64::from(state) * u64::from(jump.carry[WHICH]) % modulus;
    (if rest == 0 && state != 0 { modulus } else { rest }) as u32
}

/// The words of state of [`Mersenne`].
const WORDS: usize = 624;

/// The Mersenne twister MT19937 (Matsumoto and Nishimura 1998, doi:10.1145/272991.272995).
#[derive(Clone, Debug)]
pub struct Mersenne {
    state: [u32; WORDS],
    next: usize,
}

impl Mersenne {
    /// A generator from a seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        for i in 1..WORDS {
            let last = state[i - 1];
            state[i] = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Self { state, next: WORDS }
    }

    fn twist(&mut self) {
        for i in 0..WORDS {
            let word = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % WORDS] & 0x7fff_ffff);
            let odd = if word & 1 == 0 { 0 } else { 0x9908_b0df };
            self.state[i] = self.state[(i + 397) % WORDS] ^ (word >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// The next word.
    pub fn next_word(&mut self) -> u32 {
        if self.next == WORDS {
            self.twist();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }
}

impl Uniform<1> for Mersenne {
    fn next(&mut self) -> [f64; 1] {
        [f64::from(self.next_word()) / 4_294_967_295.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_is_the_published_one() {
        // The first outputs for the seed 5489, and the 10,000th (C++ standard, 26.6.6).
        let mut twister = Mersenne::new(5489);
        assert_eq!(twister.next_word(), 3_499_211_612);
        for _ in 1..9999 {
            twister.next_word();
        }
        assert_eq!(twister.next_word(), 4_123_659_995);
    }

    #[test]
    fn uniform_numbers_fill_the_unit_interval() {
        let mut kiss = Kiss::<1>::of_pressures([98_312.123_456_789, 95_000.987_654_321, 90_000.5, 85_123.25], 7);
        let mean = (0..100_000).map(|_| kiss.next()[0]).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005);
    }

    #[test]
    fn a_jump_is_as_many_steps() {
        let [first, second] = MODULI.map(|modulus| modulus as u32);
        let seeds = [
            [1, 2, 3, 4],
            [0, 0, 0, 0],
            [u32::MAX; 4],
            [7, 1 << 31, first, second],
            [7, 1, 2 * first, 2 * second],
            [7, 5, 3 * first, second - 1],
            [123_456_789, 987_654_321, 0xffff, 0xffff_0000],
        ];
        for seed in seeds {
            for numbers in [2, 3, 4, 31, 60, 120, 1_000, 31 * 137] {
                let mut steps = Kiss::<1>::new(seed);
                for _ in 0..numbers {
                    steps.next_words();
                }
                let mut jumped = Kiss::<1>::new(seed);
                jumped.jump(&Jump::over(numbers), [true]);
                assert_eq!(jumped, steps, "{seed:?}, {numbers} numbers");
            }
        }
    }
}
