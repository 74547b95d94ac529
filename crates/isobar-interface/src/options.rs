//! Options by name.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::CallError;

/// The options of a scheme by name, from its defaults and what is given. An option of a group, an object among the
/// defaults, may be given by its own name. One number stands for a list of it.
pub(crate) fn read<T: DeserializeOwned>(
    defaults: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Result<T, CallError> {
    let mut all = defaults.clone();
    for (name, value) in given {
        let place = match all.get(name) {
            Some(_) => all.get_mut(name),
            None => all.values_mut().filter_map(Value::as_object_mut).find_map(|group| group.get_mut(name)),
        };
        let Some(place) = place else {
            return Err(CallError::name("option", name, names(defaults)));
        };
        let value = if place.is_array() && value.is_number() { vec![value.clone()].into() } else { value.clone() };
        *place = match (place.as_object_mut(), value.as_object()) {
            // A part of a group.
            (Some(group), Some(parts)) => {
                if let Some(unknown) = parts.keys().find(|name| !group.contains_key(*name)) {
                    return Err(CallError::name("option", unknown, group.keys().map(String::as_str)));
                }
                group.extend(parts.clone());
                group.clone().into()
            }
            _ => value,
        };
    }
    if let Some((missing, _)) = all.iter().find(|(_, value)| value.is_null()) {
        return Err(CallError::Setup(format!("the option '{missing}' has to be given")));
    }
    serde_json::from_value(all.into()).map_err(|error| {
        let names: Vec<&str> = given.keys().map(String::as_str).collect();
        CallError::Setup(format!("options ({}): {error}", names.join(", ")))
    })
}

/// All names, also those in groups.
fn names(defaults: &Map<String, Value>) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, value) in defaults {
        match value.as_object() {
            Some(group) => names.extend(group.keys().map(String::as_str)),
            None => names.push(name),
        }
    }
    names
}
