//! Arrays of inputs, and views of them.

use isobar_core::Field;
use isobar_core::fields::{AnyField, Declared, Dimension, Extents, InputSet, Kind, Need, OutputSet};
use isobar_launch::{Outputs, Plain, Scheme};

use super::copies::{Copied, RawView, gather, last};
use super::elements::kind;
use super::shapes::{Shape, dimensions, fit, misfit, shape_by, shape_of, uneven};
use super::votes::{Votes, most};
use crate::array::{Array, Location};
use crate::axes::{Axes, Axis, Few, Split, has_vertical};
use crate::callable::Plan;
use crate::error::CallError;

/// Inputs of a scheme, seen.
pub(crate) struct Batch<'c, S: Scheme> {
    pub(crate) inputs: S::Inputs<'c>,
    pub(crate) plan: Plan,
    /// Which inputs are single values, of the host in any case?
    pub(crate) single: Vec<bool>,
    /// Keeps what was copied.
    _copies: Vec<Copied<S::Real>>,
}

/// An input with its axes.
struct Seen {
    declared: &'static Declared,
    array: Array,
    split: Split,
}

impl<'c, S: Scheme> Batch<'c, S> {
    /// The views of arrays, whose kinds, shapes and places are checked.
    pub(crate) fn new(
        scheme: &S,
        arrays: &'c [Option<Array>],
        axes: Axes,
        options: &S::Options,
    ) -> Result<Self, CallError> {
        let all = <S::Inputs<'_>>::DECLARED;
        assert_eq!(arrays.len(), all.len(), "an array or none for each input");
        let mut seen: Vec<Option<Seen>> = Vec::with_capacity(all.len());
        for (declared, array) in all.iter().zip(arrays) {
            let array = array.filter(|_| scheme.need(declared, options) != Need::Ignored);
            seen.push(array.map(|array| see::<S>(declared, array, axes)).transpose()?);
        }
        let missing = all
            .iter()
            .zip(&seen)
            .find(|(declared, seen)| seen.is_none() && scheme.need(declared, options) == Need::Required);
        if let Some((declared, _)) = missing {
            let problem = format!("is missing, and needed: {}, {}", dimensions(declared, S::ITEM, axes), declared.unit);
            return Err(CallError::Shape { variable: declared.name, problem });
        }
        let items = common_items::<S>(&seen)?;
        let mut votes = Votes::default();
        for Seen { declared, split, .. } in seen.iter().flatten() {
            for (&dimension, axis) in declared.shape.iter().zip(split.dimensions.all()) {
                votes.vote(dimension, axis.size);
            }
        }
        for Seen { declared, array, split } in seen.iter().flatten() {
            let mut axes_of = declared.shape.iter().zip(split.dimensions.all());
            let differs = |(&dimension, axis): (&Dimension, &Axis)| {
                axis.size != 1 && votes.size(dimension).is_some_and(|size| size != axis.size)
            };
            if axes_of.any(differs) {
                let size = |dimension| votes.size(dimension).unwrap_or(1);
                return Err(misfit(declared, array, &shape_by(declared, &size, &items, axes), axes, S::ITEM));
            }
        }
        let count: usize = items.iter().product();
        // What the arrays say, from which the scheme finds the sizes: numbers of rows and items, and no values. A batch
        // without items has those of one with one.
        let rough = &mut |seen: &Seen| {
            let mut dimensions = seen.split.dimensions;
            let voted = seen.declared.shape.iter().map(|&dimension| votes.size(dimension).unwrap_or(1));
            let rows = if seen.array.shape().is_empty() {
                voted.product()
            } else {
                dimensions.stretch(voted);
                dimensions.count()
            };
            let stride = isize::from(!seen.array.shape().is_empty());
            (seen.array.start, Axis { size: rows, stride }, Axis { size: count.max(1), stride })
        };
        let inputs = build::<S>(&seen, rough);
        let extents = scheme.extents(&inputs, options)?;
        let extents = extents.with_items(count);
        let turned = axes.top_first.is_some_and(|top_first| top_first != S::TOP_FIRST);
        let mut copies = Vec::new();
        let mut views = Vec::with_capacity(seen.len());
        for seen in &seen {
            let Some(seen) = seen else {
                views.push(None);
                continue;
            };
            views.push(Some(place::<S>(seen, &extents, &items, (axes, turned), &mut copies)?));
        }
        let mut views = views.into_iter().flatten();
        let inputs = build::<S>(&seen, &mut |_| views.next().expect("as many as are given"));
        let wanted = |declared: &'static Declared| {
            let rows = extents.rows(declared.shape);
            (rows > 0 && scheme.wants(declared, &extents, options)).then(|| shape_of(declared, &extents, &items, axes))
        };
        let outputs = <Outputs<'_, S>>::DECLARED.iter().map(wanted).collect();
        let is_single = |seen: &Option<Seen>| seen.as_ref().is_some_and(|seen| seen.array.shape().is_empty());
        let single = seen.iter().map(is_single).collect();
        Ok(Self { inputs, plan: Plan { extents, items, outputs }, single, _copies: copies })
    }
}

/// An array's axes, if it is of the right kind.
fn see<S: Scheme>(declared: &'static Declared, array: Array, axes: Axes) -> Result<Seen, CallError> {
    kind::<S::Real>(declared, &array)?;
    let split = Split::new(&array, declared, axes);
    let scalar = array.shape().is_empty();
    if scalar && array.location() != Location::Host {
        let problem = format!("is a single value on {}: these are the host's", array.location());
        return Err(CallError::Kind { variable: declared.name, problem });
    }
    let split =
        split.or_else(|| scalar.then_some(Split { first: 0, dimensions: Few::default(), items: Few::default() }));
    let split = split.ok_or_else(|| {
        let few = array.shape().len() < declared.shape.len();
        let problem = if few {
            format!("has shape {}, and dimensions {}", Shape(array.shape()), dimensions(declared, S::ITEM, axes))
        } else {
            format!(
                "has strides of {:?} bytes, which are no whole elements of {}",
                array.strides(),
                array.element().name()
            )
        };
        CallError::Shape { variable: declared.name, problem }
    })?;
    Ok(Seen { declared, array, split })
}

/// The axes of the items that all arrays share, some perhaps of size 1.
fn common_items<S: Scheme>(seen: &[Option<Seen>]) -> Result<Vec<usize>, CallError> {
    let axes = seen.iter().flatten().map(|seen| seen.split.items.all().len()).max().unwrap_or(0);
    let mut items = vec![1; axes];
    for (from_last, place) in items.iter_mut().rev().enumerate() {
        let size_of = |seen: &Seen| seen.split.items.all().iter().rev().nth(from_last).map(|axis| axis.size);
        let sized = seen.iter().flatten().filter_map(|seen| Some((seen.declared.name, size_of(seen)?)));
        let sized: Vec<(&str, usize)> = sized.filter(|&(_, size)| size != 1).collect();
        let sizes: Vec<usize> = sized.iter().map(|&(_, size)| size).collect();
        let Some(size) = most(&sizes) else { continue };
        if let Some(&(variable, own)) = sized.iter().find(|&&(_, own)| own != size) {
            let (like, _) = sized.iter().find(|&&(_, own)| own == size).expect("some have it");
            let problem = format!("has {own} {}s along an axis, and {like} has {size}", S::ITEM);
            return Err(CallError::Shape { variable, problem });
        }
        *place = size;
    }
    Ok(items)
}

/// The views of all inputs.
fn build<'c, S: Scheme>(seen: &[Option<Seen>], view: &mut dyn FnMut(&Seen) -> RawView) -> S::Inputs<'c> {
    let mut each = seen.iter();
    <S::Inputs<'_>>::build(&mut |declared| match (each.next().expect("one an input"), declared.kind) {
        (None, Kind::Real) => AnyField::Real(Field::empty()),
        (None, Kind::Word) => AnyField::Word(Field::empty()),
        (Some(seen), Kind::Real) => AnyField::Real(field(view(seen))),
        (Some(seen), Kind::Word) => AnyField::Word(field(view(seen))),
    })
}

fn field<'c, T: Plain>((start, rows, items): RawView) -> Field<'c, T> {
    if rows.size == 0 || items.size == 0 {
        return Field::empty();
    }
    // SAFETY: who made the array promised that it is there during the call, and the strides are those of its axes.
    unsafe { Field::from_raw(start.cast::<T>().cast_const(), rows.size, items.size, rows.stride, items.stride) }
}

/// Where an input lies, in the scheme's order.
fn place<S: Scheme>(
    seen: &Seen,
    extents: &Extents,
    items: &[usize],
    (axes, turned): (Axes, bool),
    copies: &mut Vec<Copied<S::Real>>,
) -> Result<RawView, CallError> {
    let Seen { declared, array, split } = seen;
    let count = extents.items();
    if array.shape().is_empty() {
        let rows = extents.rows(declared.shape);
        return Ok((array.start, Axis { size: rows, stride: 0 }, Axis { size: count, stride: 0 }));
    }
    let mut split = *split;
    fit(&mut split, declared, array, extents, items, axes, S::ITEM)?;
    if count == 0 {
        return Ok((array.start, Axis::default(), Axis::default()));
    }
    let turned = turned && has_vertical(declared);
    if turned {
        split.turn(declared);
    }
    let start = array.start.wrapping_offset(split.first * array.element().bytes() as isize);
    // An axis of size 1 stands for any size.
    let spread = split.dimensions.all().iter().any(|axis| axis.size > 1 && axis.stride == 0);
    match (split.dimensions.merged(), split.items.merged()) {
        (Some(rows), Some(items)) => Ok((start, rows, items)),
        (None, Some(_)) if (turned || spread) && array.location() == Location::Host => {
            let (start, rows) = match declared.kind {
                Kind::Real => {
                    let values = gather::<S::Real>(start, &split);
                    copies.push(Copied::Real(values));
                    last(copies)
                }
                Kind::Word => {
                    let values = gather::<u32>(start, &split);
                    copies.push(Copied::Word(values));
                    last(copies)
                }
            };
            let size = rows / count.max(1);
            Ok((start, Axis { size, stride: count as isize }, Axis { size: count, stride: 1 }))
        }
        _ => Err(uneven(declared, array)),
    }
}
