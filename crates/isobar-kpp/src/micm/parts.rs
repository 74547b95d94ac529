//! A configuration in several files: which ones, and what they hold.

use super::value::{Text, Tree, Value};
use crate::error::Fault;
use crate::source::Span;

/// What another file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The list of this key of version 1.
    List(&'static str),
    /// Lists of version 0.
    Camp,
    /// The whole configuration, to which MusicBox's file points.
    Whole,
}

/// The lists of version 1.
pub(super) const LISTS: [&str; 3] = ["species", "phases", "reactions"];

/// The configuration within a file: MusicBox has it beside its conditions.
pub(super) fn mechanism(whole: Value<'_>) -> Result<Value<'_>, Fault> {
    let top = whole.object()?;
    let inner = top.get("mechanism").filter(|inner| !top.contains_key("version") && inner.object().is_ok());
    Ok(inner.copied().unwrap_or(whole))
}

/// As [`beside_value`], of a text.
pub(super) fn beside(text: Text<'_>) -> Result<Vec<Fault>, Fault> {
    beside_value(Tree::read(text)?.value())
}

/// Notes of what MusicBox's file has beside the configuration, or beside the file that it points to.
pub(super) fn beside_value(whole: Value<'_>) -> Result<Vec<Fault>, Fault> {
    let top = whole.object()?;
    let key_of_it = if mechanism(whole)?.span() != whole.span() {
        "mechanism"
    } else if top.contains_key("model components") {
        "model components"
    } else {
        return Ok(vec![]);
    };
    let others = top.iter().filter(|(key, _)| *key != key_of_it && !key.starts_with("__"));
    let note = |(key, value): (&String, &Value<'_>)| {
        let note = format!("`{key}` is read over: the mechanism alone is read, cells and times are given beside it");
        Fault::at(value.span(), note).of_start()
    };
    Ok(others.map(note).collect())
}

/// The names of the files that a configuration is in besides this one.
pub(crate) fn parts(text: Text<'_>) -> Result<Vec<(Part, String, Span)>, Fault> {
    let tree = Tree::read(text)?;
    let whole = mechanism(tree.value())?;
    let top = whole.object()?;
    let names = |value: Value<'_>, part| -> Result<Vec<(Part, String, Span)>, Fault> {
        value.list()?.into_iter().map(|name| Ok((part, name.string()?, name.span()))).collect()
    };
    if let Some(files) = top.get("camp-files") {
        return names(*files, Part::Camp);
    }
    if let Some(components) = top.get("model components") {
        for component in components.list()? {
            if let Some(file) = component.object()?.get("configuration file") {
                return Ok(vec![(Part::Whole, file.string()?, file.span())]);
            }
        }
    }
    let mut all = vec![];
    for key in LISTS {
        let list = top.get(key).and_then(|list| list.object().ok());
        if let Some(files) = list.as_ref().and_then(|list| list.get("files")) {
            all.extend(names(*files, Part::List(key))?);
        }
    }
    Ok(all)
}
