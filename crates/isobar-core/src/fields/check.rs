//! Checks of sizes and ranges, by the declarations.

use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use super::declared::{Accepted, Declared, Need};
use super::dimension::{Dimension, Extents};
use super::error::Error;
use super::set::{AnyField, InputSet};
use crate::{Field, Real};

/// The fields that are read, whose sizes are right: without those that are not needed, and with single values
/// ([`Field::constant`]) for as many rows and items as the batch has.
///
/// # Errors
/// The first field with another size, or the first that is needed and missing; a batch without items.
pub fn complete<'a, S: InputSet<'a>>(
    inputs: &S,
    extents: &Extents,
    item_name: &'static str,
    need: &dyn Fn(&Declared) -> Need,
) -> Result<S, Error> {
    let mut fields = Vec::with_capacity(S::DECLARED.len());
    inputs.visit(&mut |_, field| fields.push(field));
    let (mut fields, mut missing) = (fields.into_iter(), None);
    let read = S::build(&mut |declared| {
        let (rows, items) = (extents.rows(declared.shape), extents.items());
        let (field, need) = (fields.next().expect("as many as are declared"), need(declared));
        if need == Need::Required && field.extent().1 == 0 && rows * items > 0 {
            missing.get_or_insert(declared);
        }
        match field {
            AnyField::Real(_) if need == Need::Ignored => AnyField::Real(Field::empty()),
            AnyField::Word(_) if need == Need::Ignored => AnyField::Word(Field::empty()),
            AnyField::Real(one) if is_single(&one) => AnyField::Real(one.stretched(rows, items)),
            AnyField::Word(one) if is_single(&one) => AnyField::Word(one.stretched(rows, items)),
            other => other,
        }
    });
    match missing {
        Some(declared) => Err(size_error(declared, 0, extents, item_name)),
        None => sizes(&read, extents, item_name).map(|()| read),
    }
}

fn is_single<T: Copy>(field: &Field<'_, T>) -> bool {
    field.strides() == (0, 0) && !field.is_empty()
}

/// Has each field that is there the rows and items of the batch, and is each there that has to be?
///
/// # Errors
/// The first field of which that is not so, or a batch without items.
pub fn sizes<'a, S: InputSet<'a>>(inputs: &S, extents: &Extents, item_name: &'static str) -> Result<(), Error> {
    if extents.items() == 0 {
        return Err(no_items(item_name));
    }
    let mut outcome = Ok(());
    inputs.visit(&mut |declared, field| {
        let (rows, items) = field.extent();
        let expected = extents.rows(declared.shape) * extents.items();
        let absent = items == 0 && (declared.optional || expected == 0);
        if outcome.is_ok() && !absent && (rows * items != expected || items != extents.items()) {
            outcome = Err(size_error(declared, rows * items, extents, item_name));
        }
    });
    outcome
}

/// The error of an empty batch.
pub(super) fn no_items(item_name: &str) -> Error {
    Error::Setup(format!("a batch needs at least one {item_name}"))
}

/// The error of a field with another number of values than it should have.
#[must_use]
pub fn size_error(declared: &Declared, got: usize, extents: &Extents, item_name: &'static str) -> Error {
    let expected = extents.rows(declared.shape) * extents.items();
    Error::Size { variable: declared.name, got, expected, shape: shape_in_words(declared.shape, extents, item_name) }
}

/// `35 layers x 100 columns`.
fn shape_in_words(shape: &[Dimension], extents: &Extents, item_name: &str) -> String {
    let mut words = String::new();
    for &dimension in shape {
        words += &format!("{} {} x ", extents.size(dimension), plural(dimension.0, extents.size(dimension)));
    }
    words + &format!("{} {}", extents.items(), plural(item_name, extents.items()))
}

fn plural(name: &str, count: usize) -> String {
    if count == 1 || name.ends_with('s') { name.to_string() } else { format!("{name}s") }
}

/// The first value out of its range of each bad item in a range of items, whose sizes are right.
///
/// Fields are read row by row, as they lie in memory where neighbouring items are adjacent.
#[must_use]
pub fn values<'a, S: InputSet<'a>>(
    inputs: &S,
    extents: &Extents,
    range: core::ops::Range<usize>,
    item_name: &'static str,
) -> Vec<Error> {
    values_by(inputs, extents, range, item_name, &|declared, _| declared.accepted)
}

/// Does what [`values`] does with ranges that follow from options: `accepted` says what each row of a field accepts.
#[must_use]
pub fn values_by<'a, S: InputSet<'a>>(
    inputs: &S,
    extents: &Extents,
    range: core::ops::Range<usize>,
    item_name: &'static str,
    accepted: &dyn Fn(&'static Declared, usize) -> Accepted,
) -> Vec<Error> {
    let mut bad = vec![false; range.len()];
    let mut any = false;
    inputs.visit(&mut |declared, field| {
        if let AnyField::Real(field) = field {
            any |= mark(&mut bad, &field, range.start, &|row| accepted(declared, row).rounded::<S::Real>());
        }
    });
    if !any {
        return Vec::new();
    }
    let bad = range.zip(bad).filter(|(_, bad)| *bad);
    bad.filter_map(|(item, _)| first_of_item(inputs, extents, item, item_name, accepted)).collect()
}

/// What of layers does not lie between its levels, as pressure does: the first such value of each bad item in a range,
/// but for values of these ends.
#[must_use]
pub fn between_levels<R: Real>(
    declared: &'static Declared,
    [levels, layers]: [&Field<'_, R>; 2],
    range: core::ops::Range<usize>,
    item_name: &'static str,
    ends: &[f64],
) -> Vec<Error> {
    let around = |row: usize, item: usize| [row, row + 1].map(|level| levels.at(level, item).value());
    let wrong = |row: usize, item: usize| {
        let (value, [below, above]) = (layers.at(row, item).value(), around(row, item));
        (value > below || value < above) && !ends.contains(&value)
    };
    first_wrong(declared, layers, (range, layers.levels()), item_name, wrong, |row, item| {
        let [below, above] = around(row, item);
        format!("between the {below} and {above} {} of the levels around it", declared.unit)
    })
}

/// What does not fall from row to row, as pressure does with height: the first such value of each bad item in a range.
#[must_use]
pub fn falling<R: Real>(
    declared: &'static Declared,
    field: &Field<'_, R>,
    range: core::ops::Range<usize>,
    item_name: &'static str,
) -> Vec<Error> {
    let mut rise: Vec<Option<usize>> = vec![None; range.len()];
    for row in 1..field.levels() {
        let mut note = |offset: usize, below: R, here: R| {
            if here >= below {
                rise[offset].get_or_insert(row);
            }
        };
        match (field.neighbours(row - 1, range.clone()), field.neighbours(row, range.clone())) {
            // As a rule, without a branch a value.
            (Some(below), Some(here))
                if below.iter().zip(here).fold(true, |all, (below, here)| all & (here < below)) => {}
            (Some(below), Some(here)) => {
                below.iter().zip(here).enumerate().for_each(|(offset, (&below, &here))| note(offset, below, here));
            }
            _ => {
                range.clone().enumerate().for_each(|(offset, item)| {
                    note(offset, field.at(row - 1, item), field.at(row, item));
                });
            }
        }
    }
    let unit = declared.unit;
    let error = |(item, row): (usize, usize)| Error::Order {
        variable: declared.name,
        item_name,
        item,
        place: vec![(declared.shape[0].0, row)],
        value: field.at(row, item).value(),
        wanted: format!("below the {} {unit} of the {} under it", field.at(row - 1, item).value(), declared.shape[0].0),
        unit,
    };
    range.zip(rise).filter_map(|(item, row)| Some((item, row?))).map(error).collect()
}

/// The first wrong value of each item of a range, in the first `rows` of a field, and what is accepted there in words:
/// what no range of numbers says. Row by row, as fields lie in memory.
#[must_use]
pub fn first_wrong<R: Real>(
    declared: &'static Declared,
    field: &Field<'_, R>,
    (range, rows): (core::ops::Range<usize>, usize),
    item_name: &'static str,
    wrong: impl Fn(usize, usize) -> bool,
    accepted: impl Fn(usize, usize) -> String,
) -> Vec<Error> {
    let mut first = vec![None; range.len()];
    for row in 0..rows {
        for (first, item) in first.iter_mut().zip(range.clone()) {
            if first.is_none() && wrong(row, item) {
                *first = Some(row);
            }
        }
    }
    let error = |(item, row): (usize, usize)| Error::Value {
        variable: declared.name,
        item_name,
        item,
        place: declared.shape.first().map(|dimension| (dimension.0, row)).into_iter().collect(),
        value: field.at(row, item).value(),
        accepted: accepted(row, item),
        // It stands among the words.
        unit: "1",
    };
    range.zip(first).filter_map(|(item, row)| Some((item, row?))).map(error).collect()
}

/// The first error of each item, in the order of the items.
#[must_use]
pub fn first_of_each<const N: usize>(errors: [Vec<Error>; N]) -> Vec<Error> {
    let mut all: Vec<Error> = errors.into_iter().flatten().collect();
    all.sort_by_key(Error::item);
    all.dedup_by_key(|error| error.item());
    all
}

/// Are all values accepted? Without a branch a value, for many of them at once.
fn all_fit<R: Real>(accepted: Accepted, values: &[R]) -> bool {
    fn all<R: Real>(values: &[R], fits: impl Fn(f64) -> bool) -> bool {
        values.iter().fold(true, |all, value| all & fits(value.value()))
    }
    match accepted {
        Accepted::Finite => all(values, f64::is_finite),
        Accepted::Within(low, high) => all(values, |value| (value >= low) & (value <= high) & value.is_finite()),
        Accepted::Above(low, high) => all(values, |value| (value > low) & (value <= high) & value.is_finite()),
        Accepted::Between(low, high) => all(values, |value| (value > low) & (value < high)),
        Accepted::OneOrWithin(one, low, high) => {
            all(values, |value| (value == one) | ((value >= low) & (value <= high)))
        }
        Accepted::OneOf(numbers) => {
            all(values, |value| numbers.iter().fold(false, |any, &number| any | (value == number)))
        }
        Accepted::Anything => true,
    }
}

/// Marks the items of which the field has a value that is not accepted; is there one?
fn mark<R: Real>(bad: &mut [bool], field: &Field<'_, R>, first: usize, accepted: &dyn Fn(usize) -> Accepted) -> bool {
    if field.is_empty() {
        return false;
    }
    let mut any = false;
    for row in 0..field.levels() {
        let accepted = accepted(row);
        if accepted == Accepted::Anything {
            continue;
        }
        if field.strides() == (0, 0) {
            if !accepted.fits(field.at(0, 0).value()) {
                bad.fill(true);
                any = true;
            }
            continue;
        }
        match field.neighbours(row, first..first + bad.len()) {
            // As a rule.
            Some(values) if all_fit(accepted, values) => {}
            Some(values) => {
                for (bad, value) in bad.iter_mut().zip(values) {
                    let refused = !accepted.fits(value.value());
                    *bad |= refused;
                    any |= refused;
                }
            }
            None => {
                for (offset, bad) in bad.iter_mut().enumerate() {
                    let refused = !accepted.fits(field.at(row, first + offset).value());
                    *bad |= refused;
                    any |= refused;
                }
            }
        }
    }
    any
}

/// The first value of an item that is not accepted.
fn first_of_item<'a, S: InputSet<'a>>(
    inputs: &S,
    extents: &Extents,
    item: usize,
    item_name: &'static str,
    accepted: &dyn Fn(&'static Declared, usize) -> Accepted,
) -> Option<Error> {
    let mut found = None;
    inputs.visit(&mut |declared, field| {
        let AnyField::Real(field) = field else { return };
        if found.is_some() || field.is_empty() {
            return;
        }
        let fits = |row: usize| accepted(declared, row).rounded::<S::Real>().fits(field.at(row, item).value());
        let bad = (0..field.levels()).find(|&row| !fits(row));
        found = bad.map(|row| Error::Value {
            variable: declared.name,
            item_name,
            item,
            place: place(declared.shape, extents, row),
            value: field.at(row, item).value(),
            accepted: accepted(declared, row).to_string(),
            unit: declared.unit,
        });
    });
    found
}

/// The index in each dimension of a row.
#[must_use]
pub fn place(shape: &[Dimension], extents: &Extents, row: usize) -> Vec<(&'static str, usize)> {
    let mut rest = row;
    let mut place: Vec<(&'static str, usize)> = Vec::new();
    for &dimension in shape.iter().rev() {
        let size = extents.size(dimension).max(1);
        place.push((dimension.0, rest % size));
        rest /= size;
    }
    place.reverse();
    place
}

#[cfg(test)]
mod tests {
    use super::{Accepted, all_fit};

    /// What is asked of many values at once is what is asked of one.
    #[test]
    fn many_values_fit_as_one_does() {
        let values = [f64::NAN, f64::INFINITY, -f64::INFINITY, f64::MAX, -1.0, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0];
        let all = [
            Accepted::Finite,
            Accepted::Within(0.0, 2.0),
            Accepted::Within(0.0, f64::INFINITY),
            Accepted::Above(0.0, 2.0),
            Accepted::Above(0.0, f64::INFINITY),
            Accepted::Between(0.0, 2.0),
            Accepted::OneOrWithin(-1.0, 0.5, 2.0),
            Accepted::OneOf(&[1.0, 2.0]),
            Accepted::Anything,
        ];
        for accepted in all {
            for value in values {
                assert_eq!(all_fit(accepted, &[value]), accepted.fits(value), "{accepted:?}, {value}");
                assert_eq!(all_fit(accepted, &[1.0, value]), accepted.fits(1.0) && accepted.fits(value));
            }
        }
    }
}
