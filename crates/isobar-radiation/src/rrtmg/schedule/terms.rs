//! A layer's optical depth in a band as a list of terms: weights of two neighbouring rows of the coefficients.
//!
//! With the list, a g-point's optical depth is a sum of products, whatever the band: the same instructions for all. The
//! first term is the Planck fraction. Lists are made once a layer and band, by lanes that have a layer each.

use isobar_core::Real;

use crate::rrtmg::grid;
use crate::rrtmg::physics::mixture::{node, nodes, share};
use crate::rrtmg::state::{self, Indices};
use crate::rrtmg::tables::{BandRow, NONE, RegionRow, Tables};

/// The numbers of [`crate::rrtmg::state`] of `L` layers, one a lane.
pub(crate) trait LayerValues<R, const L: usize> {
    /// One of the numbers.
    fn value(&self, number: usize) -> [R; L];
}

/// The terms of a band in `L` layers, in the order in which they come.
pub(crate) trait TermList<R, const L: usize> {
    /// Appends a term: a first row for each layer, and the weights of that row and the next one.
    fn push(&mut self, rows: &[u32; L], first: &[R; L], second: &[R; L]);

    /// Multiplies the weights of all terms that absorb: all but the first.
    fn multiply(&mut self, factors: &[R; L]);
}

/// [`Indices`] of layers of one region.
#[derive(Clone, Copy)]
pub(crate) struct RowIndices<const L: usize> {
    pub(crate) level: [u32; L],
    /// The row of the key tables at the layer's reference level, at the colder temperature.
    pub(crate) key: [u32; L],
    /// The row of the key tables at the next reference level.
    pub(crate) next_key: [u32; L],
    pub(crate) self_continuum: [u32; L],
    pub(crate) foreign_continuum: [u32; L],
    pub(crate) minor: [u32; L],
}

impl<const L: usize> RowIndices<L> {
    /// Those of layers of a region, from packed [`Indices`].
    #[inline(always)]
    pub(crate) fn new(packed: &[u32; L], region: usize) -> Self {
        let zeros = [0; L];
        let mut indices = Self {
            level: zeros,
            key: zeros,
            next_key: zeros,
            self_continuum: zeros,
            foreign_continuum: zeros,
            minor: zeros,
        };
        let (low, high) = if region == 0 { (0, grid::LOWER_LEVELS) } else { (grid::UPPER_FIRST, grid::LEVELS) };
        for lane in 0..L {
            let these = Indices::unpacked(packed[lane]);
            indices.level[lane] = these.level;
            // Layers count as lower by their number, so that a pressure that does not fall could be outside.
            let row = (these.level.clamp(low as u32, high as u32 - 2) - low as u32) * grid::KEY_TEMPERATURES as u32;
            indices.key[lane] = row + these.temperature;
            indices.next_key[lane] = row + grid::KEY_TEMPERATURES as u32 + these.next_temperature;
            indices.self_continuum[lane] = these.self_continuum;
            indices.foreign_continuum[lane] = these.foreign_continuum;
            indices.minor[lane] = these.minor;
        }
        indices
    }
}

/// A band in `L` layers, whose terms are written one after the other.
pub(crate) struct BandTerms<'a, R, V, T, const L: usize> {
    pub(crate) tables: &'a Tables<'a, R>,
    pub(crate) values: &'a V,
    pub(crate) indices: RowIndices<L>,
    pub(crate) stride: u32,
    pub(crate) list: T,
}

/// Writes the list of a band in a region.
#[inline(always)]
pub(crate) fn write<R: Real, V: LayerValues<R, L>, T: TermList<R, L>, const L: usize>(
    tables: &Tables<'_, R>,
    (values, indices): (&V, RowIndices<L>),
    (band, region): (&BandRow<R>, usize),
    list: T,
) -> T {
    let region = &band.regions[region];
    let mut terms = BandTerms { tables, values, indices, stride: band.stride, list };
    terms.fractions(region);
    if region.key_nodes > 1 {
        terms.mixture(region);
    } else {
        terms.single(region);
    }
    terms.others(region);
    if region.factor[0] != R::ZERO {
        terms.times_factor(region);
    }
    terms.list
}

impl<R: Real, V: LayerValues<R, L>, T: TermList<R, L>, const L: usize> BandTerms<'_, R, V, T, L> {
    /// Appends a term: see [`TermList::push`]. Both rows of it are read without checks.
    #[inline(always)]
    pub(crate) fn push(&mut self, rows: &[u32; L], first: &[R; L], second: &[R; L]) {
        debug_assert!(rows.iter().all(|row| (row + 2 * self.stride) as usize <= self.tables.coefficients.len()));
        self.list.push(rows, first, second);
    }

    /// Nodes along the key mixture and positions behind them, for a fixed ratio.
    #[inline(always)]
    pub(crate) fn fixed_mixture(&self, region: &RegionRow<R>, ratio: R, count: u32) -> ([u32; L], [R; L]) {
        let (mut below, mut fraction) = ([0; L], [R::ZERO; L]);
        if count > 1 {
            let (a, b) = self.key_columns(region);
            for lane in 0..L {
                (below[lane], fraction[lane]) = node(share(a[lane], b[lane], ratio, count).1, count);
            }
        }
        (below, fraction)
    }

    #[inline(always)]
    fn key_columns(&self, region: &RegionRow<R>) -> ([R; L], [R; L]) {
        let [a, b] = region.key;
        (self.values.value(state::GASES + a as usize), self.values.value(state::GASES + b as usize))
    }

    #[inline(always)]
    fn fractions(&mut self, region: &RegionRow<R>) {
        let (below, fraction) = self.fixed_mixture(region, region.fraction_ratio, region.fraction_nodes);
        let (mut rows, mut first, mut second) = ([0; L], [R::ZERO; L], [R::ZERO; L]);
        if region.fractions != NONE {
            for lane in 0..L {
                rows[lane] = region.fractions + below[lane] * self.stride;
                first[lane] = R::ONE - fraction[lane];
                second[lane] = fraction[lane];
            }
        }
        self.push(&rows, &first, &second);
    }

    /// The row of the key table at the layers' reference level (`next` 0) or the next (1), at the colder temperature.
    #[inline(always)]
    fn key_rows(&self, region: &RegionRow<R>, next: usize) -> [u32; L] {
        if region.first_level != 0 {
            return [0; L];
        }
        // Not an array of two: a GPU has an array whose index is a variable in slow memory.
        if next == 0 { self.indices.key } else { self.indices.next_key }
    }

    #[inline(always)]
    fn single(&mut self, region: &RegionRow<R>) {
        if region.key_nodes == 1 {
            let column = self.values.value(state::GASES + region.key[0] as usize);
            for next in 0..2 {
                let mut colder = self.values.value(state::WEIGHTS + 2 * next);
                let mut warmer = self.values.value(state::WEIGHTS + 2 * next + 1);
                let mut rows = self.key_rows(region, next);
                for lane in 0..L {
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
        let zeros = [R::ZERO; L];
        let (a, b) = self.key_columns(region);
        let count = region.key_nodes;
        for next in 0..2 {
            let (mut rows, mut sums, mut weights, mut third) = (self.key_rows(region, next), zeros, [zeros; 3], false);
            for lane in 0..L {
                let ratio = self.tables.ratio(self.indices.level[lane] as usize + next, region.key_ratio);
                let (sum, position) = share(a[lane], b[lane], ratio, count);
                let (first, three) = nodes(position, count);
                sums[lane] = sum;
                for i in 0..3 {
                    weights[i][lane] = three[i];
                }
                rows[lane] = region.key_table + (rows[lane] * count + first) * self.stride;
                third |= three[2] != R::ZERO;
            }
            for warmer in 0..2 {
                let amounts = self.values.value(state::WEIGHTS + 2 * next + warmer);
                let mut products = [zeros; 3];
                for lane in 0..L {
                    let amount = amounts[lane] * sums[lane];
                    for i in 0..3 {
                        products[i][lane] = amount * weights[i][lane];
                    }
                }
                let (mut these, mut last) = ([0; L], [0; L]);
                for lane in 0..L {
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
