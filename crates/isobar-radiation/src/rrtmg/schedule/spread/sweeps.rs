//! A warp of g-points down through all layers of a column, and up again.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, PerLane, Real};

use crate::rrtmg::arguments::{CLEAR, Sweeps, TransferArgs};
use crate::rrtmg::physics::passage::{Gas, Layer, slant_optical_depth};
use crate::rrtmg::schedule::lane_groups::{point_groups, point_lanes};
use crate::rrtmg::schedule::points::WarpPoints;
use crate::rrtmg::schedule::spread::memory::{ColumnMemory, sum};
use crate::rrtmg::schedule::surface;
use crate::rrtmg::schedule::sweep::{self, STREAMS, Storage, Sweep, exact};
use crate::rrtmg::sizes::CHUNK;
use crate::rrtmg::tables::{QUAD, QUADS};

/// The number of items.
pub(crate) fn items<R: Real, const SKY: u32>(kernel: &Sweeps<'_, R, SKY>) -> usize {
    kernel.arguments.sources.columns.surface_temperature_k.len() * kernel.arguments.sources.tables.segments()
}

/// Computes the sums of an item.
///
/// # Safety
/// The lists were written. The index is below the number of items, and nobody else has it.
#[inline(always)]
pub(crate) unsafe fn compute<R: Real, const SKY: u32, const W: usize>(
    kernel: &Sweeps<'_, R, SKY>,
    index: usize,
    lanes: Lanes<W>,
) {
    let batch = &kernel.arguments;
    let sources = &batch.sources;
    // Neighbours have the same g-points of neighbouring columns: they read much the same coefficients, and take
    // about as long. Long lists come first.
    let columns = batch.sources.columns.surface_temperature_k.len();
    let (column, segment) = (index % columns, index / columns);
    let layers = sources.columns.temperature_k.levels();
    let points = WarpPoints::new(&sources.tables, lanes, segment);
    let mut secants = [R::ZERO; QUADS];
    for group in 0..point_groups::<W>() {
        secants[group] = batch.secant_of(points.of_group(group).band, column);
    }
    // SAFETY: what is stored and summed is this warp's.
    let memory = unsafe { ColumnMemory::new(&kernel.spread, &sources.tables, (layers, SKY != CLEAR), column) };
    let lower = sources.states.lower_layers.at(0, column) as usize;
    let mut warp = ColumnWarp::<R, SKY, W> { batch, memory, lanes, column, segment, lower, points, secants };
    let sweep = Sweep::<R, SKY> { batch, column };
    let derivative = !batch.fluxes.up_derivative_w_per_m2_k.is_empty();

    let (mut streams, mut of_fractions) = ([[R::ZERO; W]; STREAMS], [R::ZERO; 2]);
    sweep.through::<_, W, false>(&mut warp, (&mut streams, &mut of_fractions), (0, layers), false);
    let region = usize::from(lower == 0);
    surface::reflect(batch, column, &warp.points, (memory.lists(0), region), &mut streams);
    Sweep::<R, SKY>::leave_surface(&mut warp, &streams, derivative);
    sweep.through::<_, W, true>(&mut warp, (&mut streams, &mut of_fractions), (0, layers), derivative);
}

/// Where the absorptance of a sky is among the rows that are stored; its shape is the next. The first is the emission.
const fn row(sky: usize) -> usize {
    1 + 2 * sky
}

/// A warp of g-points in a column: what layers do is computed and stored on the way down, and read on the way up.
struct ColumnWarp<'a, R, const SKY: u32, const W: usize> {
    batch: &'a TransferArgs<'a, R>,
    memory: ColumnMemory<R>,
    lanes: Lanes<W>,
    column: usize,
    segment: usize,
    /// The layers of the lower region.
    lower: usize,
    points: WarpPoints<R, W>,
    secants: [R; QUADS],
}

impl<R: Real, const SKY: u32, const W: usize> ColumnWarp<'_, R, SKY, W> {
    /// The gas of a layer for the `N` g-points of a quad that a thread has, as its list has it.
    #[inline(always)]
    fn fill<const N: usize>(&self, gas: &mut Gas<[R; W]>, group: usize, layer: usize) {
        let (points, first) = (self.points.of_group(group), group * QUAD);
        let (lists, region, slot) = (self.memory.lists(layer), usize::from(layer >= self.lower), layer % CHUNK);
        let head = self.memory.head(layer, points.band);
        let depths = points.optical_depths_by_pairs::<N>(lists, (region, slot), head.aerosol);
        let emission = points.emission::<N>(lists, (region, slot));
        for lane in 0..N {
            gas.depth[first + lane] = slant_optical_depth(self.secants[group], depths[lane]);
            gas.emission[first + lane] = emission[lane];
            (gas.planck[first + lane], gas.step[first + lane]) = (head.planck, head.step_down);
        }
    }

    /// Adds the clouds that the `N` g-points of a quad see in a cloudy layer to optical depths.
    #[inline(always)]
    fn add_clouds<const N: usize>(&self, depth: &mut [R; W], group: usize, layer: usize) {
        let points = self.points.of_group(group);
        let cloud = self.memory.cloud(layer, points.band) * self.secants[group];
        if cloud > R::ZERO {
            let which = (cloud, points.first, self.batch.sources.tables.points);
            let seen = self.batch.clouds.seen::<R, N>(&self.batch.sources.columns, which, layer, self.column);
            for lane in 0..N {
                depth[group * QUAD + lane] += seen[lane];
            }
        }
    }

    /// Absorptances and shapes of sources for slant optical depths, which are stored for a sky.
    #[inline(always)]
    fn store(&self, layer: usize, depth: &[R; W], sky: usize) -> ([R; W], [R; W]) {
        let (absorptance, shape) = exact(depth);
        let (of, first) = ((layer, self.segment), self.lanes.first());
        self.memory.set_row(of, row(sky), first, absorptance);
        self.memory.set_row(of, row(sky) + 1, first, shape);
        (absorptance, shape)
    }

    #[inline(always)]
    fn recall(&self, layer: usize, gas: &Gas<[R; W]>, sky: usize) -> Layer<[R; W]> {
        let (of, first) = ((layer, self.segment), self.lanes.first());
        let absorptance = self.memory.row(of, row(sky), first);
        let shape = self.memory.row(of, row(sky) + 1, first);
        sweep::layer(gas, (absorptance, shape))
    }

    /// Sums two kinds under a sky at their levels.
    #[inline(always)]
    fn put_two(&self, sky: usize, first: (usize, usize, &[R; W]), second: (usize, usize, &[R; W])) {
        let totals = self.lanes.sum_two(*first.2, *second.2);
        let put = |(kind, level, _): (usize, usize, &[R; W]), total| {
            self.memory.set_sum((kind, sky), self.segment, level, total);
        };
        if W > 1 {
            put(first, totals[0]);
            put(second, totals[1]);
        } else if self.lanes.first().is_multiple_of(WARP / 2) {
            // A GPU's lanes have the sum of their half.
            let (of, total) = if self.lanes.first() == 0 { (first, totals[0]) } else { (second, totals[1]) };
            put(of, total);
        }
    }

    /// Sums one kind under a sky at a level.
    #[inline(always)]
    fn put(&self, kind: usize, sky: usize, level: usize, values: &[R; W]) {
        let total = self.lanes.sum(*values);
        if self.lanes.first() == 0 {
            self.memory.set_sum((kind, sky), self.segment, level, total);
        }
    }
}

impl<R: Real, const SKY: u32, const W: usize> Storage<R, W> for ColumnWarp<'_, R, SKY, W> {
    #[inline(always)]
    fn clear_sky<const UP: bool>(&mut self, layer: usize) -> (Gas<[R; W]>, Layer<[R; W]>) {
        let mut gas = Gas::<[R; W]>::zeros();
        let (of, first) = ((layer, self.segment), self.lanes.first());
        if UP {
            gas.emission = self.memory.row(of, 0, first);
            for group in 0..point_groups::<W>() {
                let head = self.memory.head(layer, self.points.of_group(group).band);
                for lane in group * QUAD..group * QUAD + point_lanes::<W>() {
                    (gas.planck[lane], gas.step[lane]) = (head.planck, head.step_up);
                }
            }
            let clear = self.recall(layer, &gas, Sweep::<R, SKY>::CLEAR_SKY);
            return (gas, clear);
        }
        for group in 0..point_groups::<W>() {
            if point_lanes::<W>() == QUAD {
                self.fill::<QUAD>(&mut gas, group, layer);
            } else {
                self.fill::<1>(&mut gas, group, layer);
            }
        }
        let stored = self.store(layer, &gas.depth, Sweep::<R, SKY>::CLEAR_SKY);
        self.memory.set_row(of, 0, first, gas.emission);
        let clear = sweep::layer(&gas, stored);
        (gas, clear)
    }

    #[inline(always)]
    fn is_cloudy(&mut self, layer: usize) -> bool {
        self.memory.cloudy(layer) != 0
    }

    #[inline(always)]
    fn all_sky<const UP: bool>(&mut self, layer: usize, gas: &Gas<[R; W]>) -> Layer<[R; W]> {
        if UP {
            return self.recall(layer, gas, 0);
        }
        let mut depth = gas.depth;
        for group in 0..point_groups::<W>() {
            if point_lanes::<W>() == QUAD {
                self.add_clouds::<QUAD>(&mut depth, group, layer);
            } else {
                self.add_clouds::<1>(&mut depth, group, layer);
            }
        }
        sweep::layer(gas, self.store(layer, &depth, 0))
    }

    #[inline(always)]
    fn sum_layer<const UP: bool>(&mut self, layer: usize, sky: usize, flux: &[R; W], gains: &[R; W]) {
        if UP {
            self.put_two(sky, (sum::UP, layer + 1, flux), (sum::GAIN_UP, layer, gains));
        } else {
            self.put_two(sky, (sum::DOWN, layer, flux), (sum::GAIN_DOWN, layer, gains));
        }
    }

    #[inline(always)]
    fn sum_derivative(&mut self, layer: usize, sky: usize, derivative: &[R; W]) {
        self.put(sum::DERIVATIVE, sky, layer + 1, derivative);
    }

    #[inline(always)]
    fn sum_surface(&mut self, sky: usize, flux: &[R; W]) {
        self.put(sum::UP, sky, 0, flux);
    }

    #[inline(always)]
    fn sum_surface_derivative(&mut self, sky: usize, derivative: &[R; W]) {
        self.put(sum::DERIVATIVE, sky, 0, derivative);
    }
}
