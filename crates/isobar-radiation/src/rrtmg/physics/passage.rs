//! One layer and what it does to the radiance of a g-point, in the unit of its flux.

use isobar_core::{Real, per_lane};

use crate::rrtmg::physics::absorption::table;

per_lane! {
    /// What a layer is to a g-point.
    pub(crate) struct Gas {
        /// Slant optical depth.
        depth,
        /// What the Planck fraction adds to a flux, for a Planck radiance of one.
        emission,
        /// That radiance in the middle of the layer, and what it has more at the far boundary.
        planck,
        step,
        /// Slant optical depth of the clouds that the g-point sees.
        cloud,
    }
}

per_lane! {
    /// What a layer does to radiation: absorptance, and the radiance that it would have if it were opaque.
    pub(crate) struct Layer { absorptance, source }
}

/// Slant optical depth. Weights beyond the tables' ends can make it negative.
#[inline(always)]
pub(crate) fn slant_optical_depth<R: Real>(secant: R, vertical: R) -> R {
    (secant * vertical).max(R::ZERO)
}

impl<R: Real> Gas<R> {
    #[inline(always)]
    pub(crate) fn source(&self, shape: R) -> R {
        self.emission * (self.planck + shape * self.step)
    }

    /// Gas and cloud by RRTMG_LW's table.
    #[inline(always)]
    pub(crate) fn table_cloudy(&self) -> Layer<R> {
        let entry = table::cloudy(self.depth, self.cloud, &table::gas(self.depth));
        Layer { absorptance: entry.absorptance, source: self.source(entry.shape) }
    }
}

impl<R: Real> Layer<R> {
    /// What radiance gains in the layer.
    #[inline(always)]
    pub(crate) fn gain(&self, radiance: R) -> R {
        (self.source - radiance) * self.absorptance
    }
}

/// All sky through a cloudy layer, with RRTMG_LW's table: a cloud's transmittance multiplies that of the gas, `clear`.
/// The radiance behind it, its gain, and the absorptance.
#[inline(always)]
pub(crate) fn pass_table<R: Real>(before: R, gas: &Gas<R>, clear: &Layer<R>) -> [R; 3] {
    let Layer { absorptance, source } = gas.table_cloudy();
    if gas.cloud > R::ZERO {
        let left = before * (R::ONE - clear.absorptance) * (-gas.cloud).exp();
        let behind = left + source * absorptance;
        [behind, behind - before, absorptance]
    } else {
        // A cloud without water is none.
        let gain = clear.gain(before);
        [before + gain, gain, clear.absorptance]
    }
}
