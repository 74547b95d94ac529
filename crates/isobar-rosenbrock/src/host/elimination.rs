//! The order of elimination that fills in little: of the rows that are left, the one whose pivot touches the fewest
//! entries is next (Markowitz 1957, Management Science 3, 255), among the diagonal ones, for no rows are exchanged
//! later.

use std::collections::BTreeSet;

use crate::host::network::{Reaction, pattern};

/// The variable species in a good order of elimination.
///
/// Species that are reactants come before the others, each group in its order; then step by step the first of the least
/// product (row entries - 1) (column entries - 1) is exchanged with the one whose turn it is.
#[must_use]
pub fn elimination_order(variable: usize, reactions: &[Reaction]) -> Vec<usize> {
    let mut taken = vec![false; variable];
    for &(species, _) in reactions.iter().flat_map(|reaction| &reaction.reactants) {
        if species < variable {
            taken[species] = true;
        }
    }
    let mut order: Vec<usize> = (0..variable).filter(|&s| taken[s]).collect();
    order.extend((0..variable).filter(|&s| !taken[s]));

    let mut rows = pattern(variable, reactions);
    let mut columns = vec![BTreeSet::new(); variable];
    for (i, row) in rows.iter().enumerate() {
        for &j in row {
            columns[j as usize].insert(i as u32);
        }
    }
    for step in 0..variable.saturating_sub(1) {
        let cost = |s: usize| (rows[s].len() - 1) * (columns[s].len() - 1);
        let mut best = step;
        for place in step + 1..variable {
            if cost(order[place]) < cost(order[best]) {
                best = place;
            }
        }
        order.swap(step, best);
        eliminate(order[step] as u32, &mut rows, &mut columns);
    }
    order
}

/// Takes a pivot out of what is left, and adds what its elimination fills in.
fn eliminate(pivot: u32, rows: &mut [BTreeSet<u32>], columns: &mut [BTreeSet<u32>]) {
    let mut row = std::mem::take(&mut rows[pivot as usize]);
    let mut column = std::mem::take(&mut columns[pivot as usize]);
    row.remove(&pivot);
    column.remove(&pivot);
    for &j in &row {
        columns[j as usize].remove(&pivot);
        columns[j as usize].extend(&column);
    }
    for &i in &column {
        rows[i as usize].remove(&pivot);
        rows[i as usize].extend(&row);
    }
}

#[cfg(test)]
mod tests {
    use super::elimination_order;
    use crate::host::network::Reaction;

    #[test]
    fn an_arrow_is_eliminated_from_its_tips() {
        // Species 0 reacts with all others: eliminated first, it would couple them all.
        let reaction = |s| Reaction { reactants: vec![(0, 1), (s, 1)], net: vec![(0, -1.0), (s, -1.0)] };
        let order = elimination_order(4, &[reaction(1), reaction(2), reaction(3)]);
        // With one tip left, both are alike, and the one that stands first stays.
        assert_eq!(order.iter().position(|&s| s == 0), Some(2));
    }
}
