//! Arrays of inlined code: their elements by whole numbers.

use super::elements::Elements;
use super::names::{component, species_of_index};
use super::parts::{count, range};
use super::run::Numbers;
use super::{Evaluator, Item, Local, Locals, whole_number};
use crate::error::Fault;
use crate::expression::Expression;
use crate::graph::Value;
use crate::source::Span;
use crate::statement::Array;

impl<'g> Evaluator<'g, '_> {
    /// Declares an array, or gives values to one.
    pub(super) fn declare(&mut self, array: &Array, locals: &mut Locals<'g>, numbers: &Numbers) -> Result<(), Fault> {
        let number = array.number.or(self.number(&array.name, numbers));
        let mut elements = match locals.get(&array.name) {
            Some(Local::Array(elements)) => elements.clone(),
            // An argument.
            Some(Local::Host(_)) => return Ok(()),
            // Without bounds it may be a name that has one value.
            _ if array.bounds.is_empty() => match self.arrays.get(&array.name) {
                Some(elements) => elements.clone(),
                None if array.values.len() == 1 => {
                    let value = self.formula(&array.values[0], locals)?;
                    locals.insert(array.name.clone(), Local::Value(value.taken_as(number)));
                    return Ok(());
                }
                None => return Err(Fault::at(array.span, format!("`{}` was not declared as an array", array.name))),
            },
            _ => Elements::default(),
        };
        elements.number = elements.number.or(number);
        if elements.bounds.is_empty() {
            let mut bounds = vec![];
            for bound in &array.bounds {
                let Some((first, last)) = bound else { break };
                let first = match first {
                    Some(first) => self.formula(first, locals).ok().and_then(whole_number),
                    None => Some(1),
                };
                let last = self.formula(last, locals).ok().and_then(whole_number);
                let (Some(first), Some(last)) = (first, last) else { break };
                bounds.push((first, last));
            }
            if array.constant && self.nested == 0 && !array.bounds.is_empty() {
                self.constants.insert(array.name.clone());
            }
            // A size that is not known, as the host model's, cannot be held against an index.
            if bounds.len() == array.bounds.len() {
                elements.bounds = bounds;
            }
        }
        let values: Vec<Value<'g>> =
            array.values.iter().map(|value| self.formula(value, locals)).collect::<Result<_, _>>()?;
        // What an array outside of functions begins with, the host model may change, as one 0, or less, for all
        // elements suggests; other numbers are meant.
        let is_meant =
            values.len() > 1 || values.iter().any(|value| value.as_constant().is_some_and(|value| value > 0.0));
        if !values.is_empty() && (array.constant || self.nested > 0 || is_meant) {
            let indices = elements.indices(array.span)?;
            self.spend(indices.len(), array.span)?;
            if values.len() != 1 && values.len() != indices.len() {
                let (count, given) = (indices.len(), values.len());
                return Err(Fault::at(array.span, format!("`{}` has {count} elements, not {given}", array.name)));
            }
            let value = |place: usize| if values.len() == 1 { values[0] } else { values[place] };
            indices.into_iter().enumerate().for_each(|(place, index)| elements.set(index, value(place), None));
        }
        locals.insert(array.name.clone(), Local::Array(elements));
        Ok(())
    }

    /// Gives an element a value where a condition is true.
    pub(super) fn assign_element(
        &mut self,
        (name, index, span): (&str, &[Expression], Span),
        value: Value<'g>,
        active: Option<Value<'g>>,
        locals: &mut Locals<'g>,
    ) -> Result<(), Fault> {
        let index = self.indices(index, locals)?;
        if !matches!(locals.get(name), Some(Local::Array(_))) {
            let known = match locals.get(name) {
                None => self.arrays.get(name).cloned(),
                Some(_) => None,
            };
            let elements = known.ok_or_else(|| Fault::at(span, format!("`{name}` was not declared as an array")))?;
            self.work(elements.values.len(), span)?;
            locals.insert(name.to_owned(), Local::Array(elements));
        }
        let Some(Local::Array(elements)) = locals.get_mut(name) else { return Ok(()) };
        elements.check(name, &index, span)?;
        elements.set(index, value, active);
        Ok(())
    }

    /// Gives all elements of an array a value; false if the name is no array.
    pub(super) fn assign_all(
        &mut self,
        (name, span): (&str, Span),
        value: Value<'g>,
        active: Option<Value<'g>>,
        locals: &mut Locals<'g>,
    ) -> Result<bool, Fault> {
        let elements = match locals.get(name) {
            Some(Local::Array(elements)) => elements,
            None => match self.arrays.get(name) {
                Some(elements) => elements,
                None => return Ok(false),
            },
            Some(_) => return Ok(false),
        };
        let mut elements = elements.clone();
        if elements.bounds.is_empty() {
            return Err(Fault::at(span, format!("the size of `{name}` is not known")));
        }
        let indices = elements.indices(span)?;
        self.spend(indices.len(), span)?;
        indices.into_iter().for_each(|index| elements.set(index, value, active));
        locals.insert(name.to_owned(), Local::Array(elements));
        Ok(true)
    }

    fn indices(&mut self, index: &[Expression], locals: &Locals<'g>) -> Result<Vec<i64>, Fault> {
        index.iter().map(|index| self.whole(index, locals, "the index of an array")).collect()
    }

    /// Is this name, in lower case, an array of inlined code?
    pub(super) fn is_array(&self, name: &str, locals: &Locals<'g>) -> bool {
        match locals.get(name) {
            Some(local) => matches!(local, Local::Array(_)),
            None => self.arrays.contains_key(name),
        }
    }

    /// An element of an array, if the name is one.
    pub(super) fn element(
        &mut self,
        (name, span): (&str, Span),
        arguments: &[Item<'g>],
        locals: &Locals<'g>,
    ) -> Result<Option<Value<'g>>, Fault> {
        let lower = name.to_lowercase();
        if let Some((host, part)) = component(name, locals).filter(|_| !locals.contains_key(&lower)) {
            let within = format!("{host}%{part}");
            let within = Locals::from([(within.to_lowercase(), Local::Host(within))]);
            let name = within.keys().next().cloned().unwrap_or_default();
            // Indices are the caller's.
            let mut known = vec![];
            for item in arguments {
                known.push(match item {
                    Item::Name(index, span)
                        if self.is_index(index, locals) && locals.contains_key(&index.to_lowercase()) =>
                    {
                        Item::Value(self.resolve(Item::Name(index.clone(), *span), locals)?)
                    }
                    item => item.clone(),
                });
            }
            return self.element((&name, span), &known, &within);
        }
        let (elements, host) = match locals.get(&lower) {
            // Outside of functions it is one of the host model's.
            Some(Local::Array(elements)) => (Some(elements), (self.nested == 0).then(|| name.to_owned())),
            Some(Local::Host(host)) => (None, Some(host.clone())),
            Some(_) => return Ok(None),
            None if self.host_arrays.contains(&lower) => (self.arrays.get(&lower), Some(name.to_owned())),
            None => return Ok(None),
        };
        let known = elements.is_some();
        // The values of a large array would take long to copy for each element that is read.
        let elements = elements.map(|elements| Elements { bounds: elements.bounds.clone(), ..Elements::default() });
        let local = locals.contains_key(&lower);
        let (mut index, mut words) = (vec![], vec![]);
        // Species have other numbers here than in KPP: those of elements that code has set by species are ours, too.
        let mut by_species = false;
        let mut shape = vec![];
        for (dimension, item) in arguments.iter().enumerate() {
            if let Item::Range(numbers, span) = item {
                let Some(turn) = &self.turn else {
                    return Err(Fault::at(*span, "a part of an array has no place here"));
                };
                let bounds = elements.as_ref().and_then(|elements| elements.bounds.get(dimension));
                let (first, last, step) = range((name, *span), *numbers, bounds)?;
                let at = first + step * turn.offset(shape.len());
                shape.push(count((first, last, step)));
                words.push(at.to_string());
                index.push(at);
                continue;
            }
            let known = match item {
                Item::Name(name, span) if !local && species_of_index(name).is_some() => {
                    by_species = true;
                    self.resolve(Item::Name(name.clone(), *span), locals).ok()
                }
                Item::Name(name, _) if !self.is_index(name, locals) && !local => None,
                Item::Name(name, span) => Some(self.resolve(Item::Name(name.clone(), *span), locals)?),
                Item::Value(value) => Some(*value),
                Item::Range(..) => None,
            };
            let whole = known.and_then(whole_number);
            words.push(match (item, whole) {
                // The name of a constant says more than its number.
                (Item::Name(name, _), Some(_)) if !locals.contains_key(&name.to_lowercase()) => name.clone(),
                (_, Some(whole)) => whole.to_string(),
                (Item::Name(name, _), None) if host.is_some() => name.clone(),
                _ => return Err(Fault::at(span, format!("an index of `{name}` is not a whole number here"))),
            });
            index.extend(whole);
        }
        if let Some(turn) = self.turn.as_mut().filter(|_| !shape.is_empty()) {
            turn.fits(shape, span)?;
        }
        if let Some(elements) = elements.filter(|_| index.len() == arguments.len()) {
            if !by_species {
                elements.check(name, &index, span)?;
            }
            let values = match locals.get(&lower) {
                Some(Local::Array(elements)) => Some(elements),
                _ if known => self.arrays.get(&lower),
                _ => None,
            };
            if let Some(&value) = values.and_then(|elements| elements.values.get(&index)) {
                return Ok(Some(value));
            }
        }
        match host {
            Some(host) => {
                let mut input = format!("{host}({})", words.join(","));
                // The same element has one name, however its index is written.
                if index.len() == arguments.len() && !by_species {
                    let first = self.host_elements.entry((host.to_lowercase(), index)).or_insert(input);
                    input = first.clone();
                }
                Ok(Some(self.input(&input, span)))
            }
            None => Err(Fault::at(span, format!("`{name}({})` has no value yet", words.join(", ")))),
        }
    }

    /// The array that a name stands for, as the argument of a function that wants one.
    pub(super) fn array(&self, name: &str, locals: &Locals<'g>) -> Local<'g> {
        let lower = name.to_lowercase();
        match (locals.get(&lower), self.arrays.get(&lower)) {
            (Some(local @ (Local::Array(_) | Local::Host(_))), _) => local.clone(),
            (_, Some(elements)) if !elements.values.is_empty() => Local::Array(elements.clone()),
            _ => Local::Host(name.to_owned()),
        }
    }

    /// `SIZE`, `SUM`, `MINVAL`, `MAXVAL` and `PRODUCT` of a whole array, if this is one of them.
    pub(super) fn of_array(
        &mut self,
        (function, span): (&str, Span),
        name: &str,
        locals: &Locals<'g>,
    ) -> Result<Option<Value<'g>>, Fault> {
        use isobar_rosenbrock::Operation::{Add, Maximum, Minimum, Multiply};
        let lower = name.to_lowercase();
        let fold = match function {
            "sum" => Some((Add, 0.0)),
            "product" => Some((Multiply, 1.0)),
            "minval" => Some((Minimum, f64::INFINITY)),
            "maxval" => Some((Maximum, f64::NEG_INFINITY)),
            "size" => None,
            _ => return Ok(None),
        };
        if !matches!(locals.get(&lower), Some(Local::Array(_) | Local::Host(_))) && !self.host_arrays.contains(&lower) {
            return Ok(None);
        }
        let Local::Array(elements) = self.array(name, locals) else {
            return Err(Fault::at(span, format!("the size of `{name}` is not known")));
        };
        let indices = elements.indices(span)?;
        self.work(indices.len(), span)?;
        if indices.is_empty() {
            return Err(Fault::at(span, format!("the size of `{name}` is not known")));
        }
        let Some((operation, start)) = fold else {
            return Ok(Some(self.graph.integer(indices.len() as f64)));
        };
        let mut result: Option<Value<'g>> = None;
        for index in indices {
            let value = elements.values.get(&index).copied();
            let value = value.ok_or_else(|| Fault::at(span, format!("`{name}` has elements without values")))?;
            result = Some(result.map_or(value, |result| result.binary(operation, value)));
        }
        Ok(Some(result.unwrap_or_else(|| self.graph.constant(start))))
    }
}
