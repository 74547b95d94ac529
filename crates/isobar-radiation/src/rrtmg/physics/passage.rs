//! One layer and what it does to the radiances of g-points, a lane each.

use isobar_core::Real;

use crate::rrtmg::physics::absorption::{exact, table};

/// Radiances that a g-point carries.
pub(crate) const STREAMS: usize = 7;

/// Radiances of the lanes, in the unit of their flux: all sky, clear sky, their derivatives; under a sky of cloud
/// fractions, the cloudy and the clear part of all sky and what the layer before moved between them.
pub(crate) type Streams<R, const W: usize> = [[R; W]; STREAMS];

/// What a layer is to the lanes' g-points.
pub(crate) struct Gas<R, const W: usize> {
    /// Slant optical depth.
    pub(crate) depth: [R; W],
    /// What the Planck fraction adds to a flux, for a Planck radiance of one.
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
    /// None.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        let zeros = [R::ZERO; W];
        Self { depth: zeros, emission: zeros, planck: zeros, step: zeros, cloud: zeros }
    }

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

/// The derivative of a radiance through a layer.
#[inline(always)]
pub(crate) fn pass_derivative<R: Real, const W: usize>(stream: &mut [R; W], absorptance: &[R; W]) {
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

/// Gas alone: by RRTMG_LW's table, or exactly.
#[inline(always)]
pub(crate) fn absorbed<R: Real, const W: usize>(depth: &[R; W], by_table: bool) -> ([R; W], [R; W]) {
    if !by_table {
        return exact(depth);
    }
    let (mut absorptance, mut shape) = ([R::ZERO; W], [R::ZERO; W]);
    for lane in 0..W {
        let entry = table::gas(depth[lane]);
        (absorptance[lane], shape[lane]) = (entry.absorptance, entry.shape);
    }
    (absorptance, shape)
}

/// Gas and cloud, exactly.
#[inline(always)]
pub(crate) fn exact_cloudy<R: Real, const W: usize>(gas: &Gas<R, W>) -> Layer<R, W> {
    let mut depth = gas.depth;
    for lane in 0..W {
        depth[lane] += gas.cloud[lane];
    }
    let (absorptance, shape) = exact(&depth);
    Layer { absorptance, source: gas.source(&shape) }
}
