//! Attributes as text.

use netcdf_reader::{NcAttribute, NcFile, NcVariable};

/// The text of an attribute, without blanks and zero bytes around it.
pub(super) fn text(attribute: &NcAttribute) -> Option<String> {
    let text = attribute.value.as_string()?;
    Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned())
}

/// The text of a global attribute.
pub(crate) fn global_text(file: &NcFile, name: &str) -> Option<String> {
    file.global_attributes().ok()?.iter().find(|attribute| attribute.name == name).and_then(text)
}

/// The text of an attribute of a variable.
pub(crate) fn of(variable: &NcVariable, name: &str) -> Option<String> {
    variable.attribute(name).and_then(text)
}
