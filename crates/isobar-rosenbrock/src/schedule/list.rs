//! The rounds in which 32 workers share the arithmetic of a mechanism, as words that a kernel reads.
//!
//! Every target gets its terms in the order in which one worker would add them, so that the bits are the same.

use isobar_core::Column;
use isobar_core::kernel::WARP;

use crate::host::symbolic::LuPattern;
use crate::host::tables::Tables;
use crate::physics::index::Index;
use crate::schedule::by_warps::CELLS_OF_A_WARP;
use crate::schedule::layout::Layout;
use crate::schedule::rounds::{AHEAD, AT_A_TIME, INVERTS, LONG, Part, Rounds, SHORT};
use crate::schedule::seats::{BANKS, idle_targets, workers};
use crate::schedule::share::rounds;
use crate::schedule::steps::{Places, Step, list};

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
