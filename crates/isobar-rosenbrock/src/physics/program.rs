//! Rate constants as a program: the same instructions for all cells.

use isobar_core::{Column, Field, Real, Trusted};

use crate::physics::operation::{Instruction, Operation};
use crate::schedule::numbers::{Block, Numbers};

/// The instructions that give all rate constants, in order, and maybe their derivatives. Each register is set before it
/// is read.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Program<'a> {
    /// The instructions.
    pub instructions: Column<'a, Instruction>,
    /// The constants.
    pub constants: Column<'a, f64>,
    /// The number of registers.
    pub registers: u32,
    /// The first instructions, which give the rate constants; the others give their derivatives.
    pub rates: u32,
}

impl Program<'_> {
    /// A program that is not there.
    #[must_use]
    pub fn empty() -> Self {
        Self { instructions: Column::empty(), constants: Column::empty(), registers: 0, rates: 0 }
    }
}

/// Runs the first `count` instructions of a program for the cells of `V` lanes at their times. The program fits the
/// numbers of inputs, species and rate constants.
#[inline(always)]
pub(crate) fn run<R: Real, const V: usize, N: Numbers<R, V>>(
    (program, count): (Trusted<'_, Program<'_>>, usize),
    time: [f64; V],
    cells: [usize; V],
    inputs: Trusted<'_, Field<'_, R>>,
    state: N,
    registers: N,
    rate_constants: Block<R, V>,
) {
    for i in 0..count {
        let Instruction { operation, target, left, right } = program.part(|p| &p.instructions).get(i);
        let (target, left, right) = (target as usize, left as usize, right as usize);
        let value = match operation {
            Operation::Constant => [R::from_f64(program.part(|p| &p.constants).get(left)); V],
            Operation::Concentration => state.get(left),
            Operation::Time => {
                let mut values = [R::ZERO; V];
                for lane in 0..V {
                    values[lane] = R::from_f64(time[lane]);
                }
                values
            }
            Operation::Input => {
                let mut values = [R::ZERO; V];
                for lane in 0..V {
                    values[lane] = inputs.get(left, cells[lane]);
                }
                values
            }
            Operation::Store => {
                rate_constants.set(target, registers.get(left));
                continue;
            }
            _ => operation.apply(&registers.get(left), &registers.get(right), &registers.get(target)),
        };
        registers.set(target, value);
    }
}
