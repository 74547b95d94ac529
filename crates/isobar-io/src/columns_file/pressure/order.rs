//! In which order a file's layers lie, whose pressures follow by coefficients.

use crate::error::Error;
use crate::netcdf::{Accepted, Array, Dataset, Dimension, Orientation};

use Orientation::{BottomFirst, TopFirst};

/// What says it.
pub(super) enum Order {
    /// The coefficients themselves, that stand along the layers or their levels; or all that there is.
    Known(Orientation),
    /// Coefficients that stand along a dimension of their own, with this end first: tools that turn a file upside down
    /// leave these as they are.
    Apart { name: String, first: Orientation, numbers: Option<Numbers> },
}

/// The numbers of layers, as their coordinate has them: from 0 or 1 on, one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Rise,
    Fall,
}

impl Numbers {
    /// What a coordinate's values are, if they are numbers.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let (first, last) = (values.first()?, values.last()?);
        let is_numbered = |rises: bool| {
            let begin = if rises { first } else { last };
            let number = |index: usize| if rises { index } else { values.len() - 1 - index };
            [0.0, 1.0].contains(begin)
                && values.iter().enumerate().all(|(index, &value)| value == begin + number(index) as f64)
        };
        match (is_numbered(true), is_numbered(false)) {
            (true, false) => Some(Self::Rise),
            (false, true) => Some(Self::Fall),
            _ => None,
        }
    }
}

/// Which end of layers is the top, whose coefficients stand apart with this end first: the layer of number n has the
/// coefficients of number n. Nothing where neither these nor what is stated say it.
pub(crate) fn beside_coefficients(
    first: Orientation,
    numbers: Option<Numbers>,
    stated: impl FnOnce() -> Result<Option<Orientation>, Error>,
) -> Result<Option<Orientation>, Error> {
    match (numbers, first) {
        (Some(Numbers::Rise), _) => Ok(Some(first)),
        (Some(Numbers::Fall), TopFirst) => Ok(Some(BottomFirst)),
        // Both were turned, or numbers that count from the ground were.
        (Some(Numbers::Fall), BottomFirst) => stated(),
        (None, _) => Ok(stated()?.or(Some(first))),
    }
}

/// That nothing says it, of layers and coefficients by these names.
pub(crate) fn not_said(layers: &str, coefficients: &str) -> String {
    format!(
        "{layers} counts down and {coefficients} begins at the surface: nothing says whether {layers} counts from the \
         top; its attribute positive does, \"down\" if it does"
    )
}

impl Order {
    /// Of these coefficients, by the name of one and which end they have first; those of layers come before others.
    pub(super) fn of(file: &Dataset, all: &[(&str, Orientation)]) -> Result<Self, Error> {
        let along = |name: &str| file.dimensions_of(name).unwrap_or_default().into_iter().next();
        let stands = |&&(name, _): &&(&str, Orientation)| {
            along(name).is_some_and(|(along, _)| matches!(file.role(&along), Some(Dimension::Layer | Dimension::Level)))
        };
        let mut beside = all.iter().filter(stands);
        if let Some(&(name, first)) = beside.next() {
            return match beside.find(|(_, other)| *other != first) {
                None => Ok(Self::Known(first)),
                Some((other, _)) => Err(file.invalid(format!(
                    "{name} and {other} run in opposite directions: layers and the levels around them have one order"
                ))),
            };
        }
        let Some(&(name, first)) = all.first() else { return Ok(Self::Known(TopFirst)) };
        Ok(Self::Apart { name: name.to_owned(), first, numbers: numbers(file) })
    }

    /// Which end of the layers is the top.
    pub(super) fn in_file(&self, file: &Dataset) -> Result<Orientation, Error> {
        let (name, first, numbers) = match self {
            Self::Known(known) => return Ok(*known),
            Self::Apart { name, first, numbers } => (name, *first, *numbers),
        };
        let top = beside_coefficients(first, numbers, || file.stated_orientation())?;
        top.ok_or_else(|| file.invalid(not_said(&layers(file), name)))
    }

    /// What was assumed for want of anything that says it, in words.
    pub(super) fn assumed_in_words(&self, file: &Dataset) -> Result<Option<String>, Error> {
        let Self::Apart { name, first, numbers: None } = self else { return Ok(None) };
        if file.stated_orientation()?.is_some() {
            return Ok(None);
        }
        let end = if *first == TopFirst { "top" } else { "surface" };
        Ok(Some(format!(
            "nothing says in which order {} runs: as {name} does, from the {end}; the attribute positive of its \
             coordinate says another",
            layers(file)
        )))
    }
}

/// What the file calls the dimension of layers.
fn layers(file: &Dataset) -> String {
    file.dimension_of(Dimension::Layer).map_or_else(|| Dimension::Layer.to_string(), |(name, _)| name)
}

/// Those of layers, if their coordinate has any.
fn numbers(file: &Dataset) -> Option<Numbers> {
    let name = layers(file);
    let array = Array { name: &name, dimensions: &[&name], unit: "1", states_unit: false, accepted: Accepted::FINITE };
    let values = file.has_name(&name).then(|| file.numbers(&array).ok()).flatten()?;
    Numbers::of(&values)
}
