//! What a CPU keeps of the sweep downward for that upward.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::absorption::exact;
use crate::chunk::Chunk;
use crate::optics::{MOST_AT_ONCE, Points};
use crate::passage::{Gas, Layer};
use crate::prepare::Towards;
use crate::scratch::{CHUNK, MOST_SEGMENTS, SUMS};
use crate::sweep::Sweep;
use crate::tables::{QUAD, QUADS};
use crate::transfer::{ANY, CLEAR, SUBCOLUMNS};

/// The parts of a sum over a warp that [`Sweep::put`] leaves.
pub(crate) const PARTS: usize = 8;

/// A thread's memory: parts of sums, and what is kept, `[segment * layers + layer]`.
#[repr(C, align(64))]
pub(crate) struct Memory<R> {
    /// Of each sum and place of a chunk, as in the scratch.
    pub(crate) parts: [[[R; PARTS]; CHUNK + 1]; SUMS],
    /// Planck radiance of each quad in the middle of a layer of the chunk, and what it has more at the far boundary.
    planck: [[[R; QUADS]; MOST_SEGMENTS]; CHUNK],
    planck_step: [[[R; QUADS]; MOST_SEGMENTS]; CHUNK],
    /// Secants of the g-points' slants.
    secants: [[R; WARP]; MOST_SEGMENTS],
    kept: [Kept<R>; 0],
}

/// The bytes of the memory for so many layers and warps of g-points under a sky.
pub(crate) fn memory_bytes<R>(layers: usize, segments: usize, sky: u32) -> usize {
    let clouds = if sky == CLEAR { 0 } else { size_of::<KeptClouds<R>>() };
    size_of::<Memory<R>>() + layers * segments * (size_of::<Kept<R>>() + clouds)
}

/// A layer for a warp of g-points.
#[repr(C, align(64))]
struct Kept<R> {
    emission: [R; WARP],
    absorptance: [R; WARP],
    shape: [R; WARP],
}

/// The same with the clouds that the g-points see: behind all layers without, which then lie close together.
#[repr(C, align(64))]
struct KeptClouds<R> {
    /// Not there in a layer without clouds.
    absorptance: [R; WARP],
    shape: [R; WARP],
    /// Not 0 where the layer has clouds.
    cloudy: u32,
}

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// Does a thread with so many lanes keep layers?
    pub(crate) const fn keeps<const W: usize>() -> bool {
        W == WARP && SKY != ANY
    }

    #[inline(always)]
    fn place(&self, layer: usize, segment: usize) -> *mut Kept<R> {
        // SAFETY: the memory is the thread's.
        let first = unsafe { (&raw mut (*self.memory).kept).cast::<Kept<R>>() };
        first.wrapping_add(segment * self.batch.sources.temperature.levels() + layer)
    }

    /// The place of a layer's clouds under a sky that has any.
    #[inline(always)]
    fn clouds_place(&self, layer: usize, segment: usize) -> *mut KeptClouds<R> {
        let first = self.place(0, self.batch.sources.tables.segments()).cast::<KeptClouds<R>>();
        first.wrapping_add(segment * self.batch.sources.temperature.levels() + layer)
    }

    /// Remembers what a column's layers have in common.
    #[inline(always)]
    pub(crate) fn remember<const W: usize>(&mut self, segment: usize) {
        if !Self::keeps::<W>() {
            return;
        }
        let tables = &self.batch.sources.tables;
        let mut secants = [R::ZERO; WARP];
        for quad in 0..QUADS {
            // SAFETY: the segment is one of the tables'.
            let band = unsafe { tables.quads.get(segment * QUADS + quad) }.band;
            secants[quad * QUAD..(quad + 1) * QUAD].fill(self.secant(band as usize));
        }
        // SAFETY: the memory is the thread's.
        unsafe { (*self.memory).secants[segment] = secants };
    }

    /// Writes the Planck radiances of a chunk for a thread that keeps layers.
    ///
    /// # Safety
    /// The thread has the memory that the kernel asks for.
    #[inline(always)]
    pub(crate) unsafe fn keep_planck(&mut self, (chunk, towards): (Chunk, Towards)) {
        let (sources, column) = (&self.batch.sources, self.column);
        let tables = &sources.tables;
        let far = usize::from(towards == Towards::Top);
        for slot in 0..chunk.count {
            let layer = chunk.low + slot;
            let middle = tables.planck_place_of_quads(sources.temperature.at(layer, column));
            let boundary = tables.planck_place_of_quads(sources.level_temperature.at(layer + far, column));
            for segment in 0..tables.segments() {
                // SAFETY: the caller's.
                unsafe {
                    let planck = tables.planck_of_quads(middle, segment);
                    let mut step = tables.planck_of_quads(boundary, segment);
                    for quad in 0..QUADS {
                        step[quad] -= planck[quad];
                    }
                    (*self.memory).planck[slot][segment] = planck;
                    (*self.memory).planck_step[slot][segment] = step;
                }
            }
        }
    }

    /// Keeps the layers of a chunk.
    ///
    /// # Safety
    /// The chunk's lists and clouds were written, and the thread remembers the warp.
    #[inline(always)]
    pub(crate) unsafe fn keep<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let tables = &self.batch.sources.tables;
        for quad in 0..QUADS {
            // SAFETY: the segment is one of the tables'.
            let at_once = unsafe { tables.quads.get(segment * QUADS + quad) }.at_once as usize;
            if at_once == 0 {
                continue;
            }
            let these = (quad, &Points::new(tables, lanes, segment, quad));
            // SAFETY: the caller's.
            unsafe {
                match at_once {
                    QUAD => self.keep_depths::<QUAD>(segment, these, chunk),
                    MOST_AT_ONCE => self.keep_depths::<MOST_AT_ONCE>(segment, these, chunk),
                    _ => self.keep_depths::<{ 2 * QUAD }>(segment, these, chunk),
                }
            }
        }
        // SAFETY: the caller's; nobody writes there meanwhile.
        let secants = unsafe { &(*self.memory.cast_const()).secants[segment] };
        for slot in 0..chunk.count {
            // SAFETY: as above.
            let kept = unsafe { &mut *self.place(chunk.low + slot, segment) };
            let mut depth = kept.absorptance;
            for lane in 0..WARP {
                // Weights beyond the tables' ends can make it negative.
                depth[lane] = (secants[lane] * depth[lane]).max(R::ZERO);
            }
            (kept.absorptance, kept.shape) = exact(&depth);
            if SKY != SUBCOLUMNS {
                continue;
            }
            // SAFETY: as above.
            let clouds = unsafe { &mut *self.clouds_place(chunk.low + slot, segment) };
            // SAFETY: as above.
            clouds.cloudy = unsafe { (*self.scratch).cloudy[slot] };
            if clouds.cloudy != 0 {
                for lane in 0..WARP {
                    depth[lane] += clouds.absorptance[lane];
                }
                (clouds.absorptance, clouds.shape) = exact(&depth);
            }
        }
    }

    /// Keeps the emission of `N` g-points from those of a quad on; and, in the places of absorptances, their vertical
    /// optical depths and what the clouds that they see add to slant ones.
    ///
    /// # Safety
    /// As [`Sweep::keep`]; the warp has so many lanes from there on.
    #[inline(always)]
    unsafe fn keep_depths<const N: usize>(
        &mut self,
        segment: usize,
        (quad, points): (usize, &Points<R>),
        chunk: Chunk,
    ) {
        // SAFETY: the caller's; the layers and the segment are the column's.
        unsafe {
            let tables = &self.batch.sources.tables;
            let same = tables.band(points.band).regions[chunk.region].fraction_nodes <= 1;
            let mut emission = points.emission_of::<N>(self.lists(), (chunk.region, 0));
            for slot in 0..chunk.count {
                let kept = self.place(chunk.low + slot, segment);
                if !same && slot > 0 {
                    emission = points.emission_of::<N>(self.lists(), (chunk.region, slot));
                }
                lanes_from(&raw mut (*kept).emission, quad).cast::<[R; N]>().write(emission);
                if SKY == SUBCOLUMNS && (*self.scratch).cloudy[slot] != 0 {
                    let cloud = (*self.scratch).cloud[points.band][slot] * self.secant(points.band);
                    let place = (points.first, self.batch.sources.tables.points);
                    let seen = self.batch.clouds.seen::<N>(cloud, place, chunk.low + slot, self.column);
                    let clouds = self.clouds_place(chunk.low + slot, segment);
                    lanes_from(&raw mut (*clouds).absorptance, quad).cast::<[R; N]>().write(seen);
                }
            }
            if points.flux == R::ZERO {
                // These g-points only fill the warp: nothing emits or absorbs.
                for slot in 0..chunk.count {
                    let kept = self.place(chunk.low + slot, segment);
                    lanes_from(&raw mut (*kept).absorptance, quad).cast::<[R; N]>().write([R::ZERO; N]);
                }
                return;
            }
            let first = lanes_from(&raw mut (*self.place(chunk.low, segment)).absorptance, quad);
            // Rows are so many numbers apart: of numbers with derivatives, those of 2, 4 or 8 doubles fit.
            const { assert!(size_of::<Kept<R>>().is_multiple_of(size_of::<R>())) };
            let (places, aerosol) =
                ((first, size_of::<Kept<R>>() / size_of::<R>()), &(*self.scratch).aerosol[points.band]);
            points.write_optical_depths::<N>(self.lists(), (chunk, aerosol), places);
        }
    }

    /// Does a layer that was kept have clouds?
    ///
    /// # Safety
    /// It was kept.
    #[inline(always)]
    pub(crate) unsafe fn recall_cloudy(&self, layer: usize, segment: usize) -> bool {
        // SAFETY: the caller's.
        unsafe { (*self.clouds_place(layer, segment)).cloudy != 0 }
    }

    /// The gas of a layer that was kept, as far as its source needs it.
    ///
    /// # Safety
    /// It was kept, and so were the chunk's Planck radiances.
    #[inline(always)]
    pub(crate) unsafe fn recall_gas<const W: usize>(&self, segment: usize, (layer, slot): (usize, usize)) -> Gas<R, W> {
        let zeros = [R::ZERO; W];
        let mut gas = Gas { depth: zeros, emission: zeros, planck: zeros, step: zeros, cloud: zeros };
        // SAFETY: the caller's.
        let (kept, planck, step) = unsafe {
            let memory = self.memory;
            (&*self.place(layer, segment), (*memory).planck[slot][segment], (*memory).planck_step[slot][segment])
        };
        gas.emission.copy_from_slice(&kept.emission[..W]);
        for lane in 0..W {
            gas.planck[lane] = planck[lane / QUAD];
            gas.step[lane] = step[lane / QUAD];
        }
        gas
    }

    /// What a layer that was kept does, with its clouds or without.
    ///
    /// # Safety
    /// It was kept.
    #[inline(always)]
    pub(crate) unsafe fn recall<const W: usize>(
        &self,
        segment: usize,
        gas: &Gas<R, W>,
        (layer, clouds): (usize, bool),
    ) -> Layer<R, W> {
        // SAFETY: the caller's.
        let (from, shapes) = unsafe {
            if clouds {
                let kept = &*self.clouds_place(layer, segment);
                (&kept.absorptance, &kept.shape)
            } else {
                let kept = &*self.place(layer, segment);
                (&kept.absorptance, &kept.shape)
            }
        };
        let (mut absorptance, mut shape) = ([R::ZERO; W], [R::ZERO; W]);
        absorptance.copy_from_slice(&from[..W]);
        shape.copy_from_slice(&shapes[..W]);
        Layer { absorptance, source: gas.source(&shape) }
    }
}

/// A warp's values from a quad on.
#[inline(always)]
fn lanes_from<R>(values: *mut [R; WARP], quad: usize) -> *mut R {
    values.cast::<R>().wrapping_add(quad * QUAD)
}
