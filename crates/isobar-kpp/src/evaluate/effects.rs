//! What functions set that is neither theirs nor an argument: variables that are declared outside of functions. It
//! counts from the formula on that has called them.

use super::elements::Elements;
use super::run::Numbers;
use super::{Evaluator, Local, Locals};
use crate::error::Fault;
use crate::graph::Value;
use crate::source::Span;
use crate::statement::{Changes, Function, Statement};

/// What names had outside of functions, while a function sees what its caller has given them so far.
#[derive(Default)]
pub(super) struct Hidden<'g> {
    values: Vec<(String, Option<Value<'g>>)>,
    arrays: Vec<(String, Option<Elements<'g>>)>,
}

impl<'g> Evaluator<'g, '_> {
    /// Keeps what a function has set that is not its own.
    pub(super) fn keep_effects(&mut self, function: &Function, own: Locals<'g>) {
        let has_value = |local: &Local<'g>| matches!(local, Local::Value(_) | Local::Array(_));
        let is_shared = |name: &String| self.is_shared(name) && !function.owns(name);
        let mut shared: Vec<(String, Local<'g>)> =
            own.into_iter().filter(|(name, local)| has_value(local) && is_shared(name)).collect();
        shared.sort_by(|one, other| one.0.cmp(&other.0));
        self.effects.retain(|(name, _)| !shared.iter().any(|(newer, _)| newer == name));
        self.effects.append(&mut shared);
    }

    /// What a function may have set that cannot be read, by its name in lower case, is an input.
    pub(super) fn lose_effects(&mut self, function: &str, span: Span) {
        let call = Statement::Call { name: function.to_owned(), arguments: vec![], span };
        for name in Changes::of(&[call], self.context.functions).names {
            if let Some(elements) = self.arrays.get(&name) {
                let elements = elements.without_values();
                self.effects.push((name, Local::Array(elements)));
            } else if self.names.contains_key(&name) && !self.constants.contains(&name) {
                let input = self.input(&name, span);
                self.effects.push((name, Local::Value(input)));
            }
        }
    }

    /// Is a name, in lower case, one of those that are declared or set outside of functions?
    fn is_shared(&self, name: &str) -> bool {
        self.names.contains_key(name)
            || self.hosts.contains(name)
            || self.arrays.contains_key(name)
            || self.host_arrays.contains(name)
    }

    /// Gives names what functions have set where a condition is true.
    pub(super) fn settle(&mut self, (locals, numbers): (&mut Locals<'g>, &Numbers), active: Option<Value<'g>>) {
        for (name, local) in std::mem::take(&mut self.effects) {
            // A function's own name hides that outside, which is given by whoever calls the function.
            let hidden = self.running.last().is_some_and(|function| function.owns(&name));
            match local {
                Local::Value(value) if hidden => {
                    let value = value.given_where(active, self.names.get(&name).copied());
                    self.effects.push((name, Local::Value(value)));
                }
                local if hidden => self.effects.push((name, local)),
                local => self.give((locals, numbers), name, local, active),
            }
        }
    }

    /// Gives names outside of functions what functions have set.
    pub(super) fn settle_outside(&mut self) {
        let mut locals = Locals::new();
        self.settle((&mut locals, &Numbers::new()), None);
        self.keep(locals);
    }

    /// What a caller has given names outside of functions so far is what the function sees that it calls.
    pub(super) fn show(&mut self, locals: &Locals<'g>, span: Span) -> Result<Hidden<'g>, Fault> {
        let mut hidden = Hidden::default();
        let caller = self.running.last().copied();
        for (name, local) in locals {
            if caller.is_some_and(|caller| !self.is_shared(name) || caller.owns(name)) {
                continue;
            }
            match local {
                Local::Value(value) => hidden.values.push((name.clone(), self.names.insert(name.clone(), *value))),
                Local::Array(elements) => {
                    self.work(elements.values.len(), span)?;
                    hidden.arrays.push((name.clone(), self.arrays.insert(name.clone(), elements.clone())));
                }
                Local::Unset | Local::Host(_) => {}
            }
        }
        Ok(hidden)
    }

    /// The end of [`Evaluator::show`].
    pub(super) fn hide(&mut self, hidden: Hidden<'g>) {
        for (name, value) in hidden.values {
            match value {
                Some(value) => self.names.insert(name, value),
                None => self.names.remove(&name),
            };
        }
        for (name, elements) in hidden.arrays {
            match elements {
                Some(elements) => self.arrays.insert(name, elements),
                None => self.arrays.remove(&name),
            };
        }
    }
}
