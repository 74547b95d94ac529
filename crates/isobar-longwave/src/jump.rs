//! Far ahead in the sequence of KISS: so the g-points of a column need not wait for each other.
//!
//! Each part of KISS is linear: a congruence, a matrix of bits, and two multiplications with carry, which are
//! multiplications modulo `65536 a - 1` (Marsaglia 2003, J. Mod. Appl. Stat. Meth. 2, 2,
//! doi:10.22237/jmasm/1051747320). So many steps at once are a step with other numbers.

use crate::random::{ADD, CARRY, MULTIPLY, shift};

/// So many numbers of KISS at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Jump {
    /// Factor and term of the congruence.
    pub(crate) congruence: [u32; 2],
    /// What becomes of each bit of the shifted word.
    pub(crate) bits: [u32; 32],
    /// The factors of both multiplications with carry.
    pub(crate) carry: [u32; 2],
}

/// What multiplications with carry are modulo.
pub(crate) const MODULI: [u64; 2] = [(CARRY[0] as u64) * 65536 - 1, (CARRY[1] as u64) * 65536 - 1];

impl Jump {
    /// None at all.
    const NONE: Self = Self { congruence: [1, 0], bits: single_bits(), carry: [1, 1] };

    /// A jump over so many numbers: two, or more, for the first of a sequence need not be what multiplications with
    /// carry make.
    #[must_use]
    pub fn over(numbers: u64) -> Self {
        let mut jump = Self::NONE;
        let mut power = Self { congruence: [MULTIPLY, ADD], bits: Self::NONE.bits.map(shift), carry: CARRY };
        let mut left = numbers;
        while left > 0 {
            if left & 1 == 1 {
                jump = jump.then(&power);
            }
            power = power.then(&power);
            left >>= 1;
        }
        jump
    }

    /// One after the other.
    fn then(&self, next: &Self) -> Self {
        let [factor, term] = next.congruence;
        let carry = |which: usize| (u64::from(self.carry[which]) * u64::from(next.carry[which]) % MODULI[which]) as u32;
        Self {
            congruence: [
                self.congruence[0].wrapping_mul(factor),
                self.congruence[1].wrapping_mul(factor).wrapping_add(term),
            ],
            bits: self.bits.map(|bits| next.shifted(bits)),
            carry: [carry(0), carry(1)],
        }
    }

    fn shifted(&self, word: u32) -> u32 {
        (0..32).filter(|bit| word >> bit & 1 == 1).fold(0, |sum, bit| sum ^ self.bits[bit])
    }
}

const fn single_bits() -> [u32; 32] {
    let mut bits = [0; 32];
    let mut bit = 0;
    while bit < 32 {
        bits[bit] = 1 << bit;
        bit += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::{Jump, MODULI};
    use crate::random::Kiss;

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
