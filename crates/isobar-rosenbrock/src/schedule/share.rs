//! List scheduling: what the longest chain waits for goes first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use isobar_core::kernel::WARP;

use crate::schedule::seats::Slot;
use crate::schedule::steps::Step;

/// Shares the steps among rounds of up to 32 slots, of which all invert or none, and of `most` products at most. A
/// step comes after those that write what it reads or read what it writes; only products of one sum may share a slot.
pub(super) fn rounds(steps: &[Step], most: usize) -> Vec<Vec<Slot>> {
    let mut before: Vec<Vec<usize>> = Vec::with_capacity(steps.len());
    let mut later: Vec<Vec<usize>> = vec![vec![]; steps.len()];
    let mut last_write: BTreeMap<usize, usize> = BTreeMap::new();
    let mut reads: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    // The next product of the same sum.
    let mut next: Vec<Option<usize>> = vec![None; steps.len()];
    for (number, step) in steps.iter().enumerate() {
        let mut own: Vec<usize> = vec![];
        for place in [step.left, step.right, step.addend] {
            own.extend(last_write.get(&place));
            reads.entry(place).or_default().push(number);
        }
        own.extend(reads.insert(step.target, vec![]).unwrap_or_default());
        own.sort_unstable();
        own.dedup();
        own.retain(|&other| other != number);
        own.iter().for_each(|&other| later[other].push(number));
        before.push(own);
        let last = last_write.insert(step.target, number);
        let goes_on = !step.inverts && step.addend == step.target && ![step.left, step.right].contains(&step.target);
        if let Some(last) = last.filter(|&last| goes_on && !steps[last].inverts) {
            next[last] = Some(number);
        }
    }
    // The slots of the longest chain that begins with each, in parts of a slot.
    let mut chain = vec![most; steps.len()];
    for number in (0..steps.len()).rev() {
        let after = |&other: &usize| chain[other] + if next[number] == Some(other) { 1 } else { most };
        chain[number] = later[number].iter().map(after).max().unwrap_or(most);
    }
    let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut done = vec![false; steps.len()];
    let mut ready = [BinaryHeap::new(), BinaryHeap::new()];
    for number in (0..steps.len()).filter(|&number| missing[number] == 0) {
        ready[usize::from(steps[number].inverts)].push((chain[number], Reverse(number)));
    }
    let mut rounds = vec![];
    while let Some(heap) = ready.iter_mut().filter(|heap| !heap.is_empty()).max_by_key(|heap| heap.peek().copied()) {
        let mut round = vec![];
        let mut taken = vec![];
        while let Some((_, Reverse(first))) = (round.len() < WARP).then(|| heap.pop()).flatten() {
            let Step { target, left, right, addend, inverts } = steps[first];
            let mut slot = Slot { target, addend, products: vec![[left, right]], inverts };
            taken.push(first);
            let mut last = first;
            let goes_on = |last: usize| {
                next[last].filter(|&number| before[number].iter().all(|&other| other == last || done[other]))
            };
            while let Some(number) = (slot.products.len() < most).then(|| goes_on(last)).flatten() {
                slot.products.push([steps[number].left, steps[number].right]);
                taken.push(number);
                last = number;
            }
            round.push(slot);
        }
        taken.iter().for_each(|&number| done[number] = true);
        for &other in taken.iter().flat_map(|&number| &later[number]) {
            missing[other] -= 1;
            if missing[other] == 0 && !done[other] {
                ready[usize::from(steps[other].inverts)].push((chain[other], Reverse(other)));
            }
        }
        rounds.push(round);
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::{Slot, Step, rounds};
    use crate::schedule::seats::workers;

    #[test]
    fn a_round_reads_nothing_that_it_writes() {
        // A chain of sums into one target, beside sums that are free, and an inverse for which others wait.
        let mut steps: Vec<Step> = (0..40).map(|i| Step::add(100, 1, 2 + i)).collect();
        steps.extend((0..40).map(|i| Step::add(200 + i, 1, 2 + i)));
        steps.push(Step { inverts: true, ..Step::add(100, 100, 100) });
        steps.extend((0..40).map(|i| Step::add(200 + i, 100, 2)));
        // It is read before it is written.
        steps.push(Step { addend: 3, ..Step::add(2, 1, 1) });
        let mut alone: Vec<i64> = (0..300).collect();
        let add = |sum: i64, left: i64, right: i64| sum.wrapping_mul(3).wrapping_add(left.wrapping_mul(right));
        for step in &steps {
            let addend = alone[step.addend];
            alone[step.target] = if step.inverts { -addend } else { add(addend, alone[step.left], alone[step.right]) };
        }
        for most in [1, 3] {
            let rounds = rounds(&steps, most);
            let mut values: Vec<i64> = (0..300).collect();
            for round in &rounds {
                let done = |slot: &Slot| {
                    let products = slot.products.iter().map(|&[left, right]| (values[left], values[right]));
                    let sum = products.fold(values[slot.addend], |sum, (left, right)| add(sum, left, right));
                    (slot.target, if slot.inverts { -values[slot.addend] } else { sum })
                };
                // All read before any writes.
                let results: Vec<(usize, i64)> = round.iter().map(done).collect();
                for (target, value) in results {
                    values[target] = value;
                }
                assert!(round.iter().all(|slot| slot.inverts == round[0].inverts && slot.products.len() <= most));
                assert!(round.len() <= 32);
                // Who does it changes nothing.
                let seats = workers(round);
                assert!(round.iter().all(|slot| seats.contains(&Some(slot.clone()))));
                assert_eq!(seats.iter().flatten().count(), round.len());
            }
            let products = rounds.iter().flatten().map(|slot| slot.products.len()).sum::<usize>();
            assert_eq!(products, steps.len());
            assert_eq!(values, alone);
            // The chain of sums, the inverse, two rounds that wait for it, and what they read is written last: the
            // others go along.
            assert_eq!(rounds.len(), 40_usize.div_ceil(most) + 1 + 2 + 1);
        }
    }
}
