//! Rates, dc/dt and Jacobian of one cell, by the core's own arithmetic.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Trusted};

use crate::host::compiled::{AnyTables, Compiled};
use crate::host::tables::Tables;
use crate::physics::index::Index;
use crate::physics::kinetics::Kinetics;
use crate::physics::walk::Walk;
use crate::schedule::numbers::{Block, Numbers, Reader};
use crate::schedule::team::OneWorker;
use isobar_core::fields::Error;

/// What a mechanism does at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The rate of each reaction \[molecule/(cm^3 s)\].
    pub rates: Vec<f64>,
    /// dc/dt of each variable species.
    pub function: Vec<f64>,
    /// The Jacobian, an entry for each of [`crate::LuPattern`]; 0 where factors fill in.
    pub jacobian: Vec<f64>,
}

impl Compiled {
    /// Evaluates the mechanism at concentrations of all species and rate constants of all reactions.
    ///
    /// # Errors
    /// Wrong numbers of values.
    pub fn evaluate(&self, concentrations: &[f64], rate_constants: &[f64]) -> Result<Evaluation, Error> {
        let sizes = self.tables().sizes();
        let species = (sizes.variable + sizes.fixed) as usize;
        for (variable, got, expected, shape) in [
            ("concentration", concentrations.len(), species, "species"),
            ("rate_constant", rate_constants.len(), sizes.reactions as usize, "reactions"),
        ] {
            if got != expected {
                return Err(Error::Size { variable, got, expected, shape: format!("{expected} {shape}") });
            }
        }
        Ok(match self.tables() {
            AnyTables::Narrow(tables) => evaluate(tables, concentrations, rate_constants),
            AnyTables::Wide(tables) => evaluate(tables, concentrations, rate_constants),
        })
    }
}

fn evaluate<I: Index>(tables: &Tables<I>, concentrations: &[f64], rate_constants: &[f64]) -> Evaluation {
    let (mechanism, sizes) = (tables.view(), tables.sizes());
    let (reactions, variable) = (sizes.reactions as usize, sizes.variable as usize);
    let derivatives = sizes.derivatives as usize;
    let state = concentrations.len() + 1;
    let entries = state + 2 * reactions + derivatives + variable;
    let mut workspace = vec![0.0; entries * WARP];
    // SAFETY: the tables are those of a mechanism; the workspace has one lane of a warp of what they say.
    let (mechanism, state_block) =
        unsafe { (Trusted::new(&mechanism), Block::<f64, 1>::new(workspace.as_mut_ptr(), 0, entries)) };
    let kinetics = Kinetics::new(mechanism);
    let constants = state_block.from(state);
    let rates = constants.from(reactions);
    let derivative_block = rates.from(reactions);
    let function = derivative_block.from(derivatives);
    for (i, &value) in concentrations.iter().chain([&1.0]).enumerate() {
        state_block.set(i, [value]);
    }
    for (i, &value) in rate_constants.iter().enumerate() {
        constants.set(i, [value]);
    }
    let team = OneWorker::<1>(Lanes::starting_at(0));
    kinetics.function(team, state_block, constants, rates, function);
    kinetics.derivatives(team, state_block, constants, derivative_block);
    let mut table = Reader::new(mechanism.part(|m| &m.factor));
    let mut jacobian = Vec::with_capacity(sizes.entries as usize);
    for _ in 0..variable {
        let (left, right) = (table.next(), table.next());
        for entry in 0..left + 1 + right {
            if entry < left {
                table.next();
            }
            let (count, products) = (table.next(), table.next());
            let value = kinetics.jacobian(&mut table, count, [0.0], derivative_block);
            jacobian.push(value[0]);
            (0..2 * products).for_each(|_| {
                table.next();
            });
        }
    }
    let read = |block: Block<f64, 1>, count: usize| (0..count).map(|i| block.get(i)[0]).collect();
    Evaluation { rates: read(rates, reactions), function: read(function, variable), jacobian }
}
