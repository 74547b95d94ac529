//! The variable that a file has for a specification.

use netcdf_reader::NcVariable;

use super::{VariableSpec, attribute};

/// By our name, then by an alias, then by the standard name; a sentence where two fit equally well.
///
/// `fits` says whether the dimensions are right: of several variables with the standard name, as the pressures of
/// layers and of levels, those that fit come first.
pub(super) fn find<'a>(
    variables: &'a [NcVariable],
    spec: &VariableSpec,
    fits: impl Fn(&NcVariable) -> bool,
) -> Result<Option<&'a NcVariable>, String> {
    if let Some(variable) = variables.iter().find(|variable| variable.name == spec.name) {
        return Ok(Some(variable));
    }
    let aliased = variables.iter().filter(|variable| spec.aliases.contains(&variable.name.as_str())).collect();
    if let Some(variable) = only(aliased, spec)? {
        return Ok(Some(variable));
    }
    let standard = |variable: &&NcVariable| {
        attribute::of(variable, "standard_name").is_some_and(|name| spec.standard_names.contains(&name.as_str()))
    };
    let named: Vec<_> = variables.iter().filter(standard).collect();
    let fitting: Vec<_> = named.iter().copied().filter(|variable| fits(variable)).collect();
    only(if fitting.is_empty() { named } else { fitting }, spec)
}

fn only<'a>(candidates: Vec<&'a NcVariable>, spec: &VariableSpec) -> Result<Option<&'a NcVariable>, String> {
    if let [one, two, ..] = candidates[..] {
        return Err(format!(
            "both {} and {} could be {name}; call one of them {name}",
            one.name,
            two.name,
            name = spec.name
        ));
    }
    Ok(candidates.first().copied())
}

/// What was looked for and what is there.
pub(super) fn missing(variables: &[NcVariable], spec: &VariableSpec) -> String {
    let mut accepted: Vec<String> = spec.aliases.iter().map(|&alias| alias.to_owned()).collect();
    accepted.extend(spec.standard_names.iter().map(|name| format!("standard_name {name:?}")));
    let mut text = format!("{spec} is missing");
    if !accepted.is_empty() {
        text += &format!("; also accepted: {}", accepted.join(", "));
    }
    let names: Vec<_> = variables.iter().take(20).map(|variable| variable.name.as_str()).collect();
    let more = if variables.len() > names.len() { ", ..." } else { "" };
    text + &format!("; the file has: {}{more}", if names.is_empty() { "no variable".into() } else { names.join(", ") })
}
