//! From formulas to the graph: what names stand for, and calls of functions.

mod arrays;
mod calls;
mod effects;
mod elements;
mod left_out;
mod names;
mod parts;
mod run;
mod statements;
mod subroutines;
mod turn;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::error::Fault;
use crate::expression::{Expression, Step};
use crate::functions::Functions;
use crate::graph::{Graph, Value};
use crate::source::{Sources, Span};
use crate::statement::{Function, Statement};
pub(crate) use calls::OpenCall;
use elements::Elements;
use isobar_rosenbrock::Operation;
pub(crate) use left_out::OF_CELLS;
pub(crate) use names::species_of_index;
use run::{Numbers, Run};
use turn::Turn;

/// What a rate reads besides constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The name, as in `TEMP` or `jx(ip_NO2)`.
    pub name: String,
    /// What cells have that are not given any.
    pub default: Option<f64>,
    /// Does a rate take the sine, cosine or tangent of it? It is an angle in radians then.
    pub radians: bool,
    /// The order of the reactions whose rate constant it is, if there are such and all have one. MUSICA's may be times
    /// numbers and densities of air, each of which counts for a reactant.
    pub order: Option<u32>,
    pub(crate) span: Span,
}

/// What stands on the stack: a value, or a name that may be an index.
#[derive(Clone)]
enum Item<'g> {
    Value(Value<'g>),
    Name(String, Span),
    /// First, last and step of an index.
    Range([Option<i64>; 3], Span),
}

/// What a name of a function stands for.
#[derive(Clone)]
enum Local<'g> {
    /// It was declared, and has no value yet.
    Unset,
    Value(Value<'g>),
    Array(Elements<'g>),
    /// An array of the host model, by its name there.
    Host(String),
}

/// Names of a function, in lower case.
type Locals<'g> = HashMap<String, Local<'g>>;

/// What formulas are evaluated with.
#[derive(Clone, Copy)]
pub(crate) struct Context<'m> {
    pub(crate) sources: &'m Sources,
    /// Declared species by their names in lower case.
    pub(crate) species: &'m HashMap<String, usize>,
    /// Inlined functions by their names in lower case.
    pub(crate) functions: &'m HashMap<String, Function>,
    pub(crate) own: &'m Functions,
}

/// Turns formulas into values.
pub(crate) struct Evaluator<'g, 'm> {
    pub(crate) graph: &'g Graph,
    pub(crate) context: Context<'m>,
    /// Names that the mechanism gives values, in lower case.
    pub(crate) names: HashMap<String, Value<'g>>,
    /// Arrays with the elements that the mechanism gives values, in lower case.
    arrays: HashMap<String, Elements<'g>>,
    pub(crate) inputs: Vec<Input>,
    input_of: HashMap<String, u32>,
    /// The inputs that rates name, but for those of which only an open call is made.
    pub(crate) named_by_rates: BTreeSet<u32>,
    /// What the formula at hand has named.
    named: BTreeSet<u32>,
    /// Did it have an open call?
    had_open_call: bool,
    /// Values that inputs have unless others are given, by names in lower case.
    pub(crate) defaults: HashMap<String, f64>,
    /// The rate constants so far.
    pub(crate) rates: Vec<Value<'g>>,
    /// Which of the species reactions have.
    pub(crate) reacts: Vec<bool>,
    /// Is sunlight a function of the time?
    pub(crate) sun_from_time: bool,
    /// Is the index of a species that is not declared 0 (`#DUMMYINDEX`)?
    pub(crate) dummy_index: bool,
    /// Are calls of functions that cannot be read inputs?
    pub(crate) open_laws: bool,
    /// Those calls.
    pub(crate) opened: Vec<OpenCall>,
    /// What may be a mistake.
    pub(crate) notes: Vec<Fault>,
    /// Variables that blocks of inlined code declare and do not set, in lower case: the host model's.
    hosts: HashSet<String>,
    /// The arrays among them.
    host_arrays: HashSet<String>,
    /// The inputs that elements of the host model's arrays are, by array in lower case and index.
    host_elements: HashMap<(String, Vec<i64>), String>,
    /// What names hold that are declared outside of functions, in lower case.
    numbers: Numbers,
    /// Names that are declared as constants outside of functions, in lower case.
    constants: HashSet<String>,
    /// Names that code may have changed that was left out, in lower case.
    pub(crate) lost: BTreeSet<String>,
    /// Where code was left out that jumps, the first time.
    jumped: Option<Span>,
    /// The functions that run, each called by the one before.
    running: Vec<&'m Function>,
    /// What functions have set that is not theirs, until the formula at hand is done.
    effects: Vec<(String, Local<'g>)>,
    /// What was left out, by where it stands.
    noted_left_out: HashSet<(usize, usize, usize)>,
    /// Laws that stand in for a module's functions, in lower case.
    noted_laws: HashSet<String>,
    noted_arr2: bool,
    /// Does a law take 1e6 CFACTOR for the air?
    pub(crate) air_of_cfactor: bool,
    /// Functions that change their arguments, by where they stand.
    noted_changes: HashSet<(usize, usize)>,
    /// Functions that keep variables, by where they stand.
    noted_kept: HashSet<(usize, usize)>,
    /// Species that were taken for their concentrations.
    noted_species: HashSet<usize>,
    calls: usize,
    nested: usize,
    /// Of all loops together.
    turns: usize,
    /// Steps of formulas and copies of elements so far.
    work: usize,
    /// The element at hand of arrays in a formula.
    turn: Option<Turn>,
}

impl<'g, 'm> Evaluator<'g, 'm> {
    pub(crate) fn new(graph: &'g Graph, context: Context<'m>) -> Self {
        Self {
            graph,
            context,
            names: HashMap::new(),
            arrays: HashMap::new(),
            inputs: vec![],
            input_of: HashMap::new(),
            named_by_rates: BTreeSet::new(),
            named: BTreeSet::new(),
            had_open_call: false,
            defaults: HashMap::new(),
            rates: vec![],
            reacts: vec![false; context.species.len()],
            sun_from_time: false,
            dummy_index: false,
            open_laws: false,
            opened: vec![],
            notes: vec![],
            hosts: HashSet::new(),
            host_arrays: HashSet::new(),
            host_elements: HashMap::new(),
            numbers: Numbers::new(),
            constants: HashSet::new(),
            lost: BTreeSet::new(),
            jumped: None,
            running: vec![],
            effects: vec![],
            noted_left_out: HashSet::new(),
            noted_laws: HashSet::new(),
            noted_arr2: false,
            air_of_cfactor: false,
            noted_changes: HashSet::new(),
            noted_kept: HashSet::new(),
            noted_species: HashSet::new(),
            calls: 0,
            nested: 0,
            turns: 0,
            work: 0,
            turn: None,
        }
    }

    /// The value of a formula outside of functions.
    pub(crate) fn value(&mut self, formula: &Expression) -> Result<Value<'g>, Fault> {
        self.formula(formula, &Locals::new())
    }

    /// The value of a rate, the next one.
    pub(crate) fn rate(&mut self, formula: &Expression) -> Result<Value<'g>, Fault> {
        (self.had_open_call, self.named) = (false, BTreeSet::new());
        self.effects.clear();
        let value = self.value(formula)?;
        self.settle_outside();
        if !self.had_open_call {
            self.named_by_rates.append(&mut self.named);
        }
        Ok(value)
    }

    /// Runs a statement of a block: what it sets are names from now on.
    pub(crate) fn block(&mut self, statement: &'m Statement) -> Result<(), Fault> {
        let mut locals = Locals::new();
        // No name has a blank.
        let mut run = Run::new(" none");
        self.effects.clear();
        self.statements(std::slice::from_ref(statement), &mut locals, None, &mut run)?;
        self.keep(locals);
        Ok(())
    }

    /// What names have outside of functions from now on.
    fn keep(&mut self, locals: Locals<'g>) {
        for (name, local) in locals {
            match local {
                Local::Value(value) => {
                    self.names.insert(name, value);
                }
                Local::Array(elements) => {
                    self.host_arrays.insert(name.clone());
                    self.arrays.insert(name, elements);
                }
                Local::Unset | Local::Host(_) => {
                    self.hosts.insert(name);
                }
            }
        }
    }

    /// A name that the mechanism has given a value begins with another one.
    pub(crate) fn begin_with(&mut self, name: &str, value: f64) {
        let number = self.number(name, &Numbers::new());
        if let Some(known) = self.names.get_mut(name) {
            *known = self.graph.constant(value).taken_as(number);
        }
    }

    fn formula(&mut self, formula: &Expression, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        self.work(formula.steps.len(), formula.span)?;
        let mut stack: Vec<Item<'g>> = vec![];
        for (step, span) in &formula.steps {
            let value = match step {
                Step::Number(value, true) => self.graph.integer(*value),
                Step::Number(value, false) => self.graph.constant(*value),
                Step::Name(name) => {
                    stack.push(Item::Name(name.clone(), *span));
                    continue;
                }
                Step::Call(name, count, end) => {
                    let arguments = stack.split_off(stack.len() - count);
                    self.call((name, *span, *end), arguments, locals)?
                }
                Step::Range(there) => {
                    let mut numbers = [None; 3];
                    for (number, _) in numbers.iter_mut().zip(there).rev().filter(|(_, there)| **there) {
                        let value = self.pop(&mut stack, locals)?;
                        let whole = whole_number(value);
                        let what = "the index of an array is not a whole number here";
                        *number = Some(whole.ok_or_else(|| Fault::at(*span, what))?);
                    }
                    stack.push(Item::Range(numbers, *span));
                    continue;
                }
                Step::Fold(name, inner) => self.fold((name, *span), inner, locals)?,
                Step::Unary(sign) => {
                    let x = self.pop(&mut stack, locals)?;
                    if *sign == "-" { -x } else { x.unary(Operation::Not) }
                }
                Step::Binary(sign) => {
                    let (right, left) = (self.pop(&mut stack, locals)?, self.pop(&mut stack, locals)?);
                    binary(sign, left, right)
                }
                Step::Choose => {
                    let (no, yes) = (self.pop(&mut stack, locals)?, self.pop(&mut stack, locals)?);
                    yes.where_true(self.pop(&mut stack, locals)?, no)
                }
            };
            if self.graph.overflows() {
                return Err(Fault::at(*span, "the formulas are too large"));
            }
            stack.push(Item::Value(value));
        }
        self.pop(&mut stack, locals)
    }

    fn pop(&mut self, stack: &mut Vec<Item<'g>>, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        let item = stack.pop().expect("a formula has operands before operators");
        self.resolve(item, locals)
    }

    /// A whole number that does not depend on anything.
    fn whole(&mut self, formula: &Expression, locals: &Locals<'g>, what: &str) -> Result<i64, Fault> {
        let value = self.formula(formula, locals)?;
        whole_number(value).ok_or_else(|| Fault::at(formula.span, format!("{what} is not a whole number here")))
    }
}

/// The whole number that a value is, whatever its form.
fn whole_number(value: Value<'_>) -> Option<i64> {
    let number = value.as_constant()?;
    let whole = Operation::Truncate.fold(number, 0.0, 0.0);
    // Far below what an i64 holds, and exact.
    (whole.to_bits() == number.to_bits() && number.abs() < 1e9).then_some(number as i64)
}

fn binary<'g>(sign: &str, left: Value<'g>, right: Value<'g>) -> Value<'g> {
    match sign {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "**" => left.pow(right),
        "<" => left.binary(Operation::Less, right),
        "<=" => left.binary(Operation::LessOrEqual, right),
        ">" => right.binary(Operation::Less, left),
        ">=" => right.binary(Operation::LessOrEqual, left),
        "==" => left.binary(Operation::Equal, right),
        "!=" => left.binary(Operation::Equal, right).unary(Operation::Not),
        "&&" => left.binary(Operation::And, right),
        // Whatever is not 0 is true.
        ".eqv." | ".neqv." => {
            let same = left.unary(Operation::Not).binary(Operation::Equal, right.unary(Operation::Not));
            if sign == ".eqv." { same } else { same.unary(Operation::Not) }
        }
        _ => left.binary(Operation::Or, right),
    }
}
