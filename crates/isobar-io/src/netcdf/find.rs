//! The variable that a file has for a specification.

use netcdf_reader::NcVariable;

use super::another::says_another;
use super::groups::plain;
use super::{VariableSpec, attribute};

/// By our name, then by an alias, then by the standard name, then by names in another case; those of the root before
/// those of groups; a sentence where two fit equally well. What goes by a name and says that it is something else is
/// none of them.
///
/// `fits` says whether the dimensions are right: what has the standard name on others is another quantity, as the
/// pressures of layers and of levels are.
pub(super) fn find<'a>(
    variables: &'a [NcVariable],
    spec: &VariableSpec,
    fits: impl Fn(&NcVariable) -> bool,
) -> Result<Option<&'a NcVariable>, String> {
    let variables: Vec<&NcVariable> = variables.iter().filter(|one| says_another(one, spec).is_none()).collect();
    let by = |is: &dyn Fn(&NcVariable) -> bool| only(variables.iter().copied().filter(|one| is(one)).collect(), spec);
    if let Some(variable) = variables.iter().copied().find(|variable| variable.name == spec.name) {
        return Ok(Some(variable));
    }
    if let Some(variable) = by(&|variable| plain(&variable.name) == spec.name)? {
        return Ok(Some(variable));
    }
    if let Some(variable) = by(&|variable| spec.aliases.contains(&variable.name.as_str()))? {
        return Ok(Some(variable));
    }
    let is_alias = |variable: &NcVariable| spec.aliases.contains(&plain(&variable.name));
    if let Some(variable) = by(&|variable| is_alias(variable) && fits(variable))? {
        return Ok(Some(variable));
    }
    if let Some(variable) = by(&|variable| has_standard_name(variable, spec) && fits(variable))? {
        return Ok(Some(variable));
    }
    by(&|variable| in_another_case(plain(&variable.name), spec))
}

/// All variables that may be meant by a specification, whatever their dimensions are: by a name, else by the standard
/// name.
pub(super) fn candidates<'a>(variables: &'a [NcVariable], spec: &VariableSpec) -> Vec<&'a NcVariable> {
    let meant = || variables.iter().filter(|one| says_another(one, spec).is_none());
    let called = |name: &str| spec.name == name || spec.aliases.contains(&name) || in_another_case(name, spec);
    let by_name: Vec<_> = meant().filter(|one| called(&one.name) || called(plain(&one.name))).collect();
    if by_name.is_empty() { meant().filter(|one| has_standard_name(one, spec)).collect() } else { by_name }
}

/// In words which variables go by a name that is looked for and say that they are something else, if any do.
pub(super) fn others(variables: &[NcVariable], spec: &VariableSpec) -> Option<String> {
    let called = |name: &str| spec.name == name || spec.aliases.contains(&name) || in_another_case(name, spec);
    let all = variables.iter().filter(|variable| called(plain(&variable.name)));
    let all: Vec<String> =
        all.filter_map(|one| says_another(one, spec).map(|says| format!("{} has {says}", one.name))).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// A variable that has the standard name, whatever its dimensions are: what is missing may be meant by it.
pub(super) fn by_standard_name<'a>(variables: &'a [NcVariable], spec: &VariableSpec) -> Option<&'a NcVariable> {
    variables.iter().find(|variable| has_standard_name(variable, spec))
}

fn has_standard_name(variable: &NcVariable, spec: &VariableSpec) -> bool {
    // Some files have standard names as names.
    spec.standard_names.contains(&variable.name.as_str())
        || attribute::of(variable, "standard_name").is_some_and(|name| spec.standard_names.contains(&name.as_str()))
}

/// A name of one or two letters is another quantity in capitals: `t` and `T`, `p` and `P`. Ours are said in full, or
/// are formulas of gases.
fn in_another_case(name: &str, spec: &VariableSpec) -> bool {
    name.eq_ignore_ascii_case(spec.name)
        || spec.aliases.iter().any(|alias| alias.len() > 2 && name.eq_ignore_ascii_case(alias))
}

/// A name that differs in case and separators alone from one of those that are looked for.
fn is_similar(name: &str, spec: &VariableSpec) -> bool {
    let plain = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let name = plain(name);
    std::iter::once(&spec.name).chain(spec.aliases).any(|other| plain(other) == name)
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
pub(super) fn missing(variables: &[NcVariable], spec: &VariableSpec, dimensions: &str) -> String {
    let mut accepted: Vec<String> = spec.aliases.iter().map(|&alias| alias.to_owned()).collect();
    accepted.extend(spec.standard_names.iter().map(|name| format!("standard_name {name:?}")));
    let dimensions = if dimensions.is_empty() { String::new() } else { format!("({dimensions})") };
    let mut text = format!("{}{dimensions} in {:?} is missing", spec.name, spec.unit);
    if !accepted.is_empty() {
        text += &format!("; also accepted: {}", accepted.join(", "));
    }
    let names: Vec<_> = variables.iter().take(20).map(|variable| variable.name.as_str()).collect();
    let more = if variables.len() > names.len() { ", ..." } else { "" };
    if let Some(others) = others(variables, spec) {
        text += &format!("; {others}");
    } else if let Some(similar) = variables.iter().find(|variable| is_similar(&variable.name, spec)) {
        text += &format!("; is it {}?", similar.name);
    }
    text + &format!("; the file has: {}{more}", if names.is_empty() { "no variable".into() } else { names.join(", ") })
}
