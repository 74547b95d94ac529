//! Optical depth and Planck fraction of neighbouring g-points.

use isobar_core::{Lanes, Real};

use crate::chunk::Chunk;
use crate::lists::{Lists, Weights};
use crate::scratch::CHUNK;
use crate::tables::{QUAD, QUADS, Tables};

/// See [`Points::optical_depths_by_pairs`].
pub(crate) const PAIR: u32 = 2;

/// The most g-points of a band of which a CPU's thread adds terms at once.
pub(crate) const MOST_AT_ONCE: usize = 16;

/// The lanes of a quad that a thread computes: all four on a CPU, one on a GPU.
#[inline(always)]
pub(crate) const fn quad_lanes<const W: usize>() -> usize {
    if W < QUAD { W } else { QUAD }
}

/// The quads of a warp that a thread computes.
#[inline(always)]
pub(crate) const fn quads<const W: usize>() -> usize {
    if W < QUAD { 1 } else { W / QUAD }
}

/// What does not change with the layer for the g-points of a quad.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points<R> {
    /// The coefficients of the first lane's g-point in row 0, and in row 1.
    coefficients: *const R,
    next_coefficients: *const R,
    stride: usize,
    pub(crate) band: usize,
    first_terms: [u32; 2],
    /// The number of the first lane's g-point.
    pub(crate) first: u32,
    /// What a radiance adds to a flux.
    pub(crate) flux: R,
}

impl<R: Real> Points<R> {
    /// The g-points of a thread's quads, and what their radiances add to a flux.
    #[inline(always)]
    pub(crate) fn of_warp<const W: usize>(
        tables: &Tables<'_, R>,
        lanes: Lanes<W>,
        segment: usize,
    ) -> ([Self; QUADS], [R; W]) {
        let mut points = [Self::new(tables, lanes, segment, 0); QUADS];
        let mut flux = [R::ZERO; W];
        for quad in 0..quads::<W>() {
            points[quad] = Self::new(tables, lanes, segment, quad);
            for lane in 0..quad_lanes::<W>() {
                flux[quad * QUAD + lane] = points[quad].flux;
            }
        }
        (points, flux)
    }

    /// The quad of a lane: `quad` counts those of a thread in a warp of g-points.
    #[inline(always)]
    pub(crate) fn new<const W: usize>(tables: &Tables<'_, R>, lanes: Lanes<W>, segment: usize, quad: usize) -> Self {
        let number = segment * QUADS + lanes.first() / QUAD + quad;
        // SAFETY: the segment is one of the tables'.
        let quad = unsafe { tables.quads.get(number) };
        let lane = (lanes.first() % QUAD) as u32;
        let coefficients = tables.coefficients.as_ptr().wrapping_add((quad.first + lane) as usize);
        Self {
            coefficients,
            next_coefficients: coefficients.wrapping_add(quad.stride as usize),
            stride: quad.stride as usize,
            band: quad.band as usize,
            first_terms: quad.first_terms,
            first: quad.point + lane,
            flux: quad.flux,
        }
    }

    /// Adds a term to what the lanes have so far.
    ///
    /// # Safety
    /// The term is one that was written.
    #[inline(always)]
    unsafe fn add<const W: usize>(
        &self,
        lists: Lists<R>,
        (term, slot): (usize, usize),
        so_far: [R; QUAD],
    ) -> [R; QUAD] {
        let mut sum = so_far;
        // SAFETY: a term names two neighbouring rows of the coefficients.
        unsafe {
            let (row, Weights { first, second }) = lists.term(term, slot);
            let (these, next) = (self.coefficients.add(row), self.next_coefficients.add(row));
            for lane in 0..quad_lanes::<W>() {
                sum[lane] = first.mul_add(*these.add(lane), sum[lane]);
            }
            for lane in 0..quad_lanes::<W>() {
                sum[lane] = second.mul_add(*next.add(lane), sum[lane]);
            }
        }
        sum
    }

    /// The Planck fractions in a layer of the chunk.
    ///
    /// # Safety
    /// The band's list was written.
    #[inline(always)]
    pub(crate) unsafe fn fractions<const W: usize>(&self, lists: Lists<R>, region: usize, slot: usize) -> [R; QUAD] {
        // SAFETY: the first term is that of the fractions.
        unsafe { self.add::<W>(lists, (self.first_terms[region] as usize, slot), [R::ZERO; QUAD]) }
    }

    /// Vertical optical depths in a layer of the chunk, that of its aerosol included.
    ///
    /// # Safety
    /// The band's list was written.
    #[inline(always)]
    pub(crate) unsafe fn optical_depths<const W: usize>(
        &self,
        lists: Lists<R>,
        (region, slot): (usize, usize),
        aerosol: R,
    ) -> [R; QUAD] {
        // SAFETY: the list has as many terms as it says.
        unsafe {
            let mut depths = [aerosol; QUAD];
            let first = self.first_terms[region] as usize + 1;
            let (mut rows, mut weights) =
                (&raw const (*lists.rows.add(first))[slot], &raw const (*lists.weights.add(first))[slot]);
            for _ in 0..lists.length(self.band, slot) {
                let row = self.coefficients.add(*rows as usize);
                let (next, Weights { first, second }) = (row.add(self.stride), *weights);
                for lane in 0..quad_lanes::<W>() {
                    depths[lane] = first.mul_add(*row.add(lane), depths[lane]);
                }
                for lane in 0..quad_lanes::<W>() {
                    depths[lane] = second.mul_add(*next.add(lane), depths[lane]);
                }
                (rows, weights) = (rows.add(CHUNK), weights.add(CHUNK));
            }
            depths
        }
    }

    /// The same where lists are filled up to a multiple of [`PAIR`] terms.
    ///
    /// # Safety
    /// The band's list was written, and filled up.
    #[inline(always)]
    pub(crate) unsafe fn optical_depths_by_pairs<const W: usize>(
        &self,
        lists: Lists<R>,
        (region, slot): (usize, usize),
        aerosol: R,
    ) -> [R; QUAD] {
        let mut depths = [aerosol; QUAD];
        let mut term = self.first_terms[region] as usize + 1;
        // SAFETY: the caller's.
        unsafe {
            for _ in 0..lists.length(self.band, slot) / PAIR {
                // Written out, so that all is read before it is needed.
                let two = [0, 1].map(|i| lists.term(term + i, slot));
                let rows = two.map(|(row, _)| (self.coefficients.add(row), self.next_coefficients.add(row)));
                for i in 0..PAIR as usize {
                    let ((these, next), Weights { first, second }) = (rows[i], two[i].1);
                    for lane in 0..quad_lanes::<W>() {
                        depths[lane] = first.mul_add(*these.add(lane), depths[lane]);
                        depths[lane] = second.mul_add(*next.add(lane), depths[lane]);
                    }
                }
                term += PAIR as usize;
            }
        }
        depths
    }

    /// Do the g-points of another quad follow, and belong to the same band?
    #[inline(always)]
    pub(crate) fn go_on_in(&self, other: &Self) -> bool {
        self.band == other.band && self.first + QUAD as u32 == other.first
    }

    /// Planck fractions of `N` g-points in a layer, for a thread with whole quads: beyond the band's end they mean nothing.
    ///
    /// # Safety
    /// The band's list was written, and `N` is not above [`MOST_AT_ONCE`].
    #[inline(always)]
    pub(crate) unsafe fn fractions_of<const N: usize>(
        &self,
        lists: Lists<R>,
        (region, slot): (usize, usize),
    ) -> [R; N] {
        let mut sum = [R::ZERO; N];
        // SAFETY: the first term is that of the fractions.
        unsafe { self.add_term(lists, (self.first_terms[region] as usize, slot), &mut sum) };
        sum
    }

    /// Adds a term to what `N` g-points have so far.
    #[inline(always)]
    unsafe fn add_term<const N: usize>(&self, lists: Lists<R>, (term, slot): (usize, usize), sum: &mut [R; N]) {
        // SAFETY: a term names two neighbouring rows of the coefficients.
        unsafe {
            let (row, Weights { first, second }) = lists.term(term, slot);
            let row = self.coefficients.add(row);
            let (these, next) = (row.cast::<[R; N]>().read(), row.add(self.stride).cast::<[R; N]>().read());
            for lane in 0..N {
                sum[lane] = first.mul_add(these[lane], sum[lane]);
            }
            for lane in 0..N {
                sum[lane] = second.mul_add(next[lane], sum[lane]);
            }
        }
    }

    /// Adds the terms of all layers of a chunk to what there is at `place`, `N` lanes for each layer, for a thread with whole quads: the sums of one
    /// layer do not wait for those of another.
    ///
    /// Sums lie in memory apart from each other: a compiler would take two layers for one vector, and gather their rows at length.
    ///
    /// # Safety
    /// As [`Points::fractions_of`]; there is room at the places, `stride` numbers from one layer's to the next one's.
    #[inline(always)]
    pub(crate) unsafe fn add_optical_depths<const N: usize>(
        &self,
        lists: Lists<R>,
        chunk: Chunk,
        places: (*mut R, usize),
    ) {
        // SAFETY: lists are as long as the longest; the others' last terms have weights of zero.
        unsafe {
            let mut longest = 0;
            for slot in 0..CHUNK {
                longest = longest.max(lists.length(self.band, slot));
            }
            let mut term = self.first_terms[chunk.region] as usize + 1;
            let end = term + longest as usize;
            while term + 4 <= end {
                self.add_terms::<N, 4>(lists, (term, chunk), places);
                term += 4;
            }
            if term + 2 <= end {
                self.add_terms::<N, 2>(lists, (term, chunk), places);
                term += 2;
            }
            if term < end {
                self.add_terms::<N, 1>(lists, (term, chunk), places);
            }
        }
    }

    /// Some neighbouring terms of it.
    #[inline(always)]
    unsafe fn add_terms<const N: usize, const TERMS: usize>(
        &self,
        lists: Lists<R>,
        (first, chunk): (usize, Chunk),
        (mut place, stride): (*mut R, usize),
    ) {
        for slot in 0..chunk.count {
            // SAFETY: the caller's.
            unsafe {
                let mut sum = place.cast::<[R; N]>().read();
                for term in first..first + TERMS {
                    self.add_term(lists, (term, slot), &mut sum);
                }
                place.cast::<[R; N]>().write(sum);
                place = place.add(stride);
            }
        }
    }
}
