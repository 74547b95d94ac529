//! The order of elimination that fills in little: of the rows that are left, the one whose pivot touches the fewest
//! entries is next (Markowitz 1957, Management Science 3, 255), among the diagonal ones, for no rows are exchanged
//! later.

use std::collections::BTreeSet;

use crate::host::bits::Bits;
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

    let mut left = Left::new(&pattern(variable, reactions));
    for step in 0..variable.saturating_sub(1) {
        let mut best = step;
        for place in step + 1..variable {
            if left.cost(order[place]) < left.cost(order[best]) {
                best = place;
            }
        }
        let others = variable - step - 1;
        if left.cost(order[best]) == others * others {
            // All that is left is full: nothing fills in, and all are alike to the end.
            break;
        }
        order.swap(step, best);
        left.eliminate(order[step]);
    }
    order
}

/// The matrix that is left, and how many entries each row and column has.
struct Left {
    rows: Vec<Bits>,
    columns: Vec<Bits>,
    counts: Vec<[usize; 2]>,
}

impl Left {
    fn new(pattern: &[BTreeSet<u32>]) -> Self {
        let size = pattern.len();
        let rows: Vec<Bits> = pattern.iter().map(|row| Bits::of(row.iter().copied(), size)).collect();
        let mut columns = vec![Bits::of([], size); size];
        for (i, row) in rows.iter().enumerate() {
            row.iter().for_each(|j| columns[j].insert(i));
        }
        let counts = rows.iter().zip(&columns).map(|(row, column)| [row.len(), column.len()]).collect();
        Self { rows, columns, counts }
    }

    /// What the elimination of a pivot touches.
    fn cost(&self, pivot: usize) -> usize {
        let [row, column] = self.counts[pivot];
        (row - 1) * (column - 1)
    }

    /// Takes a pivot out, and adds what its elimination fills in.
    fn eliminate(&mut self, pivot: usize) {
        let mut row = std::mem::take(&mut self.rows[pivot]);
        let mut column = std::mem::take(&mut self.columns[pivot]);
        row.remove(pivot);
        column.remove(pivot);
        for j in row.iter() {
            self.columns[j].remove(pivot);
            self.columns[j].extend_from(&column, 0);
            self.counts[j][1] = self.columns[j].len();
        }
        for i in column.iter() {
            self.rows[i].remove(pivot);
            self.rows[i].extend_from(&row, 0);
            self.counts[i][0] = self.rows[i].len();
        }
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
