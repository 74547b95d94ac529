//! Formulas as a graph: what is computed twice is one node, and what is constant is a number.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use isobar_rosenbrock::Operation;

use crate::limits::{MOST_NODES, MOST_PRODUCT_POWER};
use crate::statement::Number;

/// A node's operation and operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// A number, by its bits.
    Constant(u64),
    /// An input column.
    Input(u32),
    /// The concentration of a declared species.
    Concentration(u32),
    /// The time.
    Time,
    /// An operation on one or two nodes.
    Operation(Operation, u32, u32),
    /// The second node where the first is true, elsewhere the third.
    Choose(u32, u32, u32),
}

impl Node {
    /// The nodes that this one is computed of, each once.
    pub(crate) fn operands(self) -> Vec<u32> {
        let mut all = match self {
            Self::Constant(_) | Self::Input(_) | Self::Concentration(_) | Self::Time => vec![],
            Self::Operation(operation, left, _) if operation.operands() == 1 => vec![left],
            Self::Operation(_, left, right) => vec![left, right],
            Self::Choose(condition, yes, no) => vec![condition, yes, no],
        };
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[derive(Debug, Default)]
struct Inner {
    nodes: Vec<Node>,
    known: HashMap<Node, u32>,
    overflow: bool,
}

/// The nodes of all rate constants.
#[derive(Debug, Default)]
pub struct Graph(RefCell<Inner>);

/// A number that rate constants are made of: a constant, an input of the cell, or what is computed of them.
///
/// A rate function in Rust gets its arguments as values, and gives one; with operators and the methods here it becomes
/// part of the rate program, which runs on every device: `|x| 3.0e-12 * (-x[0] / x[1]).exp()`.
#[derive(Clone, Copy, Debug)]
pub struct Value<'g> {
    graph: &'g Graph,
    pub(crate) node: u32,
    pub(crate) integer: bool,
}

impl Graph {
    fn add(&self, node: Node) -> Value<'_> {
        let mut inner = self.0.borrow_mut();
        let next = inner.nodes.len() as u32;
        let known = inner.known.get(&node).copied();
        let node = known.unwrap_or_else(|| {
            if inner.nodes.len() >= MOST_NODES {
                inner.overflow = true;
                return 0;
            }
            inner.nodes.push(node);
            inner.known.insert(node, next);
            next
        });
        Value { graph: self, node, integer: false }
    }

    /// A number.
    pub fn constant(&self, value: f64) -> Value<'_> {
        // Two zeros that compare equal are one, and so are all NaNs.
        let bits = if value == 0.0 && value.is_sign_positive() { 0 } else { value.to_bits() };
        self.add(Node::Constant(bits))
    }

    pub(crate) fn integer(&self, value: f64) -> Value<'_> {
        Value { integer: true, ..self.constant(value) }
    }

    pub(crate) fn input(&self, number: u32) -> Value<'_> {
        self.add(Node::Input(number))
    }

    pub(crate) fn concentration(&self, species: u32) -> Value<'_> {
        self.add(Node::Concentration(species))
    }

    pub(crate) fn time(&self) -> Value<'_> {
        self.add(Node::Time)
    }

    pub(crate) fn value(&self, node: u32) -> Value<'_> {
        Value { graph: self, node, integer: false }
    }

    /// Were there more nodes than there may be?
    pub(crate) fn overflows(&self) -> bool {
        self.0.borrow().overflow
    }

    pub(crate) fn node(&self, number: u32) -> Node {
        self.0.borrow().nodes[number as usize]
    }

    /// The declared species whose concentrations some nodes depend on.
    pub(crate) fn species_of(&self, nodes: &[u32]) -> BTreeSet<usize> {
        let species = |node| if let Node::Concentration(species) = node { Some(species as usize) } else { None };
        self.below(nodes).into_iter().filter_map(species).collect()
    }

    /// The inputs that some nodes depend on.
    pub(crate) fn inputs_of(&self, nodes: &[u32]) -> BTreeSet<u32> {
        let input = |node| if let Node::Input(input) = node { Some(input) } else { None };
        self.below(nodes).into_iter().filter_map(input).collect()
    }

    /// The inputs of which some nodes take a sine, cosine or tangent.
    pub(crate) fn angles(&self, nodes: &[u32]) -> BTreeSet<u32> {
        let angle = |node| match node {
            Node::Operation(Operation::Sine | Operation::Cosine | Operation::Tangent, of, _) => Some(self.node(of)),
            _ => None,
        };
        let input = |node| if let Node::Input(input) = node { Some(input) } else { None };
        self.below(nodes).into_iter().filter_map(angle).filter_map(input).collect()
    }

    /// The inputs of which a node is the product, with numbers or without, and whether it is just an input; none if it
    /// is anything else.
    pub(crate) fn factors(&self, node: u32) -> Option<(Vec<u32>, bool)> {
        let (mut inputs, mut open) = (vec![], vec![node]);
        while let Some(number) = open.pop() {
            match self.node(number) {
                Node::Constant(_) => {}
                Node::Input(input) => inputs.push(input),
                Node::Operation(Operation::Multiply, left, right) => open.extend([left, right]),
                _ => return None,
            }
        }
        Some((inputs, matches!(self.node(node), Node::Input(_))))
    }

    /// Nodes, and all that they depend on.
    fn below(&self, nodes: &[u32]) -> Vec<Node> {
        let (mut all, mut open) = (Vec::new(), nodes.to_vec());
        let mut known = vec![false; self.0.borrow().nodes.len()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut known[number as usize], true) {
                all.push(self.node(number));
                open.extend(self.node(number).operands());
            }
        }
        all
    }

    /// Whether each node depends on an input.
    pub(crate) fn reads_input(&self, input: u32) -> Vec<bool> {
        let nodes = &self.0.borrow().nodes;
        let mut reads: Vec<bool> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let own = *node == Node::Input(input);
            reads.push(own || node.operands().into_iter().any(|operand| reads[operand as usize]));
        }
        reads
    }

    fn number(&self, node: u32) -> Option<f64> {
        match self.node(node) {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn apply(&self, operation: Operation, left: u32, right: u32) -> Value<'_> {
        let one = operation.operands() == 1;
        match (self.number(left), self.number(right)) {
            (Some(l), Some(r)) => self.constant(operation.fold(l, r, 0.0)),
            (Some(l), _) if one => self.constant(operation.fold(l, l, 0.0)),
            _ => self.add(Node::Operation(operation, left, right)),
        }
    }
}

impl<'g> Value<'g> {
    fn of(self, operation: Operation) -> Self {
        let integer = gives_integer(operation, self.integer);
        Self { integer, ..self.graph.apply(operation, self.node, self.node) }
    }

    fn with(self, operation: Operation, other: Self) -> Self {
        let integer = gives_integer(operation, self.integer && other.integer);
        Self { integer, ..self.graph.apply(operation, self.node, other.node) }
    }

    /// The value as a real number, whatever its form.
    pub(crate) fn real(self) -> Self {
        Self { integer: false, ..self }
    }

    /// The whole number that the value is when its fraction is cut, as Fortran and C do.
    pub(crate) fn cut(self) -> Self {
        if self.integer { self } else { self.of(Operation::Truncate).whole() }
    }

    /// The value, which has no fraction, as an integer.
    pub(crate) fn whole(self) -> Self {
        Self { integer: true, ..self }
    }

    /// The whole number next to the value; halves go away from 0.
    pub(crate) fn nearest(self) -> Self {
        let whole = self.cut();
        // Both differences are exact.
        whole + (2.0 * (self.real() - whole.real())).cut()
    }

    /// What a name that is declared so holds when it is given the value.
    pub(crate) fn taken_as(self, number: Option<Number>) -> Self {
        match number {
            Some(Number::Real) => self.real(),
            Some(Number::Integer) => self.cut(),
            None => self,
        }
    }

    /// The number, if it does not depend on anything.
    #[must_use]
    pub fn as_constant(self) -> Option<f64> {
        self.graph.number(self.node)
    }

    /// A number beside this one.
    #[must_use]
    pub fn constant(self, value: f64) -> Self {
        self.graph.constant(value)
    }

    /// The negative.
    #[must_use]
    pub fn negated(self) -> Self {
        self.of(Operation::Negate)
    }

    /// e to the power of the value.
    #[must_use]
    pub fn exp(self) -> Self {
        self.of(Operation::Exp)
    }

    /// The natural logarithm.
    #[must_use]
    pub fn ln(self) -> Self {
        self.of(Operation::Ln)
    }

    /// The decimal logarithm.
    #[must_use]
    pub fn log10(self) -> Self {
        self.of(Operation::Log10)
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(self) -> Self {
        self.of(Operation::SquareRoot)
    }

    /// Any operation on one value.
    #[must_use]
    pub fn unary(self, operation: Operation) -> Self {
        debug_assert_eq!(operation.operands(), 1);
        self.of(operation)
    }

    /// Any operation on two values.
    #[must_use]
    pub fn binary(self, operation: Operation, other: Self) -> Self {
        debug_assert_eq!(operation.operands(), 2);
        self.with(operation, other)
    }

    /// The value to a power; small whole powers are products.
    #[must_use]
    pub fn pow(self, power: Self) -> Self {
        if self.integer && power.integer {
            return self.whole_power(power);
        }
        let (base, whole) = (self.real(), |power: &f64| Operation::Truncate.fold(*power, 0.0, 0.0) == *power);
        match power.as_constant().filter(|power| power.abs() <= MOST_PRODUCT_POWER).filter(whole) {
            Some(constant) if constant < 0.0 => self.constant(1.0) / base.product(constant.abs() as u32),
            Some(constant) => base.product(constant as u32),
            None => base.with(Operation::Power, power),
        }
    }

    /// The power of integers, which is one.
    fn whole_power(self, power: Self) -> Self {
        if let Some(constant) = power.as_constant() {
            let product = self.product(constant.abs() as u32);
            return if constant < 0.0 { self.graph.integer(1.0) / product } else { product };
        }
        let result = self.real().with(Operation::Power, power.real());
        // Of a negative power only that of 1 and -1 is not 0.
        result.cut().where_true(power.with(Operation::Less, self.constant(0.0)), result.nearest())
    }

    /// The value times itself, so many times.
    fn product(self, times: u32) -> Self {
        let mut product = Self { integer: self.integer, ..self.constant(1.0) };
        let (mut square, mut rest) = (self, times);
        while rest > 0 {
            if rest & 1 == 1 {
                product = if product.as_constant() == Some(1.0) { square } else { product * square };
            }
            rest >>= 1;
            square = if rest > 0 { square * square } else { square };
        }
        product
    }

    /// This value where the condition is true (not 0), elsewhere the other one.
    #[must_use]
    pub fn where_true(self, condition: Self, other: Self) -> Self {
        let chosen = match condition.as_constant() {
            Some(0.0) => other,
            Some(_) => self,
            None if self.node == other.node => self,
            None => self.graph.add(Node::Choose(condition.node, self.node, other.node)),
        };
        Self { integer: self.integer && other.integer, ..chosen }
    }

    /// What a name holds that gets this value where a condition is true, and had another one before, if any.
    pub(crate) fn given_where(self, condition: Option<Self>, before: Option<Self>) -> Self {
        let Some(condition) = condition else { return self };
        let nothing = || Self { integer: self.integer, ..self.constant(f64::NAN) };
        self.where_true(condition, before.unwrap_or_else(nothing))
    }
}

/// Is the result of an operation an integer where its operands are, or are not? That of a quotient is cut first.
fn gives_integer(operation: Operation, operands: bool) -> bool {
    use Operation::{Absolute, Add, Maximum, Minimum, Multiply, Negate, Subtract};
    use Operation::{And, Equal, Less, LessOrEqual, Not, Or};
    match operation {
        Add | Subtract | Multiply | Minimum | Maximum | Negate | Absolute => operands,
        // To C.
        Less | LessOrEqual | Equal | And | Or | Not => true,
        _ => false,
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operation:ident) => {
        impl<'g> std::ops::$trait for Value<'g> {
            type Output = Value<'g>;
            fn $method(self, other: Self) -> Self {
                let result = self.with(Operation::$operation, other);
                // Fortran and C cut quotients of integers.
                let divides = Operation::$operation == Operation::Divide;
                if divides && self.integer && other.integer { result.cut() } else { result }
            }
        }
        impl<'g> std::ops::$trait<f64> for Value<'g> {
            type Output = Value<'g>;
            fn $method(self, other: f64) -> Self {
                self.with(Operation::$operation, self.constant(other))
            }
        }
        impl<'g> std::ops::$trait<Value<'g>> for f64 {
            type Output = Value<'g>;
            fn $method(self, other: Value<'g>) -> Value<'g> {
                other.constant(self).with(Operation::$operation, other)
            }
        }
    };
}

operator!(Add, add, Add);
operator!(Sub, sub, Subtract);
operator!(Mul, mul, Multiply);
operator!(Div, div, Divide);

impl std::ops::Neg for Value<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.negated()
    }
}
