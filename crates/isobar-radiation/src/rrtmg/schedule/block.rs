//! A column's block: eight layers at a time, lanes first prepare lists of terms, a layer and band each; then they sweep
//! through the layers, a g-point each. Radiances stay in registers, and only their sums leave the warp.
//!
//! A CPU's thread stores what layers do on the way down for that up, [`crate::rrtmg::schedule::stored`]; otherwise they
//! are computed again.

use isobar_core::{Lanes, PerLane, Real, Status, out_of_line};

use crate::rrtmg::arguments::{ANY, CLEAR, SUBCOLUMNS, Sources, TransferArgs};
use crate::rrtmg::physics::passage::{Gas, Layer, slant_optical_depth};
use crate::rrtmg::schedule::block_totals::{BlockTotals, write_status};
use crate::rrtmg::schedule::chunk::{Chunk, Chunks};
use crate::rrtmg::schedule::lane_groups::{point_groups, point_lanes};
use crate::rrtmg::schedule::points::{Points, WarpPoints};
use crate::rrtmg::schedule::prepare::Towards;
use crate::rrtmg::schedule::scratch::{SUMS, SURFACE, Scratch, sum};
use crate::rrtmg::schedule::stored::{StoredSweep, stores};
use crate::rrtmg::schedule::sweep::{self, STREAMS, Storage, Streams, Sweep, absorbed, exact_cloudy};
use crate::rrtmg::schedule::{prefetch, quad_sums, surface};
use crate::rrtmg::sizes::MOST_SEGMENTS;
use crate::rrtmg::tables::QUAD;

/// Computes the fluxes of a column.
///
/// # Safety
/// The lanes have the scratch and the memory that the kernel of this sky asks for.
#[inline(always)]
pub(crate) unsafe fn compute<R: Real, const SKY: u32, const W: usize>(
    batch: &TransferArgs<'_, R>,
    column: usize,
    lanes: Lanes<W>,
) -> Status {
    let sources = &batch.sources;
    let scratch = Scratch::of(lanes);
    let segments = sources.tables.segments();
    let chunks = Chunks::new(sources.columns.temperature_k.levels(), sources.states.lower_layers.at(0, column));
    let count = chunks.count();
    let sweep = Sweep::<R, SKY> { batch, column };
    // SAFETY: the caller's.
    let stored = unsafe { StoredSweep::new(sweep, scratch, lanes) };
    let block = Block { sweep, scratch, stored };
    let totals = BlockTotals { batch, scratch, column };
    // What is stored needs no lists on the way up.
    let again = !stores::<SKY, W>();
    for segment in lanes.shares(segments) {
        block.start(lanes, segment);
    }
    for index in (0..count).rev() {
        let chunk = chunks.get(index);
        if !again {
            prefetch::next_chunk(sources, (column, batch.sources.columns.surface_temperature_k.len()), (chunks, index));
        }
        apart::<SKY, _, _>(write_terms, (sources, lanes, (column, chunk), scratch));
        if again {
            sources.write_planck(lanes, (column, chunk), Towards::Bottom, scratch);
        } else {
            stored.store_planck(chunk, Towards::Bottom);
        }
        if SKY != CLEAR {
            sources.write_clouds(lanes, (column, chunk), &batch.clouds, scratch);
        }
        lanes.barrier();
        for segment in lanes.shares(segments) {
            apart::<SKY, _, _>(Block::through::<W, false>, (&block, lanes, segment, chunk));
        }
        lanes.barrier();
        totals.write_down(lanes, chunk);
    }
    let mut status = Status::OK;
    for index in 0..count {
        let chunk = chunks.get(index);
        // The lists of the lowest chunk are still there.
        if again && index > 0 {
            apart::<SKY, _, _>(write_terms, (sources, lanes, (column, chunk), scratch));
        }
        if again && SKY != CLEAR && index > 0 {
            sources.write_clouds(lanes, (column, chunk), &batch.clouds, scratch);
        }
        if again {
            sources.write_planck(lanes, (column, chunk), Towards::Top, scratch);
        } else {
            stored.store_planck(chunk, Towards::Top);
        }
        lanes.barrier();
        for segment in lanes.shares(segments) {
            if index == 0 {
                block.reflect(lanes, segment, chunk);
            }
            apart::<SKY, _, _>(Block::through::<W, true>, (&block, lanes, segment, chunk));
        }
        lanes.barrier();
        if index == 0 {
            totals.write_boundaries(lanes);
        }
        status = status.or(totals.write_up(lanes, chunk));
    }
    for _ in lanes.shares(1) {
        write_status(&batch.fluxes.status, column, lanes, status);
    }
    status
}

/// A part of the kernel of any sky, which in one function would take compilers as long as all others together.
#[inline(always)]
fn apart<const SKY: u32, A, T>(work: impl FnOnce(A) -> T, arguments: A) -> T {
    if const { SKY == ANY } { out_of_line(work, arguments) } else { work(arguments) }
}

#[inline(always)]
fn write_terms<R: Real, const W: usize>(
    (sources, lanes, at, scratch): (&Sources<'_, R>, Lanes<W>, (usize, Chunk), &Scratch<R>),
) {
    sources.write_terms(lanes, at, scratch);
}

/// A column's sweeps in a block.
#[derive(Clone, Copy)]
struct Block<'a, R, const SKY: u32> {
    sweep: Sweep<'a, R, SKY>,
    scratch: &'a Scratch<R>,
    stored: StoredSweep<'a, R, SKY>,
}

impl<R: Real, const SKY: u32> Block<'_, R, SKY> {
    #[inline(always)]
    fn load<const W: usize>(&self, lanes: Lanes<W>, segment: usize, derivative: bool) -> Streams<R, W> {
        let mut streams = [[R::ZERO; W]; STREAMS];
        for stream in 0..STREAMS {
            if Sweep::<R, SKY>::has(stream, derivative) {
                streams[stream] = self.scratch.stream(lanes, segment, stream).get();
            }
        }
        streams
    }

    #[inline(always)]
    fn store<const W: usize>(&self, lanes: Lanes<W>, segment: usize, (streams, derivative): (&Streams<R, W>, bool)) {
        for stream in 0..STREAMS {
            if Sweep::<R, SKY>::has(stream, derivative) {
                self.scratch.stream(lanes, segment, stream).set(streams[stream]);
            }
        }
    }

    /// Nothing comes from above.
    #[inline(always)]
    fn start<const W: usize>(&self, lanes: Lanes<W>, segment: usize) {
        self.store(lanes, segment, (&[[R::ZERO; W]; STREAMS], false));
        if stores::<SKY, W>() {
            self.stored.store_secants(segment);
        }
    }

    /// Turns what arrives at the surface into what leaves it. The lists of the lowest chunk were written.
    #[inline(always)]
    fn reflect<const W: usize>(&self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let Sweep { batch, column } = self.sweep;
        let points = WarpPoints::new(&batch.sources.tables, lanes, segment);
        let mut streams = self.load(lanes, segment, false);
        surface::reflect(batch, column, &points, (self.scratch.lists(), chunk.region), &mut streams);
        self.store(lanes, segment, (&streams, true));
        if stores::<SKY, W>() {
            self.stored.leave_surface(lanes, segment, &streams);
        } else {
            let mut storage = Computed { sweep: self.sweep, scratch: self.scratch, lanes, segment, chunk, points };
            Sweep::<R, SKY>::leave_surface(&mut storage, &streams, true);
        }
    }

    /// Passes through the layers of a chunk, upward or downward.
    #[inline(always)]
    fn through<const W: usize, const UP: bool>((this, lanes, segment, chunk): (&Self, Lanes<W>, usize, Chunk)) {
        let batch = this.sweep.batch;
        let derivative = UP && !batch.fluxes.up_derivative_w_per_m2_k.is_empty();
        let mut streams = this.load(lanes, segment, derivative);
        if stores::<SKY, W>() {
            if !UP {
                this.stored.store(lanes, segment, chunk);
            }
            this.stored.through::<W, UP>((lanes, segment), &mut streams, chunk, derivative);
        } else {
            let points = WarpPoints::new(&batch.sources.tables, lanes, segment);
            let mut memory = this.scratch.memory[segment].get();
            let mut storage = Computed { sweep: this.sweep, scratch: this.scratch, lanes, segment, chunk, points };
            let state = (&mut streams, &mut memory);
            this.sweep.through::<_, W, UP>(&mut storage, state, (chunk.low, chunk.count), derivative);
            if SKY == ANY {
                // One lane writes it, after all have read it.
                lanes.wait();
                if lanes.first() == 0 {
                    this.scratch.memory[segment].set(memory);
                }
            }
        }
        this.store(lanes, segment, (&streams, derivative));
    }
}

/// A warp of g-points in a chunk whose lists, Planck radiances and clouds were written, and are read in both
/// directions.
struct Computed<'a, R, const SKY: u32, const W: usize> {
    sweep: Sweep<'a, R, SKY>,
    scratch: &'a Scratch<R>,
    lanes: Lanes<W>,
    segment: usize,
    chunk: Chunk,
    points: WarpPoints<R, W>,
}

impl<R: Real, const SKY: u32, const W: usize> Computed<'_, R, SKY, W> {
    /// The gas of a slot for the `N` g-points of a quad that a thread has, of which the first is lane `first`.
    #[inline(always)]
    fn fill<const N: usize>(&self, gas: &mut Gas<[R; W]>, (points, first): (&Points<R>, usize), slot: usize) {
        let (sweep, batch, scratch) = (&self.sweep, self.sweep.batch, self.scratch);
        let (band, region) = (points.band, self.chunk.region);
        let secant = sweep.secant(band);
        let aerosol = scratch.aerosol[band][slot].get();
        let depths = points.optical_depths::<N>(scratch.lists(), (region, slot), aerosol);
        let emission = points.emission::<N>(scratch.lists(), (region, slot));
        let (planck, step) = (scratch.planck[slot][band].get(), scratch.planck_step[slot][band].get());
        let mut cloud = R::ZERO;
        if SKY != CLEAR && scratch.cloudy[slot].get() != 0 {
            let secant =
                if sweep.sky() <= SUBCOLUMNS { secant } else { sweep.secant(batch.clouds.entry(band, sweep.column)) };
            cloud = scratch.cloud[band][slot].get() * secant;
        }
        if sweep.sky() > SUBCOLUMNS {
            gas.cloud[first..first + N].fill(cloud);
        }
        for lane in 0..N {
            gas.depth[first + lane] = slant_optical_depth(secant, depths[lane]);
            gas.emission[first + lane] = emission[lane];
            gas.planck[first + lane] = planck;
            gas.step[first + lane] = step;
        }
        if sweep.sky() == SUBCOLUMNS && cloud > R::ZERO {
            let which = (cloud, points.first, batch.sources.tables.points);
            let seen = batch.clouds.seen::<R, N>(&batch.sources.columns, which, self.chunk.low + slot, sweep.column);
            gas.cloud[first..first + N].copy_from_slice(&seen);
        }
    }

    /// Sums over the warp.
    #[inline(always)]
    fn put(&self, slot: usize, number: usize, values: &[R; W]) {
        debug_assert!(number < SUMS && self.segment < MOST_SEGMENTS);
        let total = self.lanes.sum(*values);
        if self.lanes.first() == 0 {
            self.scratch.sums[number][self.segment][slot].set(total);
        }
    }

    #[inline(always)]
    fn put_bands(&self, slot: usize, flux: &[R; W]) {
        if !self.sweep.batch.fluxes.band_up_w_per_m2.is_empty() {
            quad_sums::put(self.scratch, self.lanes, (self.segment, slot), *flux);
        }
    }
}

impl<R: Real, const SKY: u32, const W: usize> Storage<R, W> for Computed<'_, R, SKY, W> {
    #[inline(always)]
    fn clear_sky<const UP: bool>(&mut self, layer: usize) -> (Gas<[R; W]>, Layer<[R; W]>) {
        let mut gas = Gas::<[R; W]>::zeros();
        let slot = layer - self.chunk.low;
        for group in 0..point_groups::<W>() {
            let these = (self.points.of_group(group), group * QUAD);
            if point_lanes::<W>() == QUAD {
                self.fill::<QUAD>(&mut gas, these, slot);
            } else {
                self.fill::<1>(&mut gas, these, slot);
            }
        }
        let layer = sweep::layer(&gas, absorbed(&gas.depth, self.sweep.by_table()));
        (gas, layer)
    }

    #[inline(always)]
    fn is_cloudy(&mut self, layer: usize) -> bool {
        self.scratch.cloudy[layer - self.chunk.low].get() != 0
    }

    #[inline(always)]
    fn all_sky<const UP: bool>(&mut self, _: usize, gas: &Gas<[R; W]>) -> Layer<[R; W]> {
        exact_cloudy(gas)
    }

    #[inline(always)]
    fn sum_layer<const UP: bool>(&mut self, layer: usize, sky: usize, flux: &[R; W], gains: &[R; W]) {
        let slot = layer - self.chunk.low;
        if W > 1 {
            self.put(slot, sum::FLUX + sky, flux);
            self.put(slot, sum::GAIN + sky, gains);
        } else {
            let [lower, upper] = self.lanes.sum_two(*flux, *gains);
            // One lane of each half: both were given the sum of their own.
            let first = self.lanes.first();
            let (number, total) = if first < 16 { (sum::FLUX + sky, lower) } else { (sum::GAIN + sky, upper) };
            if first.is_multiple_of(16) {
                self.scratch.sums[number][self.segment][slot].set(total);
            }
        }
        if sky == 0 {
            self.put_bands(slot, flux);
        }
    }

    #[inline(always)]
    fn sum_derivative(&mut self, layer: usize, sky: usize, derivative: &[R; W]) {
        self.put(layer - self.chunk.low, sum::DERIVATIVE + sky, derivative);
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
