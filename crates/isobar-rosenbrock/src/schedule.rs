//! The order in which 32 workers share the arithmetic of a mechanism: list scheduling, what the longest chain waits for first.
//!
//! Every target gets its terms in the order in which one worker would add them, so that the bits are the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use isobar_core::Column;
use isobar_core::kernel::WARP;

use crate::by_warps::CELLS_OF_A_WARP;
use crate::index::Index;
use crate::room::Room;
use crate::rounds::{AT_A_TIME, Deed, Part, Rounds};
use crate::symbolic::LuPattern;
use crate::tables::Tables;

/// The bytes of an entry of the cells of a warp.
const ENTRY_BYTES: usize = CELLS_OF_A_WARP * size_of::<f64>();
/// The bytes that these cells have at most: places are numbers of 16 bits, and several warps share a multiprocessor's memory.
const MOST_BYTES: usize = 1 << 16;

/// The rounds of a mechanism whose cells have a certain room: see [`Rounds`].
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    slots: Vec<[u64; AT_A_TIME]>,
    parts: [(u32, u32); 4],
    diagonals: Vec<u16>,
    coefficients: Vec<f64>,
    idle: u32,
}

/// What one worker would do, in order; places as in [`Rounds`].
struct Step {
    deed: Deed,
    target: usize,
    left: usize,
    right: usize,
}

/// Where `left` is counted from: it may be another block than that of targets.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    Same,
    Other,
}

impl Schedule {
    /// The rounds of a mechanism, if the cells of a warp fit into the memory that a block of a GPU has.
    #[must_use]
    pub fn new<I: Index>(tables: &Tables<I>, pattern: &LuPattern, room: &Room) -> Option<Self> {
        let mechanism = tables.view();
        let coefficients: Vec<f64> = (0..mechanism.coefficients.len()).map(|i| mechanism.coefficients.at(i)).collect();
        let idle = room.entries as usize;
        let entries = idle + 1 + coefficients.len();
        if entries * ENTRY_BYTES > MOST_BYTES {
            return None;
        }
        let place = Places { room, pool: idle + 1 };
        let mut schedule = Self {
            slots: vec![],
            parts: [(0, 0); 4],
            diagonals: pattern.diagonal.iter().map(|&place| place as u16).collect(),
            coefficients,
            idle: idle as u32,
        };
        schedule.parts[0] = schedule.add(&place.function(&mut list(&mechanism.function)), Left::Same, idle);
        let (jacobian, factor) = place.matrix(&mut list(&mechanism.factor), pattern);
        schedule.parts[1] = schedule.add(&jacobian, Left::Same, idle);
        schedule.parts[2] = schedule.add(&factor, Left::Same, idle);
        // What idle slots do goes to the entry behind the solution: that of the next stage, which is not there yet, or of idle slots.
        schedule.parts[3] = schedule.add(&solve(pattern), Left::Other, pattern.rows());
        schedule.slots.extend([[0; AT_A_TIME]; WARP]);
        Some(schedule)
    }

    /// The same as views, for a kernel on the host.
    #[must_use]
    pub fn view(&self) -> Rounds<'_> {
        let part = |number: usize| Part { start: self.parts[number].0, groups: self.parts[number].1 };
        Rounds {
            slots: Column::from(&self.slots[..]),
            function: part(0),
            jacobian: part(1),
            factor: part(2),
            solve: part(3),
            diagonals: Column::from(&self.diagonals[..]),
            coefficients: if self.coefficients.is_empty() {
                Column::empty()
            } else {
                Column::from(&self.coefficients[..])
            },
            idle: self.idle,
        }
    }

    /// Adds a part whose idle slots have the target `idle`.
    fn add(&mut self, steps: &[Step], left: Left, idle: usize) -> (u32, u32) {
        let start = self.slots.len() as u32;
        let rounds = rounds(steps, left);
        let other = if left == Left::Same { idle } else { 0 };
        let packed = |deed: Deed, places: [usize; 3]| {
            let [target, left, right] = places.map(|place| (place * ENTRY_BYTES) as u64);
            target | left << 16 | right << 32 | (deed as u64) << 48
        };
        let groups = rounds.len().div_ceil(2 * AT_A_TIME) * 2;
        for number in 0..groups {
            let first = (number * AT_A_TIME).min(rounds.len());
            let group = &rounds[first..rounds.len().min(first + AT_A_TIME)];
            let mut slots = [[packed(Deed::Subtract, [idle, other, idle]); AT_A_TIME]; WARP];
            for (number, round) in group.iter().enumerate() {
                let deed = steps[round[0]].deed;
                for (worker, slots) in slots.iter_mut().enumerate() {
                    slots[number] = match round.get(worker) {
                        Some(&step) => packed(deed, [steps[step].target, steps[step].left, steps[step].right]),
                        None => packed(deed, [idle, other, idle]),
                    };
                }
            }
            self.slots.extend(slots);
        }
        (start, groups as u32)
    }
}

/// Entries of the room.
struct Places<'a> {
    room: &'a Room,
    pool: usize,
}

impl Places<'_> {
    fn function(&self, table: &mut impl Iterator<Item = usize>) -> Vec<Step> {
        let mut steps = vec![];
        let mut species = self.room.function as usize;
        while let Some(terms) = table.next() {
            for _ in 0..terms {
                let rate = self.room.rates as usize + next(table);
                steps.push(Step { deed: Deed::Add, target: species, left: self.pool + next(table), right: rate });
            }
            species += 1;
        }
        steps
    }

    /// Building the matrix, and factoring it.
    fn matrix(&self, table: &mut impl Iterator<Item = usize>, pattern: &LuPattern) -> (Vec<Step>, Vec<Step>) {
        let (mut jacobian, mut factor) = (vec![], vec![]);
        let mut target = self.room.factors as usize;
        let entry = |place: usize| self.room.factors as usize + place;
        for _ in 0..pattern.rows() {
            let (left, right) = (next(table), next(table));
            for number in 0..left + 1 + right {
                let pivot = (number < left).then(|| next(table));
                let (terms, products) = (next(table), next(table));
                for _ in 0..terms {
                    let derivative = self.room.rates as usize + next(table);
                    jacobian.push(Step { deed: Deed::Add, target, left: self.pool + next(table), right: derivative });
                }
                for _ in 0..products {
                    let (left, right) = (entry(next(table)), entry(next(table)));
                    factor.push(Step { deed: Deed::Subtract, target, left, right });
                }
                if let Some(pivot) = pivot {
                    factor.push(Step { deed: Deed::Scale, target, left: entry(pivot), right: target });
                } else if number == left {
                    factor.push(Step { deed: Deed::Invert, target, left: target, right: target });
                }
                target += 1;
            }
        }
        (jacobian, factor)
    }
}

fn solve(pattern: &LuPattern) -> Vec<Step> {
    let mut steps = vec![];
    let subtract =
        |row, place: usize| Step { deed: Deed::Subtract, target: row, left: place, right: pattern.column[place] };
    for row in 0..pattern.rows() {
        steps.extend((pattern.row_start[row]..pattern.diagonal[row]).map(|place| subtract(row, place)));
    }
    for row in (0..pattern.rows()).rev() {
        let diagonal = pattern.diagonal[row];
        steps.extend((diagonal + 1..pattern.row_start[row + 1]).rev().map(|place| subtract(row, place)));
        steps.push(Step { deed: Deed::Scale, target: row, left: diagonal, right: row });
    }
    steps
}

/// The numbers of a table, one after the other.
fn list<I: Index>(table: &Column<'_, I>) -> impl Iterator<Item = usize> {
    (0..table.len()).map(|i| table.at(i).place())
}

fn next(table: &mut impl Iterator<Item = usize>) -> usize {
    table.next().expect("a table is whole")
}

/// Shares the steps among rounds of up to 32 of one deed. A step comes after those that write what it reads or read what it writes.
fn rounds(steps: &[Step], left: Left) -> Vec<Vec<usize>> {
    let mut later: Vec<Vec<usize>> = vec![vec![]; steps.len()];
    let mut missing = vec![0; steps.len()];
    let mut last_write: BTreeMap<usize, usize> = BTreeMap::new();
    let mut reads: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, step) in steps.iter().enumerate() {
        let mut before: Vec<usize> = vec![];
        let sources = [(step.target, true), (step.right, true), (step.left, left == Left::Same)];
        for (place, _) in sources.into_iter().filter(|&(_, here)| here) {
            before.extend(last_write.get(&place));
            reads.entry(place).or_default().push(number);
        }
        before.extend(reads.insert(step.target, vec![]).unwrap_or_default());
        before.sort_unstable();
        before.dedup();
        for other in before.into_iter().filter(|&other| other != number) {
            later[other].push(number);
            missing[number] += 1;
        }
        last_write.insert(step.target, number);
    }
    // The steps of the longest chain that begins with each.
    let mut chain = vec![1_usize; steps.len()];
    for number in (0..steps.len()).rev() {
        chain[number] += later[number].iter().map(|&other| chain[other]).max().unwrap_or(0);
    }
    let mut ready: BTreeMap<Deed, BinaryHeap<(usize, Reverse<usize>)>> = BTreeMap::new();
    for number in (0..steps.len()).filter(|&number| missing[number] == 0) {
        ready.entry(steps[number].deed).or_default().push((chain[number], Reverse(number)));
    }
    let mut rounds = vec![];
    while let Some(heap) = ready.values_mut().filter(|heap| !heap.is_empty()).max_by_key(|heap| heap.peek().copied()) {
        let round: Vec<usize> = (0..WARP).map_while(|_| heap.pop()).map(|(_, Reverse(number))| number).collect();
        for &other in round.iter().flat_map(|&number| &later[number]) {
            missing[other] -= 1;
            if missing[other] == 0 {
                ready.entry(steps[other].deed).or_default().push((chain[other], Reverse(other)));
            }
        }
        rounds.push(round);
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::{Left, Step, rounds};
    use crate::rounds::Deed;

    #[test]
    fn a_round_reads_nothing_that_it_writes() {
        // A chain of sums into one target, beside sums that are free, and a quotient that all wait for.
        let add = |target, left, right| Step { deed: Deed::Add, target, left, right };
        let mut steps: Vec<Step> = (0..40).map(|i| add(100, 1, 2 + i)).collect();
        steps.extend((0..40).map(|i| add(200 + i, 1, 2 + i)));
        steps.push(Step { deed: Deed::Invert, target: 100, left: 100, right: 100 });
        steps.extend((0..40).map(|i| add(200 + i, 100, 2)));
        // It is read before it is written.
        steps.push(add(2, 1, 1));
        let rounds = rounds(&steps, Left::Same);
        let mut values: Vec<i64> = (0..300).collect();
        let mut alone = values.clone();
        let done = |step: &Step, values: &[i64]| match step.deed {
            Deed::Invert => -values[step.target],
            _ => values[step.target].wrapping_mul(3) + values[step.left].wrapping_mul(values[step.right]),
        };
        for step in &steps {
            alone[step.target] = done(step, &alone);
        }
        for round in &rounds {
            // All read before any writes.
            let results: Vec<(usize, i64)> =
                round.iter().map(|&step| (steps[step].target, done(&steps[step], &values))).collect();
            for (target, value) in results {
                values[target] = value;
            }
            assert!(round.iter().all(|&step| steps[step].deed == steps[round[0]].deed));
            assert!(round.len() <= 32);
        }
        assert_eq!(rounds.iter().map(Vec::len).sum::<usize>(), steps.len());
        assert_eq!(values, alone);
        // The chain of sums, the quotient, two rounds that wait for it, and what they read is written last: the others go along.
        assert_eq!(rounds.len(), 40 + 1 + 2 + 1);
    }
}
