//! From formulas to the graph: what names stand for, and calls of functions.

use std::collections::{HashMap, HashSet};

use crate::error::Fault;
use crate::expression::{Expression, Step};
use crate::functions::Functions;
use crate::graph::{Graph, Value};
use crate::laws::{self, Air, LAWS};
use crate::source::Span;
use crate::statement::{Function, Statement};
use isobar_rosenbrock::Operation;

/// Functions may call each other so deep, and so often in all.
const MOST_NESTED: usize = 50;
const MOST_CALLS: usize = 100_000;

/// What a rate reads besides constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The name, as in `TEMP` or `jx(ip_NO2)`.
    pub name: String,
    /// What cells have that are not given any.
    pub default: Option<f64>,
    pub(crate) span: Span,
}

/// What stands on the stack: a value, or a name that may be an index.
enum Item<'g> {
    Value(Value<'g>),
    Name(String, Span),
}

/// Names of a function, in lower case; those without a value were declared.
type Locals<'g> = HashMap<String, Option<Value<'g>>>;

/// Turns formulas into values.
pub(crate) struct Evaluator<'g, 'm> {
    pub(crate) graph: &'g Graph,
    /// Declared species by their names in lower case.
    pub(crate) species: &'m HashMap<String, usize>,
    pub(crate) functions: &'m HashMap<String, Function>,
    pub(crate) own: &'m Functions,
    /// Names that the mechanism gives values, in lower case.
    pub(crate) names: HashMap<String, Value<'g>>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) input_of: HashMap<String, u32>,
    /// Values that inputs have unless others are given, by names in lower case.
    pub(crate) defaults: HashMap<String, f64>,
    /// The rate constants so far.
    pub(crate) rates: Vec<Value<'g>>,
    /// Which of them reactions have.
    pub(crate) reacts: Vec<bool>,
    /// Is sunlight a function of the time?
    pub(crate) sun_from_time: bool,
    /// What may be a mistake.
    pub(crate) notes: Vec<Fault>,
    /// Variables that blocks of inlined code declare and do not set, in lower case: the host model's.
    hosts: HashSet<String>,
    noted_arr2: bool,
    calls: usize,
    nested: usize,
}

impl<'g, 'm> Evaluator<'g, 'm> {
    pub(crate) fn new(
        graph: &'g Graph,
        species: &'m HashMap<String, usize>,
        functions: &'m HashMap<String, Function>,
        own: &'m Functions,
    ) -> Self {
        Self {
            graph,
            species,
            functions,
            own,
            names: HashMap::new(),
            inputs: vec![],
            input_of: HashMap::new(),
            defaults: HashMap::new(),
            rates: vec![],
            reacts: vec![false; species.len()],
            sun_from_time: false,
            notes: vec![],
            hosts: HashSet::new(),
            noted_arr2: false,
            calls: 0,
            nested: 0,
        }
    }

    /// The value of a formula outside of functions.
    pub(crate) fn value(&mut self, formula: &Expression) -> Result<Value<'g>, Fault> {
        self.formula(formula, &Locals::new())
    }

    /// Runs a statement of a block: what it sets are names from now on.
    pub(crate) fn block(&mut self, statement: &Statement) -> Result<(), Fault> {
        let mut locals = Locals::new();
        // No name has a blank.
        let mut run = Run { left: None, result: " none".to_owned() };
        self.statements(std::slice::from_ref(statement), &mut locals, None, &mut run)?;
        for (name, value) in locals {
            match value {
                Some(value) => {
                    self.names.insert(name, value);
                }
                None => {
                    self.hosts.insert(name);
                }
            }
        }
        Ok(())
    }

    fn formula(&mut self, formula: &Expression, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        let mut stack: Vec<Item<'g>> = vec![];
        for (step, span) in &formula.steps {
            let value = match step {
                Step::Number(value, true) => self.graph.integer(*value),
                Step::Number(value, false) => self.graph.constant(*value),
                Step::Name(name) => {
                    stack.push(Item::Name(name.clone(), *span));
                    continue;
                }
                Step::Call(name, count) => {
                    let arguments = stack.split_off(stack.len() - count);
                    self.call(name, *span, arguments, locals)?
                }
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

    fn resolve(&mut self, item: Item<'g>, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        let (name, span) = match item {
            Item::Value(value) => return Ok(value),
            Item::Name(name, span) => (name, span),
        };
        let lower = name.to_lowercase();
        match locals.get(&lower) {
            Some(Some(value)) => return Ok(*value),
            Some(None) => return Err(Fault::at(span, format!("`{name}` has no value yet"))),
            None => {}
        }
        if let Some(&value) = self.names.get(&lower) {
            return Ok(value);
        }
        match lower.as_str() {
            "time" => Ok(self.graph.time()),
            "sun" if self.sun_from_time => Ok(crate::sun::sun(self.graph)),
            species if self.species.get(species).is_some_and(|&species| self.reacts[species]) => {
                self.named_as_species(&name, span)
            }
            _ => Ok(self.input(&name, span)),
        }
    }

    /// A name alone that is also that of a species that reacts: never its concentration, which KPP has as `C(ind_NO)`.
    /// An input of that name would hold a number for ever that should follow the species. (Of a species that no
    /// reaction has, as water in MCM, the host model has the number.)
    fn named_as_species(&mut self, name: &str, span: Span) -> Result<Value<'g>, Fault> {
        if !self.hosts.contains(&name.to_lowercase()) {
            let fault = Fault::at(span, format!("`{name}` is a species, and no number that a rate can read"));
            return Err(fault.help(format!("write `C(ind_{name})` for its concentration")));
        }
        let before = self.inputs.len();
        let value = self.input(name, span);
        if self.inputs.len() > before {
            let what = format!(
                "`{name}`, which inlined code declares, is an input; the species' concentration is `C(ind_{name})`"
            );
            self.notes.push(Fault::at(span, what));
        }
        Ok(value)
    }

    /// Does a name stand for anything but an input?
    fn is_known(&self, name: &str, locals: &Locals<'g>) -> bool {
        let lower = name.to_lowercase();
        let known = ["temp", "sun", "cfactor", "time"].contains(&lower.as_str());
        known || locals.contains_key(&lower) || self.names.contains_key(&lower)
    }

    /// Is a name a whole number that code sets, as the index of an array is?
    fn is_index(&self, name: &str, locals: &Locals<'g>) -> bool {
        let lower = name.to_lowercase();
        let value = locals.get(&lower).copied().flatten().or_else(|| self.names.get(&lower).copied());
        let number = value.filter(|value| value.integer).and_then(|value| value.as_constant());
        number.is_some_and(|number| Operation::Floor.fold(number, 0.0, 0.0) == number)
    }

    fn input(&mut self, name: &str, span: Span) -> Value<'g> {
        let lower = name.to_lowercase();
        let next = self.inputs.len() as u32;
        let number = *self.input_of.entry(lower.clone()).or_insert(next);
        if number == next {
            let default = self.defaults.get(&lower).copied();
            self.inputs.push(Input { name: name.to_owned(), default, span });
        }
        self.graph.input(number)
    }

    /// An input by a name in lower case that stands nowhere in the text.
    fn builtin(&mut self, name: &str, span: Span) -> Value<'g> {
        match self.names.get(&name.to_lowercase()) {
            Some(&value) => value,
            None => self.input(name, span),
        }
    }

    fn call(
        &mut self,
        name: &str,
        span: Span,
        arguments: Vec<Item<'g>>,
        locals: &Locals<'g>,
    ) -> Result<Value<'g>, Fault> {
        let lower = name.to_lowercase();
        if let [Item::Name(index, place)] = &arguments[..]
            && ["c", "var", "fix", "conc", "v", "f", "y"].contains(&lower.as_str())
            && let Some(wanted) = species_of_index(index)
        {
            let species = self.species.get(&wanted.to_lowercase());
            let species = species.ok_or_else(|| {
                Fault::at(*place, format!("unknown species `{wanted}`"))
                    .nearest(wanted, self.species.keys().map(String::as_str))
            })?;
            return Ok(self.graph.concentration(*species as u32));
        }
        if let [Item::Value(index)] = &arguments[..]
            && lower == "rconst"
        {
            let number = index.as_constant().filter(|&n| n >= 1.0 && n <= self.rates.len() as f64);
            return match number {
                Some(number) => Ok(self.rates[number as usize - 1]),
                None => Err(Fault::at(span, "only rate constants of earlier equations can be used")),
            };
        }
        let is_function = self.own.get(&lower).is_some() || self.functions.contains_key(&lower);
        if let Some(index) = array_index(&arguments).filter(|_| !is_function && laws::intrinsic(&lower, &[]).is_none())
        {
            let known = matches!(&arguments[0], Item::Name(name, _)
                if self.is_known(name, locals) && !self.is_index(name, locals));
            let a_law = LAWS.iter().any(|law| law.eq_ignore_ascii_case(name)) || is_intrinsic(&lower, self.graph);
            if !known && !a_law {
                return Ok(self.input(&format!("{name}({index})"), span));
            }
        }
        let count = arguments.len();
        let x = arguments.into_iter().map(|item| self.resolve(item, locals)).collect::<Result<Vec<_>, _>>()?;
        if let Some((wanted, function)) = self.own.get(&lower) {
            return if *wanted == count { Ok(function(&x)) } else { Err(wrong_count(name, span, *wanted, count)) };
        }
        if let Some(function) = self.functions.get(&lower) {
            return self.run(function, span, &x);
        }
        if LAWS.iter().any(|law| law.eq_ignore_ascii_case(name)) {
            let air = || {
                let cfactor =
                    if laws::reads_density(&lower) { self.builtin("CFACTOR", span) } else { self.graph.constant(1.0) };
                Air { temperature: self.builtin("TEMP", span), cfactor }
            };
            if let Some(value) = laws::law(&lower, &x, air) {
                if lower == "arr2" && count == 2 && !std::mem::replace(&mut self.noted_arr2, true) {
                    let what = "`ARR2(a, b)` is a exp(b/T), as in KPP; WRF's a exp(-b/T) takes the temperature, too";
                    self.notes.push(Fault::at(span, what));
                }
                return Ok(value);
            }
            return Err(Fault::at(span, format!("the rate law `{name}` does not take {count} arguments")));
        }
        if let Some(value) = laws::intrinsic(&lower, &x) {
            return Ok(value);
        }
        let known = LAWS.iter().copied().chain(self.functions.values().map(|function| function.name.as_str()));
        let fault =
            Fault::at(span, format!("unknown rate function `{name}` of {count} arguments")).nearest(name, known);
        Err(if fault.help.is_some() {
            fault
        } else {
            fault.help("define it in an #INLINE block, or in Rust: `Reader::function`")
        })
    }

    /// Runs an inlined function.
    fn run(&mut self, function: &'m Function, span: Span, x: &[Value<'g>]) -> Result<Value<'g>, Fault> {
        if function.arguments.len() != x.len() {
            return Err(wrong_count(&function.name, span, function.arguments.len(), x.len()));
        }
        self.calls += 1;
        if self.nested >= MOST_NESTED || self.calls > MOST_CALLS {
            return Err(Fault::at(span, "rate functions call each other without end"));
        }
        self.nested += 1;
        let mut locals: Locals<'g> = function.arguments.iter().cloned().zip(x.iter().map(|&x| Some(x))).collect();
        let mut run = Run { left: None, result: function.result.clone() };
        self.statements(&function.body, &mut locals, None, &mut run)?;
        self.nested -= 1;
        match locals.get(&function.result) {
            Some(Some(value)) => Ok(value.real()),
            _ => Err(Fault::at(function.span, format!("the function `{}` does not set its result", function.name))),
        }
    }

    /// Runs statements of a function under a condition.
    fn statements(
        &mut self,
        all: &[Statement],
        locals: &mut Locals<'g>,
        condition: Option<Value<'g>>,
        run: &mut Run<'g>,
    ) -> Result<(), Fault> {
        for statement in all {
            let active = both(condition, run.left.map(|left| left.unary(Operation::Not)));
            if active.is_some_and(|active| active.as_constant() == Some(0.0)) {
                return Ok(());
            }
            match statement {
                Statement::Assign { name, value } => {
                    let value = self.formula(value, locals)?;
                    self.assign(locals, name, value, active);
                }
                Statement::Declare(names) => {
                    for name in names.iter().filter(|name| *name != &run.result) {
                        locals.entry(name.clone()).or_insert(None);
                    }
                }
                Statement::Return(value) => {
                    if let Some(value) = value {
                        let value = self.formula(value, locals)?;
                        let result = run.result.clone();
                        self.assign(locals, &result, value, active);
                    }
                    let now = active.unwrap_or_else(|| self.graph.constant(1.0));
                    run.left = Some(run.left.map_or(now, |left| left.binary(Operation::Or, now)));
                }
                Statement::If(arms) => {
                    let mut rest = active;
                    for (test, body) in arms {
                        let Some(test) = test else {
                            self.statements(body, locals, rest, run)?;
                            break;
                        };
                        let test = self.formula(test, locals)?;
                        self.statements(body, locals, both(rest, Some(test)), run)?;
                        rest = both(rest, Some(test.unary(Operation::Not)));
                    }
                }
                Statement::Beyond(fault) => return Err(fault.clone()),
            }
        }
        Ok(())
    }

    fn assign(&self, locals: &mut Locals<'g>, name: &str, value: Value<'g>, active: Option<Value<'g>>) {
        let value = match active {
            None => value,
            Some(active) => {
                let before = locals.get(name).copied().flatten().or_else(|| self.names.get(name).copied());
                let before = before.unwrap_or_else(|| self.graph.constant(f64::NAN));
                value.where_true(active, before)
            }
        };
        locals.insert(name.to_owned(), Some(value));
    }
}

/// How far a function has come.
struct Run<'g> {
    /// Where it has been left.
    left: Option<Value<'g>>,
    /// The name of its result.
    result: String,
}

/// Two conditions at once; none is always true.
fn both<'g>(first: Option<Value<'g>>, second: Option<Value<'g>>) -> Option<Value<'g>> {
    let (Some(a), Some(b)) = (first, second) else { return first.or(second) };
    match (a.as_constant(), b.as_constant()) {
        (Some(0.0), _) => first,
        (_, Some(0.0)) => second,
        (Some(_), _) => second,
        (_, Some(_)) => first,
        _ => Some(a.binary(Operation::And, b)),
    }
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
        _ => left.binary(Operation::Or, right),
    }
}

/// The species that an index of KPP's names: `ind_NO`, and `indf_M` among the fixed ones alone.
fn species_of_index(index: &str) -> Option<&str> {
    let (prefix, species) = index.split_once('_')?;
    let known = ["ind", "indf", "indv"].iter().any(|known| known.eq_ignore_ascii_case(prefix));
    (known && !species.is_empty()).then_some(species)
}

/// The index of an element of an array: a name, or a whole number.
fn array_index(arguments: &[Item<'_>]) -> Option<String> {
    match arguments {
        [Item::Name(name, _)] => Some(name.clone()),
        [Item::Value(value)] if value.integer => value.as_constant().map(|number| number.to_string()),
        _ => None,
    }
}

fn is_intrinsic(name: &str, graph: &Graph) -> bool {
    let one = graph.constant(1.0);
    (1..=3).any(|count| laws::intrinsic(name, &[one; 3][..count]).is_some())
}

fn wrong_count(name: &str, span: Span, wanted: usize, count: usize) -> Fault {
    Fault::at(span, format!("`{name}` takes {wanted} arguments, not {count}"))
}
