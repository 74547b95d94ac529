//! What names stand for.

use super::parts::count;
use super::{Evaluator, Input, Item, Local, Locals, whole_number};
use crate::error::Fault;
use crate::graph::Value;
use crate::source::Span;

impl<'g> Evaluator<'g, '_> {
    pub(super) fn resolve(&mut self, item: Item<'g>, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        let (name, span) = match item {
            Item::Value(value) => return Ok(value),
            Item::Name(name, span) => (name, span),
            Item::Range(_, span) => return Err(Fault::at(span, "a part of an array has no place here")),
        };
        let lower = name.to_lowercase();
        match locals.get(&lower) {
            Some(Local::Value(value)) => return Ok(*value),
            Some(Local::Unset) => return Err(Fault::at(span, format!("`{name}` has no value yet"))),
            Some(Local::Array(_)) => return self.of_turn(&name, span, locals),
            Some(Local::Host(_)) => return Err(whole_array(&name, span)),
            None => {}
        }
        if let Some((host, part)) = component(&name, locals) {
            return self.resolve(Item::Name(format!("{host}%{part}"), span), &Locals::new());
        }
        if let Some(&value) = self.names.get(&lower) {
            return Ok(value);
        }
        if self.arrays.contains_key(&lower) || self.host_arrays.contains(&lower) {
            return self.of_turn(&name, span, locals);
        }
        if let Some(species) = species_of_index(&name) {
            return self.index_of(species, span);
        }
        match lower.as_str() {
            "time" => Ok(self.graph.time()),
            "sun" if self.sun_from_time => Ok(crate::sun::sun(self.graph)),
            _ if self.reacting(&lower).is_some() => self.named_as_species(&name, span),
            _ => match self.of_temperature(&lower, span) {
                Some(value) => Ok(value),
                None => Ok(self.input(&name, span).taken_as(self.numbers.get(&lower).copied().flatten())),
            },
        }
    }

    /// What GEOS-Chem declares and computes of the temperature before it calls KPP.
    fn of_temperature(&mut self, lower: &str, span: Span) -> Option<Value<'g>> {
        if !self.hosts.contains(lower) {
            return None;
        }
        let of = crate::laws::of_temperature(lower)?;
        let temperature = self.builtin("TEMP", span);
        Some(of(temperature))
    }

    /// The element at hand of an array in a formula.
    fn of_turn(&mut self, name: &str, span: Span, locals: &Locals<'g>) -> Result<Value<'g>, Fault> {
        let Some(turn) = &mut self.turn else { return Err(whole_array(name, span)) };
        let lower = name.to_lowercase();
        let bounds = match (locals.get(&lower), self.arrays.get(&lower)) {
            (Some(Local::Array(elements)), _) | (None, Some(elements)) => &elements.bounds,
            _ => &vec![],
        };
        if bounds.is_empty() {
            return Err(Fault::at(span, format!("the size of `{name}` is not known")));
        }
        turn.fits(bounds.iter().map(|&(first, last)| count((first, last, 1))).collect(), span)?;
        let at = |(dimension, &(first, _)): (usize, &(i64, i64))| first + turn.offset(dimension);
        let index: Vec<i64> = bounds.iter().enumerate().map(at).collect();
        let index = index.into_iter().map(|index| Item::Value(self.graph.integer(index as f64))).collect::<Vec<_>>();
        let value = self.element((name, span), &index, locals)?;
        value.ok_or_else(|| whole_array(name, span))
    }

    /// The number of a species among the declared ones, or 0 if no reaction has it. Its place in KPP's arrays is
    /// another one; whether it is 0 is all that formulas ask.
    fn index_of(&mut self, species: &str, span: Span) -> Result<Value<'g>, Fault> {
        match self.context.species.get(&species.to_lowercase()) {
            Some(&number) if self.reacts[number] => Ok(self.graph.integer(number as f64 + 1.0)),
            Some(_) => Ok(self.graph.integer(0.0)),
            None if self.dummy_index => Ok(self.graph.integer(0.0)),
            None => {
                let fault = Fault::at(span, format!("unknown species `{species}`"));
                Err(fault.help("with `#DUMMYINDEX ON` its index is 0"))
            }
        }
    }

    /// The species of this name, in lower case, if reactions have it.
    pub(super) fn reacting(&self, lower: &str) -> Option<usize> {
        self.context.species.get(lower).copied().filter(|&species| self.reacts[species])
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

    /// Does a name stand for a species that reacts, and for nothing else?
    pub(super) fn only_a_species(&self, name: &str, locals: &Locals<'g>) -> Option<usize> {
        let lower = name.to_lowercase();
        let other = locals.contains_key(&lower) || self.names.contains_key(&lower) || self.hosts.contains(&lower);
        self.reacting(&lower).filter(|_| !other)
    }

    /// Does a name stand for anything but an input?
    pub(super) fn is_known(&self, name: &str, locals: &Locals<'g>) -> bool {
        let lower = name.to_lowercase();
        let known = ["temp", "sun", "cfactor", "time"].contains(&lower.as_str());
        known || locals.contains_key(&lower) || self.names.contains_key(&lower)
    }

    /// Is a name a whole number that code sets, as the index of an array is?
    pub(super) fn is_index(&self, name: &str, locals: &Locals<'g>) -> bool {
        let lower = name.to_lowercase();
        let value = match locals.get(&lower) {
            Some(Local::Value(value)) => Some(*value),
            _ => self.names.get(&lower).copied(),
        };
        value.filter(|value| value.integer).and_then(whole_number).is_some()
    }

    pub(super) fn input(&mut self, name: &str, span: Span) -> Value<'g> {
        let lower = name.to_lowercase();
        let next = self.inputs.len() as u32;
        let number = *self.input_of.entry(lower.clone()).or_insert(next);
        if number == next {
            let default = self.defaults.get(&lower).copied();
            self.inputs.push(Input { name: name.to_owned(), default, radians: false, order: None, span });
        }
        self.named.insert(number);
        self.graph.input(number)
    }

    /// An input by a name in lower case that stands nowhere in the text.
    pub(super) fn builtin(&mut self, name: &str, span: Span) -> Value<'g> {
        match self.names.get(&name.to_lowercase()) {
            Some(&value) => value,
            None => self.input(name, span),
        }
    }
}

fn whole_array(name: &str, span: Span) -> Fault {
    Fault::at(span, format!("`{name}` is an array: an element of it is expected"))
}

/// The record of the host model that a name is a component of, by its name there, and the component.
pub(super) fn component<'n>(name: &'n str, locals: &Locals<'_>) -> Option<(String, &'n str)> {
    let (record, part) = name.split_once('%')?;
    match locals.get(&record.to_lowercase()) {
        Some(Local::Host(host)) => Some((host.clone(), part)),
        _ => None,
    }
}

/// The species that an index of KPP's names: `ind_NO`, and `indf_M` among the fixed ones alone.
pub(crate) fn species_of_index(index: &str) -> Option<&str> {
    let (prefix, species) = index.split_once('_')?;
    let known = ["ind", "indf", "indv"].iter().any(|known| known.eq_ignore_ascii_case(prefix));
    (known && !species.is_empty()).then_some(species)
}
