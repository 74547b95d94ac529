//! What arrays hold, and where they lie.

use isobar_core::fields::{Declared, Kind};
use isobar_launch::Precision;

use crate::array::{Array, Element, Location};
use crate::error::CallError;

/// The element of a precision.
pub(crate) fn element_of<R>() -> Element {
    if size_of::<R>() == 4 { Element::F32 } else { Element::F64 }
}

/// Has the array the elements that are declared?
pub(super) fn kind<R: Precision>(declared: &'static Declared, array: &Array) -> Result<(), CallError> {
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
