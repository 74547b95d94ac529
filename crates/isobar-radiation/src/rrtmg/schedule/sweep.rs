//! Radiation through the layers of a column, down and up: one sweep for every schedule.
//!
//! A layer adds `(source - radiance) absorptance` to a radiance. What absorptances and sources are made of, whether
//! they are computed once a direction or stored on the way down, and where sums over g-points go, is the matter of a
//! [`Storage`].

use isobar_core::{PerLane, Real};

use crate::rrtmg::arguments::{ANY, CLEAR, RANDOM, SUBCOLUMNS, TransferArgs};
use crate::rrtmg::physics::absorption::{self, table};
use crate::rrtmg::physics::cloud_fractions::{Parts, mean_absorptance, random_gain};
use crate::rrtmg::physics::overlap_weights::{LEAST_FRACTION, Weights};
use crate::rrtmg::physics::passage::{Gas, Layer, pass_table};

/// Radiances that a g-point carries.
pub(crate) const STREAMS: usize = 7;

/// Radiances of the lanes: all sky, clear sky, their derivatives; under a sky of cloud fractions, the [`Parts`] of all
/// sky.
pub(crate) type Streams<R, const W: usize> = [[R; W]; STREAMS];

/// Absorptances of optical depths, and shapes of the source.
#[inline(always)]
pub(crate) fn exact<R: Real, const W: usize>(depth: &[R; W]) -> ([R; W], [R; W]) {
    let (mut absorptance, mut shape) = (*depth, *depth);
    for lane in 0..W {
        absorptance[lane] = absorption::absorptance(depth[lane]);
    }
    for lane in 0..W {
        shape[lane] = absorption::shape(depth[lane], absorptance[lane]);
    }
    (absorptance, shape)
}

/// The same, or by RRTMG_LW's table.
#[inline(always)]
pub(crate) fn absorbed<R: Real, const W: usize>(depth: &[R; W], by_table: bool) -> ([R; W], [R; W]) {
    if !by_table {
        return exact(depth);
    }
    let (mut absorptance, mut shape) = (*depth, *depth);
    for lane in 0..W {
        let entry = table::gas(depth[lane]);
        (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
    }
    (absorptance, shape)
}

/// A layer of these absorptances and shapes of the source.
#[inline(always)]
pub(crate) fn layer<R: Real, const W: usize>(
    gas: &Gas<[R; W]>,
    (absorptance, shape): ([R; W], [R; W]),
) -> Layer<[R; W]> {
    let mut source = shape;
    for lane in 0..W {
        source[lane] = gas.lane(lane).source(shape[lane]);
    }
    Layer { absorptance, source }
}

/// Gas and cloud, exactly.
#[inline(always)]
pub(crate) fn exact_cloudy<R: Real, const W: usize>(gas: &Gas<[R; W]>) -> Layer<[R; W]> {
    let mut depth = gas.depth;
    for lane in 0..W {
        depth[lane] += gas.cloud[lane];
    }
    layer(gas, exact(&depth))
}

/// Gas and cloud by RRTMG_LW's table.
#[inline(always)]
fn table_cloudy<R: Real, const W: usize>(gas: &Gas<[R; W]>) -> Layer<[R; W]> {
    let mut layer = Layer::<[R; W]>::zeros();
    for lane in 0..W {
        layer.set(lane, gas.lane(lane).table_cloudy());
    }
    layer
}

/// Radiances through a layer; what they gain.
#[inline(always)]
fn pass<R: Real, const W: usize>(stream: &mut [R; W], layer: &Layer<[R; W]>) -> [R; W] {
    let mut gains = [R::ZERO; W];
    for lane in 0..W {
        gains[lane] = layer.lane(lane).gain(stream[lane]);
        stream[lane] += gains[lane];
    }
    gains
}

/// Derivatives of radiances through a layer.
#[inline(always)]
fn pass_derivative<R: Real, const W: usize>(stream: &mut [R; W], absorptance: &[R; W]) {
    for lane in 0..W {
        stream[lane] -= stream[lane] * absorptance[lane];
    }
}

/// Where a sweep finds its layers and leaves its sums. Layers count from the surface. Skies are 0 for all sky, which
/// without clouds is the only one, and 1 for clear sky.
pub(crate) trait Storage<R: Real, const W: usize> {
    /// The gas of a layer, as far as its source needs it, and what it does to radiation without clouds.
    fn clear_sky<const UP: bool>(&mut self, layer: usize) -> (Gas<[R; W]>, Layer<[R; W]>);

    /// Does any g-point see clouds in the layer?
    fn is_cloudy(&mut self, layer: usize) -> bool;

    /// What the layer does to radiation with the clouds that the g-points see, with exact transmittances.
    fn all_sky<const UP: bool>(&mut self, layer: usize, gas: &Gas<[R; W]>) -> Layer<[R; W]>;

    /// Sums the flux behind a layer and what it gained in the layer.
    fn sum_layer<const UP: bool>(&mut self, layer: usize, sky: usize, flux: &[R; W], gains: &[R; W]);

    /// Sums the derivative of the upward flux above a layer.
    fn sum_derivative(&mut self, layer: usize, sky: usize, derivative: &[R; W]);

    /// Sums the flux that leaves the surface.
    fn sum_surface(&mut self, sky: usize, flux: &[R; W]);

    /// Sums its derivative.
    fn sum_surface_derivative(&mut self, sky: usize, derivative: &[R; W]);
}

/// The sweeps of a column under a sky: [`CLEAR`], [`SUBCOLUMNS`], both with exact transmittances, or [`ANY`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep<'a, R, const SKY: u32> {
    pub(crate) batch: &'a TransferArgs<'a, R>,
    pub(crate) column: usize,
}

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// The number of the clear sky.
    pub(crate) const CLEAR_SKY: usize = if SKY == CLEAR { 0 } else { 1 };

    /// Is there this stream under this sky, where derivatives are wanted or not?
    #[inline(always)]
    pub(crate) const fn has(stream: usize, derivative: bool) -> bool {
        match SKY {
            ANY => stream < STREAMS,
            CLEAR => stream == 0 || (stream == 2 && derivative),
            _ => stream < 2 || (stream < 4 && derivative),
        }
    }

    /// The sky; clear in the general kernel means clouds nowhere.
    #[inline(always)]
    pub(crate) fn sky(&self) -> u32 {
        if SKY == ANY { self.batch.sky } else { SKY }
    }

    /// Are transmittances those of the table?
    #[inline(always)]
    pub(crate) fn by_table(&self) -> bool {
        SKY == ANY && self.batch.table != 0
    }

    /// The secant of a band's diffusivity angle.
    #[inline(always)]
    pub(crate) fn secant(&self, band: usize) -> R {
        self.batch.secant_of(band, self.column)
    }

    /// Passes `count` layers from `low` on, upward or downward, with the derivative of the flux where it is wanted.
    /// `memory` is that of [`Weights`].
    #[inline(always)]
    pub(crate) fn through<S: Storage<R, W>, const W: usize, const UP: bool>(
        &self,
        storage: &mut S,
        (streams, memory): (&mut Streams<R, W>, &mut [R; 2]),
        (low, count): (usize, usize),
        derivative: bool,
    ) {
        for step in 0..count {
            let layer = low + if UP { step } else { count - 1 - step };
            let (gas, clear) = storage.clear_sky::<UP>(layer);
            if SKY != CLEAR {
                let (gains, absorptance) = if storage.is_cloudy(layer) {
                    self.pass_clouds::<S, W, UP>(storage, (streams, memory), layer, (&gas, &clear))
                } else {
                    (pass(&mut streams[0], &clear), clear.absorptance)
                };
                storage.sum_layer::<UP>(layer, 0, &streams[0], &gains);
                if derivative {
                    pass_derivative(&mut streams[2], &absorptance);
                    storage.sum_derivative(layer, 0, &streams[2]);
                }
            }
            let sky = Self::CLEAR_SKY;
            let gains = pass(&mut streams[sky], &clear);
            storage.sum_layer::<UP>(layer, sky, &streams[sky], &gains);
            if derivative {
                pass_derivative(&mut streams[2 + sky], &clear.absorptance);
                storage.sum_derivative(layer, sky, &streams[2 + sky]);
            }
        }
    }

    /// All sky through a cloudy layer: what it gains, and absorptances.
    #[inline(always)]
    fn pass_clouds<S: Storage<R, W>, const W: usize, const UP: bool>(
        &self,
        storage: &mut S,
        (streams, memory): (&mut Streams<R, W>, &mut [R; 2]),
        layer: usize,
        (gas, clear): (&Gas<[R; W]>, &Layer<[R; W]>),
    ) -> ([R; W], [R; W]) {
        if self.sky() > SUBCOLUMNS {
            let cloudy = if self.by_table() { table_cloudy(gas) } else { exact_cloudy(gas) };
            let fraction = |layer: usize| self.batch.sources.columns.cloud_fraction.at(layer, self.column);
            let part = fraction(layer);
            let (mut mean, mut gains) = ([R::ZERO; W], [R::ZERO; W]);
            for lane in 0..W {
                mean[lane] = mean_absorptance(part, [&clear.lane(lane), &cloudy.lane(lane)]);
            }
            if self.sky() == RANDOM {
                for lane in 0..W {
                    let layers = [&clear.lane(lane), &cloudy.lane(lane)];
                    gains[lane] = random_gain(streams[0][lane], part, gas.cloud[lane], layers);
                    streams[0][lane] += gains[lane];
                }
                return (gains, mean);
            }
            let last = self.batch.sources.columns.temperature_k.levels() - 1;
            let above = if layer < last { fraction(layer + 1) } else { R::ZERO };
            let below = if layer > 0 { fraction(layer - 1) } else { R::ZERO };
            let (before, next) = if UP { (below, above) } else { (above, below) };
            let before = (before >= R::from_f64(LEAST_FRACTION)).then_some(before);
            let weights = Weights::new(before, part, next, memory);
            let [all, _, _, _, inside, outside, handed] = streams;
            for lane in 0..W {
                let was = all[lane];
                let mut parts = Parts { inside: inside[lane], outside: outside[lane], handed: handed[lane] };
                if before.is_none() {
                    parts = Parts::at_start(was, part);
                }
                let (parts, behind) = parts.pass(part, &weights, [&clear.lane(lane), &cloudy.lane(lane)]);
                (inside[lane], outside[lane], handed[lane]) = (parts.inside, parts.outside, parts.handed);
                (all[lane], gains[lane]) = (behind, behind - was);
            }
            (gains, mean)
        } else if self.by_table() {
            let (mut gains, mut absorptance) = ([R::ZERO; W], [R::ZERO; W]);
            for lane in 0..W {
                [streams[0][lane], gains[lane], absorptance[lane]] =
                    pass_table(streams[0][lane], &gas.lane(lane), &clear.lane(lane));
            }
            (gains, absorptance)
        } else {
            let cloudy = storage.all_sky::<UP>(layer, gas);
            (pass(&mut streams[0], &cloudy), cloudy.absorptance)
        }
    }

    /// Sums what leaves the surface.
    #[inline(always)]
    pub(crate) fn leave_surface<S: Storage<R, W>, const W: usize>(
        storage: &mut S,
        streams: &Streams<R, W>,
        derivative: bool,
    ) {
        for sky in 0..=Self::CLEAR_SKY {
            storage.sum_surface(sky, &streams[sky]);
            if derivative {
                storage.sum_surface_derivative(sky, &streams[2 + sky]);
            }
        }
    }
}
