//! A rate program in the host's memory.

use std::collections::BTreeSet;

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
    slopes: Option<Box<WithSlopes>>,
}

/// What a rate constant or a sum is the derivative of: see [`RateSlopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A rate constant.
    Rate(u32),
    /// A sum.
    Sum(u32),
}

/// By what: see [`RateSlopes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The concentration of a variable species.
    Species(u32),
    /// A sum.
    Sum(u32),
}

/// A derivative of a rate constant or a sum, whose value is a number of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slope {
    /// What is differentiated.
    pub of: Of,
    /// By what.
    pub by: By,
    /// The number of the value among those that the program gives behind all rate constants.
    pub number: u32,
}

/// How rate constants depend on the concentrations of variable species: a program that gives rate constants and, behind
/// them, values of their derivatives.
///
/// A sum stands for a number that many rates read and that many species are in, as that of all peroxy radicals: rates
/// have derivatives by it, and it has some by species or by other sums. What is not listed is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct RateSlopes {
    /// The instructions: those of [`RateProgram::new`] with further results.
    pub instructions: Vec<Instruction>,
    /// The constants.
    pub constants: Vec<f64>,
    /// The first instructions, which give all rate constants.
    pub rates: usize,
    /// The derivatives, none twice.
    pub slopes: Vec<Slope>,
    /// The number of sums.
    pub sums: usize,
}

/// Slopes that were checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WithSlopes {
    pub(crate) program: RateSlopes,
    pub(crate) registers: u32,
    /// How many values there are.
    pub(crate) numbers: u32,
}

#[cfg(feature = "launch")]
impl WithSlopes {
    /// A view, for a kernel on the host.
    pub(crate) fn view(&self) -> Program<'_> {
        let RateSlopes { instructions, constants, rates, .. } = &self.program;
        view(instructions, constants, self.registers, *rates)
    }
}

fn view<'a>(instructions: &'a [Instruction], constants: &'a [f64], registers: u32, rates: usize) -> Program<'a> {
    Program {
        instructions: if instructions.is_empty() { Column::empty() } else { Column::from(instructions) },
        constants: if constants.is_empty() { Column::empty() } else { Column::from(constants) },
        registers,
        rates: rates as u32,
    }
}

/// Checks instructions that give a number of results, and counts their registers.
fn registers(
    instructions: &[Instruction],
    constants: &[f64],
    [inputs, species, results]: [usize; 3],
) -> Result<u32, Error> {
    let wrong = |i: usize, what: &str| Error::Setup(format!("instruction {i} of the rate program {what}"));
    let stores = |i: &&Instruction| i.operation == Operation::Store;
    let registers = instructions.iter().filter(|i| !stores(i)).map(|i| i.target + 1).max().unwrap_or(1);
    let (mut is_set, mut is_stored) = (vec![false; registers as usize], vec![false; results]);
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
    match is_stored.iter().position(|&stored| !stored) {
        Some(result) => Err(Error::Setup(format!("the rate program does not set rate constant {result}"))),
        None => Ok(registers),
    }
}

impl RateProgram {
    /// A program for a number of inputs, species and reactions.
    ///
    /// # Errors
    /// An instruction that reads what is not there or was not set, or a rate constant that is not set.
    pub fn new(
        instructions: Vec<Instruction>,
        constants: Vec<f64>,
        [inputs, species, reactions]: [usize; 3],
    ) -> Result<Self, Error> {
        let registers = registers(&instructions, &constants, [inputs, species, reactions])?;
        let (inputs, species, reactions) = (inputs as u32, species as u32, reactions as u32);
        Ok(Self { instructions, constants, registers, inputs, species, reactions, slopes: None })
    }

    /// The program with the derivatives of its rate constants, which the Jacobian takes where rate constants are
    /// computed at each stage. Without them, methods whose order takes the whole Jacobian lose it.
    ///
    /// # Errors
    /// As [`RateProgram::new`]; a slope of or by what is not there, or a sum of sums that comes back to itself.
    pub fn with_slopes(mut self, program: RateSlopes) -> Result<Self, Error> {
        let wrong = |what: &str| Err(Error::Setup(format!("the slopes of the rate program {what}")));
        let numbers = program.slopes.iter().map(|slope| slope.number + 1).max().unwrap_or(0);
        let [inputs, species, reactions] = [self.inputs, self.species, self.reactions].map(|count| count as usize);
        let sizes = [inputs, species, reactions + numbers as usize];
        let registers = registers(&program.instructions, &program.constants, sizes)?;
        let of_rates = program.instructions.get(..program.rates);
        let Some(of_rates) = of_rates else { return wrong("have more instructions for rates than in all") };
        let stored = of_rates.iter().filter(|i| i.operation == Operation::Store).map(|i| i.target as usize);
        if stored.filter(|&target| target < reactions).collect::<BTreeSet<_>>().len() != reactions {
            return wrong("come before a rate constant");
        }
        for slope in &program.slopes {
            let is_of = match slope.of {
                Of::Rate(reaction) => (reaction as usize) < reactions,
                Of::Sum(sum) => (sum as usize) < program.sums,
            };
            let is_by = match (slope.of, slope.by) {
                (_, By::Species(place)) => (place as usize) < species,
                // Sums are made of those before them.
                (Of::Sum(sum), By::Sum(by)) => by < sum,
                (Of::Rate(_), By::Sum(by)) => (by as usize) < program.sums,
            };
            if !(is_of && is_by) {
                return wrong("name what is not there");
            }
        }
        self.slopes = Some(Box::new(WithSlopes { program, registers, numbers }));
        Ok(self)
    }

    /// What the program knows of the derivatives of its rate constants.
    #[cfg(feature = "launch")]
    pub(crate) fn slopes(&self) -> Option<&WithSlopes> {
        self.slopes.as_deref()
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

    /// Does any rate constant depend on the concentration of one of the first `variable` species?
    #[must_use]
    pub fn depends_on_species(&self, variable: usize) -> bool {
        let reads = |i: &Instruction| i.operation == Operation::Concentration && (i.left as usize) < variable;
        self.instructions.iter().any(reads)
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
        view(&self.instructions, &self.constants, self.registers, self.instructions.len())
    }
}
