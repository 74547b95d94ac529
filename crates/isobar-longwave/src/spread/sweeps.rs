//! The kernel of sweeps: a warp of g-points down through all layers of a column, and up again.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::absorption::exact;
use crate::optics::{Points, quad_lanes, quads};
use crate::passage::{Gas, Layer, dim, pass};
use crate::scratch::CHUNK;
use crate::spread::{Place, Spread, sum};
use crate::tables::{QUAD, QUADS};
use crate::transfer::{CLEAR, TransferArgs};

/// A warp of g-points of a column: an item. `SKY` is [`CLEAR`] or [`crate::transfer::SUBCOLUMNS`]; transmittances are
/// exact.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sweeps<'a, R, const SKY: u32> {
    /// The batch.
    pub arguments: TransferArgs<'a, R>,
    /// Lists, and where sums go.
    pub spread: Spread<'a, R>,
}

// SAFETY: an item writes what its own warp of g-points keeps, and its sums.
unsafe impl<R: Real, const SKY: u32> Kernel for Sweeps<'_, R, SKY> {
    const NAME: &'static str = if SKY == CLEAR { "longwave_sweeps_clear" } else { "longwave_sweeps_cloudy" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        self.arguments.surface_temperature.len() * self.arguments.sources.tables.segments()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let batch = &self.arguments;
        let sources = &batch.sources;
        // Neighbours have the same g-points of neighbouring columns: they read much the same coefficients, and take
        // about as long. Long lists come first.
        let columns = batch.surface_temperature.len();
        let (column, segment) = (index % columns, index / columns);
        let layers = sources.temperature.levels();
        let points = Points::of_warp(&sources.tables, lanes, segment);
        let mut secants = [R::ZERO; QUADS];
        for quad in 0..quads::<W>() {
            secants[quad] = batch.secant_of(points[quad].band, column);
        }
        let place = Place::new(&self.spread, &sources.tables, (layers, SKY != CLEAR), column);
        let lower = sources.states.lower_layers.at(0, column) as usize;
        let way = Way::<R, SKY, W> { batch, place, lanes, column, segment, lower, points, secants };

        let mut streams = [[R::ZERO; W]; 4];
        for layer in (0..layers).rev() {
            // SAFETY: the lists were written, and what is kept and summed is this warp's.
            unsafe { way.down(&mut streams, layer) };
        }
        let region = usize::from(lower == 0);
        // SAFETY: as above.
        unsafe {
            batch.reflect(column, &way.points, (place.lists(0), region), &mut streams);
            way.leave_surface(&streams);
        }
        for layer in 0..layers {
            // SAFETY: the layer was kept on the way down.
            unsafe { way.up(&mut streams, layer) };
        }
        Status::OK
    }
}

/// Where the absorptance of a sky is among the rows that are kept; its shape is the next.
const fn row(sky: usize) -> usize {
    1 + 2 * sky
}

/// A warp's way through a column.
struct Way<'a, R, const SKY: u32, const W: usize> {
    batch: &'a TransferArgs<'a, R>,
    place: Place<R>,
    lanes: Lanes<W>,
    column: usize,
    segment: usize,
    /// The layers of the lower region.
    lower: usize,
    points: [Points<R>; QUADS],
    secants: [R; QUADS],
}

impl<R: Real, const SKY: u32, const W: usize> Way<'_, R, SKY, W> {
    /// The number of the stream of clear sky.
    const CLEAR_SKY: usize = if SKY == CLEAR { 0 } else { 1 };

    /// Downward through a layer.
    #[inline(always)]
    unsafe fn down(&self, streams: &mut [[R; W]; 4], layer: usize) {
        // SAFETY: the caller's.
        unsafe {
            let gas = self.gas(layer);
            let clear = self.keep(layer, &gas.depth, Self::CLEAR_SKY);
            self.kept(layer, 0).write(gas.emission);
            let clear = Layer { absorptance: clear.0, source: gas.source(&clear.1) };
            if SKY != CLEAR {
                let gained = if self.place.cloudy(layer).read() == 0 {
                    pass(&mut streams[0], &clear)
                } else {
                    let depth = self.with_clouds(layer, &gas.depth);
                    let cloudy = self.keep(layer, &depth, 0);
                    let cloudy = Layer { absorptance: cloudy.0, source: gas.source(&cloudy.1) };
                    pass(&mut streams[0], &cloudy)
                };
                self.put((sum::DOWN, layer, &streams[0]), (sum::GAIN_DOWN, layer, &gained), 0);
            }
            let gained = pass(&mut streams[Self::CLEAR_SKY], &clear);
            let stream = &streams[Self::CLEAR_SKY];
            self.put((sum::DOWN, layer, stream), (sum::GAIN_DOWN, layer, &gained), Self::CLEAR_SKY);
        }
    }

    /// Upward through a layer.
    #[inline(always)]
    unsafe fn up(&self, streams: &mut [[R; W]; 4], layer: usize) {
        // SAFETY: the caller's.
        unsafe {
            let zeros = [R::ZERO; W];
            let emission = self.kept(layer, 0).read();
            let mut gas = Gas { depth: zeros, emission, planck: zeros, step: zeros, cloud: zeros };
            for quad in 0..quads::<W>() {
                let head = self.place.head(layer, self.points[quad].band).read();
                for lane in quad * QUAD..quad * QUAD + quad_lanes::<W>() {
                    (gas.planck[lane], gas.step[lane]) = (head.planck, head.step_up);
                }
            }
            let clear = self.recall(layer, &gas, Self::CLEAR_SKY);
            if SKY != CLEAR {
                if self.place.cloudy(layer).read() == 0 {
                    self.through(streams, &clear, layer, 0);
                } else {
                    let cloudy = self.recall(layer, &gas, 0);
                    self.through(streams, &cloudy, layer, 0);
                }
            }
            self.through(streams, &clear, layer, Self::CLEAR_SKY);
        }
    }

    /// Upward through what a layer is under a sky, with sums.
    #[inline(always)]
    unsafe fn through(&self, streams: &mut [[R; W]; 4], layer: &Layer<R, W>, number: usize, sky: usize) {
        let gained = pass(&mut streams[sky], layer);
        // SAFETY: the caller's.
        unsafe { self.put((sum::UP, number + 1, &streams[sky]), (sum::GAIN_UP, number, &gained), sky) };
        if !self.batch.fluxes.derivative.is_empty() {
            dim(&mut streams[2 + sky], &layer.absorptance);
            // SAFETY: as above.
            unsafe { self.put_one((sum::DERIVATIVE, number + 1, &streams[2 + sky]), sky) };
        }
    }

    /// Sums what leaves the surface.
    #[inline(always)]
    unsafe fn leave_surface(&self, streams: &[[R; W]; 4]) {
        for sky in 0..=Self::CLEAR_SKY {
            // SAFETY: the caller's.
            unsafe {
                self.put_one((sum::UP, 0, &streams[sky]), sky);
                if !self.batch.fluxes.derivative.is_empty() {
                    self.put_one((sum::DERIVATIVE, 0, &streams[2 + sky]), sky);
                }
            }
        }
    }

    /// The gas of a layer, as its list has it.
    #[inline(always)]
    unsafe fn gas(&self, layer: usize) -> Gas<R, W> {
        let zeros = [R::ZERO; W];
        let mut gas = Gas { depth: zeros, emission: zeros, planck: zeros, step: zeros, cloud: zeros };
        let (lists, region, slot) = (self.place.lists(layer), usize::from(layer >= self.lower), layer % CHUNK);
        for quad in 0..quads::<W>() {
            let points = &self.points[quad];
            // SAFETY: the caller's.
            let (head, depths, emission) = unsafe {
                let head = self.place.head(layer, points.band).read();
                let depths = points.optical_depths_by_pairs::<W>(lists, (region, slot), head.aerosol);
                (head, depths, points.emission::<W>(lists, region, slot))
            };
            for lane in 0..quad_lanes::<W>() {
                let all = quad * QUAD + lane;
                // Weights beyond the tables' ends can make it negative.
                gas.depth[all] = (self.secants[quad] * depths[lane]).max(R::ZERO);
                gas.emission[all] = emission[lane];
                (gas.planck[all], gas.step[all]) = (head.planck, head.step_down);
            }
        }
        gas
    }

    /// Optical depths with the clouds that g-points see in a cloudy layer.
    #[inline(always)]
    unsafe fn with_clouds(&self, layer: usize, depth: &[R; W]) -> [R; W] {
        let mut depth = *depth;
        for quad in 0..quads::<W>() {
            let points = &self.points[quad];
            // SAFETY: the caller's.
            let cloud = unsafe { self.place.cloud(layer, points.band).read() } * self.secants[quad];
            if cloud > R::ZERO {
                let which = (points.first, self.batch.sources.tables.points);
                let seen = self.batch.clouds.seen::<QUAD>(cloud, which, layer, self.column);
                for lane in 0..quad_lanes::<W>() {
                    depth[quad * QUAD + lane] += seen[lane];
                }
            }
        }
        depth
    }

    /// A row that the layer keeps.
    #[inline(always)]
    fn kept(&self, layer: usize, row: usize) -> *mut [R; W] {
        self.place.kept(layer, self.segment).wrapping_add(row * WARP + self.lanes.first()).cast()
    }

    /// Absorptances and shapes of sources for slant optical depths, which are kept for a sky.
    #[inline(always)]
    unsafe fn keep(&self, layer: usize, depth: &[R; W], sky: usize) -> ([R; W], [R; W]) {
        let (absorptance, shape) = exact(depth);
        // SAFETY: the caller's.
        unsafe {
            self.kept(layer, row(sky)).write(absorptance);
            self.kept(layer, row(sky) + 1).write(shape);
        }
        (absorptance, shape)
    }

    #[inline(always)]
    unsafe fn recall(&self, layer: usize, gas: &Gas<R, W>, sky: usize) -> Layer<R, W> {
        // SAFETY: the caller's.
        let (absorptance, shape) =
            unsafe { (self.kept(layer, row(sky)).read(), self.kept(layer, row(sky) + 1).read()) };
        Layer { absorptance, source: gas.source(&shape) }
    }

    /// Sums two kinds at their levels.
    #[inline(always)]
    unsafe fn put(&self, first: (usize, usize, &[R; W]), second: (usize, usize, &[R; W]), sky: usize) {
        let totals = self.lanes.sum_two(*first.2, *second.2);
        let places = [first, second].map(|(kind, level, _)| self.place.sum((kind, sky), self.segment, level));
        // SAFETY: the places are the warp's; a GPU's lanes have the sum of their half.
        unsafe {
            if W > 1 {
                places[0].write(totals[0]);
                places[1].write(totals[1]);
            } else if self.lanes.first().is_multiple_of(WARP / 2) {
                let (place, total) =
                    if self.lanes.first() == 0 { (places[0], totals[0]) } else { (places[1], totals[1]) };
                place.write(total);
            }
        }
    }

    /// Sums one kind.
    #[inline(always)]
    unsafe fn put_one(&self, (kind, level, radiances): (usize, usize, &[R; W]), sky: usize) {
        let total = self.lanes.sum(*radiances);
        if self.lanes.first() == 0 {
            // SAFETY: the place is the warp's.
            unsafe { self.place.sum((kind, sky), self.segment, level).write(total) };
        }
    }
}
