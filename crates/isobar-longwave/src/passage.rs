//! One layer and what it does to the radiances of a warp's lanes.

use isobar_core::Real;

use crate::absorption::table;

/// What a layer is to the lanes' g-points.
pub(crate) struct Gas<R, const W: usize> {
    /// Slant optical depth.
    pub(crate) depth: [R; W],
    /// [`crate::optics::Points::emission`].
    pub(crate) emission: [R; W],
    /// That radiance in the middle of the layer, and what it has more at the far boundary.
    pub(crate) planck: [R; W],
    pub(crate) step: [R; W],
    /// Slant optical depth of the clouds that the g-point sees.
    pub(crate) cloud: [R; W],
}

/// What a layer does to radiation: absorptance, and the radiance that it would have if it were opaque.
pub(crate) struct Layer<R, const W: usize> {
    pub(crate) absorptance: [R; W],
    pub(crate) source: [R; W],
}

impl<R: Real, const W: usize> Gas<R, W> {
    #[inline(always)]
    pub(crate) fn source(&self, shape: &[R; W]) -> [R; W] {
        let mut source = [R::ZERO; W];
        for lane in 0..W {
            source[lane] = self.emission[lane] * (self.planck[lane] + shape[lane] * self.step[lane]);
        }
        source
    }
}

/// Radiance through a layer; what it gains.
#[inline(always)]
pub(crate) fn pass<R: Real, const W: usize>(stream: &mut [R; W], layer: &Layer<R, W>) -> [R; W] {
    let mut gains = [R::ZERO; W];
    for lane in 0..W {
        gains[lane] = (layer.source[lane] - stream[lane]) * layer.absorptance[lane];
        stream[lane] += gains[lane];
    }
    gains
}

/// The derivative through a layer.
#[inline(always)]
pub(crate) fn dim<R: Real, const W: usize>(stream: &mut [R; W], absorptance: &[R; W]) {
    for lane in 0..W {
        stream[lane] -= stream[lane] * absorptance[lane];
    }
}

/// All sky through a cloudy layer, with RRTMG_LW's table: a cloud's transmittance multiplies that of the gas. What it
/// gains, and absorptances.
#[inline(always)]
pub(crate) fn pass_table<R: Real, const W: usize>(
    stream: &mut [R; W],
    gas: &Gas<R, W>,
    layer: &Layer<R, W>,
) -> ([R; W], [R; W]) {
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
pub(crate) fn table_cloudy<R: Real, const W: usize>(gas: &Gas<R, W>) -> Layer<R, W> {
    let (mut shape, mut absorptance) = ([R::ZERO; W], [R::ZERO; W]);
    for lane in 0..W {
        let entry = table::cloudy(gas.depth[lane], gas.cloud[lane], &table::gas(gas.depth[lane]));
        (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
    }
    Layer { absorptance, source: gas.source(&shape) }
}
