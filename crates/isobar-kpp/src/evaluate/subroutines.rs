//! Calls of subroutines, and what functions are given.

use super::run::{Numbers, Run};
use super::{Evaluator, Item, Local, Locals};
use crate::error::Fault;
use crate::expression::{Expression, Step};
use crate::graph::Value;
use crate::limits::{MOST_CALLS, MOST_NESTED_CALLS};
use crate::source::Span;
use crate::statement::{Function, Mark, Number, Statement, declares};

/// What a function has been given, and has made of it.
pub(super) struct Done<'g> {
    pub(super) before: Locals<'g>,
    pub(super) own: Locals<'g>,
    /// What its result is, as declared.
    pub(super) number: Option<Number>,
}

impl<'g, 'm> Evaluator<'g, 'm> {
    /// Runs the body of a function or a subroutine.
    pub(super) fn enter(
        &mut self,
        function: &'m Function,
        span: Span,
        arguments: Vec<Item<'g>>,
        locals: &Locals<'g>,
    ) -> Result<Done<'g>, Fault> {
        if function.arguments.len() != arguments.len() {
            let (wanted, count) = (function.arguments.len(), arguments.len());
            let fault = Fault::at(span, format!("`{}` takes {wanted} arguments, not {count}", function.name));
            return Err(match optional(&function.body) {
                Some(name) => fault
                    .help(format!("`{name}` is optional in Fortran; here calls have all arguments, in their order")),
                None => fault,
            });
        }
        if let Some(name) = &function.keeps
            && self.noted_kept.insert((function.span.text, function.span.start))
        {
            let what = format!(
                "`{}` keeps `{name}` from call to call in Fortran; here each call begins with what it is declared with",
                function.name
            );
            self.notes.push(Fault::at(function.span, what));
        }
        self.calls += 1;
        if self.nested >= MOST_NESTED_CALLS || self.calls > MOST_CALLS {
            return Err(Fault::at(span, "rate functions call each other without end"));
        }
        self.work(function.body.len() * (1 + arguments.len()), span)?;
        let (mut own, mut names) = (Locals::new(), vec![]);
        for (name, item) in function.arguments.iter().zip(arguments) {
            if let Item::Name(actual, _) = &item {
                names.push((name, actual.clone()));
            }
            let local = match item {
                Item::Name(array, _) if declares(&function.body, name, true) => {
                    // Components that have values go along.
                    let start = format!("{}%", array.to_lowercase());
                    let parts = locals.iter().filter_map(|(part, local)| Some((part.strip_prefix(&start)?, local)));
                    own.extend(parts.map(|(part, local)| (format!("{name}%{part}"), local.clone())));
                    self.array(&array, locals)
                }
                Item::Name(variable, _)
                    if function.result.is_none()
                        && matches!(locals.get(&variable.to_lowercase()), Some(Local::Unset)) =>
                {
                    Local::Unset
                }
                item => Local::Value(self.argument(item, locals)?.taken_as(declared(&function.body, name).flatten())),
            };
            if let Local::Array(elements) = &local {
                self.work(elements.values.len(), span)?;
            }
            own.insert(name.clone(), local);
        }
        let before = if function.result.is_none() { own.clone() } else { Locals::new() };
        let given: Vec<_> = names.into_iter().map(|(name, actual)| (name, node(own.get(name)), actual)).collect();
        let hidden = self.show(locals, span)?;
        self.nested += 1;
        self.running.push(function);
        let turn = self.turn.take();
        // No name has a blank.
        let mut run = Run::new(function.result.as_deref().unwrap_or(" none"));
        run.numbers.insert(run.result.clone(), function.number);
        // What is not declared is not the module's either.
        run.numbers.extend(function.arguments.iter().map(|name| (name.clone(), None)));
        let done = self.statements(&function.body, &mut own, None, &mut run);
        self.nested -= 1;
        self.running.pop();
        self.hide(hidden);
        self.turn = turn;
        done?;
        // C hands over values alone.
        if function.result.as_ref().is_some_and(|result| result != crate::c_code::RESULT) {
            let changed =
                given.into_iter().find(|(name, before, _)| before.is_some() && node(own.get(*name)) != *before);
            if let Some((name, _, actual)) = changed
                && self.noted_changes.insert((function.span.text, function.span.start))
            {
                let what = format!(
                    "the function `{}` changes its argument `{name}`: `{actual}` keeps its value here, not in Fortran",
                    function.name
                );
                self.notes.push(Fault::at(span, what));
            }
        }
        let number = run.numbers.get(&run.result).copied().flatten();
        Ok(Done { before, own, number })
    }

    /// `CALL name(arguments)`: what the subroutine has set is the caller's.
    pub(super) fn subroutine(
        &mut self,
        (name, span): (&str, Span),
        arguments: &[Expression],
        active: Option<Value<'g>>,
        (locals, numbers): (&mut Locals<'g>, &Numbers),
    ) -> Result<(), Fault> {
        let known = self.context.functions.get(name).filter(|function| function.result.is_none());
        let Some(function) = known else {
            let fault = Fault::at(span, format!("unknown subroutine `{name}`"));
            return Err(fault.help("define it in an #INLINE block, or in a module beside the mechanism that it USEs"));
        };
        let mut items = vec![];
        for argument in arguments {
            items.push(match &argument.steps[..] {
                [(Step::Name(name), span)] => Item::Name(name.clone(), *span),
                _ => Item::Value(self.formula(argument, locals)?),
            });
        }
        let Done { before, mut own, .. } = self.enter(function, span, items, locals)?;
        for (dummy, argument) in function.arguments.iter().zip(arguments) {
            let (Some(after), before) = (own.remove(dummy), before.get(dummy)) else { continue };
            let parts = format!("{dummy}%");
            let components: Vec<String> = own.keys().filter(|name| name.starts_with(&parts)).cloned().collect();
            let [(Step::Name(actual), _)] = &argument.steps[..] else {
                if changed(before, &after) {
                    self.set_element((argument, span), after, active, locals)?;
                }
                continue;
            };
            let actual = actual.to_lowercase();
            for component in components {
                if let Some(local) = own.remove(&component) {
                    self.give((locals, numbers), format!("{actual}%{}", &component[parts.len()..]), local, active);
                }
            }
            if changed(before, &after) {
                self.give((locals, numbers), actual, after, active);
            }
        }
        // What is neither an argument nor declared here is the module's.
        for (name, local) in own {
            if !declares(&function.body, &name, false) && !name.contains('%') {
                self.give((locals, numbers), name, local, active);
            }
        }
        Ok(())
    }

    /// The element `name(i)` that was an argument gets what the subroutine has made of it.
    fn set_element(
        &mut self,
        (argument, span): (&Expression, Span),
        after: Local<'g>,
        active: Option<Value<'g>>,
        locals: &mut Locals<'g>,
    ) -> Result<(), Fault> {
        let (Local::Value(value), [index @ .., (Step::Call(name, 1, _), _)]) = (after, &argument.steps[..]) else {
            return Err(Fault::at(argument.span, "the subroutine sets this, which is no name"));
        };
        let index = Expression { steps: index.to_vec(), span: argument.span };
        self.assign_element((&name.to_lowercase(), &[index], span), value, active, locals)
    }

    /// Gives a name of the caller a value where a condition is true.
    pub(super) fn give(
        &mut self,
        (locals, numbers): (&mut Locals<'g>, &Numbers),
        name: String,
        local: Local<'g>,
        active: Option<Value<'g>>,
    ) {
        match (local, active) {
            (Local::Value(value), active) => self.assign(locals, &name, value, active, numbers),
            (Local::Array(mut elements), Some(active)) => {
                let old = match locals.get(&name) {
                    Some(Local::Array(old)) => Some(old),
                    _ => self.arrays.get(&name),
                };
                for (index, value) in &mut elements.values {
                    let before = old.and_then(|old| old.values.get(index)).copied();
                    *value = value.given_where(Some(active), before);
                }
                locals.insert(name, Local::Array(elements));
            }
            (local @ Local::Array(_), None) => {
                locals.insert(name, local);
            }
            (Local::Unset | Local::Host(_), _) => {}
        }
    }
}

/// What a name stands for, if that is one value.
fn node(local: Option<&Local<'_>>) -> Option<u32> {
    match local {
        Some(Local::Value(value)) => Some(value.node),
        _ => None,
    }
}

/// Has a subroutine set its argument?
fn changed(before: Option<&Local<'_>>, after: &Local<'_>) -> bool {
    match (before, after) {
        (Some(Local::Value(before)), Local::Value(after)) => before.node != after.node,
        (_, Local::Value(_) | Local::Array(_)) => true,
        _ => false,
    }
}

/// The first argument that a body declares as one that calls may lack.
fn optional(body: &[Statement]) -> Option<&String> {
    body.iter().find_map(|statement| match statement {
        Statement::Marked { names, mark: Mark::Optional } => names.first(),
        Statement::If(arms) => arms.iter().filter(|(test, _)| test.is_none()).find_map(|(_, body)| optional(body)),
        _ => None,
    })
}

/// What a body declares a name to hold, if it does.
fn declared(body: &[Statement], name: &str) -> Option<Option<Number>> {
    body.iter().find_map(|statement| match statement {
        Statement::Declare { names, number, .. } if names.iter().any(|known| known == name) => Some(*number),
        Statement::If(arms) => {
            arms.iter().filter(|(test, _)| test.is_none()).find_map(|(_, body)| declared(body, name))
        }
        _ => None,
    })
}
