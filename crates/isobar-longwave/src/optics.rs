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
    /// The g-points of a thread's quads.
    #[inline(always)]
    pub(crate) fn of_warp<const W: usize>(tables: &Tables<'_, R>, lanes: Lanes<W>, segment: usize) -> [Self; QUADS] {
        let mut points = [Self::new(tables, lanes, segment, 0); QUADS];
        for quad in 0..quads::<W>() {
            points[quad] = Self::new(tables, lanes, segment, quad);
        }
        points
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

    /// What they add to a flux, each for a Planck radiance of one: the unit in which radiation is carried through the
    /// layers.
    ///
    /// # Safety
    /// The band's list was written.
    #[inline(always)]
    pub(crate) unsafe fn emission<const W: usize>(&self, lists: Lists<R>, region: usize, slot: usize) -> [R; QUAD] {
        // SAFETY: the caller's.
        let mut emission = unsafe { self.fractions::<W>(lists, region, slot) };
        for lane in 0..quad_lanes::<W>() {
            emission[lane] *= self.flux;
        }
        emission
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
            for term in first..first + lists.length(self.band, slot) as usize {
                depths = self.add::<W>(lists, (term, slot), depths);
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

    /// [`Points::emission`] of `N` g-points in a layer, for a thread with whole quads: beyond the band's end it means
    /// nothing.
    ///
    /// # Safety
    /// The band's list was written, and `N` is not above [`MOST_AT_ONCE`].
    #[inline(always)]
    pub(crate) unsafe fn emission_of<const N: usize>(&self, lists: Lists<R>, (region, slot): (usize, usize)) -> [R; N] {
        let mut sum = [R::ZERO; N];
        // SAFETY: the first term is that of the fractions.
        unsafe { self.add_term(lists, (self.first_terms[region] as usize, slot), &mut sum) };
        for lane in 0..N {
            sum[lane] *= self.flux;
        }
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

    /// Writes vertical optical depths of all layers of a chunk, `N` lanes for each layer, for a thread with whole
    /// quads: what the aerosol has and some terms for each layer in turn, then some more, for the sums of one layer do
    /// not wait for those of another.
    ///
    /// Sums lie in memory apart from each other: a compiler would take two layers for one vector, and gather their rows
    /// at length.
    ///
    /// # Safety
    /// As [`Points::emission_of`]; there is room at the places, `stride` numbers from one layer's to the next one's.
    #[inline(always)]
    pub(crate) unsafe fn write_optical_depths<const N: usize>(
        &self,
        lists: Lists<R>,
        (chunk, aerosol): (Chunk, &[R; CHUNK]),
        places: (*mut R, usize),
    ) {
        let mut start = Some(aerosol);
        let mut term = self.first_terms[chunk.region] as usize + 1;
        // SAFETY: all lists of a chunk's layers in a band are as long.
        unsafe {
            let end = term + lists.length(self.band, 0) as usize;
            while term + 4 <= end {
                self.add_terms::<N, 4>(lists, (term, chunk), start.take(), places);
                term += 4;
            }
            if term + 2 <= end {
                self.add_terms::<N, 2>(lists, (term, chunk), start.take(), places);
                term += 2;
            }
            if term < end {
                self.add_terms::<N, 1>(lists, (term, chunk), start.take(), places);
            } else if start.is_some() {
                self.add_terms::<N, 0>(lists, (term, chunk), start, places);
            }
        }
    }

    /// Adds some neighbouring terms to a start of each layer, or to what there is.
    #[inline(always)]
    unsafe fn add_terms<const N: usize, const TERMS: usize>(
        &self,
        lists: Lists<R>,
        (first, chunk): (usize, Chunk),
        start: Option<&[R; CHUNK]>,
        (mut place, stride): (*mut R, usize),
    ) {
        for slot in 0..chunk.count {
            // SAFETY: the caller's.
            unsafe {
                let mut sum = match start {
                    Some(start) => [start[slot]; N],
                    None => place.cast::<[R; N]>().read(),
                };
                for term in first..first + TERMS {
                    self.add_term(lists, (term, slot), &mut sum);
                }
                place.cast::<[R; N]>().write(sum);
                place = place.add(stride);
            }
        }
    }
}
