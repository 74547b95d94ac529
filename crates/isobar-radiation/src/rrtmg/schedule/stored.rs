//! The downward sweep that a CPU's thread stores for that upward: a warp of g-points of a layer at a time.

use core::cell::Cell;
use core::marker::PhantomData;

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, PerLane, Real};

use crate::rrtmg::arguments::{ANY, CLEAR, SUBCOLUMNS};
use crate::rrtmg::physics::passage::{Gas, Layer, slant_optical_depth};
use crate::rrtmg::physics::planck::Position;
use crate::rrtmg::schedule::chunk::Chunk;
use crate::rrtmg::schedule::points::Points;
use crate::rrtmg::schedule::prepare::Towards;
use crate::rrtmg::schedule::quad_sums;
use crate::rrtmg::schedule::scratch::{SUMS, SURFACE, Scratch, sum};
use crate::rrtmg::schedule::sweep::{self, Storage, Streams, Sweep, exact};
use crate::rrtmg::sizes::{CHUNK, MOST_AT_ONCE, MOST_SEGMENTS};
use crate::rrtmg::tables::{QUAD, QUADS};

/// The parts of a sum over a warp: whole vectors remain whole until a chunk is done.
const PARTS: usize = 8;

/// A thread's memory: parts of sums, and stored layers, `[segment * layers + layer]`.
#[repr(C, align(64))]
struct Memory<R> {
    /// Of each sum and slot of a chunk, as in the scratch.
    parts: [[Cell<[R; PARTS]>; CHUNK + 1]; SUMS],
    /// Planck radiance of each quad in the middle of a layer of the chunk, and what it has more at the far boundary.
    planck: [[Cell<[R; QUADS]>; MOST_SEGMENTS]; CHUNK],
    planck_step: [[Cell<[R; QUADS]>; MOST_SEGMENTS]; CHUNK],
    /// Secants of the g-points' diffusivity angles.
    secants: [Cell<[R; WARP]>; MOST_SEGMENTS],
    layers: [StoredLayer<R>; 0],
}

/// A layer for a warp of g-points.
#[repr(C, align(64))]
struct StoredLayer<R> {
    emission: Cell<[R; WARP]>,
    absorptance: Cell<[R; WARP]>,
    shape: Cell<[R; WARP]>,
}

/// A layer with the clouds that the g-points see: behind all layers without, which then lie close together.
#[repr(C, align(64))]
struct StoredClouds<R> {
    /// Not there in a layer without clouds.
    absorptance: Cell<[R; WARP]>,
    shape: Cell<[R; WARP]>,
    /// Not 0 where the layer has clouds.
    cloudy: Cell<u32>,
}

/// The bytes of the memory for layers and warps of g-points under a sky.
pub(crate) fn memory_bytes<R>(layers: usize, segments: usize, sky: u32) -> usize {
    let clouds = if sky == CLEAR { 0 } else { size_of::<StoredClouds<R>>() };
    size_of::<Memory<R>>() + layers * segments * (size_of::<StoredLayer<R>>() + clouds)
}

/// Does a thread with `W` lanes store layers?
pub(crate) const fn stores<const SKY: u32, const W: usize>() -> bool {
    W == WARP && SKY != ANY
}

/// A column's stored downward sweep. Callers' layers and segments are the column's.
#[derive(Clone, Copy)]
pub(crate) struct StoredSweep<'a, R, const SKY: u32> {
    sweep: Sweep<'a, R, SKY>,
    scratch: &'a Scratch<R>,
    memory: *const Memory<R>,
    of_memory: PhantomData<&'a Memory<R>>,
}

impl<'a, R: Real, const SKY: u32> StoredSweep<'a, R, SKY> {
    /// That of a thread.
    ///
    /// # Safety
    /// A thread that [`stores`] has the memory of which [`memory_bytes`] tells, and nobody else uses it.
    #[inline(always)]
    pub(crate) unsafe fn new<const W: usize>(
        sweep: Sweep<'a, R, SKY>,
        scratch: &'a Scratch<R>,
        lanes: Lanes<W>,
    ) -> Self {
        Self { sweep, scratch, memory: lanes.memory::<Memory<R>>().cast_const(), of_memory: PhantomData }
    }

    #[inline(always)]
    fn memory(&self) -> &'a Memory<R> {
        // SAFETY: the thread has it.
        unsafe { &*self.memory }
    }

    #[inline(always)]
    fn layer(&self, layer: usize, segment: usize) -> &'a StoredLayer<R> {
        let first = self.memory.wrapping_byte_add(core::mem::offset_of!(Memory<R>, layers)).cast::<StoredLayer<R>>();
        // SAFETY: there is memory for all layers of all segments.
        unsafe { &*first.wrapping_add(segment * self.sweep.batch.sources.columns.temperature_k.levels() + layer) }
    }

    /// A layer's clouds, under a sky that has any.
    #[inline(always)]
    fn clouds(&self, layer: usize, segment: usize) -> &'a StoredClouds<R> {
        let (layers, segments) =
            (self.sweep.batch.sources.columns.temperature_k.levels(), self.sweep.batch.sources.tables.segments());
        let first = self.memory.wrapping_byte_add(core::mem::offset_of!(Memory<R>, layers)).cast::<StoredLayer<R>>();
        let first = first.wrapping_add(segments * layers).cast::<StoredClouds<R>>();
        // SAFETY: there is memory for the clouds of all layers of all segments behind the layers.
        unsafe { &*first.wrapping_add(segment * layers + layer) }
    }

    /// Stores what a column's layers have in common.
    #[inline(always)]
    pub(crate) fn store_secants(&self, segment: usize) {
        let tables = &self.sweep.batch.sources.tables;
        let mut secants = [R::ZERO; WARP];
        for quad in 0..QUADS {
            let band = tables.quad(segment * QUADS + quad).band;
            secants[quad * QUAD..(quad + 1) * QUAD].fill(self.sweep.secant(band as usize));
        }
        self.memory().secants[segment].set(secants);
    }

    /// Stores the Planck radiances of a chunk.
    #[inline(always)]
    pub(crate) fn store_planck(&self, chunk: Chunk, towards: Towards) {
        let (sources, column) = (&self.sweep.batch.sources, self.sweep.column);
        let (tables, memory) = (&sources.tables, self.memory());
        let far = usize::from(towards == Towards::Top);
        for slot in 0..chunk.count {
            let layer = chunk.low + slot;
            let middle = Position::of(sources.columns.temperature_k.at(layer, column));
            let boundary = Position::of(sources.columns.level_temperature_k.at(layer + far, column));
            for segment in 0..tables.segments() {
                let planck = middle.radiance_of_quads(tables, segment);
                let mut step = boundary.radiance_of_quads(tables, segment);
                for quad in 0..QUADS {
                    step[quad] -= planck[quad];
                }
                memory.planck[slot][segment].set(planck);
                memory.planck_step[slot][segment].set(step);
            }
        }
    }

    /// Stores the layers of a chunk, whose lists and clouds were written, for a segment whose secants are stored.
    #[inline(always)]
    pub(crate) fn store<const W: usize>(&self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let tables = &self.sweep.batch.sources.tables;
        for quad in 0..QUADS {
            let at_once = tables.quad(segment * QUADS + quad).at_once as usize;
            if at_once == 0 {
                continue;
            }
            let these = (quad, &Points::new(tables, lanes, segment, quad));
            match at_once {
                QUAD => self.store_depths::<QUAD>(segment, these, chunk),
                MOST_AT_ONCE => self.store_depths::<MOST_AT_ONCE>(segment, these, chunk),
                _ => self.store_depths::<{ 2 * QUAD }>(segment, these, chunk),
            }
        }
        for slot in 0..chunk.count {
            let layer = self.layer(chunk.low + slot, segment);
            let (secants, vertical) = (&self.memory().secants[segment], layer.absorptance.get());
            let (secants, mut depth) = (secants.get(), vertical);
            for lane in 0..WARP {
                depth[lane] = slant_optical_depth(secants[lane], depth[lane]);
            }
            let (absorptance, shape) = exact(&depth);
            layer.absorptance.set(absorptance);
            layer.shape.set(shape);
            if SKY != SUBCOLUMNS {
                continue;
            }
            let clouds = self.clouds(chunk.low + slot, segment);
            let cloudy = self.scratch.cloudy[slot].get();
            clouds.cloudy.set(cloudy);
            if cloudy != 0 {
                let seen = clouds.absorptance.get();
                for lane in 0..WARP {
                    depth[lane] += seen[lane];
                }
                let (absorptance, shape) = exact(&depth);
                clouds.absorptance.set(absorptance);
                clouds.shape.set(shape);
            }
        }
    }

    /// Stores the emission of `N` g-points from those of a quad on; and, in the cells of absorptances, their vertical
    /// optical depths and what the clouds that they see add to slant ones.
    #[inline(always)]
    fn store_depths<const N: usize>(&self, segment: usize, (quad, points): (usize, &Points<R>), chunk: Chunk) {
        let (batch, scratch) = (self.sweep.batch, self.scratch);
        let tables = &batch.sources.tables;
        let same = tables.band(points.band).regions[chunk.region].fraction_nodes <= 1;
        let mut emission = points.emission::<N>(scratch.lists(), (chunk.region, 0));
        for slot in 0..chunk.count {
            if !same && slot > 0 {
                emission = points.emission::<N>(scratch.lists(), (chunk.region, slot));
            }
            lanes_from(&self.layer(chunk.low + slot, segment).emission, quad).set(emission);
            if SKY == SUBCOLUMNS && scratch.cloudy[slot].get() != 0 {
                let cloud = scratch.cloud[points.band][slot].get() * self.sweep.secant(points.band);
                let which = (cloud, points.first, tables.points);
                let seen =
                    batch.clouds.seen::<R, N>(&batch.sources.columns, which, chunk.low + slot, self.sweep.column);
                lanes_from(&self.clouds(chunk.low + slot, segment).absorptance, quad).set(seen);
            }
        }
        let depths = |slot: usize| lanes_from::<R, N>(&self.layer(chunk.low + slot, segment).absorptance, quad);
        if points.flux == R::ZERO {
            // These g-points only fill the warp: nothing emits or absorbs.
            for slot in 0..chunk.count {
                depths(slot).set([R::ZERO; N]);
            }
            return;
        }
        points.write_optical_depths(scratch.lists(), (chunk, &scratch.aerosol[points.band]), depths);
    }

    /// Finishes sums of some slots of a chunk.
    #[inline(always)]
    pub(crate) fn finish(&self, segment: usize, slots: core::ops::Range<usize>, derivative: bool) {
        for number in 0..if derivative { SUMS } else { sum::DERIVATIVE } {
            if SKY == CLEAR && number % 2 == 1 {
                continue;
            }
            for slot in slots.clone() {
                let parts = self.memory().parts[number][slot].get();
                let four = [parts[0] + parts[4], parts[1] + parts[5], parts[2] + parts[6], parts[3] + parts[7]];
                self.scratch.sums[number][segment][slot].set((four[0] + four[2]) + (four[1] + four[3]));
            }
        }
    }

    /// Passes a chunk that is stored. See [`Sweep::through`].
    #[inline(always)]
    pub(crate) fn through<const W: usize, const UP: bool>(
        &self,
        (lanes, segment): (Lanes<W>, usize),
        streams: &mut Streams<R, W>,
        chunk: Chunk,
        derivative: bool,
    ) {
        let mut storage = StoredWarp { stored: *self, lanes, segment, low: chunk.low };
        let state = (streams, &mut [R::ZERO; 2]);
        self.sweep.through::<_, W, UP>(&mut storage, state, (chunk.low, chunk.count), derivative);
        self.finish(segment, 0..chunk.count, derivative);
    }

    /// Sums what leaves the surface.
    #[inline(always)]
    pub(crate) fn leave_surface<const W: usize>(&self, lanes: Lanes<W>, segment: usize, streams: &Streams<R, W>) {
        let mut storage = StoredWarp { stored: *self, lanes, segment, low: 0 };
        Sweep::<R, SKY>::leave_surface(&mut storage, streams, true);
        self.finish(segment, SURFACE..SURFACE + 1, true);
    }
}

/// A warp's values from a quad on.
#[inline(always)]
fn lanes_from<R, const N: usize>(values: &Cell<[R; WARP]>, quad: usize) -> &Cell<[R; N]> {
    debug_assert!(quad * QUAD + N <= WARP);
    // SAFETY: `at_once` of a quad says how many there are from there on.
    unsafe { &*values.as_ptr().cast::<R>().wrapping_add(quad * QUAD).cast() }
}

/// A warp of g-points in a chunk of the stored sweep.
struct StoredWarp<'a, R, const SKY: u32, const W: usize> {
    stored: StoredSweep<'a, R, SKY>,
    lanes: Lanes<W>,
    segment: usize,
    /// The lowest layer of the chunk.
    low: usize,
}

impl<R: Real, const SKY: u32, const W: usize> StoredWarp<'_, R, SKY, W> {
    #[inline(always)]
    fn recall(gas: &Gas<[R; W]>, absorptances: &Cell<[R; WARP]>, shapes: &Cell<[R; WARP]>) -> Layer<[R; W]> {
        let (mut absorptance, mut shape) = ([R::ZERO; W], [R::ZERO; W]);
        absorptance.copy_from_slice(&absorptances.get()[..W]);
        shape.copy_from_slice(&shapes.get()[..W]);
        sweep::layer(gas, (absorptance, shape))
    }

    /// Leaves the parts of a sum.
    #[inline(always)]
    fn put(&self, slot: usize, number: usize, values: &[R; W]) {
        let mut parts = [R::ZERO; PARTS];
        for lane in 0..PARTS {
            parts[lane] = (values[lane] + values[lane + 2 * PARTS]) + (values[lane + PARTS] + values[lane + 3 * PARTS]);
        }
        self.stored.memory().parts[number][slot].set(parts);
    }

    #[inline(always)]
    fn put_bands(&self, slot: usize, flux: &[R; W]) {
        if !self.stored.sweep.batch.fluxes.band_up_w_per_m2.is_empty() {
            // A copy, for what has an address lies in memory.
            let values = *flux;
            quad_sums::put_apart(self.stored.scratch, self.lanes, (self.segment, slot), &values);
        }
    }
}

impl<R: Real, const SKY: u32, const W: usize> Storage<R, W> for StoredWarp<'_, R, SKY, W> {
    #[inline(always)]
    fn clear_sky<const UP: bool>(&mut self, layer: usize) -> (Gas<[R; W]>, Layer<[R; W]>) {
        let mut gas = Gas::<[R; W]>::zeros();
        let (memory, stored) = (self.stored.memory(), self.stored.layer(layer, self.segment));
        let slot = layer - self.low;
        let (planck, step) = (memory.planck[slot][self.segment].get(), memory.planck_step[slot][self.segment].get());
        gas.emission.copy_from_slice(&stored.emission.get()[..W]);
        for lane in 0..W {
            gas.planck[lane] = planck[lane / QUAD];
            gas.step[lane] = step[lane / QUAD];
        }
        let clear = Self::recall(&gas, &stored.absorptance, &stored.shape);
        (gas, clear)
    }

    #[inline(always)]
    fn is_cloudy(&mut self, layer: usize) -> bool {
        self.stored.clouds(layer, self.segment).cloudy.get() != 0
    }

    #[inline(always)]
    fn all_sky<const UP: bool>(&mut self, layer: usize, gas: &Gas<[R; W]>) -> Layer<[R; W]> {
        let stored = self.stored.clouds(layer, self.segment);
        Self::recall(gas, &stored.absorptance, &stored.shape)
    }

    #[inline(always)]
    fn sum_layer<const UP: bool>(&mut self, layer: usize, sky: usize, flux: &[R; W], gains: &[R; W]) {
        let slot = layer - self.low;
        self.put(slot, sum::FLUX + sky, flux);
        self.put(slot, sum::GAIN + sky, gains);
        if sky == 0 {
            self.put_bands(slot, flux);
        }
    }

    #[inline(always)]
    fn sum_derivative(&mut self, layer: usize, sky: usize, derivative: &[R; W]) {
        self.put(layer - self.low, sum::DERIVATIVE + sky, derivative);
    }

    #[inline(always)]
    fn sum_surface(&mut self, sky: usize, flux: &[R; W]) {
        self.put(SURFACE, sum::FLUX + sky, flux);
        if sky == 0 {
            self.put_bands(SURFACE, flux);
        }
    }

    #[inline(always)]
    fn sum_surface_derivative(&mut self, sky: usize, derivative: &[R; W]) {
        self.put(SURFACE, sum::DERIVATIVE + sky, derivative);
    }
}
