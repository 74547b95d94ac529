//! From the graph to a rate program: what is needed, in order, in as few registers as it takes.

use isobar_rosenbrock::{Instruction, Operation, RateProgram};

use crate::error::Error;
use crate::graph::{Graph, Node};

/// The program that computes rate constants. `species` are the places of declared species among the concentrations.
pub(crate) fn program(
    graph: &Graph,
    rates: &[u32],
    species: &[Option<usize>],
    inputs: usize,
    used: usize,
) -> Result<RateProgram, Error> {
    let count = rates.iter().max().map_or(0, |&last| last as usize + 1);
    let nodes: Vec<Node> = (0..count as u32).map(|number| graph.node(number)).collect();
    let mut stores = vec![vec![]; count];
    for (reaction, &node) in rates.iter().enumerate() {
        stores[node as usize].push(reaction as u32);
    }
    // Operands have smaller numbers, so that one walk backward finds what is needed, and its last use.
    let mut last_use = vec![None; count];
    for number in (0..count).rev() {
        if !stores[number].is_empty() {
            last_use[number].get_or_insert(number);
        }
        if last_use[number].is_some() {
            for operand in operands(nodes[number]) {
                last_use[operand as usize].get_or_insert(number);
            }
        }
    }
    let mut lowering = Lowering::default();
    let mut register = vec![0; count];
    for number in (0..count).filter(|&number| last_use[number].is_some()) {
        let node = nodes[number];
        let of = |operand: u32| register[operand as usize];
        let free = |lowering: &mut Lowering| {
            let mut done: Vec<u32> =
                operands(node).into_iter().filter(|&o| last_use[o as usize] == Some(number)).collect();
            done.dedup();
            lowering.free.extend(done.into_iter().map(of));
        };
        // A choice reads its operands after its target was set; all else may take an operand's register.
        if !matches!(node, Node::Choose(..)) {
            free(&mut lowering);
        }
        let target = lowering.register();
        let emit = |operation, left, right| Instruction { operation, target, left, right };
        match node {
            Node::Constant(bits) => {
                let place = lowering.constant(f64::from_bits(bits));
                lowering.instructions.push(emit(Operation::Constant, place, 0));
            }
            Node::Input(input) => lowering.instructions.push(emit(Operation::Input, input, 0)),
            Node::Concentration(declared) => match species[declared as usize] {
                Some(place) => lowering.instructions.push(emit(Operation::Concentration, place as u32, 0)),
                // A species that no reaction has.
                None => {
                    let zero = lowering.constant(0.0);
                    lowering.instructions.push(emit(Operation::Constant, zero, 0));
                }
            },
            Node::Time => lowering.instructions.push(emit(Operation::Time, 0, 0)),
            Node::Operation(operation, left, right) => {
                lowering.instructions.push(emit(operation, of(left), of(right)));
            }
            Node::Choose(condition, yes, no) => {
                lowering.instructions.push(emit(Operation::Copy, of(no), of(no)));
                lowering.instructions.push(emit(Operation::Choose, of(condition), of(yes)));
                free(&mut lowering);
            }
        }
        register[number] = target;
        for &reaction in &stores[number] {
            let store = Instruction { operation: Operation::Store, target: reaction, left: target, right: 0 };
            lowering.instructions.push(store);
        }
        if last_use[number] == Some(number) {
            lowering.free.push(target);
        }
    }
    RateProgram::new(lowering.instructions, lowering.constants, [inputs, used, rates.len()])
        .map_err(|error| Error::plain(error.to_string()))
}

/// What is there so far.
#[derive(Default)]
struct Lowering {
    instructions: Vec<Instruction>,
    constants: Vec<f64>,
    free: Vec<u32>,
    registers: u32,
}

impl Lowering {
    fn register(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.registers += 1;
            self.registers - 1
        })
    }

    fn constant(&mut self, value: f64) -> u32 {
        self.constants.push(value);
        self.constants.len() as u32 - 1
    }
}

fn operands(node: Node) -> Vec<u32> {
    let mut all = match node {
        Node::Constant(_) | Node::Input(_) | Node::Concentration(_) | Node::Time => vec![],
        Node::Operation(operation, left, _) if operation.operands() == 1 => vec![left],
        Node::Operation(_, left, right) => vec![left, right],
        Node::Choose(condition, yes, no) => vec![condition, yes, no],
    };
    all.sort_unstable();
    all.dedup();
    all
}
