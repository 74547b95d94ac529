//! The list of a band in memory, and the layers for which it is written.

use isobar_core::Real;

use crate::rrtmg::arguments::LayerStates;
use crate::rrtmg::schedule::chunk::Slots;
use crate::rrtmg::schedule::lists::Lists;
use crate::rrtmg::schedule::terms::{self, LayerValues, RowIndices, TermList};
use crate::rrtmg::sizes::CHUNK;
use crate::rrtmg::state;
use crate::rrtmg::tables::Tables;

/// The states of a thread's layers.
pub(crate) struct SlotStates<'a, R, const L: usize> {
    states: &'a LayerStates<'a, R>,
    slots: Slots<L>,
    indices: RowIndices<L>,
    /// All numbers of the layers for a thread with a whole chunk, which has all bands; a lane of a GPU reads what its
    /// band needs.
    values: [[R; L]; state::VALUES],
}

impl<'a, R: Real, const L: usize> SlotStates<'a, R, L> {
    #[inline(always)]
    pub(crate) fn read(states: &'a LayerStates<'a, R>, slots: Slots<L>) -> Self {
        let indices = RowIndices::new(&slots.packed_indices(&states.indices), slots.chunk.region);
        let mut read = Self { states, slots, indices, values: [[R::ZERO; L]; state::VALUES] };
        if L == CHUNK {
            slots.states(&states.values, &mut read.values);
        }
        read
    }
}

impl<R: Real, const L: usize> LayerValues<R, L> for SlotStates<'_, R, L> {
    #[inline(always)]
    fn value(&self, number: usize) -> [R; L] {
        if L == CHUNK { self.values[number] } else { self.slots.state(&self.states.values, number) }
    }
}

/// The list of a band in the making.
struct BandList<R, const L: usize> {
    lists: Lists<R>,
    /// The first lane's layer in the chunk.
    slot: usize,
    first: usize,
    next: usize,
}

impl<R: Real, const L: usize> TermList<R, L> for BandList<R, L> {
    #[inline(always)]
    fn push(&mut self, rows: &[u32; L], first: &[R; L], second: &[R; L]) {
        self.lists.put_layers((self.next, self.slot), rows, [first, second]);
        self.next += 1;
    }

    #[inline(always)]
    fn multiply(&mut self, factors: &[R; L]) {
        for term in self.first + 1..self.next {
            self.lists.multiply_layers((term, self.slot), factors);
        }
    }
}

/// Writes the list of a band for the lanes' layers. Nobody else has the band.
#[inline(always)]
pub(crate) fn write<R: Real, const L: usize>(
    tables: &Tables<'_, R>,
    states: &SlotStates<'_, R, L>,
    number: usize,
    lists: Lists<R>,
) {
    let (slots, band) = (states.slots, tables.band(number));
    let first = band.regions[slots.chunk.region].first_term as usize;
    let list = BandList { lists, slot: slots.first, first, next: first };
    let list = terms::write(tables, (states, states.indices), (band, slots.chunk.region), list);
    for lane in 0..L {
        let absorbers = list.next - first - 1;
        lists.put_length(number, slots.first + lane, absorbers as u32);
    }
}
