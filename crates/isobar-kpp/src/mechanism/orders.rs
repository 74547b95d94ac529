//! Of which order reactions are whose rate constant an input is: that says in which unit it is.

use std::collections::BTreeSet;

use super::rates::Rates;
use crate::reactions::Reaction;

/// What MUSICA's inputs that are rate constants begin with, in lower case.
const MUSICA: [&str; 2] = ["user(", "emis("];
/// Densities of air, in lower case.
const AIR: [&str; 3] = ["cair", "c_m", "numden"];

/// Gives each input that is a rate constant the order of its reactions, if that is one.
pub(super) fn set(rates: &mut Rates, reactions: &[Reaction]) {
    let mut orders: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); rates.inputs.len()];
    let places = &rates.number_of_input;
    let place = |input: u32| places.get(input as usize).copied().flatten().map(|place| place as usize);
    for (&node, reaction) in rates.nodes.iter().zip(reactions) {
        let Some((inputs, is_alone)) = rates.graph.factors(node) else { continue };
        let power: u32 = reaction.reactants.iter().map(|&(_, power)| power).sum();
        let inputs: Vec<usize> = inputs.into_iter().filter_map(place).collect();
        let name = |place: usize| rates.inputs[place].name.to_lowercase();
        let (air, others): (Vec<usize>, Vec<usize>) =
            inputs.into_iter().partition(|&place| !is_alone && AIR.contains(&name(place).as_str()));
        let &[input] = &others[..] else { continue };
        if is_alone || MUSICA.iter().any(|start| name(input).starts_with(start)) {
            orders[input].insert(power + air.len() as u32);
        }
    }
    for (input, orders) in rates.inputs.iter_mut().zip(orders) {
        input.order = orders.first().copied().filter(|_| orders.len() == 1);
    }
}
