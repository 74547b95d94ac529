//! Radiation through the layers of a chunk, up or down, for the g-points of a warp.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::absorption::{exact, table};
use crate::chunk::Chunk;
use crate::fluxes::SURFACE;
use crate::kept::Memory;
use crate::lists::Lists;
use crate::optics::{Points, quad_lanes, quads};
use crate::passage::{Gas, Layer, dim, pass, pass_table, table_cloudy};
use crate::scratch::{MOST_SEGMENTS, STREAMS, Scratch};
use crate::tables::{QUAD, QUADS};
use crate::transfer::{ANY, CLEAR, SUBCOLUMNS, TransferArgs};

/// A column's sweeps.
pub(crate) struct Sweep<'a, R, const SKY: u32> {
    pub(crate) batch: &'a TransferArgs<'a, R>,
    pub(crate) scratch: *mut Scratch<R>,
    /// A CPU's memory.
    pub(crate) memory: *mut Memory<R>,
    pub(crate) column: usize,
}

/// Radiances of the lanes, in the unit of their flux: all sky, clear sky, their derivatives; under a sky of cloud
/// fractions, the cloudy and the clear part of all sky and what the layer before moved between them.
pub(crate) type Streams<R, const W: usize> = [[R; W]; STREAMS];

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// Is there this stream under this sky, where derivatives are wanted or not?
    #[inline(always)]
    const fn has(stream: usize, derivative: bool) -> bool {
        match SKY {
            ANY => true,
            CLEAR => stream == 0 || (stream == 2 && derivative),
            _ => stream < 2 || (stream < 4 && derivative),
        }
    }

    /// The sky; clear in the general kernel means clouds nowhere.
    #[inline(always)]
    pub(crate) fn sky(&self) -> u32 {
        if SKY == ANY { self.batch.sky } else { SKY }
    }

    #[inline(always)]
    pub(crate) fn lists(&self) -> Lists<R> {
        Scratch::lists(self.scratch)
    }

    /// Are transmittances those of the table?
    #[inline(always)]
    fn table(&self) -> bool {
        SKY == ANY && self.batch.table != 0
    }

    /// Where a stream of the thread's lanes waits between chunks.
    #[inline(always)]
    fn place_of<const W: usize>(&self, lanes: Lanes<W>, segment: usize, stream: usize) -> *mut [R; W] {
        debug_assert!(segment < MOST_SEGMENTS);
        // SAFETY: the scratch is the block's.
        let row = unsafe { &raw mut (*self.scratch).streams[stream] };
        row.cast::<R>().wrapping_add(segment * WARP + lanes.first()).cast()
    }

    #[inline(always)]
    fn load<const W: usize>(&self, lanes: Lanes<W>, segment: usize, derivative: bool) -> Streams<R, W> {
        let mut streams = [[R::ZERO; W]; STREAMS];
        for stream in 0..STREAMS {
            if Self::has(stream, derivative) {
                // SAFETY: the place is this thread's alone.
                streams[stream] = unsafe { self.place_of(lanes, segment, stream).read() };
            }
        }
        streams
    }

    #[inline(always)]
    fn store<const W: usize>(
        &mut self,
        lanes: Lanes<W>,
        segment: usize,
        (streams, derivative): (&Streams<R, W>, bool),
    ) {
        for stream in 0..STREAMS {
            if Self::has(stream, derivative) {
                // SAFETY: as in `load`.
                unsafe { self.place_of(lanes, segment, stream).write(streams[stream]) };
            }
        }
    }

    /// Nothing comes from above.
    #[inline(always)]
    pub(crate) fn start<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize) {
        for stream in 0..STREAMS {
            if Self::has(stream, false) {
                // SAFETY: as in `load`.
                unsafe { self.place_of(lanes, segment, stream).write([R::ZERO; W]) };
            }
        }
        self.remember::<W>(segment);
    }

    /// Turns what arrives at the surface into what leaves it.
    #[inline(always)]
    pub(crate) fn reflect<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let points = Points::of_warp(&self.batch.sources.tables, lanes, segment);
        let mut streams = self.load(lanes, segment, false);
        // SAFETY: the lists of the lowest chunk were written.
        unsafe { self.batch.reflect(self.column, &points, (self.lists(), chunk.region), &mut streams) };
        self.store(lanes, segment, (&streams, true));
        self.put_streams(lanes, (segment, SURFACE), &streams, None, true);
        self.finish::<W>(segment, SURFACE..SURFACE + 1, true);
    }

    /// Passes through the layers of a chunk, upward or downward.
    #[inline(always)]
    pub(crate) fn through<const W: usize, const UP: bool>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let clear = usize::from(SKY != CLEAR);
        let derivative = UP && !self.batch.fluxes.derivative.is_empty();
        let points = Points::of_warp(&self.batch.sources.tables, lanes, segment);
        let mut streams = self.load(lanes, segment, derivative);
        // SAFETY: the warp's place; one lane writes it, after all have read it and met in a sum.
        let mut memory = unsafe { (*self.scratch).memory[segment] };
        if !UP && Self::keeps::<W>() {
            // SAFETY: all was written for the chunk.
            unsafe { self.keep(lanes, segment, chunk) };
        }
        for step in 0..chunk.count {
            let slot = if UP { step } else { chunk.count - 1 - step };
            let number = chunk.low + slot;
            let (gas, layer);
            if Self::keeps::<W>() {
                // SAFETY: the layer was kept above, or in the sweep downward.
                unsafe {
                    gas = self.recall_gas(segment, (number, slot));
                    layer = self.recall(segment, &gas, (number, false));
                }
            } else {
                gas = self.gas(&points, chunk, slot);
                let (absorptance, shape) = self.absorbed(&gas.depth);
                layer = Layer { absorptance, source: gas.source(&shape) };
            }
            let mut gains = [[R::ZERO; W]; 2];
            gains[clear] = pass(&mut streams[clear], &layer);
            if derivative {
                dim(&mut streams[2 + clear], &layer.absorptance);
            }
            if SKY != CLEAR {
                // SAFETY: the chunk's clouds were written, or the layer was kept.
                let cloudy = unsafe {
                    if Self::keeps::<W>() {
                        self.recall_cloudy(number, segment)
                    } else {
                        (*self.scratch).cloudy[slot] != 0
                    }
                };
                let place = (number, &mut memory);
                let absorptance = if !cloudy {
                    gains[0] = pass(&mut streams[0], &layer);
                    layer.absorptance
                } else if self.sky() > SUBCOLUMNS {
                    let (all_sky, absorptance) = self.pass_fraction::<W, UP>(&mut streams, place, &gas, &layer);
                    gains[0] = all_sky;
                    absorptance
                } else if self.table() {
                    let (all_sky, absorptance) = pass_table(&mut streams[0], &gas, &layer);
                    gains[0] = all_sky;
                    absorptance
                } else {
                    let cloudy = if Self::keeps::<W>() {
                        // SAFETY: as above.
                        unsafe { self.recall(segment, &gas, (number, true)) }
                    } else {
                        let mut depth = gas.depth;
                        for lane in 0..W {
                            depth[lane] += gas.cloud[lane];
                        }
                        let (absorptance, shape) = exact(&depth);
                        Layer { absorptance, source: gas.source(&shape) }
                    };
                    gains[0] = pass(&mut streams[0], &cloudy);
                    cloudy.absorptance
                };
                if derivative {
                    dim(&mut streams[2], &absorptance);
                }
            }
            self.put_streams(lanes, (segment, slot), &streams, Some(&gains), derivative);
        }
        self.finish::<W>(segment, 0..chunk.count, derivative);
        if SKY == ANY && lanes.first() == 0 {
            // SAFETY: as above.
            unsafe { (*self.scratch).memory[segment] = memory };
        }
        self.store(lanes, segment, (&streams, derivative));
    }

    /// The secant of a band's slant.
    #[inline(always)]
    pub(crate) fn secant(&self, band: usize) -> R {
        self.batch.secant_of(band, self.column)
    }

    /// A layer of the chunk.
    #[inline(always)]
    fn gas<const W: usize>(&self, points: &[Points<R>; QUADS], chunk: Chunk, slot: usize) -> Gas<R, W> {
        let zeros = [R::ZERO; W];
        let mut gas = Gas { depth: zeros, emission: zeros, planck: zeros, step: zeros, cloud: zeros };
        let batch = self.batch;
        for quad in 0..quads::<W>() {
            let points = &points[quad];
            let secant = self.secant(points.band);
            // SAFETY: lists and sources of the chunk were written.
            let (depths, emission, planck, step, cloud) = unsafe {
                (
                    points.optical_depths::<W>(
                        self.lists(),
                        (chunk.region, slot),
                        (*self.scratch).aerosol[points.band][slot],
                    ),
                    points.emission::<W>(self.lists(), chunk.region, slot),
                    (*self.scratch).planck[slot][points.band],
                    (*self.scratch).planck_step[slot][points.band],
                    if SKY != CLEAR && (*self.scratch).cloudy[slot] != 0 {
                        let secant = if self.sky() <= SUBCOLUMNS {
                            secant
                        } else {
                            self.secant(batch.clouds.entry(points.band, self.column))
                        };
                        (*self.scratch).cloud[points.band][slot] * secant
                    } else {
                        R::ZERO
                    },
                )
            };
            let first = quad * QUAD;
            if self.sky() > SUBCOLUMNS {
                gas.cloud[first..first + quad_lanes::<W>()].fill(cloud);
            }
            for lane in 0..quad_lanes::<W>() {
                // Weights beyond the tables' ends can make it negative.
                gas.depth[first + lane] = (secant * depths[lane]).max(R::ZERO);
                gas.emission[first + lane] = emission[lane];
                gas.planck[first + lane] = planck;
                gas.step[first + lane] = step;
            }
            if self.sky() == SUBCOLUMNS && cloud > R::ZERO {
                let place = (points.first, batch.sources.tables.points);
                let seen = batch.clouds.seen::<QUAD>(cloud, place, chunk.low + slot, self.column);
                let count = quad_lanes::<W>();
                gas.cloud[first..first + count].copy_from_slice(&seen[..count]);
            }
        }
        gas
    }

    /// Absorptances and shapes of sources for slant optical depths.
    #[inline(always)]
    fn absorbed<const W: usize>(&self, depth: &[R; W]) -> ([R; W], [R; W]) {
        if !self.table() {
            return exact(depth);
        }
        let (mut absorptance, mut shape) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            let entry = table::gas(depth[lane]);
            (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
        }
        (absorptance, shape)
    }

    /// What it does with its clouds.
    #[inline(always)]
    pub(crate) fn cloudy_layer<const W: usize>(&self, gas: &Gas<R, W>) -> Layer<R, W> {
        if self.table() {
            return table_cloudy(gas);
        }
        let mut depth = gas.depth;
        for lane in 0..W {
            depth[lane] += gas.cloud[lane];
        }
        let (absorptance, shape) = exact(&depth);
        Layer { absorptance, source: gas.source(&shape) }
    }
}
