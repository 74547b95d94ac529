//! The file of a cell for a mechanism that may have its species and reactions in another order.

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use isobar_kpp::{Mechanism, Reaction};
use isobar_rosenbrock::{CellFile, CellNames, Rates};

use crate::program::failure::Failure;

/// What the numbers of a cell belong to.
pub(in crate::commands::chem) fn names(mechanism: &Mechanism) -> CellNames {
    CellNames {
        species: mechanism.species().iter().map(|species| species.name.clone()).collect(),
        reactions: mechanism.reactions().iter().map(words).collect(),
        rates: mechanism.reactions().iter().map(|reaction| reaction.rate.clone()).collect(),
        inputs: mechanism.inputs().iter().map(|input| input.name.clone()).collect(),
    }
}

/// A reaction by its label and equation.
fn words(reaction: &Reaction) -> String {
    let label = reaction.label.as_ref().map_or_else(String::new, |label| format!("<{label}> "));
    format!("{label}{}", reaction.equation)
}

/// Reads the file of a cell, in the order of a mechanism, with what was taken on trust and which rates are others now,
/// in words. Rates that follow inputs need no constants.
pub(in crate::commands::chem) fn read(
    path: &Path,
    mechanism: &Mechanism,
    rates: Rates,
) -> Result<(CellFile, Vec<String>), Failure> {
    let mut file = CellFile::read(path)?;
    let fails = |what: String| Failure::new(format!("{}: {what}", path.display()));
    if rates != Rates::Frozen && !file.inputs.is_empty() {
        // Inputs are what rates follow from.
        file.rate_constants.clear();
    }
    check_counts(&file, mechanism).map_err(fails)?;
    if file.names.species.is_empty() {
        let what = "has no names: species and reactions are taken on trust to be in the mechanism's order";
        return Ok((file, vec![format!("{} {what}", path.display())]));
    }
    let own = names(mechanism);
    let species = places("species", &own.species, &file.names.species).map_err(fails)?;
    file.concentrations = species.iter().map(|&place| file.concentrations[place]).collect();
    let mut told = vec![];
    if !file.rate_constants.is_empty() {
        // Of equations that are alike those are one that have one rate.
        let with_rates = |names: &CellNames| -> Vec<String> {
            names.reactions.iter().zip(&names.rates).map(|(reaction, rate)| format!("{reaction} : {rate}")).collect()
        };
        let exact = places("reaction", &with_rates(&own), &with_rates(&file.names));
        let reactions = match exact {
            Ok(places) => places,
            Err(_) => places("reaction", &own.reactions, &file.names.reactions).map_err(fails)?,
        };
        file.rate_constants = reactions.iter().map(|&place| file.rate_constants[place]).collect();
        told.extend(other_rates(path, &own, &file.names, &reactions));
    }
    if !file.inputs.is_empty() {
        match places("input", &own.inputs, &file.names.inputs) {
            Ok(inputs) => file.inputs = inputs.iter().map(|&place| file.inputs[place]).collect(),
            // Rate constants need none.
            Err(_) if !file.rate_constants.is_empty() => file.inputs.clear(),
            Err(what) => return Err(fails(what)),
        }
    }
    file.names = own;
    Ok((file, told))
}

/// Refuses lists of other lengths than their names have, or without names than the mechanism has.
fn check_counts(file: &CellFile, mechanism: &Mechanism) -> Result<(), String> {
    let (species, reactions) = (mechanism.species().len(), mechanism.reactions().len());
    let fits = |list: &[f64], count: usize| list.is_empty() || list.len() == count;
    let names = &file.names;
    if names.species.is_empty() {
        if file.concentrations.len() == species && fits(&file.rate_constants, reactions) {
            return Ok(());
        }
        let what = format!("{} species and {} rate constants", file.concentrations.len(), file.rate_constants.len());
        return Err(format!("{what}, but the mechanism has {species} and {reactions}"));
    }
    let all = [
        ("species", names.species.len(), file.concentrations.len()),
        (
            "reactions",
            names.reactions.len(),
            if file.rate_constants.is_empty() { names.reactions.len() } else { file.rate_constants.len() },
        ),
        ("rates", names.rates.len(), names.reactions.len()),
        ("inputs", names.inputs.len(), if file.inputs.is_empty() { names.inputs.len() } else { file.inputs.len() }),
    ];
    match all.iter().find(|(_, named, count)| named != count) {
        Some((what, named, count)) => Err(format!("{named} names of {what}, but {count} of them")),
        None => Ok(()),
    }
}

/// Where each of the mechanism's names stands among those of the file, in any case; equal ones in their order.
fn places(what: &str, own: &[String], of_file: &[String]) -> Result<Vec<usize>, String> {
    let mut known: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (place, name) in of_file.iter().enumerate() {
        known.entry(name.to_lowercase()).or_default().push_back(place);
    }
    let mut place = |name: &String| {
        let place = known.get_mut(&name.to_lowercase()).and_then(VecDeque::pop_front);
        place.ok_or_else(|| format!("the cell has no {what} {name}, which the mechanism has"))
    };
    let places = own.iter().map(&mut place).collect::<Result<Vec<_>, _>>()?;
    match (0..of_file.len()).find(|place| !places.contains(place)).filter(|_| what != "input") {
        Some(place) => Err(format!("the cell has the {what} {}, which the mechanism does not have", of_file[place])),
        None => Ok(places),
    }
}

/// Which rates the mechanism has otherwise than the file, whose constants count: the first, and how many.
fn other_rates(path: &Path, own: &CellNames, of_file: &CellNames, places: &[usize]) -> Option<String> {
    let plain = |rate: &str| rate.split_whitespace().collect::<String>().to_lowercase();
    let others: Vec<usize> =
        (0..places.len()).filter(|&i| plain(&own.rates[i]) != plain(&of_file.rates[places[i]])).collect();
    let &first = others.first()?;
    let (reaction, now, before) = (&own.reactions[first], &own.rates[first], &of_file.rates[places[first]]);
    let more = if others.len() > 1 { format!(", and {} more are others", others.len() - 1) } else { String::new() };
    Some(format!(
        "{}: rate constants are the file's, but the rate of {reaction} is {now} in the mechanism and was {before} \
         there{more}",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_is_found_by_name() {
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(places("species", &all(&["B", "a", "C"]), &all(&["A", "B", "C"])), Ok(vec![1, 0, 2]));
        assert_eq!(places("reaction", &all(&["A = B", "A = B"]), &all(&["A = B", "A = B"])), Ok(vec![0, 1]));
        assert_eq!(places("input", &all(&["K"]), &all(&["TEMP", "K"])), Ok(vec![1]));
        let why = places("species", &all(&["A", "D"]), &all(&["A", "B"])).unwrap_err();
        assert_eq!(why, "the cell has no species D, which the mechanism has");
        let why = places("species", &all(&["A"]), &all(&["A", "B"])).unwrap_err();
        assert_eq!(why, "the cell has the species B, which the mechanism does not have");
    }
}
