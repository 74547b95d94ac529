//! The other generator of random numbers that RRTMG_LW has for its sub-columns, bit for bit.

/// The words of state of [`Mersenne`].
const WORDS: usize = 624;

/// The Mersenne twister MT19937 (Matsumoto and Nishimura 1998, doi:10.1145/272991.272995).
#[derive(Clone, Debug)]
pub(crate) struct Mersenne {
    state: [u32; WORDS],
    next: usize,
}

impl Mersenne {
    /// A generator from a seed.
    #[must_use]
    pub(crate) fn new(seed: u32) -> Self {
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
    pub(crate) fn next_word(&mut self) -> u32 {
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
    /// The next number, from 0 to 1.
    pub(crate) fn next(&mut self) -> f64 {
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
}
