//! From what the files say to a mechanism.

use std::collections::BTreeSet;
use std::sync::Arc;

use isobar_rosenbrock::{Compiled, Network, elimination_order};

use super::checks::{checked_atoms, duplicates, labels};
use super::rates::Rates;
use super::{Choices, Mechanism, Species, orders};
use crate::declarations::Declarations;
use crate::error::Fault;
use crate::item::Equation;
use crate::limits::MOST_NOTES;
use crate::reactions::{Reaction, Resolved};
use crate::source::{Sources, Span};
use crate::{balance, families, inlined, lower, reactions, slopes};

pub(super) fn build(sources: &Sources, mut found: Declarations, choices: Choices<'_>) -> Result<Mechanism, Fault> {
    let mut names = reactions::names(&found, sources)?;
    let mut set = vec![];
    for (name, span, fixed) in &found.set {
        let lower = name.to_lowercase();
        let species = names.get(&lower).ok_or_else(|| reactions::unknown(name, *span, &found.species))?;
        set.push((*species, *fixed));
    }
    set.into_iter().for_each(|(species, fixed)| found.species[species].fixed = fixed);
    if found.equations.is_empty() {
        return Err(Fault::nowhere("the mechanism has no reactions").help("equations stand behind `#EQUATIONS`"));
    }
    labels(&found, sources)?;
    let resolve = |equation| reactions::resolve(equation, &names, &found.species);
    let mut equations = found.equations.iter().map(resolve).collect::<Result<Vec<_>, _>>()?;
    found.notes.extend(broken_orders(&found, &equations));
    let mut compositions = balance::compositions(&found)?;
    let imbalances = balance::imbalances(&found, &compositions, &equations);
    let families = families::add(&mut found, &mut names, &mut equations)?;
    compositions.resize(found.species.len(), None);
    checked_atoms(&mut found, &imbalances, &names)?;
    duplicates(&mut found, &equations);

    let inlined = inlined::read(&found, sources, choices.rates_given)?;
    let used = used(&found, &equations);
    let mut rates = Rates::new((&found, sources, &inlined), (&names, &used), choices)?;
    let (order, variable) = places(&found, &equations, &used, &rates.graph.species_of(&rates.nodes))?;
    let mut place = vec![None; found.species.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
    let reactions = listed(&found, &equations, &place, variable, sources);
    orders::set(&mut rates, &reactions);
    let network = |reaction: &Reaction| isobar_rosenbrock::Reaction {
        reactants: reaction.reactants.clone(),
        net: reaction.net.clone(),
    };
    let wrong = |error: isobar_rosenbrock::Error| Fault::nowhere(error.to_string());
    let network =
        Network::new(variable, order.len() - variable, reactions.iter().map(network).collect()).map_err(wrong)?;
    let compiled = Compiled::new(network).map_err(wrong)?;
    let slopes = slopes::slopes(&rates.graph, &rates.nodes, &place, variable).unwrap_or_else(|slopes::TooLarge| {
        let what = "the Jacobian leaves out how rates depend on concentrations: their formulas are too large";
        rates.notes.push(Fault::nowhere(what));
        None
    });
    let program = lower::program(&rates.graph, &rates.nodes, slopes, (&place, order.len()), &rates.number_of_input);
    let program = program.map_err(|error| Fault::nowhere(error.to_string()))?;
    let (initial, cfactor) = (rates.initial, rates.cfactor);
    let species = |&old: &usize| Species {
        name: found.species[old].name.clone(),
        fixed: place[old].is_some_and(|place| place >= variable),
        atoms: compositions[old]
            .as_ref()
            .map(|atoms| atoms.iter().map(|&(atom, count)| (found.atoms[atom].0.clone(), count)).collect()),
    };
    let unused = (0..found.species.len()).filter(|&old| place[old].is_none());
    let named = |list: &[(String, Span)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let all_names = || order.iter().map(|&old| found.species[old].name.clone()).collect();
    let notes: Vec<&Fault> = found.notes.iter().chain(&inlined.notes).chain(&rates.notes).collect();
    let more = notes.len().saturating_sub(MOST_NOTES);
    let more = (more > 0).then(|| Fault::nowhere(format!("and {more} notes more")));
    Ok(Mechanism {
        species: order.iter().map(species).collect(),
        unused: unused.map(|old| found.species[old].name.clone()).collect(),
        reactions,
        compiled: Arc::new(compiled),
        program: Arc::new(program),
        input_places: rates.inputs.iter().map(|input| sources.place(input.span)).collect(),
        inputs: rates.inputs,
        initial: order.iter().map(|&old| initial[old]).collect(),
        cfactor,
        settings: rates.settings,
        unread_rates: rates.unread,
        open_laws: rates.open_laws,
        look_at: if found.look_at_all { all_names() } else { named(&found.look_at) },
        monitor: named(&found.monitor),
        families,
        imbalances,
        notes: notes.into_iter().take(MOST_NOTES).cloned().chain(more).map(|fault| fault.message(sources)).collect(),
        files: sources.files.clone(),
    })
}

/// That rates have reactants to the whole parts of their coefficients, where one is broken.
fn broken_orders(found: &Declarations, equations: &[Resolved]) -> Option<Fault> {
    let is_broken = |equation: &&(&Equation, &Resolved)| {
        let all = equation.1.factors();
        all.iter().any(|(_, factor)| factor.fract() != 0.0)
    };
    let pairs: Vec<_> = found.equations.iter().zip(equations).collect();
    let mut broken = pairs.iter().filter(is_broken);
    let (first, count) = (broken.next()?, 1 + broken.count());
    let what = "rates have reactants to the power of the whole part of their coefficients, as in KPP";
    Some(Fault::at(first.0.span, format!("{what}: {count} with a broken one, this first")))
}

/// Which declared species stand in an equation.
fn used(found: &Declarations, equations: &[Resolved]) -> Vec<bool> {
    let mut used = vec![false; found.species.len()];
    for &(species, _) in equations.iter().flat_map(|equation| equation.left.iter().chain(&equation.right)) {
        used[species] = true;
    }
    used
}

/// The declared species that are used, in their final order, and how many of them are variable. What rates read and no
/// reaction has stands at the end: nothing changes it.
fn places(
    found: &Declarations,
    equations: &[Resolved],
    used: &[bool],
    read: &BTreeSet<usize>,
) -> Result<(Vec<usize>, usize), Fault> {
    let of = |fixed: bool| (0..used.len()).filter(move |&s| found.species[s].fixed == fixed).filter(|&s| used[s]);
    let variable: Vec<usize> = of(false).collect();
    if variable.is_empty() {
        return Err(Fault::nowhere("no reaction has a variable species").help("they are declared in `#DEFVAR`"));
    }
    let mut place = vec![usize::MAX; used.len()];
    variable.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let plain: Vec<isobar_rosenbrock::Reaction> = equations
        .iter()
        .map(|equation| isobar_rosenbrock::Reaction {
            reactants: equation.powers().into_iter().map(|(s, power)| (place[s], power)).collect(),
            net: equation.net().into_iter().map(|(s, net)| (place[s], net)).collect(),
        })
        .collect();
    let order = elimination_order(variable.len(), &plain);
    let held = of(true).chain(read.iter().copied().filter(|&species| !used[species]));
    Ok((order.into_iter().map(|place| variable[place]).chain(held).collect(), variable.len()))
}

fn listed(
    found: &Declarations,
    equations: &[Resolved],
    place: &[Option<usize>],
    variable: usize,
    sources: &Sources,
) -> Vec<Reaction> {
    let words = |span| sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let at = |species: usize| place[species].expect("a species of a reaction is used");
    let list = found.equations.iter().zip(equations).map(|(equation, resolved)| Reaction {
        label: equation.label.as_ref().map(|(label, _)| label.clone()),
        equation: words(equation.span),
        rate: words(equation.rate_span),
        photolysis: resolved.photolysis,
        reactants: resolved.powers().into_iter().map(|(s, power)| (at(s), power)).collect(),
        net: resolved.net().into_iter().map(|(s, net)| (at(s), net)).filter(|&(s, _)| s < variable).collect(),
    });
    list.collect()
}
