//! The elements of an array.

use std::collections::HashMap;

use crate::error::Fault;
use crate::graph::Value;
use crate::limits::MOST_ELEMENTS;
use crate::source::Span;
use crate::statement::Number;

/// The elements of an array that have values.
#[derive(Clone, Default)]
pub(super) struct Elements<'g> {
    /// The first and the last index of each dimension; none where they are not known.
    pub(super) bounds: Vec<(i64, i64)>,
    /// What they are, whatever they are given.
    pub(super) number: Option<Number>,
    pub(super) values: HashMap<Vec<i64>, Value<'g>>,
}

impl<'g> Elements<'g> {
    /// The same array before it is given any.
    pub(super) fn without_values(&self) -> Self {
        Self { bounds: self.bounds.clone(), number: self.number, values: HashMap::new() }
    }

    /// Gives an element a value where a condition is true.
    pub(super) fn set(&mut self, index: Vec<i64>, value: Value<'g>, active: Option<Value<'g>>) {
        let before = self.values.get(&index).copied();
        self.values.insert(index, value.taken_as(self.number).given_where(active, before));
    }

    /// All indices, the first one fastest; none where bounds are not known.
    pub(super) fn indices(&self, span: Span) -> Result<Vec<Vec<i64>>, Fault> {
        let sizes = self.bounds.iter().map(|&(first, last)| (last - first + 1).max(0));
        let count = sizes.fold(1_i64, i64::saturating_mul);
        if count > MOST_ELEMENTS {
            return Err(Fault::at(span, format!("this array has more than {MOST_ELEMENTS} elements")));
        }
        let mut all = vec![vec![]];
        for &(first, last) in self.bounds.iter().rev() {
            let with = |rest: &Vec<i64>| {
                let rest = rest.clone();
                (first..=last).map(move |index| {
                    let mut all = vec![index];
                    all.extend(&rest);
                    all
                })
            };
            all = all.iter().flat_map(with).collect();
        }
        Ok(if self.bounds.is_empty() { vec![] } else { all })
    }

    pub(super) fn check(&self, name: &str, index: &[i64], span: Span) -> Result<(), Fault> {
        if self.bounds.is_empty() {
            return Ok(());
        }
        let inside = self.bounds.len() == index.len()
            && self.bounds.iter().zip(index).all(|(&(first, last), &index)| first <= index && index <= last);
        let bounds = self.bounds.iter().map(|(first, last)| format!("{first}:{last}")).collect::<Vec<_>>().join(", ");
        let index = index.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        if inside { Ok(()) } else { Err(Fault::at(span, format!("({index}) is not within `{name}({bounds})`"))) }
    }
}
