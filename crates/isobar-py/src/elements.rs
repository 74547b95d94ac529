//! Kinds of numbers, as the interface and as NumPy name them.

use isobar_interface::{Declared, Element, Kind};
use numpy::PyArrayDescr;
use numpy::prelude::*;
use pyo3::prelude::*;

/// The element of NumPy's type, if there is one.
pub(crate) fn element_of(descr: &Bound<'_, PyArrayDescr>) -> Option<Element> {
    if descr.is_native_byteorder() == Some(false) {
        return None;
    }
    match (descr.kind(), descr.itemsize()) {
        (b'f', 4) => Some(Element::F32),
        (b'f', 8) => Some(Element::F64),
        (b'u', 4) => Some(Element::U32),
        _ => None,
    }
}

/// NumPy's name of an element.
pub(crate) fn numpy_name(element: Element) -> &'static str {
    match element {
        Element::F32 => "float32",
        Element::F64 => "float64",
        Element::U32 => "uint32",
    }
}

/// What a field has.
pub(crate) fn wanted(declared: &Declared, precision: Element) -> Element {
    if declared.kind == Kind::Word { Element::U32 } else { precision }
}
