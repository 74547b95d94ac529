//! Runs statements under conditions.

use super::run::{Numbers, Run};
use super::{Evaluator, Local, Locals};
use crate::error::Fault;
use crate::graph::Value;
use crate::limits::{MOST_TURNS, MOST_WORK};
use crate::source::Span;
use crate::statement::{Loop, Number, Statement, Values, While};
use isobar_rosenbrock::Operation;

impl<'g, 'm> Evaluator<'g, 'm> {
    /// Runs statements of a function under a condition.
    pub(super) fn statements(
        &mut self,
        all: &'m [Statement],
        locals: &mut Locals<'g>,
        condition: Option<Value<'g>>,
        run: &mut Run<'g>,
    ) -> Result<(), Fault> {
        for statement in all {
            let gone = [run.left, run.exited, run.cycled].into_iter().flatten().chain(run.of_outer());
            let active = gone.fold(condition, |active, gone| both(active, Some(gone.unary(Operation::Not))));
            if active.is_some_and(|active| active.as_constant() == Some(0.0)) {
                return Ok(());
            }
            match statement {
                Statement::Assign { name, value } => {
                    let span = value.span;
                    let formula = value;
                    let value = match self.formula(value, locals) {
                        Err(_) if self.is_array(name, locals) => {
                            let values = Values::Formula(formula.clone());
                            self.assign_part((name, span), (&[], &values), (active, None), locals)?;
                            self.settle((locals, &run.numbers), active);
                            continue;
                        }
                        value => value?,
                    };
                    if !self.assign_all((name, span), value, active, locals)? {
                        self.assign(locals, name, value, active, &run.numbers);
                    }
                }
                Statement::Element { name, index, value, span } => {
                    let value = self.formula(value, locals)?;
                    self.assign_element((name, index, *span), value, active, locals)?;
                }
                Statement::Part { name, index, values, span } => {
                    self.assign_part((name, *span), (index, values), (active, None), locals)?;
                }
                Statement::Where(arms) => self.masked(arms, active, locals)?,
                Statement::Call { name, arguments, span } => {
                    match self.subroutine((name, *span), arguments, active, (locals, &run.numbers)) {
                        Err(fault) if self.nested == 0 => {
                            self.leave_out(statement, fault, active, (locals, &run.numbers));
                        }
                        done => done?,
                    }
                }
                Statement::Records(names) => {
                    for name in names {
                        locals.entry(name.clone()).or_insert_with(|| Local::Host(name.clone()));
                    }
                }
                Statement::Declare { names, number, constant } => {
                    if *constant && self.nested == 0 {
                        self.constants.extend(names.iter().cloned());
                    }
                    self.declare_names(names, *number, locals, run);
                }
                // What they mean is said where functions are called.
                Statement::Marked { .. } => {}
                Statement::Array(array) => self.declare(array, locals, &run.numbers)?,
                Statement::Return(_) if self.nested == 0 => {
                    let fault = Fault::nowhere("RETURN outside of functions");
                    self.leave_out(statement, fault, active, (locals, &run.numbers));
                }
                Statement::Return(value) => {
                    if let Some(value) = value {
                        let value = self.formula(value, locals)?;
                        let result = run.result.clone();
                        self.assign(locals, &result, value, active, &run.numbers);
                    }
                    run.left = self.either(run.left, active);
                }
                Statement::Exit(name) => {
                    let before = match run.outer(name.as_ref())? {
                        Some(around) => &mut around.exited,
                        None => &mut run.exited,
                    };
                    *before = self.either(*before, active);
                }
                Statement::Cycle(name) => {
                    let before = match run.outer(name.as_ref())? {
                        Some(around) => &mut around.cycled,
                        None => &mut run.cycled,
                    };
                    *before = self.either(*before, active);
                }
                Statement::If(arms) => {
                    let mut rest = active;
                    for (test, body) in arms {
                        let Some(test) = test else {
                            self.statements(body, locals, rest, run)?;
                            break;
                        };
                        let test = self.formula(test, locals)?;
                        self.settle((locals, &run.numbers), rest);
                        self.statements(body, locals, both(rest, Some(test)), run)?;
                        rest = both(rest, Some(test.unary(Operation::Not)));
                    }
                }
                Statement::Do(turns) => self.turns(turns, locals, active, run)?,
                Statement::While(turns) => self.turns_while(turns, locals, active, run)?,
                Statement::Stop(span) => {
                    if self.noted_left_out.insert((span.text, span.start, span.end)) {
                        self.notes.push(Fault::at(*span, "STOP is passed over: a cell goes on where the model ends"));
                    }
                }
                Statement::Beyond(beyond) if self.nested == 0 => {
                    self.leave_out(statement, beyond.fault.clone(), active, (locals, &run.numbers));
                }
                Statement::Beyond(beyond) => return Err(beyond.fault.clone()),
            }
            self.settle((locals, &run.numbers), active);
        }
        Ok(())
    }

    /// Runs a loop, turn by turn.
    fn turns(
        &mut self,
        turns: &'m Loop,
        locals: &mut Locals<'g>,
        active: Option<Value<'g>>,
        run: &mut Run<'g>,
    ) -> Result<(), Fault> {
        let number = |this: &mut Self, formula, what| this.whole(formula, locals, what);
        let first = number(self, &turns.first, "the first value of the counter")?;
        let last = number(self, &turns.last, "the last value of the counter")?;
        let step = match &turns.step {
            Some(step) => number(self, step, "the step of the counter")?,
            None => 1,
        };
        if step == 0 {
            return Err(Fault::at(turns.span, "the step of this loop is 0"));
        }
        let outer = run.begin_loop(turns.name.as_ref());
        let before = locals.get(&turns.counter).cloned();
        let mut counter = first;
        // Where cells have left the loop so far, and at which turn.
        let mut exits = vec![];
        while if step > 0 { counter <= last } else { counter >= last } {
            self.spend(1, turns.span)?;
            let value = self.graph.integer(counter as f64);
            self.assign(locals, &turns.counter, value, None, &run.numbers);
            run.cycled = None;
            self.statements(&turns.body, locals, active, run)?;
            let mut ended = [run.exited, run.left].into_iter().flatten().chain(run.of_outer());
            if ended.any(|ended| ended.as_constant().is_some_and(|ended| ended != 0.0)) {
                break;
            }
            exits.extend(run.exited.into_iter().chain(run.of_outer()).map(|exited| (exited, value)));
            counter += step;
        }
        run.end_loop(outer);
        // The first turn that a cell has left at counts.
        let end = self.graph.integer(counter as f64);
        let end = exits.into_iter().rev().fold(end, |end, (exited, value)| value.where_true(exited, end));
        match before {
            Some(before) => locals.insert(turns.counter.clone(), before),
            None => locals.remove(&turns.counter),
        };
        self.assign(locals, &turns.counter, end, active, &run.numbers);
        Ok(())
    }

    /// Runs a loop while its condition holds, which has to be known without a cell.
    fn turns_while(
        &mut self,
        turns: &'m While,
        locals: &mut Locals<'g>,
        active: Option<Value<'g>>,
        run: &mut Run<'g>,
    ) -> Result<(), Fault> {
        let outer = run.begin_loop(turns.name.as_ref());
        loop {
            self.spend(1, turns.span)?;
            if let Some(test) = &turns.test {
                let test = self.formula(test, locals)?.as_constant().ok_or_else(|| {
                    Fault::at(
                        turns.span,
                        "how often this loop runs depends on the cell, and mechanisms are read without",
                    )
                })?;
                if test == 0.0 {
                    break;
                }
            }
            run.cycled = None;
            self.statements(&turns.body, locals, active, run)?;
            let mut ended = [run.exited, run.left].into_iter().flatten().chain(run.of_outer());
            if ended.any(|ended| ended.as_constant().is_some_and(|ended| ended != 0.0)) {
                break;
            }
        }
        run.end_loop(outer);
        Ok(())
    }

    /// Counts what is done while a mechanism is read.
    pub(super) fn spend(&mut self, turns: usize, span: Span) -> Result<(), Fault> {
        self.turns += turns;
        if self.turns <= MOST_TURNS {
            return Ok(());
        }
        Err(Fault::at(span, format!("loops have more than {MOST_TURNS} turns")))
    }

    /// Counts steps of formulas, and copies.
    pub(super) fn work(&mut self, steps: usize, span: Span) -> Result<(), Fault> {
        self.work += steps;
        if self.work <= MOST_WORK { Ok(()) } else { Err(Fault::at(span, "loops and calls of formulas have no end")) }
    }

    /// Where a condition is true, or this has been so before.
    fn either(&self, before: Option<Value<'g>>, active: Option<Value<'g>>) -> Option<Value<'g>> {
        let now = active.unwrap_or_else(|| self.graph.constant(1.0));
        Some(before.map_or(now, |before| before.binary(Operation::Or, now)))
    }

    /// Gives a name a value where a condition is true.
    pub(super) fn assign(
        &self,
        locals: &mut Locals<'g>,
        name: &str,
        value: Value<'g>,
        active: Option<Value<'g>>,
        numbers: &Numbers,
    ) {
        let before = match locals.get(name) {
            Some(Local::Value(before)) => Some(*before),
            _ => self.names.get(name).copied(),
        };
        let value = value.taken_as(self.number(name, numbers)).given_where(active, before);
        locals.insert(name.to_owned(), Local::Value(value));
    }

    /// Declares names, which keep what they have.
    fn declare_names(&mut self, names: &[String], number: Option<Number>, locals: &mut Locals<'g>, run: &mut Run<'g>) {
        for name in names {
            if self.nested > 0 {
                let known = run.numbers.entry(name.clone()).or_default();
                *known = number.or(*known);
            } else if number.is_some() {
                self.numbers.insert(name.clone(), number);
                if let Some(value) = self.names.get_mut(name) {
                    *value = value.taken_as(number);
                }
                if let Some(elements) = self.arrays.get_mut(name) {
                    elements.number = number;
                }
            }
            match locals.get_mut(name) {
                Some(Local::Array(elements)) => elements.number = number.or(elements.number),
                Some(_) => {}
                None if *name == run.result => {}
                None => {
                    locals.insert(name.clone(), Local::Unset);
                }
            }
        }
    }

    /// What a name holds, as it was declared in the function at hand or outside of functions.
    pub(super) fn number(&self, name: &str, numbers: &Numbers) -> Option<Number> {
        numbers.get(name).or_else(|| self.numbers.get(name)).copied().flatten()
    }
}

/// Two conditions at once; none is always true.
pub(super) fn both<'g>(first: Option<Value<'g>>, second: Option<Value<'g>>) -> Option<Value<'g>> {
    let (Some(a), Some(b)) = (first, second) else { return first.or(second) };
    match (a.as_constant(), b.as_constant()) {
        (Some(0.0), _) => first,
        (_, Some(0.0)) => second,
        (Some(_), _) => second,
        (_, Some(_)) => first,
        _ => Some(a.binary(Operation::And, b)),
    }
}
