//! The arrays of a call as the views that a scheme takes.

use isobar_core::fields::{
    AnyField, AnyFieldMut, Declared, Dimension, Extents, InputSet, Kind, LAYER, LEVEL, Need, OutputSet,
};
use isobar_core::{Field, FieldMut};
use isobar_launch::{Outputs, Plain, Precision, Scheme};

use crate::array::{Array, Element, Location};
use crate::axes::{Axes, Axis, Few, INTERFACE, ItemsAxis, Split, has_vertical};
use crate::callable::Plan;
use crate::error::CallError;
use crate::overlap::overlap;

/// The element of a precision.
pub(crate) fn element_of<R>() -> Element {
    if size_of::<R>() == 4 { Element::F32 } else { Element::F64 }
}

/// Values that are copied to or from where the caller has them.
pub(crate) enum Copied<R> {
    Real(Vec<R>),
    Word(Vec<u32>),
}

/// Where the arrays of a call lie, but for single values.
pub(crate) fn location<'a>(
    inputs: impl IntoIterator<Item = (&'static Declared, &'a Array)>,
    outputs: impl IntoIterator<Item = (&'static Declared, &'a Array)>,
) -> Result<Location, CallError> {
    let mut first: Option<(&'static Declared, Location)> = None;
    let many = inputs.into_iter().filter(|(_, array)| !array.shape().is_empty());
    for (declared, array) in many.chain(outputs) {
        match first {
            None => first = Some((declared, array.location())),
            Some((other, location)) if location != array.location() => {
                let problem = format!(
                    "lies on {}, and {} on {location}: a call has all arrays in one place",
                    array.location(),
                    other.name
                );
                return Err(CallError::Kind { variable: declared.name, problem });
            }
            Some(_) => {}
        }
    }
    Ok(first.map_or(Location::Host, |(_, location)| location))
}

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

/// The sizes that arrays say dimensions have: that of most of them, so that the one which differs gets the blame.
#[derive(Default)]
struct Votes(Vec<(Dimension, Vec<usize>)>);

/// Levels and interfaces as the layers that go with them.
fn as_layers(dimension: Dimension, size: usize) -> (Dimension, usize) {
    match dimension {
        LEVEL => (LAYER, size.saturating_sub(1)),
        INTERFACE => (LAYER, size + 1),
        _ => (dimension, size),
    }
}

impl Votes {
    /// An axis of size 1 stands for any size, and has no vote.
    fn vote(&mut self, dimension: Dimension, size: usize) {
        if size == 1 {
            return;
        }
        let (dimension, size) = as_layers(dimension, size);
        match self.0.iter_mut().find(|(known, _)| *known == dimension) {
            Some((_, sizes)) => sizes.push(size),
            None => self.0.push((dimension, vec![size])),
        }
    }

    fn size(&self, dimension: Dimension) -> Option<usize> {
        let (base, _) = as_layers(dimension, 0);
        let sizes = self.0.iter().find(|(known, _)| *known == base).map(|(_, sizes)| &sizes[..]);
        let size = most(sizes.unwrap_or_default())?;
        Some(match dimension {
            LEVEL => size + 1,
            INTERFACE => size.saturating_sub(1),
            _ => size,
        })
    }
}

/// What most of them are; the first of several.
fn most(sizes: &[usize]) -> Option<usize> {
    let votes = |wanted: usize| sizes.iter().filter(|&&size| size == wanted).count();
    sizes.iter().copied().rev().max_by_key(|&size| votes(size))
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

/// Has the array the elements that are declared?
fn kind<R: Precision>(declared: &'static Declared, array: &Array) -> Result<(), CallError> {
    let wanted = match declared.kind {
        Kind::Real => element_of::<R>(),
        Kind::Word => Element::U32,
    };
    if array.element() != wanted {
        let problem = format!("is {}, and {} is wanted", array.element().name(), wanted.name());
        return Err(CallError::Kind { variable: declared.name, problem });
    }
    if !array.start().addr().is_multiple_of(wanted.bytes()) {
        let problem = format!("does not begin at a multiple of {} bytes", wanted.bytes());
        return Err(CallError::Kind { variable: declared.name, problem });
    }
    Ok(())
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

type RawView = (*mut u8, Axis, Axis);

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
    match (split.dimensions.merged(), split.items.merged()) {
        (Some(rows), Some(items)) => Ok((start, rows, items)),
        (None, Some(_)) if turned && array.location() == Location::Host => {
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

/// The address and the length of the last copy.
fn last<R>(copies: &mut [Copied<R>]) -> (*mut u8, usize) {
    match copies.last_mut().expect("one was made") {
        Copied::Real(values) => (values.as_mut_ptr().cast(), values.len()),
        Copied::Word(values) => (values.as_mut_ptr().cast(), values.len()),
    }
}

/// Stretches axes of size 1, and checks all sizes.
fn fit(
    split: &mut Split,
    declared: &'static Declared,
    array: &Array,
    extents: &Extents,
    items: &[usize],
    axes: Axes,
    item_name: &'static str,
) -> Result<(), CallError> {
    split.items.pad(items.len());
    let fits = split.dimensions.stretch(declared.shape.iter().map(|&dimension| extents.size(dimension)))
        & split.items.stretch(items.iter().copied());
    if fits {
        return Ok(());
    }
    Err(misfit(declared, array, &shape_of(declared, extents, items, axes), axes, item_name))
}

/// An array of another shape than it should have.
fn misfit(
    declared: &'static Declared,
    array: &Array,
    wanted: &[usize],
    axes: Axes,
    item_name: &'static str,
) -> CallError {
    let problem = format!(
        "has shape {}, and {} = {} is wanted",
        Shape(array.shape()),
        dimensions(declared, item_name, axes),
        Shape(wanted)
    );
    CallError::Shape { variable: declared.name, problem }
}

fn uneven(declared: &'static Declared, array: &Array) -> CallError {
    let problem = format!(
        "has strides of {:?} bytes: what stands for one axis does not lie at equal distances; copy it to an array of \
         one piece",
        array.strides()
    );
    CallError::Shape { variable: declared.name, problem }
}

/// The shape of a field.
fn shape_of(declared: &Declared, extents: &Extents, items: &[usize], axes: Axes) -> Vec<usize> {
    shape_by(declared, &|dimension| extents.size(dimension), items, axes)
}

/// The same by sizes of any origin.
fn shape_by(declared: &Declared, size: &dyn Fn(Dimension) -> usize, items: &[usize], axes: Axes) -> Vec<usize> {
    let own = declared.shape.iter().map(|&dimension| size(dimension));
    match axes.items {
        ItemsAxis::First => items.iter().copied().chain(own).collect(),
        ItemsAxis::Last => own.chain(items.iter().copied()).collect(),
    }
}

/// `(column, layer)`.
fn dimensions(declared: &Declared, item_name: &str, axes: Axes) -> String {
    let mut names: Vec<&str> = declared.shape.iter().map(|dimension| dimension.0).collect();
    match axes.items {
        ItemsAxis::First => names.insert(0, item_name),
        ItemsAxis::Last => names.push(item_name),
    }
    format!("({})", names.join(", "))
}

/// `(100, 35)`.
struct Shape<'a>(&'a [usize]);

impl std::fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        let comma = if sizes.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", sizes.join(", "))
    }
}

/// The values of a host's array in the scheme's order, `[row * items + item]`.
fn gather<T: Plain>(start: *mut u8, split: &Split) -> Vec<T> {
    let (rows, items) = (split.dimensions.offsets(), split.items.offsets());
    let start = start.cast::<T>().cast_const();
    // SAFETY: the offsets stay inside the array, which is there, says who made it.
    let at = |offset: isize| unsafe { *start.offset(offset) };
    rows.iter().flat_map(|row| items.iter().map(move |item| row + item)).map(at).collect()
}

/// Puts values back to where the caller has them.
fn scatter<T: Plain>(values: &[T], start: *mut u8, split: &Split) {
    let (rows, items) = (split.dimensions.offsets(), split.items.offsets());
    let start = start.cast::<T>();
    let places = rows.iter().flat_map(|row| items.iter().map(move |item| row + item));
    for (value, offset) in values.iter().zip(places) {
        // SAFETY: as above, and it may be written.
        unsafe { *start.offset(offset) = *value };
    }
}

/// Where values are put afterwards: the first of them, and the others.
type Place = (*mut u8, Split);

/// Results of a scheme, seen: where they are written, and what is to be put in its place afterwards.
pub(crate) struct Written<'c, S: Scheme> {
    pub(crate) outputs: Outputs<'c, S>,
    memory: Vec<(Copied<S::Real>, Option<Place>)>,
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
