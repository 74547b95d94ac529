//! All sky through a layer with a fraction of clouds, without sub-columns.

use isobar_core::{Real, per_lane};

use crate::rrtmg::physics::overlap_weights::Weights;
use crate::rrtmg::physics::passage::Layer;

/// The mean absorptance of a layer of which a part is cloudy.
#[inline(always)]
pub(crate) fn mean_absorptance<R: Real>(part: R, [clear, cloudy]: [&Layer<R>; 2]) -> R {
    part * cloudy.absorptance + (R::ONE - part) * clear.absorptance
}

/// What a radiance gains in a layer whose clouds, of this slant optical depth, overlap those of others at random.
#[inline(always)]
pub(crate) fn random_gain<R: Real>(before: R, part: R, cloud: R, [layer, cloudy]: [&Layer<R>; 2]) -> R {
    let a = layer.absorptance;
    let stopped = -(-cloud).exp_m1();
    let (clear, whole) = (layer.source * a, cloudy.source * cloudy.absorptance);
    clear + part * (whole - clear) - before * (a + part * stopped * (R::ONE - a))
}

per_lane! {
    /// Radiance inside clouds and outside, and what the layer before moved between the two.
    pub(crate) struct Parts { inside, outside, handed }
}

impl<R: Real> Parts<R> {
    /// Those of a radiance at the beginning of a cloud.
    #[inline(always)]
    pub(crate) fn at_start(all: R, part: R) -> Self {
        let inside = part * all;
        Self { inside, outside: all - inside, handed: R::ZERO }
    }

    /// Passes a layer whose clouds overlap the neighbours' as much as possible: what is behind it, and all of that
    /// together.
    #[inline(always)]
    pub(crate) fn pass(self, part: R, weights: &Weights<R>, [layer, cloudy]: [&Layer<R>; 2]) -> (Self, R) {
        let (a, whole) = (layer.absorptance, cloudy.absorptance);
        let (clear_source, cloudy_source) = (layer.source * a, cloudy.source * whole);
        let inside = self.inside * (R::ONE - whole) + part * cloudy_source;
        let outside = self.outside * (R::ONE - a) + (R::ONE - part) * clear_source;
        let moved = self.handed * (weights.grown * (R::ONE - a) + weights.shrunk * (R::ONE - whole))
            - weights.clear_source * clear_source
            + weights.cloudy_source * cloudy_source;
        let (cloudy_part, clear_part) = (inside - moved, outside + moved);
        let handed = weights.to_cloudy * clear_part - weights.to_clear * cloudy_part - moved;
        (Self { inside: inside + handed, outside: outside - handed, handed }, inside + outside)
    }
}
