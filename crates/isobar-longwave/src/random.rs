//! The two generators of random numbers that RRTMG_LW has for its sub-columns, bit for bit.

/// Numbers from 0 to 1.
pub trait Uniform {
    /// The next.
    fn next(&mut self) -> f64;
}

/// Marsaglia's KISS with four words of state, seeded from a column's own pressures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kiss([u32; 4]);

impl Kiss {
    /// A generator from these seeds.
    #[must_use]
    pub fn new(seeds: [u32; 4]) -> Self {
        Self(seeds)
    }

    /// A generator from the pressures of the lowest four layers \[Pa\], more exactly from what they have behind the point, advanced `skip` times.
    #[must_use]
    pub fn of_pressures(pressures_pa: [f64; 4], skip: u32) -> Self {
        let mut kiss = Self(pressures_pa.map(|p| ((p - (p as i64 as f64)) * 1e9) as i32 as u32));
        for _ in 0..skip {
            kiss.next_word();
        }
        kiss
    }

    /// The next word.
    pub fn next_word(&mut self) -> u32 {
        let [a, b, c, d] = &mut self.0;
        *a = a.wrapping_mul(69069).wrapping_add(1_327_217_885);
        *b ^= *b << 13;
        *b ^= *b >> 17;
        *b ^= *b << 5;
        *c = (*c & 65535).wrapping_mul(18000).wrapping_add(*c >> 16);
        *d = (*d & 65535).wrapping_mul(30903).wrapping_add(*d >> 16);
        a.wrapping_add(*b).wrapping_add(*c << 16).wrapping_add(*d)
    }
}

impl Uniform for Kiss {
    fn next(&mut self) -> f64 {
        f64::from(self.next_word() as i32) * 2.328306e-10 + 0.5
    }
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

impl Uniform for Mersenne {
    fn next(&mut self) -> f64 {
        f64::from(self.next_word()) / 4_294_967_295.0
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
        let mut kiss = Kiss::of_pressures([98_312.123_456_789, 95_000.987_654_321, 90_000.5, 85_123.25], 7);
        let mean = (0..100_000).map(|_| kiss.next()).sum::<f64>() / 1e5;
        assert!((mean - 0.5).abs() < 0.005);
    }
}
