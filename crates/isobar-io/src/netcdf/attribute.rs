//! Attributes as text.

use netcdf_reader::{NcAttribute, NcVariable};

/// The text of an attribute, without blanks and zero bytes around it.
pub(super) fn text(attribute: &NcAttribute) -> Option<String> {
    let text = attribute.value.as_string()?;
    Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned())
}

/// The text of a global attribute.
pub(crate) fn global_text(all: &[NcAttribute], name: &str) -> Option<String> {
    all.iter().find(|attribute| attribute.name == name).and_then(text)
}

/// A global attribute that is one number.
pub(super) fn global_number(all: &[NcAttribute], name: &str) -> Option<f64> {
    all.iter().find(|attribute| attribute.name == name)?.value.as_f64()
}

/// The text of an attribute of a variable.
pub(crate) fn of(variable: &NcVariable, name: &str) -> Option<String> {
    variable.attribute(name).and_then(text)
}
