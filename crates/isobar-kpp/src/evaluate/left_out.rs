//! What is not understood outside of functions: it is left out, and what it may change is an input from there on, for
//! what a name held before may be another number than the model has.

use std::collections::BTreeSet;

use super::run::Numbers;
use super::{Evaluator, Local, Locals};
use crate::error::Fault;
use crate::graph::Value;
use crate::source::Span;
use crate::statement::{Changes, Statement};

/// Names of what cells have, in lower case: initialisation gives them defaults at most.
pub(crate) const OF_CELLS: [&str; 5] = ["temp", "press", "cfactor", "sun", "time"];

impl<'g> Evaluator<'g, '_> {
    /// Leaves out a statement of a block that cannot be run.
    pub(crate) fn pass_over(&mut self, statement: &Statement, fault: Fault) {
        let mut locals = Locals::new();
        self.leave_out(statement, fault, None, (&mut locals, &Numbers::new()));
        self.keep(locals);
    }

    /// Leaves out a statement that would be run where a condition is true.
    pub(super) fn leave_out(
        &mut self,
        statement: &Statement,
        fault: Fault,
        active: Option<Value<'g>>,
        known: (&mut Locals<'g>, &Numbers),
    ) {
        let span = fault.span.unwrap_or_default();
        let changes = Changes::of(std::slice::from_ref(statement), self.context.functions);
        if changes.jumps || matches!(statement, Statement::Return(_)) {
            self.jumped.get_or_insert(span);
        }
        let opened = self.open(&changes.names, span, active, known);
        // A loop comes here with each turn.
        if self.noted_left_out.insert((span.text, span.start, span.end)) {
            let what = format!("left out: {}{}", fault.what, inputs(&opened));
            self.notes.push(Fault { what, ..fault });
        }
    }

    /// Where some of these statements were a jump, which of the others run is not known.
    pub(crate) fn after_jumps(&mut self, statements: &[Statement]) {
        let Some(span) = self.jumped else { return };
        let names = Changes::of(statements, self.context.functions).names;
        self.open_all(&names, span);
        let what = format!("which statements run behind this jump is not known{}", inputs(&names));
        self.notes.push(Fault::at(span, what));
    }

    /// Names are inputs from here on.
    pub(crate) fn open_all(&mut self, names: &BTreeSet<String>, span: Span) {
        let mut locals = Locals::new();
        self.open(names, span, None, (&mut locals, &Numbers::new()));
        self.keep(locals);
    }

    /// Names that have values are inputs where a condition is true; given back are those.
    fn open(
        &mut self,
        names: &BTreeSet<String>,
        span: Span,
        active: Option<Value<'g>>,
        (locals, numbers): (&mut Locals<'g>, &Numbers),
    ) -> BTreeSet<String> {
        let mut opened = BTreeSet::new();
        for name in names {
            if self.constants.contains(name) {
                continue;
            }
            self.lost.insert(name.clone());
            // What initialisation gave is no more theirs than the value.
            if !OF_CELLS.contains(&name.as_str()) && self.defaults.remove(name).is_some() {
                opened.insert(name.clone());
                if let Some(&number) = self.input_of.get(name) {
                    self.inputs[number as usize].default = None;
                }
            }
            let elements = match locals.get(name) {
                Some(Local::Array(elements)) => Some(elements),
                Some(_) => None,
                None => self.arrays.get(name),
            };
            if let Some(elements) = elements {
                if !elements.values.is_empty() {
                    opened.insert(name.clone());
                    let emptied = elements.without_values();
                    locals.insert(name.clone(), Local::Array(emptied));
                }
            } else if matches!(locals.get(name), Some(Local::Value(_))) || self.names.contains_key(name) {
                opened.insert(name.clone());
                let input = self.input(name, span);
                self.assign(locals, name, input, active, numbers);
            }
        }
        opened
    }
}

/// What becomes of names, in words.
fn inputs(names: &BTreeSet<String>) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &all[..] {
        [] => String::new(),
        [one] => format!("; {one}, which it may change, is an input"),
        all => format!("; {}, which it may change, are inputs", all.join(", ")),
    }
}
