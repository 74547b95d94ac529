//! Arrays for results, and views to write them.

use isobar_core::FieldMut;
use isobar_core::fields::{AnyFieldMut, InputSet, Kind, OutputSet};
use isobar_launch::{Outputs, Plain, Scheme};

use super::copies::{Copied, Destination, RawView, last, scatter};
use super::elements::kind;
use super::shapes::{Shape, fit, shape_of, uneven};
use crate::array::{Array, Location};
use crate::axes::{Axes, Axis, Split, has_vertical};
use crate::callable::Plan;
use crate::error::CallError;
use crate::overlap::overlap;

/// Results of a scheme, seen: where they are written, and what is to be put in its place afterwards.
pub(crate) struct Written<'c, S: Scheme> {
    pub(crate) outputs: Outputs<'c, S>,
    memory: Vec<(Copied<S::Real>, Option<Destination>)>,
}

impl<'c, S: Scheme> Written<'c, S> {
    /// Views of arrays for the results of a plan. What is wanted and has no array gets memory of its own.
    pub(crate) fn new(
        plan: &Plan,
        arrays: &'c [Option<Array>],
        (axes, location): (Axes, Location),
        inputs: &[Option<Array>],
    ) -> Result<Self, CallError> {
        let all = <Outputs<'_, S>>::DECLARED;
        assert_eq!(arrays.len(), all.len(), "an array or none for each result");
        apart::<S>(arrays, inputs)?;
        let turned = axes.top_first.is_some_and(|top_first| top_first != S::TOP_FIRST);
        let Plan { extents, items, outputs } = plan;
        let count = extents.items();
        let mut memory = Vec::new();
        let mut views: Vec<Option<RawView>> = Vec::with_capacity(all.len());
        for ((declared, array), wanted) in all.iter().zip(arrays).zip(outputs) {
            let room = |memory: &mut Vec<_>, place| {
                let rows = extents.rows(declared.shape);
                let mut values = match declared.kind {
                    Kind::Real => Copied::Real(vec![<S::Real as isobar_core::Real>::ZERO; rows * count]),
                    Kind::Word => Copied::Word(vec![0; rows * count]),
                };
                let start = last(std::slice::from_mut(&mut values)).0;
                memory.push((values, place));
                (start, Axis { size: rows, stride: count as isize }, Axis { size: count, stride: 1 })
            };
            let Some(_) = wanted else {
                if let Some(array) = array {
                    kind::<S::Real>(declared, array)?;
                }
                views.push(None);
                continue;
            };
            let Some(array) = array else {
                if location != Location::Host {
                    let problem = format!("is a result that the options ask for: it needs an array on {location}");
                    return Err(CallError::Kind { variable: declared.name, problem });
                }
                views.push(Some(room(&mut memory, None)));
                continue;
            };
            kind::<S::Real>(declared, array)?;
            if !array.is_writable() {
                let problem = "is a result, and may not be written: it is read-only".to_owned();
                return Err(CallError::Kind { variable: declared.name, problem });
            }
            let split = Split::new(array, declared, axes).filter(|split| split.items.all().len() == items.len());
            let mut split = split.ok_or_else(|| {
                let (has, wanted) = (Shape(array.shape()), shape_of(declared, extents, items, axes));
                let problem = format!("has shape {has}, and {} is wanted", Shape(&wanted));
                CallError::Shape { variable: declared.name, problem }
            })?;
            let wanted = shape_of(declared, extents, items, axes);
            if array.shape() != wanted {
                fit(&mut split, declared, array, extents, items, axes, S::ITEM)?;
                let problem =
                    format!("has shape {}, and a result needs all of {}", Shape(array.shape()), Shape(&wanted));
                return Err(CallError::Shape { variable: declared.name, problem });
            }
            if count == 0 {
                views.push(None);
                continue;
            }
            if overlaps_itself(&split) {
                let problem = "is a result, and has several elements at one address".to_owned();
                return Err(CallError::Shape { variable: declared.name, problem });
            }
            let turned = turned && has_vertical(declared);
            if turned {
                split.turn(declared);
            }
            let start = array.start.wrapping_offset(split.first * array.element().bytes() as isize);
            views.push(Some(match (split.dimensions.merged(), split.items.merged()) {
                (Some(rows), Some(items)) => (start, rows, items),
                (None, Some(_)) if turned && array.location() == Location::Host => {
                    room(&mut memory, Some((start, split)))
                }
                _ => return Err(uneven(declared, array)),
            }));
        }
        let mut views = views.into_iter();
        let outputs =
            <Outputs<'_, S>>::build(&mut |declared| match (views.next().expect("one a result"), declared.kind) {
                (None, Kind::Real) => AnyFieldMut::Real(FieldMut::empty()),
                (None, Kind::Word) => AnyFieldMut::Word(FieldMut::empty()),
                (Some(view), Kind::Real) => AnyFieldMut::Real(field_mut(view)),
                (Some(view), Kind::Word) => AnyFieldMut::Word(field_mut(view)),
            });
        Ok(Self { outputs, memory })
    }

    /// Puts what was written elsewhere into its place.
    pub(crate) fn finish(self) {
        for (values, place) in self.memory {
            match (values, place) {
                (Copied::Real(values), Some((start, split))) => scatter(&values, start, &split),
                (Copied::Word(values), Some((start, split))) => scatter(&values, start, &split),
                (_, None) => {}
            }
        }
    }
}

fn field_mut<'c, T: Plain>((start, rows, items): RawView) -> FieldMut<'c, T> {
    if rows.size == 0 || items.size == 0 {
        return FieldMut::empty();
    }
    // SAFETY: who made the array promised that it is there during the call and ours to write, and the strides are those
    // of its axes.
    unsafe { FieldMut::from_raw(start.cast(), rows.size, items.size, rows.stride, items.stride) }
}

/// Has it several elements at one address?
fn overlaps_itself(split: &Split) -> bool {
    let mut axes: Vec<Axis> = split.dimensions.all().iter().chain(split.items.all()).copied().collect();
    axes.retain(|axis| axis.size > 1);
    axes.sort_by_key(|axis| axis.stride.unsigned_abs());
    let mut reach = 0;
    axes.into_iter().any(|axis| {
        let inside = axis.stride.unsigned_abs() <= reach;
        reach += (axis.size - 1) * axis.stride.unsigned_abs();
        inside
    })
}

/// Has each result memory of its own?
fn apart<S: Scheme>(outputs: &[Option<Array>], inputs: &[Option<Array>]) -> Result<(), CallError> {
    let names = <Outputs<'_, S>>::DECLARED;
    for (number, (declared, array)) in names.iter().zip(outputs).enumerate() {
        let Some(array) = array else { continue };
        let results = names.iter().zip(outputs).take(number);
        let others = <S::Inputs<'_>>::DECLARED.iter().zip(inputs).map(|other| (other, "input"));
        let mut others = others.chain(results.map(|other| (other, "result")));
        let other = others.find(|((_, other), _)| other.is_some_and(|other| overlap(array, &other)));
        if let Some(((other, _), what)) = other {
            let problem = format!("is a result, and shares memory with the {what} {}", other.name);
            return Err(CallError::Shape { variable: declared.name, problem });
        }
    }
    Ok(())
}
