//! The kernel of transfer: optical depths, and radiation down and up through the layers of a column, without an array over g-points.
//!
//! A block has a column, a lane of its warps a g-point. Eight layers at a time, the lanes first prepare lists of terms (a layer and band each),
//! then sweep through the layers; radiances stay in registers, and only their sums leave the warp. On the way up optical depths are computed
//! again: they would need 128 bytes a warp and layer in the block's scratch, which holds no more than some 40 layers, and a block with so much
//! scratch shares its processor with few others.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, Kernel, Lanes, Real, Status, Team};

use crate::absorption::{exact, table};
use crate::chunk::{Chunk, Chunks, octet_lanes, octets};
use crate::clouds::Clouds;
use crate::constants::HPA_PER_PA;
use crate::fluxes::{Fluxes, SURFACE, sum};
use crate::optics::Points;
use crate::prepare::{Sources, Towards};
use crate::scratch::{CHUNK, SUMS, Scratch};
use crate::tables::OCTET;

/// The warps of a block: those of RRTMG_LW's g-points.
pub(crate) const WARPS: usize = 6;

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
    /// Results.
    pub fluxes: Fluxes<'a, R>,
}

/// Fluxes of one column: an item. `CLOUDS` says whether there is a second, cloudy sky; `TABLE` whether transmittances are those of RRTMG_LW's
/// table, to compare digit by digit with it, instead of exact.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Transfer<'a, R, const CLOUDS: bool, const TABLE: bool>(
    /// The batch.
    pub TransferArgs<'a, R>,
);

// SAFETY: an item writes its own column.
unsafe impl<R: Real, const CLOUDS: bool, const TABLE: bool> Kernel for Transfer<'_, R, CLOUDS, TABLE> {
    const NAME: &'static str = match (CLOUDS, TABLE) {
        (false, false) => "longwave_clear",
        (true, false) => "longwave_cloudy",
        (false, true) => "longwave_clear_table",
        (true, true) => "longwave_cloudy_table",
    };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: WARPS, scratch_bytes: size_of::<Scratch<R>>() };

    fn items(&self) -> usize {
        self.0.surface_temperature.len()
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
        let mut sweep = Sweep::<R, CLOUDS, TABLE> { batch, scratch, column };
        for segment in lanes.shares(sources.tables.segments()) {
            sweep.start(lanes, segment);
        }
        for index in (0..count).rev() {
            let chunk = chunks.get(index);
            // SAFETY: all warps come by, and wait before they use what the others wrote.
            unsafe {
                sources.write_terms(lanes, column, chunk, scratch);
                sources.write_planck(lanes, column, (chunk, Towards::Bottom), scratch);
                if CLOUDS {
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
                if index > 0 {
                    sources.write_terms(lanes, column, chunk, scratch);
                    if CLOUDS {
                        sources.write_clouds(lanes, column, (chunk, &batch.clouds), scratch);
                    }
                }
                sources.write_planck(lanes, column, (chunk, Towards::Top), scratch);
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

/// A column's sweeps.
struct Sweep<'a, R, const CLOUDS: bool, const TABLE: bool> {
    batch: &'a TransferArgs<'a, R>,
    scratch: *mut Scratch<R>,
    column: usize,
}

/// Radiances of an octet's lanes: all sky, clear sky, and their derivatives.
type Streams<R> = [[R; CHUNK]; 4];

/// What a layer does to radiation: absorptance, and the radiance that it would have if it were opaque.
#[derive(Clone, Copy)]
struct Layer<R> {
    absorptance: [R; CHUNK],
    source: [R; CHUNK],
}

impl<R: Real, const CLOUDS: bool, const TABLE: bool> Sweep<'_, R, CLOUDS, TABLE> {
    #[inline(always)]
    fn load<const W: usize>(&self, lanes: Lanes<W>, segment: usize, octet: usize) -> Streams<R> {
        let mut streams = [[R::ZERO; CHUNK]; 4];
        for (stream, values) in streams.iter_mut().enumerate() {
            for lane in 0..octet_lanes::<W>() {
                let place = segment * WARP + lanes.first() + octet * OCTET + lane;
                // SAFETY: the place is this thread's alone.
                values[lane] = unsafe { (*self.scratch).radiances[stream][place] };
            }
        }
        streams
    }

    #[inline(always)]
    fn store<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, octet: usize, streams: &Streams<R>) {
        for (stream, values) in streams.iter().enumerate() {
            for lane in 0..octet_lanes::<W>() {
                let place = segment * WARP + lanes.first() + octet * OCTET + lane;
                // SAFETY: as in `load`.
                unsafe { (*self.scratch).radiances[stream][place] = values[lane] };
            }
        }
    }

    /// Nothing comes from above.
    #[inline(always)]
    fn start<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize) {
        for octet in 0..octets::<W>() {
            self.store(lanes, segment, octet, &[[R::ZERO; CHUNK]; 4]);
        }
    }

    /// Turns what arrives at the surface into what leaves it.
    #[inline(always)]
    fn reflect<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let batch = self.batch;
        let tables = &batch.sources.tables;
        let temperature = batch.surface_temperature.at(self.column);
        let mut totals = [[R::ZERO; W]; SUMS];
        for octet in 0..octets::<W>() {
            let points = Points::new(tables, lanes, segment, octet);
            // SAFETY: the lists of the lowest chunk were written.
            let fractions = unsafe { points.fractions::<W>(self.scratch, chunk.region, 0) };
            let emissivity = batch.emissivity.at(points.band, self.column);
            let emitted = emissivity * tables.planck(&tables.planck, points.band, temperature);
            let slope = emissivity * tables.planck(&tables.planck_derivative, points.band, temperature);
            let mut streams = self.load(lanes, segment, octet);
            for lane in 0..octet_lanes::<W>() {
                let reflected = R::ONE - emissivity;
                for sky in 0..2 {
                    streams[sky][lane] = fractions[lane] * emitted + reflected * streams[sky][lane];
                    streams[2 + sky][lane] = fractions[lane] * slope;
                    totals[sum::RADIANCE + sky][octet * OCTET + lane] = points.flux * streams[sky][lane];
                    totals[sum::DERIVATIVE + sky][octet * OCTET + lane] = points.flux * streams[2 + sky][lane];
                }
            }
            self.store(lanes, segment, octet, &streams);
        }
        self.put_sums::<W, true>(lanes, segment, SURFACE, &totals);
    }

    /// A layer of gas.
    #[inline(always)]
    fn gas<const W: usize>(&self, depth: &[R; CHUNK]) -> ([R; CHUNK], [R; CHUNK]) {
        if TABLE {
            let (mut absorptance, mut shape) = ([R::ZERO; CHUNK], [R::ZERO; CHUNK]);
            for lane in 0..octet_lanes::<W>() {
                let entry = table::gas(depth[lane]);
                (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
            }
            (absorptance, shape)
        } else {
            exact(depth)
        }
    }

    /// Passes through the layers of a chunk, upward or downward.
    #[inline(always)]
    fn through<const W: usize, const UP: bool>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let batch = self.batch;
        let tables = &batch.sources.tables;
        let scratch = self.scratch;
        let clear = usize::from(CLOUDS);
        let derivative = UP && !batch.fluxes.derivative.is_empty();
        let bands = if UP { !batch.fluxes.band_up.is_empty() } else { !batch.fluxes.band_down.is_empty() };
        for step in 0..chunk.count {
            let slot = if UP { step } else { chunk.count - 1 - step };
            let mut totals = [[R::ZERO; W]; SUMS];
            for octet in 0..octets::<W>() {
                let points = Points::new(tables, lanes, segment, octet);
                let secant = batch.sources.states.secants.at(points.band, self.column);
                let mut streams = self.load(lanes, segment, octet);
                // SAFETY: lists and sources of the chunk were written.
                let (mut depth, fractions, planck, step) = unsafe {
                    (
                        points.optical_depths::<W>(scratch, chunk.region, slot),
                        points.fractions::<W>(scratch, chunk.region, slot),
                        (*scratch).planck[points.band][slot],
                        (*scratch).planck_step[points.band][slot],
                    )
                };
                for lane in 0..octet_lanes::<W>() {
                    // Weights beyond the tables' ends can make it negative.
                    depth[lane] = (secant * depth[lane]).max(R::ZERO);
                }
                let source = |shape: &[R; CHUNK]| {
                    let mut source = [R::ZERO; CHUNK];
                    for lane in 0..octet_lanes::<W>() {
                        source[lane] = fractions[lane] * (planck + shape[lane] * step);
                    }
                    source
                };
                let (absorptance, shape) = self.gas::<W>(&depth);
                let gas = Layer { absorptance, source: source(&shape) };
                // SAFETY: as above.
                let cloudy = CLOUDS && unsafe { (*scratch).cloudy[slot] } != 0;
                let mut gains = [[R::ZERO; CHUNK]; 2];
                gains[clear] = pass::<R, W>(&mut streams, clear, &gas);
                if derivative {
                    dim::<R, W>(&mut streams, clear, &gas);
                }
                if cloudy {
                    // SAFETY: as above.
                    let cloud = unsafe { (*scratch).cloud[points.band][slot] } * secant;
                    let place = (points.first, points.left, tables.points);
                    let seen = batch.clouds.seen::<W>(cloud, place, chunk.low + slot, self.column);
                    if TABLE {
                        gains[0] = self.pass_cloud::<W>(&mut streams, (&depth, &seen), &gas, source, derivative);
                    } else {
                        let mut total = depth;
                        for lane in 0..octet_lanes::<W>() {
                            total[lane] += seen[lane];
                        }
                        let (absorptance, shape) = exact(&total);
                        let layer = Layer { absorptance, source: source(&shape) };
                        gains[0] = pass::<R, W>(&mut streams, 0, &layer);
                        if derivative {
                            dim::<R, W>(&mut streams, 0, &layer);
                        }
                    }
                } else if CLOUDS {
                    gains[0] = pass::<R, W>(&mut streams, 0, &gas);
                    if derivative {
                        dim::<R, W>(&mut streams, 0, &gas);
                    }
                }
                self.store(lanes, segment, octet, &streams);
                for lane in 0..octet_lanes::<W>() {
                    for sky in 0..=clear {
                        totals[sum::RADIANCE + sky][octet * OCTET + lane] = points.flux * streams[sky][lane];
                        totals[sum::GAIN + sky][octet * OCTET + lane] = points.flux * gains[sky][lane];
                        totals[sum::DERIVATIVE + sky][octet * OCTET + lane] = points.flux * streams[2 + sky][lane];
                    }
                }
            }
            if derivative {
                self.put_sums::<W, true>(lanes, segment, slot, &totals);
            } else {
                self.put_sums::<W, false>(lanes, segment, slot, &totals);
            }
            if bands {
                self.put_octets(lanes, segment, slot, &totals[sum::RADIANCE]);
            }
        }
    }

    /// Sums over the warp.
    #[inline(always)]
    fn put_sums<const W: usize, const DERIVATIVE: bool>(
        &mut self,
        lanes: Lanes<W>,
        segment: usize,
        slot: usize,
        totals: &[[R; W]; SUMS],
    ) {
        let count = if DERIVATIVE { SUMS } else { sum::DERIVATIVE };
        for number in 0..count {
            if CLOUDS || number % 2 == 0 {
                let total = lanes.sum(totals[number]);
                if lanes.first() == 0 {
                    // SAFETY: the warp's place.
                    unsafe { (*self.scratch).sums[number][segment][slot] = total };
                }
            }
        }
        if slot == SURFACE && !self.batch.fluxes.band_up.is_empty() {
            self.put_octets(lanes, segment, slot, &totals[sum::RADIANCE]);
        }
    }

    /// Sums over each octet.
    #[inline(always)]
    fn put_octets<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, slot: usize, values: &[R; W]) {
        let mut values = *values;
        let mut distance = OCTET / 2;
        while distance > 0 {
            let others = lanes.exchange(values, distance);
            for lane in 0..W {
                values[lane] += others[lane];
            }
            distance /= 2;
        }
        for octet in 0..octets::<W>() {
            if lanes.first().is_multiple_of(OCTET) {
                let number = segment * 4 + lanes.first() / OCTET + octet;
                // SAFETY: the octet's place.
                unsafe { (*self.scratch).octet_sums[number][slot] = values[octet * OCTET] };
            }
        }
    }

    /// All sky through a cloudy layer, with RRTMG_LW's table: a cloud's transmittance multiplies that of the gas.
    #[inline(always)]
    fn pass_cloud<const W: usize>(
        &self,
        streams: &mut Streams<R>,
        (depth, cloud): (&[R; CHUNK], &[R; CHUNK]),
        gas: &Layer<R>,
        source: impl Fn(&[R; CHUNK]) -> [R; CHUNK],
        derivative: bool,
    ) -> [R; CHUNK] {
        let (mut shape, mut absorptance, mut gains) = ([R::ZERO; CHUNK], [R::ZERO; CHUNK], [R::ZERO; CHUNK]);
        for lane in 0..octet_lanes::<W>() {
            let entry = table::cloudy(depth[lane], cloud[lane], &table::gas(depth[lane]));
            (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
        }
        let total = source(&shape);
        for lane in 0..octet_lanes::<W>() {
            let before = streams[0][lane];
            // A cloud without water is none.
            if cloud[lane] > R::ZERO {
                let through = (-cloud[lane]).exp();
                let left = before * (R::ONE - gas.absorptance[lane]) * through;
                streams[0][lane] = left + total[lane] * absorptance[lane];
                gains[lane] = streams[0][lane] - before;
            } else {
                gains[lane] = (gas.source[lane] - before) * gas.absorptance[lane];
                streams[0][lane] = before + gains[lane];
                absorptance[lane] = gas.absorptance[lane];
            }
            if derivative {
                streams[2][lane] -= streams[2][lane] * absorptance[lane];
            }
        }
        gains
    }
}

/// Radiance through a layer; what it gains.
#[inline(always)]
fn pass<R: Real, const W: usize>(streams: &mut Streams<R>, sky: usize, layer: &Layer<R>) -> [R; CHUNK] {
    let mut gains = [R::ZERO; CHUNK];
    for lane in 0..octet_lanes::<W>() {
        gains[lane] = (layer.source[lane] - streams[sky][lane]) * layer.absorptance[lane];
        streams[sky][lane] += gains[lane];
    }
    gains
}

/// The derivative through a layer.
#[inline(always)]
fn dim<R: Real, const W: usize>(streams: &mut Streams<R>, sky: usize, layer: &Layer<R>) {
    for lane in 0..octet_lanes::<W>() {
        streams[2 + sky][lane] -= streams[2 + sky][lane] * layer.absorptance[lane];
    }
}
