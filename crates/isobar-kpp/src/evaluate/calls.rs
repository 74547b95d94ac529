//! Calls: concentrations, elements of arrays, laws and functions.

use std::collections::BTreeSet;

use super::names::species_of_index;
use super::subroutines::Done;
use super::{Evaluator, Item, Local, Locals};
use crate::error::Fault;
use crate::graph::Value;
use crate::laws::{self, Air};
use crate::source::Span;
use crate::statement::{Function, Number};

/// A call that cannot be read and is an input.
#[derive(Clone, Debug)]
pub(crate) struct OpenCall {
    /// The function.
    pub(crate) name: String,
    /// The input, which is the call as it stands there, without blanks, and its number.
    pub(crate) input: String,
    pub(crate) number: u32,
    /// Why it cannot be read, and where.
    pub(crate) fault: Fault,
    /// Where it stands.
    pub(crate) span: Span,
}

/// What helps against an unknown function.
const OPEN: &str = "define it in an #INLINE block or in Rust (`Reader::function`), or give its values or all rate \
                    constants with the cells (`isobar kpp info` names the inputs)";

/// Functions that may be given the kind of their result.
const TO_KINDS: [&str; 7] = ["real", "int", "nint", "aint", "anint", "floor", "ceiling"];

/// Records of host models that functions are given, in lower case: no index of an array.
const RECORDS: [&str; 1] = ["state_het"];

impl<'g, 'm> Evaluator<'g, 'm> {
    pub(super) fn call(
        &mut self,
        (name, span, end): (&str, Span, Span),
        arguments: Vec<Item<'g>>,
        locals: &Locals<'g>,
    ) -> Result<Value<'g>, Fault> {
        let lower = name.to_lowercase();
        if let [Item::Name(index, place)] = &arguments[..]
            && self.has_concentrations(&lower, locals)
            && let Some(wanted) = species_of_index(index)
        {
            let known = self.context.species;
            let species = known.get(&wanted.to_lowercase()).ok_or_else(|| {
                Fault::at(*place, format!("unknown species `{wanted}`"))
                    .nearest(wanted, known.keys().map(String::as_str))
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
        if let Some(value) = self.element((name, span), &arguments, locals)? {
            return Ok(value);
        }
        // Only an array has parts.
        if arguments.iter().any(|argument| matches!(argument, Item::Range(..))) {
            let host = Locals::from([(lower, Local::Host(name.to_owned()))]);
            let value = self.element((name, span), &arguments, &host)?;
            return value.ok_or_else(|| Fault::at(span, format!("`{name}` is no array")));
        }
        if let [Item::Name(array, _)] = &arguments[..]
            && let Some(value) = self.of_array((&lower, span), array, locals)?
        {
            return Ok(value);
        }
        if let Some((wanted, function)) = self.context.own.get(&lower) {
            let x: Vec<Value<'g>> = self.values(arguments, locals)?.into_iter().map(Value::real).collect();
            return if *wanted == x.len() { Ok(function(&x)) } else { Err(wrong_count(name, span, *wanted, x.len())) };
        }
        let is_law = laws::is_law(name);
        let mut unread = None;
        match self.context.functions.get(&lower) {
            Some(function) if function.of_module && is_law => {
                match self.instead_of_law((name, span), function, &arguments, locals) {
                    Ok(value) => return Ok(value),
                    Err(fault) => unread = Some(fault),
                }
            }
            Some(function) => {
                let before = self.effects.clone();
                let result = self.run(function, span, arguments, locals);
                return result.or_else(|fault| {
                    self.effects = before;
                    let value = self.opened((name, span, end), fault)?;
                    self.lose_effects(&lower, span);
                    Ok(value)
                });
            }
            None => {}
        }
        if let Some(index) = array_index(&arguments).filter(|_| !is_law && !laws::is_intrinsic(&lower, self.graph)) {
            let known = matches!(&arguments[0], Item::Name(name, _)
                if (self.is_known(name, locals) && !self.is_index(name, locals))
                    || RECORDS.iter().any(|record| record.eq_ignore_ascii_case(name)));
            if !known {
                return Ok(self.input(&format!("{name}({index})"), span));
            }
        }
        let count = arguments.len();
        if !is_law && !laws::is_intrinsic(&lower, self.graph) {
            return self.opened((name, span, end), self.unknown(name, span, count));
        }
        // `REAL(x, dp)`: the name of a kind is no number.
        let arguments = match &arguments[..] {
            [x, _] if TO_KINDS.contains(&lower.as_str()) => vec![x.clone()],
            _ => arguments,
        };
        let x = self.values(arguments, locals)?;
        let value = if is_law {
            let x: Vec<Value<'g>> = x.into_iter().map(Value::real).collect();
            laws::law(&lower, &x, &mut Cell { evaluator: self, span })
        } else {
            laws::intrinsic(&lower, &x)
        };
        if lower == "arr2" && count == 2 && !std::mem::replace(&mut self.noted_arr2, true) {
            let what = "`ARR2(a, b)` is a exp(b/T), as in KPP; WRF's a exp(-b/T) takes the temperature, too";
            self.notes.push(Fault::at(span, what));
        }
        if let Some(fault) = unread {
            return value.map_or_else(|| self.opened((name, span, end), fault), Ok);
        }
        let kind = if is_law { "rate law" } else { "function" };
        value.ok_or_else(|| Fault::at(span, format!("the {kind} `{name}` does not take {count} arguments")))
    }

    /// Is this name, in lower case, an array of concentrations? Of KPP's names for them only the first three are known
    /// wherever rates are; the others are those of code that has them for something else.
    fn has_concentrations(&self, lower: &str, locals: &Locals<'g>) -> bool {
        const ALL: [&str; 7] = ["c", "var", "fix", "conc", "v", "f", "y"];
        let name = match locals.get(lower) {
            None => lower.to_owned(),
            // An argument, by its name where the function is called.
            Some(Local::Host(host)) => host.to_lowercase(),
            Some(_) => return false,
        };
        let place = ALL.iter().position(|known| *known == name);
        let known = self.arrays.contains_key(&name)
            || self.host_arrays.contains(&name)
            || self.context.functions.contains_key(&name)
            || self.context.own.get(&name).is_some();
        place.is_some_and(|place| place < 3 || !known)
    }

    fn unknown(&self, name: &str, span: Span, count: usize) -> Fault {
        let inlined = self.context.functions.values().map(|function| function.name.as_str());
        let known = laws::names().map(|law| -> &str { law }).chain(inlined);
        let fault =
            Fault::at(span, format!("unknown rate function `{name}` of {count} arguments")).nearest(name, known);
        if fault.help.is_some() { fault } else { fault.help(OPEN) }
    }

    /// What a call is that cannot be read: an input, if those are wanted. Within functions the same words may stand for
    /// many numbers, so that the outermost call is the input.
    fn opened(&mut self, (name, span, end): (&str, Span, Span), fault: Fault) -> Result<Value<'g>, Fault> {
        if !self.open_laws || self.nested > 0 {
            return Err(fault);
        }
        let words = self.context.sources.slice(span.to(end));
        let input: String = words.chars().filter(|c| !c.is_whitespace() && *c != '&').collect();
        self.had_open_call = true;
        let value = self.input(&input, span);
        let number = self.input_of[&input.to_lowercase()];
        if !self.opened.iter().any(|call| call.number == number) {
            self.opened.push(OpenCall { name: name.to_owned(), input, number, fault, span });
        }
        Ok(value)
    }

    fn values(&mut self, arguments: Vec<Item<'g>>, locals: &Locals<'g>) -> Result<Vec<Value<'g>>, Fault> {
        arguments.into_iter().map(|item| self.resolve(item, locals)).collect()
    }

    /// Runs an inlined function.
    fn run(
        &mut self,
        function: &'m Function,
        span: Span,
        arguments: Vec<Item<'g>>,
        locals: &Locals<'g>,
    ) -> Result<Value<'g>, Fault> {
        let Done { own, number, .. } = self.enter(function, span, arguments, locals)?;
        let Some(result) = &function.result else {
            return Err(Fault::at(span, format!("`{}` is a subroutine", function.name)));
        };
        let result = own.get(result).cloned();
        self.keep_effects(function, own);
        match result {
            Some(Local::Value(value)) => Ok(value.taken_as(number.or(Some(Number::Real)))),
            _ => Err(Fault::at(function.span, format!("the function `{}` does not set its result", function.name))),
        }
    }

    /// Runs a module's function that has the name of a law that is built in: the model runs its own. The law stands in
    /// where the function cannot be read, and GEOS-Chem's where the host model computes for the function what the cells
    /// need not have.
    fn instead_of_law(
        &mut self,
        (name, span): (&str, Span),
        function: &'m Function,
        arguments: &[Item<'g>],
        locals: &Locals<'g>,
    ) -> Result<Value<'g>, Fault> {
        const OF_CELLS: [&str; 6] = ["temp", "press", "numden", "c_m", "cair", "sun"];
        let before = (self.named.clone(), self.had_open_call, self.notes.len(), self.effects.clone());
        let result = self.run(function, span, arguments.to_vec(), locals);
        let of_arguments = |this: &Self| {
            let mut all = BTreeSet::new();
            for argument in arguments {
                match argument {
                    Item::Value(value) => all.append(&mut this.graph.inputs_of(&[value.node])),
                    Item::Name(name, _) => all.extend(this.input_of.get(&name.to_lowercase())),
                    Item::Range(..) => {}
                }
            }
            all
        };
        let fault = match result {
            Ok(value) if laws::is_of_geos_chem(name) => {
                let known = of_arguments(self);
                let mut read = self.graph.inputs_of(&[value.node]).into_iter().filter(|input| !known.contains(input));
                let name_of = |input: u32| &self.inputs[input as usize].name;
                match read.find(|&input| !OF_CELLS.iter().any(|known| known.eq_ignore_ascii_case(name_of(input)))) {
                    None => return Ok(value),
                    Some(input) => Fault::at(span, format!("it reads `{}`", name_of(input))),
                }
            }
            Ok(value) => return Ok(value),
            Err(fault) => fault,
        };
        let notes;
        (self.named, self.had_open_call, notes, self.effects) = before;
        self.notes.truncate(notes);
        if self.noted_laws.insert(name.to_lowercase()) {
            let what = format!("`{name}` is the law of this name here, not the module's function: {}", fault.what);
            self.notes.push(Fault::at(span, what));
        }
        Err(fault)
    }

    /// An argument of an inlined function. A species alone is its concentration: WRF-Chem hands them over so.
    pub(super) fn argument(&mut self, item: Item<'g>, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        let Item::Name(name, span) = &item else { return self.resolve(item, locals) };
        let Some(species) = self.only_a_species(name, locals) else { return self.resolve(item, locals) };
        if self.noted_species.insert(species) {
            let what = format!("`{name}` as the argument of a function is C(ind_{name}), as in WRF-Chem");
            self.notes.push(Fault::at(*span, what));
        }
        Ok(self.graph.concentration(species as u32))
    }
}

/// The index of an element of an array: a name, or a whole number.
fn array_index(arguments: &[Item<'_>]) -> Option<String> {
    match arguments {
        [Item::Name(name, _)] => Some(name.clone()),
        [Item::Value(value)] if value.integer => value.as_constant().map(|number| number.to_string()),
        _ => None,
    }
}

fn wrong_count(name: &str, span: Span, wanted: usize, count: usize) -> Fault {
    Fault::at(span, format!("`{name}` takes {wanted} arguments, not {count}"))
}

/// What a law reads of a cell where it is called.
struct Cell<'e, 'g, 'm> {
    evaluator: &'e mut Evaluator<'g, 'm>,
    span: Span,
}

impl<'g> Air<'g> for Cell<'_, 'g, '_> {
    fn temperature(&mut self) -> Value<'g> {
        self.evaluator.builtin("TEMP", self.span)
    }

    fn cfactor(&mut self) -> Value<'g> {
        self.evaluator.air_of_cfactor = true;
        self.evaluator.builtin("CFACTOR", self.span)
    }

    fn number_density(&mut self) -> Value<'g> {
        self.evaluator.builtin("NUMDEN", self.span)
    }

    /// The concentration, where water is a species.
    fn water(&mut self) -> Value<'g> {
        match self.evaluator.context.species.get("h2o") {
            Some(&species) => self.evaluator.graph.concentration(species as u32),
            None => self.evaluator.builtin("H2O", self.span),
        }
    }
}
