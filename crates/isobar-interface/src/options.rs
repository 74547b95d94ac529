//! Options by name.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::CallError;

/// The options of a scheme by name, from its defaults and what is given. An option of a group, an object among the
/// defaults, may be given by its own name, once. One number stands for a list of it, and null for the default.
pub(crate) fn read<T: DeserializeOwned>(
    defaults: &Map<String, Value>,
    given: &Map<String, Value>,
) -> Result<T, CallError> {
    let all = with(defaults, given)?;
    if let Some((missing, _)) = all.iter().find(|(_, value)| value.is_null()) {
        return Err(CallError::Setup(format!("the option '{missing}' has to be given")));
    }
    serde_json::from_value(all.into()).map_err(|error: serde_json::Error| {
        // The one that is wrong by itself beside the defaults, which are right where they are there.
        let is_wrong = |name: &&String, value: &Value| {
            let one = Map::from_iter([((*name).clone(), value.clone())]);
            let mut all = with(defaults, &one).unwrap_or_default();
            all.values_mut().filter(|value| value.is_null()).for_each(|value| *value = 1.into());
            serde_json::from_value::<T>(all.into()).is_err()
        };
        match given.iter().find(|(name, value)| is_wrong(name, value)) {
            Some((name, value)) => CallError::Setup(format!("the option '{name}' is {value}: {error}")),
            None => CallError::Setup(format!("options: {error}")),
        }
    })
}

/// A structure whose entries all have defaults, from what is given of them.
pub(crate) fn entries<T: DeserializeOwned>(what: &str, given: &Map<String, Value>) -> Result<T, CallError> {
    serde_json::from_value(given.clone().into()).map_err(|error: serde_json::Error| {
        let is_wrong = |name: &String, value: &Value| {
            let one = Map::from_iter([(name.clone(), value.clone())]);
            serde_json::from_value::<T>(one.into()).is_err()
        };
        match given.iter().find(|(name, value)| is_wrong(name, value)) {
            Some((name, value)) => CallError::Setup(format!("{what}: {name} is {value}: {error}")),
            None => CallError::Setup(format!("{what}: {error}")),
        }
    })
}

/// The defaults with what is given in their places.
fn with(defaults: &Map<String, Value>, given: &Map<String, Value>) -> Result<Map<String, Value>, CallError> {
    let mut all = defaults.clone();
    for (group, parts) in given {
        let parts = defaults.get(group).and_then(Value::as_object).and(parts.as_object());
        let twice = |(name, value): &(&String, &Value)| {
            !value.is_null() && !defaults.contains_key(*name) && given.get(*name).is_some_and(|own| !own.is_null())
        };
        if let Some((name, _)) = parts.and_then(|parts| parts.iter().find(twice)) {
            let text = format!("the option '{name}' is given twice: by its own name, and in '{group}'");
            return Err(CallError::Setup(text));
        }
    }
    for (name, value) in given {
        let place = match all.get(name) {
            Some(_) => all.get_mut(name),
            None => all.values_mut().filter_map(Value::as_object_mut).find_map(|group| group.get_mut(name)),
        };
        let Some(place) = place else {
            return Err(CallError::name("option", name, names(defaults)));
        };
        if value.is_null() {
            continue;
        }
        let value = if place.is_array() && value.is_number() { vec![value.clone()].into() } else { value.clone() };
        *place = match (place.as_object_mut(), value.as_object()) {
            // A part of a group.
            (Some(group), Some(parts)) => {
                if let Some(unknown) = parts.keys().find(|name| !group.contains_key(*name)) {
                    return Err(CallError::name("option", unknown, group.keys().map(String::as_str)));
                }
                let given = parts.iter().filter(|(_, value)| !value.is_null());
                group.extend(given.map(|(name, value)| (name.clone(), value.clone())));
                group.clone().into()
            }
            _ => value,
        };
    }
    Ok(all)
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
