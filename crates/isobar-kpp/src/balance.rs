//! Do reactions keep their atoms?

use std::collections::BTreeMap;

use crate::declarations::Declarations;
use crate::error::Fault;
use crate::limits::LEAST_IMBALANCE;
use crate::reactions::{Resolved, Side};

/// A reaction that makes or loses atoms.
#[derive(Clone, Debug, PartialEq)]
pub struct Imbalance {
    /// The reaction, from 0.
    pub reaction: usize,
    /// The atom.
    pub atom: String,
    /// How many come out more than go in; negative: mass is lost.
    pub change: f64,
}

/// Names of compositions that count nothing.
const UNKNOWN: [&str; 2] = ["ignore", "cancel"];

/// The atoms of each declared species, if all are known, by their place in the list of atoms.
pub(crate) fn compositions(found: &Declarations) -> Result<Vec<Option<Side>>, Fault> {
    let mut atoms = BTreeMap::new();
    for (number, (name, _)) in found.atoms.iter().enumerate() {
        atoms.entry(name.to_lowercase()).or_insert(number);
    }
    let mut all = vec![];
    for species in &found.species {
        let Some(terms) = &species.composition else {
            all.push(None);
            continue;
        };
        let mut counts: Option<Side> = Some(vec![]);
        for term in terms {
            let lower = term.name.to_lowercase();
            match atoms.get(&lower) {
                Some(&atom) => counts.iter_mut().for_each(|counts| counts.push((atom, term.factor))),
                None if UNKNOWN.contains(&lower.as_str()) => counts = None,
                None => {
                    let fault = Fault::at(term.span, format!("unknown atom `{}`", term.name));
                    let near = fault.nearest(&term.name, found.atoms.iter().map(|(name, _)| name.as_str()));
                    return Err(if near.help.is_some() {
                        near
                    } else {
                        near.help("declare it in #ATOMS, or include `atoms.kpp`")
                    });
                }
            }
        }
        all.push(counts);
    }
    Ok(all)
}

/// The imbalances of all reactions whose species are known atom by atom.
pub(crate) fn imbalances(
    found: &Declarations,
    compositions: &[Option<Side>],
    equations: &[Resolved],
) -> Vec<Imbalance> {
    let mut all = vec![];
    for (reaction, equation) in equations.iter().enumerate().filter(|(_, equation)| !equation.open) {
        let mut change = BTreeMap::new();
        let known = equation.left.iter().map(|&(s, factor)| (s, -factor)).chain(equation.right.iter().copied()).all(
            |(species, factor)| match &compositions[species] {
                Some(atoms) => {
                    atoms.iter().for_each(|&(atom, count)| *change.entry(atom).or_insert(0.0) += factor * count);
                    true
                }
                None => false,
            },
        );
        let changes = change.into_iter().filter(|&(_, change): &(usize, f64)| known && change.abs() > LEAST_IMBALANCE);
        all.extend(changes.map(|(atom, change)| Imbalance { reaction, atom: found.atoms[atom].0.clone(), change }));
    }
    all
}
