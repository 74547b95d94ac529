//! What must not stand twice, and what may be a mistake.

use std::collections::HashMap;

use crate::balance::Imbalance;
use crate::declarations::Declarations;
use crate::error::Fault;
use crate::reactions::{self, Resolved};
use crate::source::Sources;

/// No label twice.
pub(super) fn labels(found: &Declarations, sources: &Sources) -> Result<(), Fault> {
    let mut known = HashMap::new();
    for (label, span) in found.equations.iter().filter_map(|equation| equation.label.as_ref()) {
        if let Some(first) = known.insert(label.to_lowercase(), *span) {
            let place = sources.place(first);
            let fault = Fault::at(*span, format!("label `{label}` stands twice"));
            return Err(fault.help(format!("first in {}, line {}", place.file.display(), place.line)));
        }
    }
    Ok(())
}

/// Notes for imbalances of the atoms that `#CHECK` names, and for names there and in lists that are unknown.
pub(super) fn checked_atoms(
    found: &mut Declarations,
    imbalances: &[Imbalance],
    names: &HashMap<String, usize>,
) -> Result<(), Fault> {
    let is_atom = |name: &str| found.atoms.iter().any(|(atom, _)| atom.eq_ignore_ascii_case(name));
    if let Some((name, span)) = found.check.iter().find(|(name, _)| !is_atom(name)) {
        let fault = Fault::at(*span, format!("unknown atom `{name}`"));
        return Err(fault.nearest(name, found.atoms.iter().map(|(atom, _)| atom.as_str())));
    }
    for (name, span) in found.look_at.iter().chain(&found.monitor) {
        if !names.contains_key(&name.to_lowercase()) && !is_atom(name) {
            return Err(reactions::unknown(name, *span, &found.species));
        }
    }
    let checked = |atom: &str| found.check_all || found.check.iter().any(|(name, _)| name.eq_ignore_ascii_case(atom));
    let notes =
        imbalances.iter().filter(|imbalance| checked(&imbalance.atom)).map(|Imbalance { reaction, atom, change }| {
            let what =
                format!("this reaction {} {} of {atom}", if *change < 0.0 { "loses" } else { "makes" }, change.abs());
            Fault::at(found.equations[*reaction].span, what)
        });
    let notes: Vec<Fault> = notes.collect();
    found.notes.extend(notes);
    Ok(())
}

/// Notes for equations that stand twice.
pub(super) fn duplicates(found: &mut Declarations, equations: &[Resolved]) {
    let mut known = std::collections::HashSet::new();
    for (equation, resolved) in found.equations.iter().zip(equations) {
        let sorted = |side: &reactions::Side| {
            let mut side: Vec<(usize, u64)> =
                side.iter().map(|&(species, factor)| (species, factor.to_bits())).collect();
            side.sort_unstable();
            side
        };
        if !known.insert((sorted(&resolved.left), sorted(&resolved.right), resolved.photolysis)) {
            found.notes.push(Fault::at(equation.span, "this equation stands twice"));
        }
    }
}
