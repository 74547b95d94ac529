//! Radiation through the layers of a chunk, up or down, for the g-points of a warp.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::absorption::{exact, table};
use crate::chunk::{Chunk, octet_lanes, octets};
use crate::fluxes::{SURFACE, sum};
use crate::optics::Points;
use crate::overlap_weights::{LEAST_FRACTION, Weights};
use crate::scratch::{STREAMS, SUMS, Scratch};
use crate::tables::OCTET;
use crate::transfer::{CLEAR, MAXIMUM_RANDOM, RANDOM, SUBCOLUMNS, TransferArgs};

/// A column's sweeps.
pub(crate) struct Sweep<'a, R, const SKY: usize, const TABLE: bool> {
    pub(crate) batch: &'a TransferArgs<'a, R>,
    pub(crate) scratch: *mut Scratch<R>,
    pub(crate) column: usize,
}

/// Radiances of the lanes: all sky, clear sky, their derivatives; under a sky of cloud fractions, the cloudy and the clear part of all sky and
/// what the layer before moved between them.
type Streams<R, const W: usize> = [[R; W]; STREAMS];

/// What a layer is to the lanes' g-points.
struct Gas<R, const W: usize> {
    /// Slant optical depth.
    depth: [R; W],
    /// Part of the band's Planck radiance.
    fractions: [R; W],
    /// That radiance in the middle of the layer, and what it has more at the far boundary.
    planck: [R; W],
    step: [R; W],
    /// Slant optical depth of the clouds that the g-point sees.
    cloud: [R; W],
}

/// What a layer does to radiation: absorptance, and the radiance that it would have if it were opaque.
struct Layer<R, const W: usize> {
    absorptance: [R; W],
    source: [R; W],
}

impl<R: Real, const W: usize> Gas<R, W> {
    #[inline(always)]
    fn source(&self, shape: &[R; W]) -> [R; W] {
        let mut source = [R::ZERO; W];
        for lane in 0..W {
            source[lane] = self.fractions[lane] * (self.planck[lane] + shape[lane] * self.step[lane]);
        }
        source
    }
}

impl<R: Real, const SKY: usize, const TABLE: bool> Sweep<'_, R, SKY, TABLE> {
    /// The streams that there are under this sky.
    const STREAMS: usize = if SKY == MAXIMUM_RANDOM { STREAMS } else { 4 };

    #[inline(always)]
    fn load<const W: usize>(&self, lanes: Lanes<W>, segment: usize) -> Streams<R, W> {
        let mut streams = [[R::ZERO; W]; STREAMS];
        for stream in 0..Self::STREAMS {
            for lane in 0..W {
                // SAFETY: the place is this thread's alone.
                streams[stream][lane] =
                    unsafe { (*self.scratch).radiances[stream][segment * WARP + lanes.first() + lane] };
            }
        }
        streams
    }

    #[inline(always)]
    fn store<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, streams: &Streams<R, W>) {
        for stream in 0..Self::STREAMS {
            for lane in 0..W {
                // SAFETY: as in `load`.
                unsafe {
                    (*self.scratch).radiances[stream][segment * WARP + lanes.first() + lane] = streams[stream][lane];
                }
            }
        }
    }

    /// Nothing comes from above.
    #[inline(always)]
    pub(crate) fn start<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize) {
        self.store(lanes, segment, &[[R::ZERO; W]; STREAMS]);
    }

    /// The g-points of the thread's octets, and what their radiances add to a flux.
    #[inline(always)]
    fn points<const W: usize>(&self, lanes: Lanes<W>, segment: usize) -> ([Points<R>; 4], [R; W]) {
        let tables = &self.batch.sources.tables;
        let mut points = [Points::new(tables, lanes, segment, 0); 4];
        let mut flux = [R::ZERO; W];
        for octet in 0..octets::<W>() {
            points[octet] = Points::new(tables, lanes, segment, octet);
            for lane in 0..octet_lanes::<W>() {
                flux[octet * OCTET + lane] = points[octet].flux;
            }
        }
        (points, flux)
    }

    /// Turns what arrives at the surface into what leaves it.
    #[inline(always)]
    pub(crate) fn reflect<const W: usize>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let batch = self.batch;
        let tables = &batch.sources.tables;
        let temperature = batch.surface_temperature.at(self.column);
        let (points, flux) = self.points(lanes, segment);
        let mut streams = self.load(lanes, segment);
        for octet in 0..octets::<W>() {
            let points = &points[octet];
            // SAFETY: the lists of the lowest chunk were written.
            let fractions = unsafe { points.fractions::<W>(self.scratch, chunk.region, 0) };
            let emissivity = batch.emissivity.at(points.band, self.column);
            let emitted = emissivity * tables.planck(&tables.planck, points.band, temperature);
            let slope = emissivity * tables.planck(&tables.planck_derivative, points.band, temperature);
            let reflected = R::ONE - emissivity;
            for lane in 0..octet_lanes::<W>() {
                for sky in 0..2 {
                    let stream = &mut streams[sky][octet * OCTET + lane];
                    *stream = fractions[lane] * emitted + reflected * *stream;
                    streams[2 + sky][octet * OCTET + lane] = fractions[lane] * slope;
                }
            }
        }
        self.store(lanes, segment, &streams);
        self.put_streams(lanes, (segment, SURFACE), &streams, &flux, true);
    }

    /// Passes through the layers of a chunk, upward or downward.
    #[inline(always)]
    pub(crate) fn through<const W: usize, const UP: bool>(&mut self, lanes: Lanes<W>, segment: usize, chunk: Chunk) {
        let clear = usize::from(SKY != CLEAR);
        let derivative = UP && !self.batch.fluxes.derivative.is_empty();
        let (points, flux) = self.points(lanes, segment);
        let mut streams = self.load(lanes, segment);
        for step in 0..chunk.count {
            let slot = if UP { step } else { chunk.count - 1 - step };
            let gas = self.gas(&points, chunk, slot);
            let layer = self.layer(&gas);
            let mut gains = [[R::ZERO; W]; 2];
            gains[clear] = pass(&mut streams[clear], &layer);
            if derivative {
                dim(&mut streams[2 + clear], &layer.absorptance);
            }
            if SKY != CLEAR {
                // SAFETY: the chunk's clouds were written.
                let cloudy = unsafe { (*self.scratch).cloudy[slot] } != 0;
                let place = (segment, chunk.low + slot);
                let absorptance = if !cloudy {
                    gains[0] = pass(&mut streams[0], &layer);
                    layer.absorptance
                } else if SKY > SUBCOLUMNS {
                    let (all_sky, absorptance) = self.pass_fraction::<W, UP>(&mut streams, place, &gas, &layer);
                    gains[0] = all_sky;
                    absorptance
                } else if TABLE {
                    let (all_sky, absorptance) = pass_table(&mut streams[0], &gas, &layer);
                    gains[0] = all_sky;
                    absorptance
                } else {
                    let cloudy = self.cloudy_layer(&gas);
                    gains[0] = pass(&mut streams[0], &cloudy);
                    cloudy.absorptance
                };
                if derivative {
                    dim(&mut streams[2], &absorptance);
                }
            }
            self.put_streams(lanes, (segment, slot), &streams, &flux, derivative);
            for sky in 0..=clear {
                for lane in 0..W {
                    gains[sky][lane] *= flux[lane];
                }
                self.put(lanes, (segment, slot), sum::GAIN + sky, gains[sky]);
            }
        }
        self.store(lanes, segment, &streams);
    }

    /// The secant of a band's slant.
    #[inline(always)]
    fn secant(&self, band: usize) -> R {
        let given = self.batch.secant;
        if given > R::ZERO { given } else { self.batch.sources.states.secants.at(band, self.column) }
    }

    /// A layer of the chunk.
    #[inline(always)]
    fn gas<const W: usize>(&self, points: &[Points<R>; 4], chunk: Chunk, slot: usize) -> Gas<R, W> {
        let zeros = [R::ZERO; W];
        let mut gas = Gas { depth: zeros, fractions: zeros, planck: zeros, step: zeros, cloud: zeros };
        let batch = self.batch;
        for octet in 0..octets::<W>() {
            let points = &points[octet];
            let secant = self.secant(points.band);
            // SAFETY: lists and sources of the chunk were written.
            let (depths, fractions, planck, step, cloud) = unsafe {
                (
                    points.optical_depths::<W>(self.scratch, chunk.region, slot),
                    points.fractions::<W>(self.scratch, chunk.region, slot),
                    (*self.scratch).planck[points.band][slot],
                    (*self.scratch).planck_step[points.band][slot],
                    if SKY != CLEAR && (*self.scratch).cloudy[slot] != 0 {
                        let secant = if SKY == SUBCOLUMNS {
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
            let first = octet * OCTET;
            if SKY > SUBCOLUMNS {
                gas.cloud[first..first + octet_lanes::<W>()].fill(cloud);
            }
            for lane in 0..octet_lanes::<W>() {
                // Weights beyond the tables' ends can make it negative.
                gas.depth[first + lane] = (secant * depths[lane]).max(R::ZERO);
                gas.fractions[first + lane] = fractions[lane];
                gas.planck[first + lane] = planck;
                gas.step[first + lane] = step;
            }
            if SKY == SUBCOLUMNS && cloud > R::ZERO {
                let place = (points.first, points.left, batch.sources.tables.points);
                let seen = batch.clouds.seen::<W>(cloud, place, chunk.low + slot, self.column);
                let count = octet_lanes::<W>();
                gas.cloud[first..first + count].copy_from_slice(&seen[..count]);
            }
        }
        gas
    }

    /// What its gases do.
    #[inline(always)]
    fn layer<const W: usize>(&self, gas: &Gas<R, W>) -> Layer<R, W> {
        if !TABLE {
            let (absorptance, shape) = exact(&gas.depth);
            return Layer { absorptance, source: gas.source(&shape) };
        }
        let (mut absorptance, mut shape) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            let entry = table::gas(gas.depth[lane]);
            (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
        }
        Layer { absorptance, source: gas.source(&shape) }
    }

    /// What it does with its clouds.
    #[inline(always)]
    fn cloudy_layer<const W: usize>(&self, gas: &Gas<R, W>) -> Layer<R, W> {
        if TABLE {
            return table_cloudy(gas);
        }
        let mut depth = gas.depth;
        for lane in 0..W {
            depth[lane] += gas.cloud[lane];
        }
        let (absorptance, shape) = exact(&depth);
        Layer { absorptance, source: gas.source(&shape) }
    }

    /// All sky through a layer with a fraction of clouds: what it gains, and the mean absorptance.
    #[inline(always)]
    fn pass_fraction<const W: usize, const UP: bool>(
        &mut self,
        streams: &mut Streams<R, W>,
        (segment, layer_number): (usize, usize),
        gas: &Gas<R, W>,
        layer: &Layer<R, W>,
    ) -> ([R; W], [R; W]) {
        let fraction = |layer: usize| self.batch.clouds.fraction.at(layer, self.column);
        let part = fraction(layer_number);
        let cloudy = self.cloudy_layer(gas);
        let (mut gains, mut mean) = ([R::ZERO; W], [R::ZERO; W]);
        for lane in 0..W {
            mean[lane] = part * cloudy.absorptance[lane] + (R::ONE - part) * layer.absorptance[lane];
        }
        if SKY == RANDOM {
            for lane in 0..W {
                let (before, a) = (streams[0][lane], layer.absorptance[lane]);
                let stopped = -(-gas.cloud[lane]).exp_m1();
                let (clear, whole) = (layer.source[lane] * a, cloudy.source[lane] * cloudy.absorptance[lane]);
                gains[lane] = clear + part * (whole - clear) - before * (a + part * stopped * (R::ONE - a));
                streams[0][lane] = before + gains[lane];
            }
            return (gains, mean);
        }
        let last = self.batch.sources.temperature.levels() - 1;
        let beside = |inside: bool, layer: usize| if inside { fraction(layer) } else { R::ZERO };
        let above = beside(layer_number < last, layer_number + 1);
        let below = beside(layer_number > 0, layer_number.wrapping_sub(1));
        let (before, next) = if UP { (below, above) } else { (above, below) };
        let before = (before >= R::from_f64(LEAST_FRACTION)).then_some(before);
        // SAFETY: all lanes of the warp write the same.
        let weights = unsafe { Weights::new(before, part, next, &mut (*self.scratch).memory[segment]) };
        let [all, _, _, _, inside, outside, handed] = streams;
        for lane in 0..W {
            let was = all[lane];
            if before.is_none() {
                inside[lane] = part * was;
                outside[lane] = was - inside[lane];
                handed[lane] = R::ZERO;
            }
            let (a, whole) = (layer.absorptance[lane], cloudy.absorptance[lane]);
            let (clear_source, cloudy_source) = (layer.source[lane] * a, cloudy.source[lane] * whole);
            inside[lane] = inside[lane] * (R::ONE - whole) + part * cloudy_source;
            outside[lane] = outside[lane] * (R::ONE - a) + (R::ONE - part) * clear_source;
            all[lane] = inside[lane] + outside[lane];
            gains[lane] = all[lane] - was;
            let moved = handed[lane] * (weights.grown * (R::ONE - a) + weights.shrunk * (R::ONE - whole))
                - weights.clear_source * clear_source
                + weights.cloudy_source * cloudy_source;
            let (cloudy_part, clear_part) = (inside[lane] - moved, outside[lane] + moved);
            handed[lane] = weights.to_cloudy * clear_part - weights.to_clear * cloudy_part - moved;
            inside[lane] += handed[lane];
            outside[lane] -= handed[lane];
        }
        (gains, mean)
    }

    /// Sums radiances, and derivatives if there are any.
    #[inline(always)]
    fn put_streams<const W: usize>(
        &mut self,
        lanes: Lanes<W>,
        (segment, slot): (usize, usize),
        streams: &Streams<R, W>,
        flux: &[R; W],
        derivative: bool,
    ) {
        for sky in 0..=usize::from(SKY != CLEAR) {
            let mut fluxes = [R::ZERO; W];
            for lane in 0..W {
                fluxes[lane] = flux[lane] * streams[sky][lane];
            }
            self.put(lanes, (segment, slot), sum::RADIANCE + sky, fluxes);
            if sky == 0 && !self.batch.fluxes.band_up.is_empty() {
                self.put_octets(lanes, (segment, slot), fluxes);
            }
            if derivative {
                for lane in 0..W {
                    fluxes[lane] = flux[lane] * streams[2 + sky][lane];
                }
                self.put(lanes, (segment, slot), sum::DERIVATIVE + sky, fluxes);
            }
        }
    }

    /// Sums over the warp.
    #[inline(always)]
    fn put<const W: usize>(&mut self, lanes: Lanes<W>, (segment, slot): (usize, usize), number: usize, values: [R; W]) {
        debug_assert!(number < SUMS);
        let total = lanes.sum(values);
        if lanes.first() == 0 {
            // SAFETY: the warp's place.
            unsafe { (*self.scratch).sums[number][segment][slot] = total };
        }
    }

    /// Sums over each octet.
    #[inline(always)]
    fn put_octets<const W: usize>(&mut self, lanes: Lanes<W>, (segment, slot): (usize, usize), mut values: [R; W]) {
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
}

/// Radiance through a layer; what it gains.
#[inline(always)]
fn pass<R: Real, const W: usize>(stream: &mut [R; W], layer: &Layer<R, W>) -> [R; W] {
    let mut gains = [R::ZERO; W];
    for lane in 0..W {
        gains[lane] = (layer.source[lane] - stream[lane]) * layer.absorptance[lane];
        stream[lane] += gains[lane];
    }
    gains
}

/// The derivative through a layer.
#[inline(always)]
fn dim<R: Real, const W: usize>(stream: &mut [R; W], absorptance: &[R; W]) {
    for lane in 0..W {
        stream[lane] -= stream[lane] * absorptance[lane];
    }
}

/// All sky through a cloudy layer, with RRTMG_LW's table: a cloud's transmittance multiplies that of the gas. What it gains, and absorptances.
#[inline(always)]
fn pass_table<R: Real, const W: usize>(stream: &mut [R; W], gas: &Gas<R, W>, layer: &Layer<R, W>) -> ([R; W], [R; W]) {
    let Layer { mut absorptance, source: total } = table_cloudy(gas);
    let mut gains = [R::ZERO; W];
    for lane in 0..W {
        let before = stream[lane];
        if gas.cloud[lane] > R::ZERO {
            let left = before * (R::ONE - layer.absorptance[lane]) * (-gas.cloud[lane]).exp();
            stream[lane] = left + total[lane] * absorptance[lane];
            gains[lane] = stream[lane] - before;
        } else {
            // A cloud without water is none.
            gains[lane] = (layer.source[lane] - before) * layer.absorptance[lane];
            stream[lane] = before + gains[lane];
            absorptance[lane] = layer.absorptance[lane];
        }
    }
    (gains, absorptance)
}

/// Gas and cloud by RRTMG_LW's table.
#[inline(always)]
fn table_cloudy<R: Real, const W: usize>(gas: &Gas<R, W>) -> Layer<R, W> {
    let (mut shape, mut absorptance) = ([R::ZERO; W], [R::ZERO; W]);
    for lane in 0..W {
        let entry = table::cloudy(gas.depth[lane], gas.cloud[lane], &table::gas(gas.depth[lane]));
        (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
    }
    Layer { absorptance, source: gas.source(&shape) }
}
