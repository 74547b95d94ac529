//! Optical depth and Planck fraction of neighbouring g-points.

use core::cell::Cell;

use isobar_core::{Lanes, Real};

use crate::rrtmg::schedule::chunk::Chunk;
use crate::rrtmg::schedule::lane_groups::point_groups;
use crate::rrtmg::schedule::lists::Lists;
use crate::rrtmg::sizes::{CHUNK, PAIR};
use crate::rrtmg::tables::{QUAD, QUADS, Tables};

/// Adds a term to the sums of neighbouring g-points: a row of coefficients times its weight, and then the next one.
#[inline(always)]
fn add_term<R: Real, const N: usize>(sums: &mut [R; N], [first, second]: [R; 2], [these, next]: &[[R; N]; 2]) {
    for lane in 0..N {
        sums[lane] = first.mul_add(these[lane], sums[lane]);
    }
    for lane in 0..N {
        sums[lane] = second.mul_add(next[lane], sums[lane]);
    }
}

/// What does not change with the layer for the g-points of a quad. Lists that callers give have been written for the
/// band.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points<R> {
    /// The coefficients of the first lane's g-point in row 0, and in row 1.
    coefficients: *const R,
    next_coefficients: *const R,
    pub(crate) band: usize,
    first_terms: [u32; 2],
    /// The number of the first lane's g-point.
    pub(crate) first: u32,
    /// What a radiance adds to a flux.
    pub(crate) flux: R,
}

/// The g-points of a thread's quads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WarpPoints<R, const W: usize>([Points<R>; QUADS]);

impl<R: Real, const W: usize> WarpPoints<R, W> {
    #[inline(always)]
    pub(crate) fn new(tables: &Tables<'_, R>, lanes: Lanes<W>, segment: usize) -> Self {
        let mut points = [Points::new(tables, lanes, segment, 0); QUADS];
        for group in 1..point_groups::<W>() {
            points[group] = Points::new(tables, lanes, segment, group);
        }
        Self(points)
    }

    /// Those of a quad.
    #[inline(always)]
    pub(crate) fn of_group(&self, group: usize) -> &Points<R> {
        // A GPU's thread has one quad, which stays in registers if the compiler knows which.
        &self.0[if point_groups::<W>() == 1 { 0 } else { group }]
    }
}

impl<R: Real> Points<R> {
    /// The quad of a lane: `group` counts those of a thread in a warp of g-points.
    #[inline(always)]
    pub(crate) fn new<const W: usize>(tables: &Tables<'_, R>, lanes: Lanes<W>, segment: usize, group: usize) -> Self {
        let quad = tables.quad(segment * QUADS + lanes.first() / QUAD + group);
        let lane = (lanes.first() % QUAD) as u32;
        let coefficients = tables.coefficients.as_ptr().wrapping_add((quad.first + lane) as usize);
        Self {
            coefficients,
            next_coefficients: coefficients.wrapping_add(quad.stride as usize),
            band: quad.band as usize,
            first_terms: quad.first_terms,
            first: quad.point + lane,
            flux: quad.flux,
        }
    }

    /// Where the band's list begins in a region. Not by an index: a GPU would have the points in slow memory.
    #[inline(always)]
    fn first_term(&self, region: usize) -> usize {
        let [lower, upper] = self.first_terms;
        if region == 0 { lower as usize } else { upper as usize }
    }

    /// The coefficients of `N` g-points from the first lane's on, in a row and in the next.
    #[inline(always)]
    fn rows<const N: usize>(&self, row: usize) -> [[R; N]; 2] {
        // SAFETY: a term names two neighbouring rows of the coefficients, which go on behind the last row for as many
        // g-points as are read at once.
        unsafe {
            let (these, next) = (self.coefficients.add(row), self.next_coefficients.add(row));
            [these.cast::<[R; N]>().read(), next.cast::<[R; N]>().read()]
        }
    }

    /// Adds a term to what the lanes have so far.
    #[inline(always)]
    fn add<const N: usize>(&self, lists: Lists<R>, (term, slot): (usize, usize), sums: &mut [R; N]) {
        let (row, weights) = lists.term(term, slot);
        add_term(sums, weights, &self.rows(row));
    }

    /// The Planck fractions in a layer of the chunk. Beyond the band's end they mean nothing.
    #[inline(always)]
    pub(crate) fn fractions<const N: usize>(&self, lists: Lists<R>, (region, slot): (usize, usize)) -> [R; N] {
        let mut fractions = [R::ZERO; N];
        self.add(lists, (self.first_term(region), slot), &mut fractions);
        fractions
    }

    /// What they add to a flux, each for a Planck radiance of one: the unit in which radiation is carried through the
    /// layers.
    #[inline(always)]
    pub(crate) fn emission<const N: usize>(&self, lists: Lists<R>, (region, slot): (usize, usize)) -> [R; N] {
        let mut emission = self.fractions(lists, (region, slot));
        for lane in 0..N {
            emission[lane] *= self.flux;
        }
        emission
    }

    /// Vertical optical depths in a layer of the chunk, that of its aerosol included.
    #[inline(always)]
    pub(crate) fn optical_depths<const N: usize>(
        &self,
        lists: Lists<R>,
        (region, slot): (usize, usize),
        aerosol: R,
    ) -> [R; N] {
        let mut depths = [aerosol; N];
        let first = self.first_term(region) + 1;
        for term in first..first + lists.length(self.band, slot) as usize {
            self.add(lists, (term, slot), &mut depths);
        }
        depths
    }

    /// Optical depths where lists are filled up to a multiple of [`PAIR`] terms.
    #[inline(always)]
    pub(crate) fn optical_depths_by_pairs<const N: usize>(
        &self,
        lists: Lists<R>,
        (region, slot): (usize, usize),
        aerosol: R,
    ) -> [R; N] {
        let mut depths = [aerosol; N];
        let mut term = self.first_term(region) + 1;
        for _ in 0..lists.length(self.band, slot) / PAIR {
            // Written out, so that all is read before it is needed.
            let two = [0, 1].map(|i| lists.term(term + i, slot));
            let rows = two.map(|(row, _)| self.rows(row));
            for i in 0..PAIR as usize {
                add_term(&mut depths, two[i].1, &rows[i]);
            }
            term += PAIR as usize;
        }
        depths
    }

    /// Writes vertical optical depths of all layers of a chunk, `N` lanes for each layer, for a thread with whole
    /// quads: what the aerosol has and some terms for each layer in turn, then some more, for the sums of one layer do
    /// not wait for those of another. All lists of a chunk's layers in a band are as long.
    ///
    /// Sums lie in memory apart from each other: a compiler would take two layers for one vector, and gather their rows
    /// at length.
    #[inline(always)]
    pub(crate) fn write_optical_depths<'a, const N: usize>(
        &self,
        lists: Lists<R>,
        (chunk, aerosol): (Chunk, &[Cell<R>; CHUNK]),
        of_slot: impl Fn(usize) -> &'a Cell<[R; N]>,
    ) where
        R: 'a,
    {
        let mut start = Some(aerosol);
        let mut term = self.first_term(chunk.region) + 1;
        let end = term + lists.length(self.band, 0) as usize;
        while term + 4 <= end {
            self.add_terms::<N, 4>(lists, (term, chunk), start.take(), &of_slot);
            term += 4;
        }
        if term + 2 <= end {
            self.add_terms::<N, 2>(lists, (term, chunk), start.take(), &of_slot);
            term += 2;
        }
        if term < end {
            self.add_terms::<N, 1>(lists, (term, chunk), start.take(), &of_slot);
        } else if start.is_some() {
            self.add_terms::<N, 0>(lists, (term, chunk), start, &of_slot);
        }
    }

    /// Adds some neighbouring terms to a start of each layer, or to what there is.
    #[inline(always)]
    fn add_terms<'a, const N: usize, const TERMS: usize>(
        &self,
        lists: Lists<R>,
        (first, chunk): (usize, Chunk),
        start: Option<&[Cell<R>; CHUNK]>,
        of_slot: impl Fn(usize) -> &'a Cell<[R; N]>,
    ) where
        R: 'a,
    {
        for slot in 0..chunk.count {
            let depths = of_slot(slot);
            let mut sums = match start {
                Some(start) => [start[slot].get(); N],
                None => depths.get(),
            };
            for term in first..first + TERMS {
                self.add(lists, (term, slot), &mut sums);
            }
            depths.set(sums);
        }
    }
}
