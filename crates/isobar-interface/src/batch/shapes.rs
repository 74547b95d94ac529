//! The shapes that arrays should have, and what is said of others.

use isobar_core::fields::{Declared, Dimension, Extents};

use crate::array::Array;
use crate::axes::{Axes, ItemsAxis, Split};
use crate::error::CallError;

/// Stretches axes of size 1, and checks all sizes.
pub(super) fn fit(
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
pub(super) fn misfit(
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

pub(super) fn uneven(declared: &'static Declared, array: &Array) -> CallError {
    let problem = format!(
        "has strides of {:?} bytes: what stands for one axis does not lie at equal distances; copy it to an array of \
         one piece",
        array.strides()
    );
    CallError::Shape { variable: declared.name, problem }
}

/// The shape of a field.
pub(super) fn shape_of(declared: &Declared, extents: &Extents, items: &[usize], axes: Axes) -> Vec<usize> {
    shape_by(declared, &|dimension| extents.size(dimension), items, axes)
}

/// The shape of a field by sizes of any origin.
pub(super) fn shape_by(
    declared: &Declared,
    size: &dyn Fn(Dimension) -> usize,
    items: &[usize],
    axes: Axes,
) -> Vec<usize> {
    let own = declared.shape.iter().map(|&dimension| size(dimension));
    match axes.items {
        ItemsAxis::First => items.iter().copied().chain(own).collect(),
        ItemsAxis::Last => own.chain(items.iter().copied()).collect(),
    }
}

/// `(column, layer)`.
pub(super) fn dimensions(declared: &Declared, item_name: &str, axes: Axes) -> String {
    let mut names: Vec<&str> = declared.shape.iter().map(|dimension| dimension.0).collect();
    match axes.items {
        ItemsAxis::First => names.insert(0, item_name),
        ItemsAxis::Last => names.push(item_name),
    }
    format!("({})", names.join(", "))
}

/// `(100, 35)`.
pub(super) struct Shape<'a>(pub(super) &'a [usize]);

impl std::fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        let comma = if sizes.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", sizes.join(", "))
    }
}
