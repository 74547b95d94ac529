//! How rate constants depend on the concentrations of variable species: their derivatives, as formulas.
//!
//! Adjoints go from a rate constant down to the concentrations, one walk for all of them. A long sum, as that of all
//! peroxy radicals in MCM, which hundreds of rates read, is a variable of its own here: the Jacobian then has a row and
//! a column for it, where it would otherwise be full.

use std::collections::BTreeMap;

use isobar_rosenbrock::{By, Of, Operation, Slope};

use crate::graph::{Graph, Node, Value};
use crate::limits::{LEAST_TERMS, MOST_STEPS};

/// The slopes of rate constants and sums.
#[derive(Clone, Debug)]
pub(crate) struct Slopes {
    /// The nodes of the numbers that slopes name.
    pub(crate) nodes: Vec<u32>,
    /// By the places of species among the concentrations.
    pub(crate) slopes: Vec<Slope>,
    /// How many sums there are.
    pub(crate) sums: usize,
}

/// What derivatives of rates are too large for.
#[derive(Debug)]
pub(crate) struct TooLarge;

/// The slopes of rate constants; none where none depends on a variable species. `place` is that of a declared species
/// among the concentrations, of which the first ones are variable.
pub(crate) fn slopes(
    graph: &Graph,
    rates: &[u32],
    place: &[Option<usize>],
    variable: usize,
) -> Result<Option<Slopes>, TooLarge> {
    let count = rates.iter().max().map_or(0, |&last| last as usize + 1);
    let nodes: Vec<Node> = (0..count as u32).map(|number| graph.node(number)).collect();
    let species = |declared: u32| place[declared as usize].filter(|&place| place < variable);
    let mut changes = vec![false; count];
    for (number, node) in nodes.iter().enumerate() {
        changes[number] = match node {
            Node::Concentration(declared) => species(*declared).is_some(),
            node => node.operands().into_iter().any(|operand| changes[operand as usize]),
        };
    }
    if !rates.iter().any(|&rate| changes[rate as usize]) {
        return Ok(None);
    }
    let sum_of = sums(&nodes, rates, &changes);
    let mut walk = Walk { graph, changes: &changes, sum_of: &sum_of, species: &species, steps: 0 };
    let mut all = Slopes { nodes: vec![], slopes: vec![], sums: sum_of.len() };
    let mut numbers = BTreeMap::new();
    let of_rates = rates.iter().enumerate().map(|(reaction, &node)| (Of::Rate(reaction as u32), node));
    let of_sums = sum_of.iter().map(|(&node, &sum)| (Of::Sum(sum), node));
    for (of, node) in of_rates.chain(of_sums) {
        for (by, slope) in walk.down(node, matches!(of, Of::Sum(_)))? {
            if slope.as_constant() == Some(0.0) {
                continue;
            }
            let number = *numbers.entry(slope.node).or_insert_with(|| {
                all.nodes.push(slope.node);
                all.nodes.len() as u32 - 1
            });
            all.slopes.push(Slope { of, by, number });
        }
    }
    Ok(Some(all))
}

/// The sums that become variables, with their numbers: of many terms that change, and not themselves terms alone.
fn sums(nodes: &[Node], rates: &[u32], changes: &[bool]) -> BTreeMap<u32, u32> {
    let is_sum = |node: Node| matches!(node, Node::Operation(Operation::Add | Operation::Subtract, ..));
    let (mut terms, mut needed) = (vec![0_u32; nodes.len()], vec![false; nodes.len()]);
    for (number, &node) in nodes.iter().enumerate().filter(|&(number, _)| changes[number]) {
        let of_operands = node.operands().into_iter().map(|operand| terms[operand as usize]);
        terms[number] = if is_sum(node) { of_operands.fold(0, u32::saturating_add) } else { 1 };
    }
    let mut ends = vec![false; nodes.len()];
    for &rate in rates {
        (needed[rate as usize], ends[rate as usize]) = (true, true);
    }
    for number in (0..nodes.len()).rev().filter(|&number| changes[number]) {
        if needed[number] {
            for operand in nodes[number].operands() {
                needed[operand as usize] = true;
                ends[operand as usize] |= !is_sum(nodes[number]);
            }
        }
    }
    let long =
        |&number: &usize| needed[number] && ends[number] && is_sum(nodes[number]) && terms[number] >= LEAST_TERMS;
    let found = (0..nodes.len()).filter(long).enumerate();
    found.map(|(sum, number)| (number as u32, sum as u32)).collect()
}

/// Walks from nodes down to what they depend on.
struct Walk<'g, 'a> {
    graph: &'g Graph,
    changes: &'a [bool],
    sum_of: &'a BTreeMap<u32, u32>,
    species: &'a dyn Fn(u32) -> Option<usize>,
    steps: usize,
}

impl<'g> Walk<'g, '_> {
    /// The slopes of a node by species and sums; it may be a sum itself.
    fn down(&mut self, from: u32, is_sum: bool) -> Result<Vec<(By, Value<'g>)>, TooLarge> {
        let mut found = vec![];
        if !self.changes[from as usize] {
            return Ok(found);
        }
        // Operands have smaller numbers: the last one is complete.
        let mut open = BTreeMap::from([(from, self.graph.constant(1.0))]);
        while let Some((number, adjoint)) = open.pop_last() {
            self.steps += 1;
            if self.steps > MOST_STEPS || self.graph.overflows() {
                return Err(TooLarge);
            }
            let node = self.graph.node(number);
            if let Some(&sum) = self.sum_of.get(&number).filter(|_| !(is_sum && number == from)) {
                found.push((By::Sum(sum), adjoint));
                continue;
            }
            if let Node::Concentration(declared) = node {
                found.extend((self.species)(declared).map(|species| (By::Species(species as u32), adjoint)));
                continue;
            }
            for (operand, part) in self.parts(number, node, adjoint) {
                if self.changes[operand as usize] && part.as_constant() != Some(0.0) {
                    open.entry(operand).and_modify(|sum| *sum = *sum + part).or_insert(part);
                }
            }
        }
        Ok(found)
    }

    /// What each operand of a node gets of its adjoint. A derivative that is infinite, as that of a root at 0, counts
    /// as 0: it is for the Jacobian, which need not be that of such a point.
    fn parts(&self, number: u32, node: Node, adjoint: Value<'g>) -> Vec<(u32, Value<'g>)> {
        let graph = self.graph;
        let (operation, left, right) = match node {
            Node::Operation(operation, left, right) => (operation, left, right),
            Node::Choose(condition, yes, no) => {
                let (condition, zero) = (graph.value(condition), graph.constant(0.0));
                let (first, second) = (adjoint.where_true(condition, zero), zero.where_true(condition, adjoint));
                return vec![(yes, first), (no, second)];
            }
            _ => return vec![],
        };
        let (l, r, value) = (graph.value(left), graph.value(right), graph.value(number));
        let one = |slope: Value<'g>| vec![(left, times(adjoint, slope))];
        let zero = graph.constant(0.0);
        let changes = |operand: u32| self.changes[operand as usize];
        match operation {
            Operation::Copy => vec![(left, adjoint)],
            Operation::Add => vec![(left, adjoint), (right, adjoint)],
            Operation::Subtract => vec![(left, adjoint), (right, -adjoint)],
            Operation::Multiply => vec![(left, times(adjoint, r)), (right, times(adjoint, l))],
            Operation::Divide => vec![(left, adjoint / r), (right, -(times(adjoint, value) / r))],
            Operation::Negate => vec![(left, -adjoint)],
            Operation::Power => {
                let mut all = vec![];
                let positive = zero.binary(Operation::Less, l);
                if changes(left) {
                    let slope = r * l.pow(r - 1.0);
                    let whole = r.as_constant().is_some_and(|r| r >= 1.0 && Operation::Floor.fold(r, 0.0, 0.0) == r);
                    all.push((left, times(adjoint, if whole { slope } else { slope.where_true(positive, zero) })));
                }
                if changes(right) {
                    all.push((right, times(adjoint, (value * l.ln()).where_true(positive, zero))));
                }
                all
            }
            Operation::Exp => one(value),
            Operation::Ln => vec![(left, adjoint / l)],
            Operation::Log10 => vec![(left, adjoint * std::f64::consts::LOG10_E / l)],
            Operation::SquareRoot => one((0.5 / value).where_true(zero.binary(Operation::Less, l), zero)),
            Operation::CubeRoot => {
                let at_zero = l.binary(Operation::Equal, zero);
                one(zero.where_true(at_zero, 1.0 / (3.0 * (value * value))))
            }
            Operation::Absolute => vec![(left, (-adjoint).where_true(l.binary(Operation::Less, zero), adjoint))],
            Operation::Minimum | Operation::Maximum => {
                let (low, high) = if operation == Operation::Minimum { (l, r) } else { (r, l) };
                let first = low.binary(Operation::LessOrEqual, high);
                vec![(left, adjoint.where_true(first, zero)), (right, zero.where_true(first, adjoint))]
            }
            Operation::Sine => one(l.unary(Operation::Cosine)),
            Operation::Cosine => one(-l.unary(Operation::Sine)),
            Operation::Tangent => one(1.0 + value * value),
            Operation::ArcSine | Operation::ArcCosine => {
                let rest = 1.0 - l * l;
                let slope = (1.0 / rest.sqrt()).where_true(zero.binary(Operation::Less, rest), zero);
                one(if operation == Operation::ArcSine { slope } else { -slope })
            }
            Operation::ArcTangent => one(1.0 / (1.0 + l * l)),
            Operation::ArcTangent2 => {
                let square = l * l + r * r;
                let positive = zero.binary(Operation::Less, square);
                let part = |slope: Value<'g>| times(adjoint, (slope / square).where_true(positive, zero));
                vec![(left, part(r)), (right, part(-l))]
            }
            Operation::HyperbolicTangent => one(1.0 - value * value),
            // Steps, whose derivative is 0 wherever it is one.
            Operation::Truncate
            | Operation::Floor
            | Operation::Less
            | Operation::LessOrEqual
            | Operation::Equal
            | Operation::And
            | Operation::Or
            | Operation::Not => vec![],
            Operation::Constant
            | Operation::Input
            | Operation::Concentration
            | Operation::Time
            | Operation::Store
            | Operation::Choose => unreachable!("no operation of a graph"),
        }
    }
}

/// A product, of which 1 is not computed.
fn times<'g>(a: Value<'g>, b: Value<'g>) -> Value<'g> {
    match (a.as_constant(), b.as_constant()) {
        (Some(1.0), _) => b,
        (_, Some(1.0)) => a,
        _ => a * b,
    }
}
