//! A layer's optical depth in a band as a list of terms: weights of two neighbouring rows of the coefficients.
//!
//! With the list, a g-point's optical depth is a sum of products, whatever the band: the same instructions for all. The
//! first term is the Planck fraction. Lists are made once a layer and band, by lanes that have a layer each.

use isobar_core::Real;

use crate::chunk::{Slots, octet_lanes};
use crate::grid;
use crate::layers::LayerStates;
use crate::lists::{Lists, Weights};
use crate::mixture::{node, nodes, share};
use crate::scratch::CHUNK;
use crate::state::{self, Indices};
use crate::tables::{BandRow, NONE, RegionRow, Tables};

/// Values of a chunk's layers.
pub(crate) type Eight<R> = [R; CHUNK];

/// The lanes' layers.
pub(crate) struct Layers<'a, R, const W: usize> {
    states: &'a LayerStates<'a, R>,
    slots: Slots<W>,
    indices: Places,
    /// All numbers of the layers for a thread with whole octets, which has all bands; a lane of a GPU reads what its
    /// band needs.
    values: [Eight<R>; state::VALUES],
}

/// [`Indices`] of a chunk's layers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Places {
    pub(crate) level: [u32; CHUNK],
    /// The rows of the key tables at the layer's reference level and at the next one, at the colder temperature.
    pub(crate) key: [[u32; CHUNK]; 2],
    pub(crate) self_continuum: [u32; CHUNK],
    pub(crate) foreign_continuum: [u32; CHUNK],
    pub(crate) minor: [u32; CHUNK],
}

impl<'a, R: Real, const W: usize> Layers<'a, R, W> {
    #[inline(always)]
    pub(crate) fn read(states: &'a LayerStates<'a, R>, slots: Slots<W>) -> Self {
        let mut indices = Places::default();
        let (low, high) =
            if slots.chunk.region == 0 { (0, grid::LOWER_LEVELS) } else { (grid::UPPER_FIRST, grid::LEVELS) };
        for lane in 0..octet_lanes::<W>() {
            // SAFETY: the layer is one of the column's.
            let these = Indices::unpacked(unsafe { states.indices.get(slots.layer(lane), slots.column) });
            indices.level[lane] = these.level;
            // Layers count as lower by their number, so that a pressure that does not fall could be outside.
            let row = (these.level.clamp(low as u32, high as u32 - 2) - low as u32) * grid::KEY_TEMPERATURES as u32;
            indices.key[0][lane] = row + these.temperature;
            indices.key[1][lane] = row + grid::KEY_TEMPERATURES as u32 + these.next_temperature;
            indices.self_continuum[lane] = these.self_continuum;
            indices.foreign_continuum[lane] = these.foreign_continuum;
            indices.minor[lane] = these.minor;
        }
        let mut layers = Self { states, slots, indices, values: [[R::ZERO; CHUNK]; state::VALUES] };
        if octet_lanes::<W>() == CHUNK {
            slots.states(&states.values, &mut layers.values);
        }
        layers
    }
}

/// The list of one band in the making.
pub(crate) struct List<'a, R, const W: usize> {
    pub(crate) tables: &'a Tables<'a, R>,
    layers: &'a Layers<'a, R, W>,
    pub(crate) slots: Slots<W>,
    pub(crate) stride: u32,
    pub(crate) indices: Places,
    pub(crate) lists: Lists<R>,
    pub(crate) next: usize,
}

/// Writes the list of a band for the lanes' layers.
///
/// # Safety
/// There is room for the lists, and nobody else has the band.
#[inline(always)]
pub(crate) unsafe fn write<R: Real, const W: usize>(
    tables: &Tables<'_, R>,
    layers: &Layers<'_, R, W>,
    (number, band): (usize, &BandRow<R>),
    lists: Lists<R>,
) {
    let slots = layers.slots;
    let region = &band.regions[slots.chunk.region];
    let (indices, next) = (layers.indices, region.first_term as usize);
    let mut list = List { tables, layers, slots, stride: band.stride, indices, lists, next };
    list.fractions(region);
    if region.key_nodes > 1 {
        list.mixture(region);
    } else {
        list.single(region);
    }
    list.others(region);
    if region.factor[0] != R::ZERO {
        list.times_factor(region);
    }
    for lane in 0..octet_lanes::<W>() {
        let absorbers = list.next - region.first_term as usize - 1;
        // SAFETY: the band's place.
        unsafe { (*lists.lengths.add(number))[slots.first + lane] = absorbers as u32 };
    }
}

impl<R: Real, const W: usize> List<'_, R, W> {
    #[inline(always)]
    pub(crate) fn state(&self, number: usize) -> Eight<R> {
        if octet_lanes::<W>() == CHUNK {
            return self.layers.values[number];
        }
        self.slots.state(&self.layers.states.values, number)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, rows: &[u32; CHUNK], first: &Eight<R>, second: &Eight<R>) {
        if octet_lanes::<W>() == CHUNK {
            // All layers of the chunk: the compiler sees no first lane here, and would go through them one by one.
            debug_assert_eq!(self.slots.first, 0);
            // SAFETY: there is room for the terms that a band can have, and they are the band's.
            unsafe { self.lists.put_all(self.next, rows, first, second) };
        } else {
            for lane in 0..octet_lanes::<W>() {
                let weights = Weights { first: first[lane], second: second[lane] };
                // SAFETY: as above.
                unsafe { self.lists.put((self.next, self.slots.first + lane), rows[lane], weights) };
            }
        }
        self.next += 1;
    }

    /// Places along the key mixture for a fixed ratio.
    #[inline(always)]
    pub(crate) fn fixed_mixture(&self, region: &RegionRow<R>, ratio: R, count: u32) -> ([u32; CHUNK], Eight<R>) {
        let (mut below, mut fraction) = ([0; CHUNK], [R::ZERO; CHUNK]);
        if count > 1 {
            let (a, b) = self.key_columns(region);
            for lane in 0..octet_lanes::<W>() {
                (below[lane], fraction[lane]) = node(share(a[lane], b[lane], ratio, count).1);
            }
        }
        (below, fraction)
    }

    #[inline(always)]
    fn key_columns(&self, region: &RegionRow<R>) -> (Eight<R>, Eight<R>) {
        let [a, b] = region.key;
        (self.state(state::GASES + a as usize), self.state(state::GASES + b as usize))
    }

    #[inline(always)]
    fn fractions(&mut self, region: &RegionRow<R>) {
        let (below, fraction) = self.fixed_mixture(region, region.fraction_ratio, region.fraction_nodes);
        let (mut rows, mut first, mut second) = ([0; CHUNK], [R::ZERO; CHUNK], [R::ZERO; CHUNK]);
        if region.fractions != NONE {
            for lane in 0..octet_lanes::<W>() {
                rows[lane] = region.fractions + below[lane] * self.stride;
                first[lane] = R::ONE - fraction[lane];
                second[lane] = fraction[lane];
            }
        }
        self.push(&rows, &first, &second);
    }

    /// The row of the key table at the layers' reference level (`next` 0) or the next (1), at the colder temperature.
    #[inline(always)]
    fn key_rows(&self, region: &RegionRow<R>, next: usize) -> [u32; CHUNK] {
        if region.first_level != 0 { [0; CHUNK] } else { self.indices.key[next] }
    }

    #[inline(always)]
    fn single(&mut self, region: &RegionRow<R>) {
        if region.key_nodes == 1 {
            let column = self.state(state::GASES + region.key[0] as usize);
            for next in 0..2 {
                let mut colder = self.state(state::WEIGHTS + 2 * next);
                let mut warmer = self.state(state::WEIGHTS + 2 * next + 1);
                let mut rows = self.key_rows(region, next);
                for lane in 0..octet_lanes::<W>() {
                    colder[lane] *= column[lane];
                    warmer[lane] *= column[lane];
                    rows[lane] = region.key_table + rows[lane] * self.stride;
                }
                self.push(&rows, &colder, &warmer);
            }
        }
    }

    #[inline(always)]
    fn mixture(&mut self, region: &RegionRow<R>) {
        let zeros = [R::ZERO; CHUNK];
        let (a, b) = self.key_columns(region);
        let count = region.key_nodes;
        for next in 0..2 {
            let (mut rows, mut sums, mut weights, mut third) = (self.key_rows(region, next), zeros, [zeros; 3], false);
            for lane in 0..octet_lanes::<W>() {
                let ratio = self.tables.ratio(self.indices.level[lane] as usize + next, region.key_ratio);
                let (sum, place) = share(a[lane], b[lane], ratio, count);
                let (first, three) = nodes(place, count);
                sums[lane] = sum;
                for i in 0..3 {
                    weights[i][lane] = three[i];
                }
                rows[lane] = region.key_table + (rows[lane] * count + first) * self.stride;
                third |= three[2] != R::ZERO;
            }
            for warmer in 0..2 {
                let amounts = self.state(state::WEIGHTS + 2 * next + warmer);
                let mut products = [zeros; 3];
                for lane in 0..octet_lanes::<W>() {
                    let amount = amounts[lane] * sums[lane];
                    for i in 0..3 {
                        products[i][lane] = amount * weights[i][lane];
                    }
                }
                let (mut these, mut last) = ([0; CHUNK], [0; CHUNK]);
                for lane in 0..octet_lanes::<W>() {
                    these[lane] = rows[lane] + warmer as u32 * count * self.stride;
                    last[lane] = these[lane] + 2 * self.stride;
                }
                self.push(&these, &products[0], &products[1]);
                if third {
                    // A node more in some of the layers; in the others it counts nothing.
                    self.push(&last, &products[2], &zeros);
                }
            }
        }
    }
}
