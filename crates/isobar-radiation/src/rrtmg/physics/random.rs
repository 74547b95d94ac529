//! Random numbers of sub-columns, bit for bit as RRTMG_LW has them.

use isobar_core::per_lane;

use crate::rrtmg::jump::{ADD, CARRY, Jump, MODULI, MULTIPLY, shift};

per_lane! {
    /// Marsaglia's KISS, seeded from a column's own pressures: the words of state of a congruence, a shift register and
    /// two multiplications with carry.
    #[derive(PartialEq, Eq)]
    pub(crate) struct Kiss { congruent, shifted, carried, carried_too }
}

impl Kiss<u32> {
    /// A generator from these seeds.
    #[inline(always)]
    #[must_use]
    pub(crate) fn new([congruent, shifted, carried, carried_too]: [u32; 4]) -> Self {
        Self { congruent, shifted, carried, carried_too }
    }

    /// A generator from the pressures of the lowest four layers \[Pa\], more exactly from what they have behind the
    /// point, advanced `skip` times.
    #[inline(always)]
    #[must_use]
    pub(crate) fn of_pressures(pressures_pa: [f64; 4], skip: u32) -> Self {
        let seed = |p: f64| ((p - (p as i64 as f64)) * 1e9) as i32 as u32;
        let [a, b, c, d] = pressures_pa;
        let mut kiss = Self::new([seed(a), seed(b), seed(c), seed(d)]);
        for _ in 0..skip {
            kiss = kiss.next_state();
        }
        kiss
    }

    /// One number further.
    #[inline(always)]
    #[must_use]
    pub(crate) fn next_state(self) -> Self {
        Self {
            congruent: self.congruent.wrapping_mul(MULTIPLY).wrapping_add(ADD),
            shifted: shift(self.shifted),
            carried: (self.carried & 65535).wrapping_mul(CARRY[0]).wrapping_add(self.carried >> 16),
            carried_too: (self.carried_too & 65535).wrapping_mul(CARRY[1]).wrapping_add(self.carried_too >> 16),
        }
    }

    /// The word of the state.
    #[inline(always)]
    #[must_use]
    pub(crate) fn word(self) -> u32 {
        self.congruent.wrapping_add(self.shifted).wrapping_add(self.carried << 16).wrapping_add(self.carried_too)
    }

    /// A jump further.
    #[inline(always)]
    #[must_use]
    pub(crate) fn after(self, jump: &Jump) -> Self {
        let mut shifted = 0;
        // Written out: a GPU's arguments have no index that changes. A signed shift makes a word of a bit.
        macro_rules! with_bits {
            ($($bit:literal)*) => {$(
                shifted ^= jump.bits[$bit] & ((self.shifted << (31 - $bit)) as i32 >> 31) as u32;
            )*};
        }
        with_bits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        with_bits!(16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        Self {
            congruent: self.congruent.wrapping_mul(jump.congruence[0]).wrapping_add(jump.congruence[1]),
            shifted,
            carried: carried::<0>(self.carried, jump),
            carried_too: carried::<1>(self.carried_too, jump),
        }
    }
    /// The number of the state, from 0 to 1.
    #[inline(always)]
    #[must_use]
    pub(crate) fn number(self) -> f64 {
        f64::from(self.word() as i32) * 2.328306e-10 + 0.5
    }
}

/// The state of a multiplication with carry. Of the two that are 0 modulo `65536 a - 1`, it comes to 0 from 0 alone.
#[inline(always)]
fn carried<const WHICH: usize>(state: u32, jump: &Jump) -> u32 {
    let modulus = MODULI[WHICH];
    let rest = u64::from(state) * u64::from(jump.carry[WHICH]) % modulus;
    (if rest == 0 && state != 0 { modulus } else { rest }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_numbers_fill_the_unit_interval() {
        let mut kiss = Kiss::of_pressures([98_312.123_456_789, 95_000.987_654_321, 90_000.5, 85_123.25], 7);
        let mean = (0..100_000)
            .map(|_| {
                kiss = kiss.next_state();
                kiss.number()
            })
            .sum::<f64>()
            / 1e5;
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
                let mut steps = Kiss::new(seed);
                for _ in 0..numbers {
                    steps = steps.next_state();
                }
                assert_eq!(Kiss::new(seed).after(&Jump::over(numbers)), steps, "{seed:?}, {numbers} numbers");
            }
        }
    }
}
