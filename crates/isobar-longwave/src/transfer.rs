//! The kernel of transfer: optical depths, and radiation down and up through the layers of a column, without an array
//! over g-points.
//!
//! A block has a column, a lane of its warps a g-point. Eight layers at a time, the lanes first prepare lists of terms
//! (a layer and band each), then sweep through the layers; radiances stay in registers, and only their sums leave the
//! warp. What a layer does to radiation is kept on the way down for that up, in the memory of a CPU's thread. A GPU
//! takes [`crate::spread`] where it can.

use isobar_core::{Column, Field, Kernel, Lanes, Real, Status, Team};

use crate::chunk::{Chunks, Slots};
use crate::clouds::Clouds;
use crate::constants::HPA_PER_PA;
use crate::fluxes::Fluxes;
use crate::kept::memory_bytes;
use crate::lists::Lists;
use crate::optics::{Points, quad_lanes, quads};
use crate::prepare::{Sources, Towards};
use crate::scratch::Scratch;
use crate::sweep::Sweep;
use crate::tables::{QUAD, QUADS};

/// The warps of a block: those of RRTMG_LW's g-points.
pub(crate) const WARPS: usize = 5;

/// What transfer needs.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TransferArgs<'a, R> {
    /// Layers and tables.
    pub sources: Sources<'a, R>,
    /// Pressure of `(level, column)` \[Pa\].
    pub level_pressure: Field<'a, R>,
    /// Temperature of the surface of each column \[K\].
    pub surface_temperature: Column<'a, R>,
    /// Emissivity of the surface in each `(band, column)`, 0 to 1.
    pub emissivity: Field<'a, R>,
    /// Clouds; without mask where there are none.
    pub clouds: Clouds<'a, R>,
    /// Kelvins a day that 1 W/m^2 gives to a layer of 1 hPa.
    pub heating_factor: R,
    /// The secant of the slant, the same in all bands; 0 for the mean slant of each band and column.
    pub secant: R,
    /// One of [`CLEAR`], [`SUBCOLUMNS`], [`RANDOM`] and [`MAXIMUM_RANDOM`]: what [`Transfer`] of [`ANY`] computes.
    pub sky: u32,
    /// Not 0 where transmittances are those of RRTMG_LW's table, to compare digit by digit with it, instead of exact;
    /// read by [`ANY`].
    pub table: u32,
    /// Results.
    pub fluxes: Fluxes<'a, R>,
}

impl<R: Real> TransferArgs<'_, R> {
    /// The secant of a band's slant.
    #[inline(always)]
    pub(crate) fn secant_of(&self, band: usize, column: usize) -> R {
        if self.secant > R::ZERO { self.secant } else { self.sources.states.secants.at(band, column) }
    }

    /// Turns what arrives at the surface of all sky and of clear sky into what leaves it, and gives their derivatives.
    ///
    /// # Safety
    /// The lists of the lowest layer, which is in this region, were written.
    #[inline(always)]
    pub(crate) unsafe fn reflect<const W: usize, const STREAMS: usize>(
        &self,
        column: usize,
        points: &[Points<R>; QUADS],
        (lists, region): (Lists<R>, usize),
        streams: &mut [[R; W]; STREAMS],
    ) {
        let tables = &self.sources.tables;
        let temperature = self.surface_temperature.at(column);
        for quad in 0..quads::<W>() {
            let points = &points[quad];
            // SAFETY: the caller's.
            let emission = unsafe { points.emission::<W>(lists, region, 0) };
            let emissivity = self.emissivity.at(points.band, column);
            let emitted = emissivity * tables.planck(&tables.planck, points.band, temperature);
            let slope = emissivity * tables.planck(&tables.planck_derivative, points.band, temperature);
            let reflected = R::ONE - emissivity;
            for lane in 0..quad_lanes::<W>() {
                for sky in 0..2 {
                    let stream = &mut streams[sky][quad * QUAD + lane];
                    *stream = emission[lane] * emitted + reflected * *stream;
                    streams[2 + sky][quad * QUAD + lane] = emission[lane] * slope;
                }
            }
        }
    }
}

/// No clouds.
pub const CLEAR: u32 = 0;
/// Clouds that some g-points see and others not.
pub const SUBCOLUMNS: u32 = 1;
/// Cloud fractions, overlapping at random.
pub const RANDOM: u32 = 2;
/// Cloud fractions, overlapping as much as possible within a cloud and at random otherwise.
pub const MAXIMUM_RANDOM: u32 = 3;
/// Any of these and either transmittance, decided when the kernel runs.
pub const ANY: u32 = 4;

/// Fluxes of one column: an item. `SKY` is [`CLEAR`] or [`SUBCOLUMNS`], both with exact transmittances and fast, or
/// [`ANY`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Transfer<'a, R, const SKY: u32>(
    /// The batch.
    pub TransferArgs<'a, R>,
);

impl<R: Real, const SKY: u32> Transfer<'_, R, SKY> {
    /// Calls for the layers of the chunk below, or of the next column's highest.
    #[inline(always)]
    fn call_for_next<const W: usize>(&self, lanes: Lanes<W>, column: usize, (chunks, index): (Chunks, usize)) {
        let states = &self.0.sources.states;
        if index > 0 {
            Slots::new(chunks.get(index - 1), lanes, column).call_for(&states.values);
        } else if column + 1 < self.0.surface_temperature.len() {
            let next = Chunks::new(self.0.sources.temperature.levels(), states.lower_layers.at(0, column + 1));
            Slots::new(next.get(next.count() - 1), lanes, column + 1).call_for(&states.values);
        }
    }
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real, const SKY: u32> Kernel for Transfer<'_, R, SKY> {
    const NAME: &'static str = match SKY {
        CLEAR => "longwave_clear",
        SUBCOLUMNS => "longwave_cloudy",
        _ => "longwave_any",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: WARPS, scratch_bytes: size_of::<Scratch<R>>() };
    const VECTOR_BITS: u32 = if SKY == ANY { 256 } else { 512 };

    fn items(&self) -> usize {
        self.0.surface_temperature.len()
    }

    fn memory_bytes(&self) -> usize {
        let (layers, segments) = (self.0.sources.temperature.levels(), self.0.sources.tables.segments());
        if SKY == ANY { 0 } else { memory_bytes::<R>(layers, segments, SKY) }
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.0;
        let sources = &batch.sources;
        let scratch: *mut Scratch<R> = lanes.scratch();
        let tables = (&sources.tables, scratch.cast_const());
        let layers = sources.temperature.levels();
        let chunks = Chunks::new(layers, sources.states.lower_layers.at(0, column));
        let count = chunks.count();
        let mut sweep = Sweep::<R, SKY> { batch, scratch, memory: lanes.memory(), column };
        // What is kept needs no lists on the way up.
        let again = !Sweep::<R, SKY>::keeps::<W>();
        for segment in lanes.shares(sources.tables.segments()) {
            sweep.start(lanes, segment);
        }
        for index in (0..count).rev() {
            let chunk = chunks.get(index);
            if Sweep::<R, SKY>::keeps::<W>() {
                self.call_for_next::<W>(lanes, column, (chunks, index));
            }
            // SAFETY: all warps come by, and wait before they use what the others wrote.
            unsafe {
                sources.write_terms(lanes, column, chunk, scratch);
                if again {
                    sources.write_planck(lanes, column, (chunk, Towards::Bottom), scratch);
                } else {
                    sweep.keep_planck((chunk, Towards::Bottom));
                }
                if SKY != CLEAR {
                    sources.write_clouds(lanes, column, (chunk, &batch.clouds), scratch);
                }
            }
            lanes.barrier();
            for segment in lanes.shares(sources.tables.segments()) {
                sweep.through::<W, false>(lanes, segment, chunk);
            }
            lanes.barrier();
            // SAFETY: all warps have written their sums.
            unsafe { batch.fluxes.write_down(lanes, tables, column, chunk) };
        }
        let mut status = Status::OK;
        for index in 0..count {
            let chunk = chunks.get(index);
            // SAFETY: as above. The lists of the lowest chunk are still there.
            unsafe {
                if again && index > 0 {
                    sources.write_terms(lanes, column, chunk, scratch);
                }
                if again && SKY != CLEAR && index > 0 {
                    sources.write_clouds(lanes, column, (chunk, &batch.clouds), scratch);
                }
                if again {
                    sources.write_planck(lanes, column, (chunk, Towards::Top), scratch);
                } else {
                    sweep.keep_planck((chunk, Towards::Top));
                }
            }
            lanes.barrier();
            for segment in lanes.shares(sources.tables.segments()) {
                if index == 0 {
                    sweep.reflect(lanes, segment, chunk);
                }
                sweep.through::<W, true>(lanes, segment, chunk);
            }
            lanes.barrier();
            let heating = |layer: usize| {
                let pressure = |level| batch.level_pressure.at(level, column) * R::from_f64(HPA_PER_PA);
                batch.heating_factor / (pressure(layer) - pressure(layer + 1))
            };
            // SAFETY: as above.
            unsafe {
                if index == 0 {
                    batch.fluxes.write_boundaries(lanes, tables, column);
                }
                status = status.or(batch.fluxes.write_up(lanes, tables, column, (chunk, heating)));
            }
        }
        status
    }
}
