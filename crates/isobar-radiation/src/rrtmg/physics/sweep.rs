//! Radiation through the layers of a column, down and up: one sweep for every schedule.
//!
//! A layer adds `(source - radiance) absorptance` to a radiance. What absorptances and sources are made of, whether
//! they are computed once a direction or stored on the way down, and where sums over g-points go, is the matter of a
//! [`Storage`].

use isobar_core::Real;

use crate::rrtmg::arguments::{ANY, CLEAR, RANDOM, SUBCOLUMNS, TransferArgs};
use crate::rrtmg::physics::cloud_fractions::{mean_absorptance, pass_maximum_random, pass_random};
use crate::rrtmg::physics::passage::{
    Gas, Layer, STREAMS, Streams, exact_cloudy, pass, pass_derivative, pass_table, table_cloudy,
};

/// Where a sweep finds its layers and leaves its sums. Layers count from the surface. Skies are 0 for all sky, which
/// without clouds is the only one, and 1 for clear sky.
pub(crate) trait Storage<R: Real, const W: usize> {
    /// The gas of a layer, as far as its source needs it, and what it does to radiation without clouds.
    fn clear_sky<const UP: bool>(&mut self, layer: usize) -> (Gas<R, W>, Layer<R, W>);

    /// Does any g-point see clouds in the layer?
    fn is_cloudy(&mut self, layer: usize) -> bool;

    /// What the layer does to radiation with the clouds that the g-points see, with exact transmittances.
    fn all_sky<const UP: bool>(&mut self, layer: usize, gas: &Gas<R, W>) -> Layer<R, W>;

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
    /// `memory` is that of [`pass_maximum_random`].
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
        (gas, clear): (&Gas<R, W>, &Layer<R, W>),
    ) -> ([R; W], [R; W]) {
        if self.sky() > SUBCOLUMNS {
            let cloudy = if self.by_table() { table_cloudy(gas) } else { exact_cloudy(gas) };
            let fraction = |layer: usize| self.batch.sources.columns.cloud_fraction.at(layer, self.column);
            let (part, layers) = (fraction(layer), [clear, &cloudy]);
            let mean = mean_absorptance(part, clear, &cloudy);
            if self.sky() == RANDOM {
                return (pass_random(&mut streams[0], part, gas, layers), mean);
            }
            let last = self.batch.sources.columns.temperature_k.levels() - 1;
            let above = if layer < last { fraction(layer + 1) } else { R::ZERO };
            let below = if layer > 0 { fraction(layer - 1) } else { R::ZERO };
            let fractions = if UP { [below, part, above] } else { [above, part, below] };
            (pass_maximum_random(streams, fractions, memory, layers), mean)
        } else if self.by_table() {
            pass_table(&mut streams[0], gas, clear)
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
