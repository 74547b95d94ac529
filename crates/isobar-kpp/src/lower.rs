//! From the graph to a rate program: what is needed, in order, in as few registers as it takes.

use isobar_rosenbrock::{Instruction, Operation, RateProgram, RateSlopes};

use crate::error::Error;
use crate::graph::{Graph, Node};
use crate::slopes::Slopes;

/// The program that computes rate constants, and their slopes if there are any. `species` are the places of declared
/// species among the concentrations, of which there are `used`; `inputs` are those of what formulas name.
pub(crate) fn program(
    graph: &Graph,
    rates: &[u32],
    slopes: Option<Slopes>,
    (species, used): (&[Option<usize>], usize),
    inputs: &[Option<u32>],
) -> Result<RateProgram, Error> {
    let wrong = |error: isobar_rosenbrock::Error| Error::plain(error.to_string());
    let places = Places { species, inputs };
    let plain = Lowering::of(graph, places, &[rates]);
    let sizes = [inputs.iter().flatten().count(), used, rates.len()];
    let program = RateProgram::new(plain.instructions, plain.constants, sizes).map_err(wrong)?;
    let Some(Slopes { nodes, slopes, sums }) = slopes else { return Ok(program) };
    let all = Lowering::of(graph, places, &[rates, &nodes]);
    let rates = all.sections[0];
    program
        .with_slopes(RateSlopes { instructions: all.instructions, constants: all.constants, rates, slopes, sums })
        .map_err(wrong)
}

/// Where declared species and named inputs stand in a cell.
#[derive(Clone, Copy)]
struct Places<'a> {
    species: &'a [Option<usize>],
    inputs: &'a [Option<u32>],
}

/// What is done, one after the other.
#[derive(Clone, Copy)]
enum Item {
    /// A node is computed.
    Node(u32),
    /// A node becomes a result.
    Store(u32, u32),
}

impl Item {
    fn reads(self, graph: &Graph) -> Vec<u32> {
        match self {
            Self::Node(number) => graph.node(number).operands(),
            Self::Store(number, _) => vec![number],
        }
    }
}

/// The items of sections, each of which gives the results of its nodes, and where each section ends.
fn items(graph: &Graph, sections: &[&[u32]]) -> (Vec<Item>, Vec<usize>) {
    let count = sections.iter().copied().flatten().max().map_or(0, |&last| last as usize + 1);
    let (mut done, mut items, mut ends) = (vec![false; count], vec![], vec![]);
    let mut result = 0;
    for nodes in sections {
        let mut stores = vec![vec![]; count];
        for &node in *nodes {
            stores[node as usize].push(result);
            result += 1;
        }
        let store = |items: &mut Vec<Item>, node: usize| {
            items.extend(stores[node].iter().map(|&result| Item::Store(node as u32, result)));
        };
        // What a section before has computed.
        (0..count).filter(|&node| done[node]).for_each(|node| store(&mut items, node));
        // Operands have smaller numbers, so that one walk backward finds what is needed.
        let mut needed: Vec<bool> = stores.iter().map(|stores| !stores.is_empty()).collect();
        for node in (0..count).rev().filter(|&node| !done[node]) {
            if needed[node] {
                graph.node(node as u32).operands().into_iter().for_each(|operand| needed[operand as usize] = true);
            }
        }
        for node in (0..count).filter(|&node| needed[node]) {
            if !std::mem::replace(&mut done[node], true) {
                items.push(Item::Node(node as u32));
                store(&mut items, node);
            }
        }
        ends.push(items.len());
    }
    (items, ends)
}

/// What is there so far.
#[derive(Default)]
struct Lowering {
    instructions: Vec<Instruction>,
    constants: Vec<f64>,
    /// How many instructions there are at the end of each section.
    sections: Vec<usize>,
    free: Vec<u32>,
    registers: u32,
}

impl Lowering {
    fn of(graph: &Graph, places: Places<'_>, sections: &[&[u32]]) -> Self {
        let (items, ends) = items(graph, sections);
        let nodes = items.iter().map(|item| match *item {
            Item::Node(node) | Item::Store(node, _) => node as usize + 1,
        });
        let count = nodes.max().unwrap_or(0);
        let mut last_use = vec![usize::MAX; count];
        for (place, item) in items.iter().enumerate() {
            item.reads(graph).into_iter().for_each(|node| last_use[node as usize] = place);
        }
        let mut lowering = Self::default();
        let mut register = vec![0; count];
        for (place, &item) in items.iter().enumerate() {
            while ends.get(lowering.sections.len()) == Some(&place) {
                lowering.sections.push(lowering.instructions.len());
            }
            let done: Vec<u32> =
                item.reads(graph).into_iter().filter(|&node| last_use[node as usize] == place).collect();
            let free = |lowering: &mut Self, register: &[u32]| {
                lowering.free.extend(done.iter().map(|&node| register[node as usize]));
            };
            match item {
                Item::Store(node, target) => {
                    let left = register[node as usize];
                    lowering.instructions.push(Instruction { operation: Operation::Store, target, left, right: 0 });
                    free(&mut lowering, &register);
                }
                Item::Node(number) => {
                    let node = graph.node(number);
                    // A choice reads its operands after its target was set; all else may take an operand's register.
                    let chooses = matches!(node, Node::Choose(..));
                    if !chooses {
                        free(&mut lowering, &register);
                    }
                    let target = lowering.register();
                    lowering.node(node, target, places, &register);
                    if chooses {
                        free(&mut lowering, &register);
                    }
                    register[number as usize] = target;
                }
            }
        }
        while lowering.sections.len() < ends.len() {
            lowering.sections.push(lowering.instructions.len());
        }
        lowering
    }

    /// Computes a node from the registers of its operands.
    fn node(&mut self, node: Node, target: u32, places: Places<'_>, register: &[u32]) {
        let of = |operand: u32| register[operand as usize];
        let mut emit = |operation, left, right| self.instructions.push(Instruction { operation, target, left, right });
        match node {
            Node::Constant(bits) => {
                emit(Operation::Constant, self.constants.len() as u32, 0);
                self.constants.push(f64::from_bits(bits));
            }
            Node::Input(input) => {
                emit(Operation::Input, places.inputs[input as usize].expect("an input that is read has a place"), 0);
            }
            Node::Concentration(declared) => {
                let place = places.species[declared as usize].expect("a species that is read has a place");
                emit(Operation::Concentration, place as u32, 0);
            }
            Node::Time => emit(Operation::Time, 0, 0),
            Node::Operation(operation, left, right) => emit(operation, of(left), of(right)),
            Node::Choose(condition, yes, no) => {
                emit(Operation::Copy, of(no), of(no));
                emit(Operation::Choose, of(condition), of(yes));
            }
        }
    }

    fn register(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.registers += 1;
            self.registers - 1
        })
    }
}
