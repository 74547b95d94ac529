//! A rate program in the host's memory.

use isobar_core::fields::{Error, InputSet};
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes};

use crate::fields::CellViews;
use crate::physics::operation::{Instruction, Operation};
use crate::physics::program::Program;
use crate::schedule::rate_constants::RateConstants;

/// A checked rate program.
#[derive(Clone, Debug, PartialEq)]
pub struct RateProgram {
    instructions: Vec<Instruction>,
    constants: Vec<f64>,
    registers: u32,
    inputs: u32,
    species: u32,
    reactions: u32,
}

impl RateProgram {
    /// A program for so many inputs, species and reactions.
    ///
    /// # Errors
    /// An instruction that reads what is not there or was not set, or a rate constant that is not set.
    pub fn new(
        instructions: Vec<Instruction>,
        constants: Vec<f64>,
        [inputs, species, reactions]: [usize; 3],
    ) -> Result<Self, Error> {
        let wrong = |i: usize, what: &str| Error::Setup(format!("instruction {i} of the rate program {what}"));
        let stores = |i: &&Instruction| i.operation == Operation::Store;
        let registers = instructions.iter().filter(|i| !stores(i)).map(|i| i.target + 1).max().unwrap_or(1);
        let (mut is_set, mut is_stored) = (vec![false; registers as usize], vec![false; reactions]);
        for (i, instruction) in instructions.iter().enumerate() {
            let Instruction { operation, target, left, right } = *instruction;
            let most = match operation {
                Operation::Constant => constants.len(),
                Operation::Input => inputs,
                Operation::Concentration => species,
                _ => usize::MAX,
            };
            if left as usize >= most {
                return Err(wrong(i, "reads what is not there"));
            }
            let known = |register: u32| is_set.get(register as usize).copied().unwrap_or(false);
            let operands = [left, right];
            let mut read = operands[..operation.operands()].to_vec();
            if operation == Operation::Choose {
                read.push(target);
            }
            if !read.into_iter().all(known) {
                return Err(wrong(i, "reads a register that is not set"));
            }
            // Registers that an operation does not need are read all the same.
            if operation.operands() < 2 && most == usize::MAX && right >= registers.max(1) {
                return Err(wrong(i, "names a register that is not there"));
            }
            let (list, place) = match operation {
                Operation::Store => (&mut is_stored, target as usize),
                _ => (&mut is_set, target as usize),
            };
            *list.get_mut(place).ok_or_else(|| wrong(i, "stores a rate constant that is not there"))? = true;
        }
        if let Some(reaction) = is_stored.iter().position(|&stored| !stored) {
            return Err(Error::Setup(format!("the rate program does not set rate constant {reaction}")));
        }
        let (inputs, species, reactions) = (inputs as u32, species as u32, reactions as u32);
        Ok(Self { instructions, constants, registers, inputs, species, reactions })
    }

    /// The number of instructions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The number of registers.
    #[must_use]
    pub fn registers(&self) -> u32 {
        self.registers
    }

    /// The number of inputs a cell.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// The number of species that it may read.
    #[must_use]
    pub fn species(&self) -> usize {
        self.species as usize
    }

    /// The number of rate constants.
    #[must_use]
    pub fn reactions(&self) -> usize {
        self.reactions as usize
    }

    /// Does any rate constant depend on the time?
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        self.instructions.iter().any(|instruction| instruction.operation == Operation::Time)
    }

    /// The rate constants of one cell at a time \[s\], by the kernels' own arithmetic.
    ///
    /// # Panics
    /// If there are other numbers of inputs or species.
    #[must_use]
    pub fn rate_constants(&self, concentrations: &[f64], inputs: &[f64], time_s: f64) -> Vec<f64> {
        let sizes = (concentrations.len(), inputs.len());
        assert_eq!(sizes, (self.species(), self.inputs()), "species and inputs of the program");
        let cells = CellViews {
            concentration: Field::item_fastest(concentrations, self.species(), 1),
            rate_input: if inputs.is_empty() { Field::empty() } else { Field::item_fastest(inputs, inputs.len(), 1) },
            ..CellViews::empty()
        };
        let mut rate_constants = vec![0.0; self.reactions()];
        let rate_constant = FieldMut::item_fastest(&mut rate_constants, self.reactions(), 1);
        let program = self.view();
        let mut kernel =
            RateConstants { program, cells, time_s, rate_constant, cells_per_item: 1, scratch: FieldMut::empty() };
        let mut scratch = vec![0.0; kernel.scratch_per_item()];
        kernel.scratch = FieldMut::item_fastest(&mut scratch, kernel.scratch_per_item(), 1);
        // SAFETY: one lane is the only item, whose views are those of living slices.
        unsafe { kernel.item::<1>(0, Lanes::starting_at(0)) };
        rate_constants
    }

    /// A view, for a kernel on the host.
    #[must_use]
    pub fn view(&self) -> Program<'_> {
        Program {
            instructions: Column::from(&self.instructions[..]),
            constants: if self.constants.is_empty() { Column::empty() } else { Column::from(&self.constants[..]) },
            registers: self.registers,
        }
    }
}
