//! Far ahead in the sequence of KISS: so the g-points of a column need not wait for each other.
//!
//! Each part of KISS is linear: a congruence, a matrix of bits, and two multiplications with carry, which are
//! multiplications modulo `65536 a - 1` (Marsaglia 2003, J. Mod. Appl. Stat. Meth. 2, 2,
//! doi:10.22237/jmasm/1051747320). So many steps at once are a step with other numbers.

use isobar_core::kernel::WARP;
use isobar_optics::overlap::{EXPONENTIAL, EXPONENTIAL_RANDOM, MAXIMUM};

/// Factor and term of KISS's congruence.
pub(crate) const MULTIPLY: u32 = 69069;
pub(crate) const ADD: u32 = 1_327_217_885;
/// Factors of its multiplications with carry.
pub(crate) const CARRY: [u32; 2] = [18000, 30903];

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

    /// A jump over `count` numbers: two, or more, for the first of a sequence need not be what multiplications with
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

/// The next word of KISS's shift register.
#[inline(always)]
pub(crate) fn shift(word: u32) -> u32 {
    let word = word ^ word << 13;
    let word = word ^ word >> 17;
    word ^ word << 5
}

/// How KISS comes from g-point to g-point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Jumps {
    /// Not 0 where a g-point takes one number, and jumps are not needed.
    pub(crate) single: u32,
    /// Over the numbers of 1, 2, 4, 8 and 16 g-points.
    pub(crate) doubled: [Jump; 5],
    /// Over those of all other lanes of a warp.
    pub(crate) others: Jump,
}

impl Jumps {
    /// For an overlap and a number of layers, four at least.
    #[must_use]
    pub fn new(overlap: u32, layers: usize) -> Self {
        let numbers = match overlap {
            MAXIMUM => 1,
            EXPONENTIAL | EXPONENTIAL_RANDOM => 2 * layers as u64,
            _ => layers as u64,
        };
        let doubled = [1, 2, 4, 8, 16].map(|points| Jump::over(points * numbers));
        Self { single: u32::from(overlap == MAXIMUM), doubled, others: Jump::over((WARP as u64 - 1) * numbers) }
    }
}
