//! The order in which 32 workers share the arithmetic of a mechanism: list scheduling, what the longest chain waits for first.
//!
//! Every target gets its terms in the order in which one worker would add them, so that the bits are the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use isobar_core::Column;
use isobar_core::kernel::WARP;

use crate::block::PART;
use crate::by_warps::CELLS_OF_A_WARP;
use crate::index::Index;
use crate::room::Room;
use crate::rounds::{AT_A_TIME, GROUPS, INVERTS, Part, Rounds, SOME_INVERT};
use crate::sizes::Sizes;
use crate::symbolic::LuPattern;
use crate::tables::Tables;

/// The bytes of an entry of the cells of a warp.
const ENTRY_BYTES: usize = CELLS_OF_A_WARP * size_of::<f64>();
/// The bytes that these cells have at most: places are numbers of 16 bits, and several warps share a multiprocessor's memory.
const MOST_BYTES: usize = 1 << 16;

/// The rounds of a mechanism: see [`Rounds`].
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    room: Room,
    slots: Vec<[u64; AT_A_TIME]>,
    parts: [(u32, u32); 4],
    diagonals: Vec<u16>,
    coefficients: Vec<f64>,
}

/// What one worker would do, in order: `left * right + addend`, or the negative inverse of the addend. Places are entries of the room.
struct Step {
    target: usize,
    left: usize,
    right: usize,
    addend: usize,
    inverts: bool,
}

impl Step {
    /// A product goes to what is there.
    fn add(target: usize, left: usize, right: usize) -> Self {
        Self { target, left, right, addend: target, inverts: false }
    }
}

/// Steps under construction, and the entries in which they may form parts of long sums.
struct Steps {
    steps: Vec<Step>,
    parts: Range<usize>,
    /// An entry that is -0, and one that is 1.
    nothing: usize,
    one: usize,
}

impl Steps {
    /// Adds products of pairs of entries to a target, in parts as one worker does; none where there is no place for a part.
    fn sum(&mut self, target: usize, products: &[[usize; 2]]) -> Option<()> {
        let mut parts = products.chunks(PART);
        self.steps.extend(parts.next().unwrap_or_default().iter().map(|&[l, r]| Step::add(target, l, r)));
        for part in parts {
            let place = self.parts.next()?;
            for (number, &[l, r]) in part.iter().enumerate() {
                let addend = if number == 0 { self.nothing } else { place };
                self.steps.push(Step { addend, ..Step::add(place, l, r) });
            }
            self.steps.push(Step::add(target, place, self.one));
        }
        Some(())
    }
}

impl Schedule {
    /// The rounds of a mechanism and a method of so many stages, if the cells of a warp fit into the memory that a block of a GPU has.
    #[must_use]
    pub fn new<I: Index>(tables: &Tables<I>, pattern: &LuPattern, stages: u32) -> Option<Self> {
        let mechanism = tables.view();
        let room = Room::shared(tables.sizes(), stages);
        let coefficients: Vec<f64> = (0..mechanism.coefficients.len()).map(|i| mechanism.coefficients.at(i)).collect();
        let mut schedule = Self {
            room,
            slots: vec![],
            parts: [(0, 0); 4],
            diagonals: pattern.diagonal.iter().map(|&place| place as u16).collect(),
            coefficients,
        };
        if schedule.view().entries() * ENTRY_BYTES > MOST_BYTES {
            return None;
        }
        let place = Places { room: &room, sizes: tables.sizes() };
        let (jacobian, factor) = place.matrix(&mut list(&mechanism.factor), pattern)?;
        let function = place.function(&mut list(&mechanism.function))?;
        let parts = [function, jacobian, factor, place.solve(pattern, stages)?];
        schedule.parts = parts.map(|steps| schedule.add(&steps));
        schedule.slots.extend([[0; AT_A_TIME]; (GROUPS - 1) * WARP]);
        Some(schedule)
    }

    /// Where the numbers of a cell are.
    #[must_use]
    pub fn room(&self) -> Room {
        self.room
    }

    /// The rounds as views, for a kernel on the host.
    #[must_use]
    pub fn view(&self) -> Rounds<'_> {
        let part = |number: usize| Part { start: self.parts[number].0, groups: self.parts[number].1 };
        Rounds {
            slots: column(&self.slots),
            function: part(0),
            jacobian: part(1),
            factor: part(2),
            solve: part(3),
            diagonals: column(&self.diagonals),
            coefficients: column(&self.coefficients),
            nothing: self.room.entries,
        }
    }

    /// Adds a part.
    fn add(&mut self, steps: &[Step]) -> (u32, u32) {
        let start = self.slots.len() as u32;
        let rounds = rounds(steps);
        let packed = |step: &Step| {
            let places = [step.target, step.left, step.right, step.addend];
            let [target, left, right, addend] = places.map(|place| (place * ENTRY_BYTES) as u64);
            target | left << 16 | right << 32 | addend << 48 | if step.inverts { INVERTS } else { 0 }
        };
        let groups = rounds.len().div_ceil(AT_A_TIME).next_multiple_of(GROUPS);
        for number in 0..groups {
            let first = (number * AT_A_TIME).min(rounds.len());
            let group = &rounds[first..rounds.len().min(first + AT_A_TIME)];
            let inverts = |round: &Vec<usize>| steps[round[0]].inverts;
            let mark = if group.iter().any(inverts) { SOME_INVERT } else { 0 };
            let mut slots = [[mark; AT_A_TIME]; WARP];
            for (number, round) in group.iter().enumerate() {
                for (worker, step) in workers(steps, round) {
                    slots[worker][number] |= packed(&steps[step]);
                }
            }
            self.slots.extend(slots);
        }
        (start, groups as u32)
    }
}

fn column<T: Copy>(values: &[T]) -> Column<'_, T> {
    if values.is_empty() { Column::empty() } else { Column::from(values) }
}

/// Entries of the room.
struct Places<'a> {
    room: &'a Room,
    sizes: Sizes,
}

impl Places<'_> {
    /// An entry that is -0: what is added to it does not change.
    fn nothing(&self) -> usize {
        self.room.entries as usize
    }

    fn coefficient(&self, number: usize) -> usize {
        self.nothing() + 1 + number
    }

    fn factor(&self, entry: usize) -> usize {
        self.room.factors as usize + entry
    }

    fn rate(&self, number: usize) -> usize {
        self.room.rates as usize + number
    }

    /// No steps yet, with so many entries from `first` on, which nobody needs at the time, for parts of sums.
    fn steps(&self, first: u32, count: u32) -> Steps {
        let one = self.room.state + self.sizes.variable + self.sizes.fixed;
        let parts = first as usize..(first + count) as usize;
        Steps { steps: vec![], parts, nothing: self.nothing(), one: one as usize }
    }

    fn function(&self, table: &mut impl Iterator<Item = usize>) -> Option<Vec<Step>> {
        // The state of a stage has served its end when its rates are there.
        let mut steps = self.steps(self.room.stage_state, self.sizes.variable);
        let mut species = self.room.function as usize;
        while let Some(terms) = table.next() {
            let products: Vec<_> = (0..terms).map(|_| self.term(table)).collect();
            steps.sum(species, &products)?;
            species += 1;
        }
        Some(steps.steps)
    }

    /// A rate or a derivative, whose coefficient comes first.
    fn term(&self, table: &mut impl Iterator<Item = usize>) -> [usize; 2] {
        let rate = self.rate(next(table));
        [self.coefficient(next(table)), rate]
    }

    /// Building the matrix, and factoring it.
    fn matrix(&self, table: &mut impl Iterator<Item = usize>, pattern: &LuPattern) -> Option<(Vec<Step>, Vec<Step>)> {
        // There are no stages yet.
        let mut jacobian = self.steps(self.room.stages, self.room.entries - self.room.stages);
        let mut factor = self.steps(self.room.stages, self.room.entries - self.room.stages);
        let mut target = self.factor(0);
        for _ in 0..pattern.rows() {
            let (left, right) = (next(table), next(table));
            for number in 0..left + 1 + right {
                let pivot = (number < left).then(|| next(table));
                let (terms, products) = (next(table), next(table));
                let terms: Vec<_> = (0..terms).map(|_| self.term(table)).collect();
                jacobian.sum(target, &terms)?;
                // L has the other sign.
                let products: Vec<_> =
                    (0..products).map(|_| [self.factor(next(table)), self.factor(next(table))]).collect();
                factor.sum(target, &products)?;
                if let Some(pivot) = pivot {
                    let addend = self.nothing();
                    factor.steps.push(Step { addend, ..Step::add(target, self.factor(pivot), target) });
                } else if number == left {
                    factor.steps.push(Step { inverts: true, ..Step::add(target, target, target) });
                }
                target += 1;
            }
        }
        Some((jacobian.steps, factor.steps))
    }

    /// Forward through L; then backward through U, with the other sign of what is found.
    fn solve(&self, pattern: &LuPattern, stages: u32) -> Option<Vec<Step>> {
        // Rates are made anew for each function.
        let mut steps = self.steps(self.room.rates, self.sizes.reactions);
        let solution = |row: usize| (self.room.stages as usize) + (stages as usize - 1) * pattern.rows() + row;
        let product = |place: usize| [self.factor(place), solution(pattern.column[place])];
        for row in 0..pattern.rows() {
            let left: Vec<_> = (pattern.row_start[row]..pattern.diagonal[row]).map(product).collect();
            steps.sum(solution(row), &left)?;
        }
        for row in (0..pattern.rows()).rev() {
            let diagonal = pattern.diagonal[row];
            let right: Vec<_> = (diagonal + 1..pattern.row_start[row + 1]).rev().map(product).collect();
            steps.sum(solution(row), &right)?;
            let addend = self.nothing();
            steps.steps.push(Step { addend, ..Step::add(solution(row), self.factor(diagonal), solution(row)) });
        }
        Some(steps.steps)
    }
}

/// The numbers of a table, one after the other.
fn list<I: Index>(table: &Column<'_, I>) -> impl Iterator<Item = usize> {
    (0..table.len()).map(|i| table.at(i).place())
}

fn next(table: &mut impl Iterator<Item = usize>) -> usize {
    table.next().expect("a table is whole")
}

/// The banks of shared memory, as wide as an entry, and as many workers who read or write at a time.
const BANKS: usize = 8;

/// Who does what in a round: few at a time where few are enough, and so that they seldom want different entries of one bank.
fn workers(steps: &[Step], round: &[usize]) -> Vec<(usize, usize)> {
    let teams = round.len().div_ceil(BANKS);
    let places = |step: &Step| [step.left, step.right, step.addend, step.target];
    let mut members: Vec<Vec<usize>> = vec![vec![]; teams];
    for &step in round {
        // A place that others of the team have, too, is read once for all.
        let waits = |team: &Vec<usize>| -> usize {
            let of_access = |access: usize| {
                let mine = places(&steps[step])[access];
                let mut others: Vec<usize> = team.iter().map(|&other| places(&steps[other])[access]).collect();
                others.sort_unstable();
                others.dedup();
                let same_bank = others.iter().filter(|&&other| other % BANKS == mine % BANKS && other != mine).count();
                if others.contains(&mine) { 0 } else { same_bank }
            };
            (0..4).map(of_access).sum()
        };
        let free = members.iter_mut().filter(|team| team.len() < BANKS);
        free.min_by_key(|team| (waits(team), team.len())).expect("a round has no more than all workers").push(step);
    }
    let seats = members.iter().enumerate().flat_map(|(team, steps)| (team * BANKS..).zip(steps.iter().copied()));
    seats.collect()
}

/// Shares the steps among rounds of up to 32, of which all invert or none. A step comes after those that write what it reads or read what it writes.
fn rounds(steps: &[Step]) -> Vec<Vec<usize>> {
    let mut later: Vec<Vec<usize>> = vec![vec![]; steps.len()];
    let mut missing = vec![0; steps.len()];
    let mut last_write: BTreeMap<usize, usize> = BTreeMap::new();
    let mut reads: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, step) in steps.iter().enumerate() {
        let mut before: Vec<usize> = vec![];
        for place in [step.left, step.right, step.addend] {
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
    let mut ready = [BinaryHeap::new(), BinaryHeap::new()];
    for number in (0..steps.len()).filter(|&number| missing[number] == 0) {
        ready[usize::from(steps[number].inverts)].push((chain[number], Reverse(number)));
    }
    let mut rounds = vec![];
    while let Some(heap) = ready.iter_mut().filter(|heap| !heap.is_empty()).max_by_key(|heap| heap.peek().copied()) {
        let round: Vec<usize> = (0..WARP).map_while(|_| heap.pop()).map(|(_, Reverse(number))| number).collect();
        for &other in round.iter().flat_map(|&number| &later[number]) {
            missing[other] -= 1;
            if missing[other] == 0 {
                ready[usize::from(steps[other].inverts)].push((chain[other], Reverse(other)));
            }
        }
        rounds.push(round);
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::{Step, rounds};

    #[test]
    fn a_round_reads_nothing_that_it_writes() {
        // A chain of sums into one target, beside sums that are free, and an inverse for which others wait.
        let mut steps: Vec<Step> = (0..40).map(|i| Step::add(100, 1, 2 + i)).collect();
        steps.extend((0..40).map(|i| Step::add(200 + i, 1, 2 + i)));
        steps.push(Step { inverts: true, ..Step::add(100, 100, 100) });
        steps.extend((0..40).map(|i| Step::add(200 + i, 100, 2)));
        // It is read before it is written.
        steps.push(Step { addend: 3, ..Step::add(2, 1, 1) });
        let rounds = rounds(&steps);
        let mut values: Vec<i64> = (0..300).collect();
        let mut alone = values.clone();
        let done = |step: &Step, values: &[i64]| {
            let addend = values[step.addend];
            let sum = addend.wrapping_mul(3).wrapping_add(values[step.left].wrapping_mul(values[step.right]));
            if step.inverts { -addend } else { sum }
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
            assert!(round.iter().all(|&step| steps[step].inverts == steps[round[0]].inverts));
            assert!(round.len() <= 32);
        }
        assert_eq!(rounds.iter().map(Vec::len).sum::<usize>(), steps.len());
        assert_eq!(values, alone);
        // The chain of sums, the inverse, two rounds that wait for it, and what they read is written last: the others go along.
        assert_eq!(rounds.len(), 40 + 1 + 2 + 1);
    }
}
