//! Arrays and parts of them in formulas: each element on its own, one after the other.

use super::statements::both;
use super::turn::Turn;
use super::{Evaluator, Item, Local, Locals};
use crate::error::Fault;
use crate::expression::{Expression, Step};
use crate::graph::Value;
use crate::limits::MOST_ELEMENTS;
use crate::source::Span;
use crate::statement::{Index, Statement, Values};
use isobar_rosenbrock::Operation;

/// How many numbers there are from the first to the last one.
pub(super) fn count((first, last, step): (i64, i64, i64)) -> i64 {
    ((last - first + step) / step).max(0)
}

/// How far each element is from the first one, the first dimension fastest.
fn offsets(shape: &[i64], span: Span) -> Result<Vec<Vec<i64>>, Fault> {
    let all = shape.iter().copied().fold(1_i64, i64::saturating_mul);
    if all > MOST_ELEMENTS {
        return Err(Fault::at(span, format!("this array has more than {MOST_ELEMENTS} elements")));
    }
    let of = |place: i64| {
        let mut rest = place;
        shape.iter().map(|&size| (rest % size, rest /= size).0).collect()
    };
    Ok((0..all).map(of).collect())
}

impl<'g, 'm> Evaluator<'g, 'm> {
    /// The values of a formula with arrays, element by element, and their shape; of one without, its value.
    fn each(&mut self, formula: &Expression, locals: &Locals<'g>) -> Result<(Vec<i64>, Vec<Value<'g>>), Fault> {
        let outer = self.turn.replace(Turn::default());
        let result = self.each_within(formula, locals);
        self.turn = outer;
        result
    }

    fn each_within(&mut self, formula: &Expression, locals: &Locals<'g>) -> Result<(Vec<i64>, Vec<Value<'g>>), Fault> {
        let first = self.formula(formula, locals)?;
        let shape = self.turn.take().and_then(|turn| turn.shape).unwrap_or_default();
        let offsets = offsets(&shape, formula.span)?;
        self.spend(offsets.len(), formula.span)?;
        let mut values = vec![];
        for offset in offsets {
            if shape.is_empty() {
                values.push(first);
                break;
            }
            self.turn = Some(Turn { offset, shape: Some(shape.clone()) });
            values.push(self.formula(formula, locals)?);
        }
        Ok((shape, values))
    }

    /// `SUM` and the like of a formula.
    pub(super) fn fold(
        &mut self,
        (name, span): (&str, Span),
        formula: &Expression,
        locals: &Locals<'g>,
    ) -> Result<Value<'g>, Fault> {
        let lower = name.to_lowercase();
        if self.context.own.get(&lower).is_some() || self.context.functions.contains_key(&lower) {
            let value = self.formula(formula, locals)?;
            return self.call((name, span, formula.span), vec![Item::Value(value)], locals);
        }
        if let [(Step::Name(array), _)] = &formula.steps[..]
            && let Some(value) = self.of_array((&lower, span), array, locals)?
        {
            return Ok(value);
        }
        let (shape, values) = self.each(formula, locals)?;
        if shape.is_empty() {
            return Err(Fault::at(formula.span, format!("`{name}` wants an array")));
        }
        use Operation::{Add, Maximum, Minimum, Multiply};
        let (operation, start) = match lower.as_str() {
            "sum" => (Add, 0.0),
            "product" => (Multiply, 1.0),
            "minval" => (Minimum, f64::INFINITY),
            _ => (Maximum, f64::NEG_INFINITY),
        };
        let all = values.into_iter().reduce(|all, next| all.binary(operation, next));
        Ok(all.unwrap_or_else(|| self.graph.constant(start)))
    }

    /// First, last and step of each dimension of a part, and which of the dimensions are one number.
    #[allow(clippy::type_complexity, reason = "it is taken apart at once")]
    fn ranges(
        &mut self,
        (name, span): (&str, Span),
        index: &[Index],
        bounds: &[(i64, i64)],
        locals: &Locals<'g>,
    ) -> Result<Vec<(i64, i64, i64, bool)>, Fault> {
        if index.is_empty() {
            return Ok(bounds.iter().map(|&(first, last)| (first, last, 1, false)).collect());
        }
        let mut all = vec![];
        for (dimension, index) in index.iter().enumerate() {
            let what = "the index of an array";
            all.push(match index {
                Index::One(index) => {
                    let at = self.whole(index, locals, what)?;
                    (at, at, 1, true)
                }
                Index::Range(parts) => {
                    let mut numbers = [None; 3];
                    for (number, part) in numbers.iter_mut().zip(parts) {
                        *number = part.as_ref().map(|part| self.whole(part, locals, what)).transpose()?;
                    }
                    let (first, last, step) = range((name, span), numbers, bounds.get(dimension))?;
                    (first, last, step, false)
                }
            });
        }
        Ok(all)
    }

    /// Gives elements of a part of an array values, each where its condition is true.
    pub(super) fn assign_part(
        &mut self,
        (name, span): (&str, Span),
        (index, values): (&[Index], &Values),
        (active, masks): (Option<Value<'g>>, Option<&[Value<'g>]>),
        locals: &mut Locals<'g>,
    ) -> Result<(), Fault> {
        let bounds = match locals.get(name) {
            Some(Local::Array(elements)) => elements.bounds.clone(),
            None => match self.arrays.get(name) {
                Some(elements) => elements.bounds.clone(),
                None => return Err(Fault::at(span, format!("`{name}` was not declared as an array"))),
            },
            Some(_) => return Err(Fault::at(span, format!("`{name}` was not declared as an array"))),
        };
        if index.is_empty() && bounds.is_empty() {
            return Err(Fault::at(span, format!("the size of `{name}` is not known")));
        }
        let ranges = self.ranges((name, span), index, &bounds, locals)?;
        let free = ranges.iter().filter(|range| !range.3);
        let shape: Vec<i64> = free.map(|&(first, last, step, _)| count((first, last, step))).collect();
        let offsets = offsets(&shape, span)?;
        self.spend(offsets.len(), span)?;
        if let Values::List(list) = values
            && list.len() != offsets.len()
        {
            let (count, given) = (offsets.len(), list.len());
            return Err(Fault::at(span, format!("this part of `{name}` has {count} elements, not {given}")));
        }
        if masks.is_some_and(|masks| masks.len() != offsets.len()) {
            return Err(Fault::at(span, "arrays of different shapes meet here"));
        }
        // What is on the right is read before anything changes.
        let mut new = vec![];
        for (place, offset) in offsets.into_iter().enumerate() {
            let mut free = offset.iter();
            let index: Vec<i64> = ranges
                .iter()
                .map(|&(first, _, step, one)| if one { first } else { first + step * free.next().unwrap_or(&0) })
                .collect();
            let value = match values {
                Values::List(list) => self.formula(&list[place], locals)?,
                Values::Formula(formula) => {
                    let outer = self.turn.replace(Turn { offset, shape: Some(shape.clone()) });
                    let value = self.formula(formula, locals);
                    self.turn = outer;
                    value?
                }
            };
            new.push((index, value, masks.map(|masks| masks[place])));
        }
        if !matches!(locals.get(name), Some(Local::Array(_)))
            && let Some(elements) = self.arrays.get(name).cloned()
        {
            self.work(elements.values.len(), span)?;
            locals.insert(name.to_owned(), Local::Array(elements));
        }
        let Some(Local::Array(elements)) = locals.get_mut(name) else { return Ok(()) };
        for (index, value, mask) in new {
            elements.check(name, &index, span)?;
            elements.set(index, value, both(active, mask));
        }
        Ok(())
    }

    /// Assignments to parts of arrays under masks.
    pub(super) fn masked(
        &mut self,
        arms: &'m [(Option<Expression>, Vec<Statement>)],
        active: Option<Value<'g>>,
        locals: &mut Locals<'g>,
    ) -> Result<(), Fault> {
        // Where none of the masks so far was true.
        let mut rest: Option<Vec<Value<'g>>> = None;
        for (mask, body) in arms {
            let mut here = match mask {
                Some(mask) => self.each(mask, locals)?.1,
                None => rest.clone().unwrap_or_default(),
            };
            if let (Some(rest), Some(mask)) = (&mut rest, mask) {
                if rest.len() != here.len() {
                    return Err(Fault::at(mask.span, "arrays of different shapes meet here"));
                }
                for (rest, here) in rest.iter_mut().zip(&mut here) {
                    let own = *here;
                    *here = rest.binary(Operation::And, own);
                    *rest = rest.binary(Operation::And, own.unary(Operation::Not));
                }
            }
            for statement in body {
                match statement {
                    Statement::Assign { name, value } => {
                        let values = Values::Formula(value.clone());
                        self.assign_part((name, value.span), (&[], &values), (active, Some(&here)), locals)?;
                    }
                    Statement::Part { name, index, values, span } => {
                        self.assign_part((name, *span), (index, values), (active, Some(&here)), locals)?;
                    }
                    Statement::Beyond(beyond) => return Err(beyond.fault.clone()),
                    _ => {
                        let span = mask.as_ref().map(|mask| mask.span);
                        let what = "only arrays and parts of them can get values within WHERE".to_owned();
                        return Err(Fault { what, span, help: None });
                    }
                }
            }
            rest.get_or_insert_with(|| here.iter().map(|here| here.unary(Operation::Not)).collect());
        }
        Ok(())
    }
}

/// The numbers of a part of a dimension, whose ends are its own where none are given.
pub(super) fn range(
    (name, span): (&str, Span),
    [first, last, step]: [Option<i64>; 3],
    bounds: Option<&(i64, i64)>,
) -> Result<(i64, i64, i64), Fault> {
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(Fault::at(span, "the step of this part is 0"));
    }
    let ends = bounds.map(|&(first, last)| if step > 0 { (first, last) } else { (last, first) });
    let first = first.or(ends.map(|ends| ends.0));
    let last = last.or(ends.map(|ends| ends.1));
    match (first, last) {
        (Some(first), Some(last)) => Ok((first, last, step)),
        _ => Err(Fault::at(span, format!("the size of `{name}` is not known"))),
    }
}
