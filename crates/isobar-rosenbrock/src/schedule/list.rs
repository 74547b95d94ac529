//! The order in which 32 workers share the arithmetic of a mechanism: list scheduling, what the longest chain waits for
//! first.
//!
//! Every target gets its terms in the order in which one worker would add them, so that the bits are the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use isobar_core::Column;
use isobar_core::kernel::WARP;

use crate::host::symbolic::LuPattern;
use crate::host::tables::Tables;
use crate::physics::index::Index;
use crate::physics::sizes::Sizes;
use crate::schedule::by_warps::CELLS_OF_A_WARP;
use crate::schedule::layout::Layout;
use crate::schedule::numbers::PART;
use crate::schedule::rounds::{AHEAD, AT_A_TIME, INVERTS, LONG, Part, Rounds, SHORT};

/// The bytes of an entry of the cells of a warp.
const ENTRY_BYTES: usize = CELLS_OF_A_WARP * size_of::<f64>();
/// The bytes that these cells have at most: places are numbers of 16 bits, and several warps share a multiprocessor's
/// memory.
const MOST_BYTES: usize = 1 << 16;

/// The rounds of a mechanism: see [`Rounds`].
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    layout: Layout,
    slots: Vec<[u64; AT_A_TIME]>,
    parts: [(u32, u32); 4],
    diagonals: Vec<u16>,
    coefficients: Vec<f64>,
    entries: usize,
    /// An entry that is 1.
    one: usize,
    /// The first of the entries that idle workers write, one for each.
    idle: usize,
}

/// What one worker would do, in order: `left * right + addend`, or the negative inverse of the addend. Places are
/// entries of the layout.
#[derive(Clone, Copy, Debug)]
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

/// Steps under construction, and the entries in which they form parts of long sums.
struct Steps {
    steps: Vec<Step>,
    next_part: usize,
    /// An entry that is -0, and one that is 1.
    nothing: usize,
    one: usize,
}

impl Steps {
    /// Adds products of pairs of entries to a target, in parts as one worker does.
    fn sum(&mut self, target: usize, products: &[[usize; 2]]) {
        let mut parts = products.chunks(PART);
        self.steps.extend(parts.next().unwrap_or_default().iter().map(|&[l, r]| Step::add(target, l, r)));
        for part in parts {
            let place = self.next_part;
            self.next_part += 1;
            for (number, &[l, r]) in part.iter().enumerate() {
                let addend = if number == 0 { self.nothing } else { place };
                self.steps.push(Step { addend, ..Step::add(place, l, r) });
            }
            self.steps.push(Step::add(target, place, self.one));
        }
    }
}

impl Schedule {
    /// The rounds of a mechanism and a method of `stages` stages, if the cells of a warp fit into the memory that a
    /// block of a GPU has.
    #[must_use]
    pub fn new<I: Index>(tables: &Tables<I>, pattern: &LuPattern, stages: u32) -> Option<Self> {
        let mechanism = tables.view();
        let layout = Layout::shared(tables.sizes(), stages);
        let coefficients: Vec<f64> = (0..mechanism.coefficients.len()).map(|i| mechanism.coefficients.at(i)).collect();
        let places = Places { layout: &layout, sizes: tables.sizes(), coefficients: coefficients.len() };
        let (jacobian, factor) = places.matrix(&mut list(&mechanism.factor), pattern);
        let function = places.function(&mut list(&mechanism.function));
        let parts = [(function, LONG), (jacobian, LONG), (factor, LONG), (places.solve(pattern, stages), SHORT)];
        let used = parts.iter().map(|(steps, _)| steps.next_part).max().expect("four parts");
        let idle = used.next_multiple_of(BANKS);
        let entries = idle + WARP;
        if entries * ENTRY_BYTES > MOST_BYTES {
            return None;
        }
        let (one, diagonals) = (places.one(), pattern.diagonal.iter().map(|&place| place as u16).collect());
        let (slots, no_parts) = (vec![], [(0, 0); 4]);
        let mut schedule = Self { layout, slots, parts: no_parts, diagonals, coefficients, entries, one, idle };
        schedule.parts = parts.map(|(steps, words)| schedule.add(&steps.steps, words));
        schedule.slots.extend([[0; AT_A_TIME]; AHEAD * WARP]);
        Some(schedule)
    }

    /// Where the numbers of a cell are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
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
            nothing: self.layout.entries,
            entries: self.entries as u32,
        }
    }

    /// Adds a part whose slots have `words` words.
    fn add(&mut self, steps: &[Step], words: usize) -> (u32, u32) {
        let start = self.slots.len() as u32;
        let (nothing, one) = (self.layout.entries as usize, self.one);
        let rounds = rounds(steps, 2 * words - 1);
        let at_a_time = AT_A_TIME / words;
        for group in rounds.chunks(at_a_time) {
            let mut slots = [[0; AT_A_TIME]; WARP];
            for number in 0..at_a_time {
                // Behind the last round all are idle.
                let round = group.get(number).map_or(&[][..], |round| &round[..]);
                let seats = workers(round);
                let idle = idle_targets(&seats, self.idle);
                for ((slots, slot), idle) in slots.iter_mut().zip(seats).zip(idle) {
                    let word = |places: [usize; 4]| {
                        let bytes = places.map(|place| (place * ENTRY_BYTES) as u64);
                        bytes[0] | bytes[1] << 16 | bytes[2] << 32 | bytes[3] << 48
                    };
                    if round.first().is_some_and(|slot| slot.inverts) {
                        // Who is idle inverts 1.
                        let (target, addend) = slot.map_or((idle, one), |slot| (slot.target, slot.addend));
                        slots[number * words] = word([target, 0, 0, addend]) | INVERTS;
                        continue;
                    }
                    let Some(slot) = slot else {
                        slots[number * words] = word([idle, 0, 0, 0]);
                        continue;
                    };
                    let product = |number: usize| *slot.products.get(number).unwrap_or(&[nothing, one]);
                    let [left, right] = product(0);
                    slots[number * words] = word([slot.target, left, right, slot.addend]);
                    if words == LONG {
                        let ([second, by], [third, with]) = (product(1), product(2));
                        slots[number * words + 1] = word([second, by, third, with]);
                    }
                }
            }
            self.slots.extend(slots);
        }
        (start, rounds.len().div_ceil(at_a_time) as u32)
    }
}

fn column<T: Copy>(values: &[T]) -> Column<'_, T> {
    if values.is_empty() { Column::empty() } else { Column::from(values) }
}

/// Entries of the layout, and behind it -0, the coefficients, and parts of sums.
struct Places<'a> {
    layout: &'a Layout,
    sizes: Sizes,
    coefficients: usize,
}

impl Places<'_> {
    /// An entry that is -0: what is added to it does not change.
    fn nothing(&self) -> usize {
        self.layout.entries as usize
    }

    /// An entry that is 1.
    fn one(&self) -> usize {
        (self.layout.state + self.sizes.variable + self.sizes.fixed) as usize
    }

    fn coefficient(&self, number: usize) -> usize {
        self.nothing() + 1 + number
    }

    fn factor(&self, entry: usize) -> usize {
        self.layout.factors as usize + entry
    }

    fn rate(&self, number: usize) -> usize {
        self.layout.rates as usize + number
    }

    /// No steps yet.
    fn steps(&self) -> Steps {
        let next_part = self.coefficient(self.coefficients);
        Steps { steps: vec![], next_part, nothing: self.nothing(), one: self.one() }
    }

    fn function(&self, table: &mut impl Iterator<Item = usize>) -> Steps {
        let mut steps = self.steps();
        let mut species = self.layout.function as usize;
        while let Some(terms) = table.next() {
            let products: Vec<_> = (0..terms).map(|_| self.term(table)).collect();
            steps.sum(species, &products);
            species += 1;
        }
        steps
    }

    /// A rate or a derivative, whose coefficient comes first.
    fn term(&self, table: &mut impl Iterator<Item = usize>) -> [usize; 2] {
        let rate = self.rate(next(table));
        [self.coefficient(next(table)), rate]
    }

    /// Building the matrix, and factoring it.
    fn matrix(&self, table: &mut impl Iterator<Item = usize>, pattern: &LuPattern) -> (Steps, Steps) {
        let (mut jacobian, mut factor) = (self.steps(), self.steps());
        let mut target = self.factor(0);
        for _ in 0..pattern.rows() {
            let (left, right) = (next(table), next(table));
            for number in 0..left + 1 + right {
                let pivot = (number < left).then(|| next(table));
                let (terms, products) = (next(table), next(table));
                let terms: Vec<_> = (0..terms).map(|_| self.term(table)).collect();
                jacobian.sum(target, &terms);
                let products: Vec<_> =
                    (0..products).map(|_| [self.factor(next(table)), self.factor(next(table))]).collect();
                factor.sum(target, &products);
                if let Some(pivot) = pivot {
                    let addend = self.nothing();
                    factor.steps.push(Step { addend, ..Step::add(target, self.factor(pivot), target) });
                } else if number == left {
                    factor.steps.push(Step { inverts: true, ..Step::add(target, target, target) });
                }
                target += 1;
            }
        }
        (jacobian, factor)
    }

    /// Forward through L, and backward through U, where the last stage has its place.
    fn solve(&self, pattern: &LuPattern, stages: u32) -> Steps {
        let mut steps = self.steps();
        let solution = |row: usize| self.layout.stages as usize + (stages as usize - 1) * pattern.rows() + row;
        let product = |place: usize| [self.factor(place), solution(pattern.column[place])];
        for row in 0..pattern.rows() {
            let left: Vec<_> = (pattern.row_start[row]..pattern.diagonal[row]).map(product).collect();
            steps.sum(solution(row), &left);
        }
        for row in (0..pattern.rows()).rev() {
            let diagonal = pattern.diagonal[row];
            let right: Vec<_> = (diagonal + 1..pattern.row_start[row + 1]).rev().map(product).collect();
            steps.sum(solution(row), &right);
            let addend = self.nothing();
            steps.steps.push(Step { addend, ..Step::add(solution(row), self.factor(diagonal), solution(row)) });
        }
        steps
    }
}

/// The numbers of a table, one after the other.
fn list<I: Index>(table: &Column<'_, I>) -> impl Iterator<Item = usize> {
    (0..table.len()).map(|i| table.at(i).place())
}

fn next(table: &mut impl Iterator<Item = usize>) -> usize {
    table.next().expect("a table is whole")
}

/// What a worker does in a round: the target becomes the addend and the products, added one after the other, or the
/// negative inverse of the addend.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slot {
    target: usize,
    addend: usize,
    products: Vec<[usize; 2]>,
    inverts: bool,
}

/// The banks of shared memory, as wide as an entry, and as many workers who read or write at a time.
const BANKS: usize = 8;

/// Who does what in a round: workers of different teams change places, and products their factors, where a team then
/// wants fewer different entries of one bank.
fn workers(round: &[Slot]) -> [Option<Slot>; WARP] {
    let mut seats: [Option<Slot>; WARP] = std::array::from_fn(|worker| round.get(worker).cloned());
    let products = round.iter().map(|slot| slot.products.len()).max().unwrap_or(0);
    let waits = |seats: &[Option<Slot>; WARP], team: usize| waits(&seats[team * BANKS..(team + 1) * BANKS], products);
    let mut now: [usize; WARP / BANKS] = std::array::from_fn(|team| waits(&seats, team));
    for one in 0..WARP {
        let team = one / BANKS;
        for other in (team + 1) * BANKS..WARP {
            let second = other / BANKS;
            seats.swap(one, other);
            let then = [waits(&seats, team), waits(&seats, second)];
            if then[0] + then[1] < now[team] + now[second] {
                [now[team], now[second]] = then;
            } else {
                seats.swap(one, other);
            }
        }
    }
    seats
}

/// Where idle workers write, of the entries from `first` on: each to one of its own, in a bank that no other worker of
/// its team writes to, as long as there is one.
fn idle_targets(seats: &[Option<Slot>; WARP], first: usize) -> [usize; WARP] {
    let mut targets = [0; WARP];
    for (team, seats) in seats.chunks(BANKS).enumerate() {
        let mut banks: Vec<usize> = (0..BANKS).collect();
        // The banks that are written to go last.
        banks.sort_by_key(|&bank| seats.iter().flatten().any(|slot| slot.target % BANKS == bank));
        let idle = (0..BANKS).filter(|&worker| seats[worker].is_none());
        for (worker, bank) in idle.zip(banks) {
            targets[team * BANKS + worker] = first + team * BANKS + bank;
        }
    }
    targets
}

/// How long a team is at its accesses: at each, the bank of which it wants the most entries tells; an entry that
/// several want is read once.
fn waits(team: &[Option<Slot>], products: usize) -> usize {
    let of_access = |place: &dyn Fn(&Slot) -> usize| {
        let mut wanted = [0_usize; BANKS];
        let mut seen = [usize::MAX; BANKS];
        for (number, slot) in team.iter().enumerate() {
            let place = slot.as_ref().map_or(0, place);
            if !seen[..number].contains(&place) {
                wanted[place % BANKS] += 1;
            }
            seen[number] = place;
        }
        wanted.into_iter().max().unwrap_or(0)
    };
    let factor = |product: usize, side: usize| {
        of_access(&|slot: &Slot| slot.products.get(product).map_or(0, |factors| factors[side]))
    };
    let products: usize = (0..products).map(|product| factor(product, 0) + factor(product, 1)).sum();
    of_access(&|slot| slot.target) + of_access(&|slot| slot.addend) + products
}

/// Shares the steps among rounds of up to 32 slots, of which all invert or none, and of `most` products at most. A
/// step comes after those that write what it reads or read what it writes; only products of one sum may share a slot.
fn rounds(steps: &[Step], most: usize) -> Vec<Vec<Slot>> {
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
    use super::{Slot, Step, rounds, workers};

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
